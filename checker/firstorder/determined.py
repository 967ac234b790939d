"""Determinism for any number of cards: one outcome for each action, and one for any order of simultaneous steps.

Two copies of an action, from the same board with the same choices, must not differ. Steps that an encoding marks
`:together M` are those of one moment M, as the parts of a Cleanup, whose order nobody decides: of two such steps
either order must end on the same board, a step being left out once it is no longer possible. That holds for every
pair, so for any number of steps in any order (a relation whose steps close diamonds in at most one step each way
is confluent; Huet 1980).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, groupby

import z3

from checker.firstorder.prove import Boards, Question, Statement, Way
from checker.firstorder.theory import Action, Renaming, StateFunction, Theory, rename, renaming, symbols

ONE, OTHER = ".one", ".other"
"""How the names of functions end in two copies of a step."""

CASES = {
    "both steps": (".a.b", ".b.a"),
    "the first ends the second": (".a", ".b.a"),
    "the second ends the first": (".a.b", ".b"),
    "each ends the other": (".a", ".b"),
}
"""What becomes of the second step, with the last boards of the two orders."""


def functional(theory: Theory, action: Action, names: Iterable[str] = ()) -> Statement:
    """Return the statement that an action has one outcome in the functions named, by default all but its open ones."""
    wanted = list(names) or [f.name for f in theory.state if f.name not in action.open]
    besides = f", but for {', '.join(action.open)}" if action.open else ""
    questions = tuple(_twice(theory, action, f) for f in theory.state if f.name in wanted)
    return Statement(f"functional.{action.name}", f"{action.name} has one outcome{besides}", questions)


def _twice(theory: Theory, action: Action, function: StateFunction) -> Question:
    """Ask whether two copies of an action differ in a function."""
    told, whole = [], []
    for end in (ONE, OTHER):
        names = renaming((f.next, _named(f, end)) for f in theory.state)
        for part, about in zip(action.conjuncts, action.about, strict=True):
            if about or end == ONE:
                whole.append(rename(part, names))
                told += whole[-1:] if about <= {function.next.name()} else []
    differ = _differ(_named(function, ONE), _named(function, OTHER))
    ends = (_board(theory, ONE), _board(theory, OTHER))
    way = ((action.name, action.params),)
    return Question(function.name, (*told, differ), (*whole, differ), ends, (way, way))


def moments(theory: Theory) -> Iterator[tuple[str, list[Action]]]:
    """Yield each moment with its actions."""
    acting = sorted((a for a in theory.actions if a.together), key=lambda action: action.together)
    for moment, actions in groupby(acting, key=lambda action: action.together):
        yield moment, list(actions)


def pairs(actions: Sequence[Action]) -> Iterator[tuple[Action, Action]]:
    """Yield the pairs of actions of one moment, an action with itself included."""
    yield from combinations_with_replacement(actions, 2)


def apart(theory: Theory, one: Action, other: Action) -> Statement:
    """Return the statement that two steps are never both possible."""
    two = _Two(theory, one, other)
    both = tuple(part.formula for part in two.both())
    name = f"apart.{one.name}.{other.name}"
    says = f"{one.name} and another {other.name} are never both possible"
    return Statement(name, says, (Question("both", both, both, ((), ()), two.ways("both steps")),))


def any_order(theory: Theory, one: Action, other: Action) -> Statement:
    """Return the statement that two steps end on the same board in either order."""
    two = _Two(theory, one, other)
    questions = []
    for case, (left, right) in CASES.items():
        parts = two.case(case)
        ends = (_board(theory, left), _board(theory, right))
        for function in theory.state:
            differ = _differ(_named(function, left), _named(function, right))
            told, whole = _relevant(parts, differ), [part.formula for part in parts]
            what = f"{case}, {function.name}"
            questions.append(Question(what, (*told, differ), (*whole, differ), ends, two.ways(case)))
    says = f"{one.name} and another {other.name} end on the same board in either order"
    return Statement(f"order.{one.name}.{other.name}", says, tuple(questions))


def statement(theory: Theory, name: str) -> Statement | None:
    """Return the statement of a name, None if there is none."""
    actions = {action.name: action for action in theory.actions}
    match [name.partition(".")[0], *(actions.get(part) for part in name.split(".")[1:])]:
        case ["functional", Action() as action]:
            return functional(theory, action)
        case ["apart", Action() as one, Action() as other]:
            return apart(theory, one, other)
        case ["order", Action() as one, Action() as other]:
            return any_order(theory, one, other)
    return None


def _board(theory: Theory, end: str) -> Boards:
    return tuple((f.name, _named(f, end)) for f in theory.state)


@dataclass(frozen=True, slots=True)
class _Part:
    """A formula with its symbols; `sets` are the functions of a later board that it gives values to."""

    formula: z3.BoolRef
    sets: frozenset[str]
    symbols: frozenset[str]


class _Two:
    """Two steps a and b from one board; `.a.b` ends the names of what is so after a and then b."""

    def __init__(self, theory: Theory, one: Action, other: Action) -> None:
        self.theory = theory
        self.one, self.other = one, other
        self.params = {
            tag: [z3.Const(f"{param}.{tag}", param.sort()) for param in action.params]
            for tag, action in (("a", one), ("b", other))
        }

    def both(self) -> list[_Part]:
        """Return that both steps are possible, and are two."""
        found = [*self._guard("a", ""), *self._guard("b", "")]
        if self.one is self.other:
            same = [a == b for a, b in zip(self.params["a"], self.params["b"], strict=True)]
            found.append(_fact(z3.Not(self._all(same))))
        return found

    def case(self, name: str) -> list[_Part]:
        """Return the two orders, where the second step is taken only in some."""
        left, right = CASES[name]
        found = [*self.both(), *self._step("a", "", ".a"), *self._step("b", "", ".b")]
        found += self._step("b", ".a", left) if left != ".a" else [self._ended("b", ".a")]
        found += self._step("a", ".b", right) if right != ".b" else [self._ended("a", ".b")]
        return found

    def ways(self, case: str) -> tuple[Way, Way]:
        """Return the actions of the two orders."""
        left, right = (tuple(self._taken(tag) for tag in end.split(".")[1:]) for end in CASES[case])
        return left, right

    def _taken(self, tag: str) -> tuple[str, tuple[z3.ExprRef, ...]]:
        return self._action(tag).name, tuple(self.params[tag])

    def _action(self, tag: str) -> Action:
        return self.one if tag == "a" else self.other

    def _step(self, tag: str, before: str, after: str) -> Iterator[_Part]:
        action = self._action(tag)
        for part, said in zip(action.conjuncts, action.about, strict=True):
            formula = self._put(tag, part, before, after)
            yield _Part(formula, frozenset(f"{n.removesuffix('.next')}{after}" for n in said), symbols(formula))

    def _guard(self, tag: str, before: str) -> list[_Part]:
        action = self._action(tag)
        parts = zip(action.conjuncts, action.about, strict=True)
        return [_fact(self._put(tag, part, before, before)) for part, about in parts if not about]

    def _ended(self, tag: str, before: str) -> _Part:
        return _fact(z3.Not(self._all([part.formula for part in self._guard(tag, before)])))

    def _all(self, formulas: Sequence[z3.BoolRef]) -> z3.BoolRef:
        return z3.And([z3.BoolVal(True, self.theory.context), *formulas])

    def _put(self, tag: str, part: z3.BoolRef, before: str, after: str) -> z3.BoolRef:
        pairs = list(zip(self._action(tag).params, self.params[tag], strict=True))
        moved = rename(part, self._boards(before, after))
        return z3.substitute(moved, *pairs) if pairs else moved

    def _boards(self, before: str, after: str) -> Renaming:
        state = self.theory.state
        now = [(f.now, _named(f, before)) for f in state if before]
        return renaming([*now, *((f.next, _named(f, after)) for f in state)])


def _fact(formula: z3.BoolRef) -> _Part:
    return _Part(formula, frozenset(), symbols(formula))


def _relevant(parts: Sequence[_Part], differ: z3.BoolRef) -> list[z3.BoolRef]:
    """Return the formulas of parts without those that only set what nothing else asks about."""
    asked = symbols(differ).union(*(part.symbols for part in parts if not part.sets))
    size = 0
    while len(asked) > size:
        size = len(asked)
        asked = asked.union(*(part.symbols for part in parts if part.sets & asked))
    return [part.formula for part in parts if not part.sets or part.sets & asked]


def _named(function: StateFunction, end: str) -> z3.FuncDeclRef:
    """Return a state function on another board."""
    now = function.now
    if not end:
        return now
    return z3.Function(f"{now.name()}{end}", *(now.domain(i) for i in range(now.arity())), now.range())


def _differ(one: z3.FuncDeclRef, other: z3.FuncDeclRef) -> z3.BoolRef:
    """Return that two functions differ somewhere."""
    where = [z3.Const(f"where.{one.domain(i).name()}.{i}", one.domain(i)) for i in range(one.arity())]
    return one(*where) != other(*where)
