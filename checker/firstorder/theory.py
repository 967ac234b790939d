"""A first-order transition system: what a VMT-LIB text says, as Z3 formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import z3

from checker.errors import InputError, Position
from checker.firstorder.annotations import Annotated, Definition, read_annotations, write
from checker.firstorder.conjuncts import clauses_behind


@dataclass(frozen=True, slots=True)
class StateFunction:
    """A state variable: a function before and after the step."""

    name: str
    now: z3.FuncDeclRef
    next: z3.FuncDeclRef


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its parameters as constants, and what it does as conjuncts over them.

    about: for each conjunct the functions after the step that it speaks of. cited: for each conjunct the clauses
    behind it. open: the state functions that it leaves open on purpose.
    together: the moment of which it is a step, among others whose order nobody decides; empty for none.
    """

    name: str
    params: tuple[z3.ExprRef, ...]
    conjuncts: tuple[z3.BoolRef, ...]
    clauses: tuple[str, ...]
    about: tuple[frozenset[str], ...]
    cited: tuple[tuple[str, ...], ...]
    open: tuple[str, ...]
    together: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A property to prove: of every board, or of every step.

    auxiliary: it only helps others. for_order: and those only that say that the order of steps does not matter.
    """

    name: str
    formula: z3.BoolRef
    of_step: bool
    auxiliary: bool
    for_order: bool
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Theory:
    """A first-order transition system, in a Z3 context of its own.

    axioms: what no step changes. switches: constants that choose clauses, readings and versions.
    trans: the whole step, as the text states it. versions: those of the rulebook it is written for, none if it
    does not say.
    """

    name: str
    context: z3.Context
    axioms: tuple[z3.BoolRef, ...]
    state: tuple[StateFunction, ...]
    init: z3.BoolRef
    trans: z3.BoolRef
    actions: tuple[Action, ...]
    claims: tuple[Claim, ...]
    switches: Mapping[str, z3.BoolRef]
    versions: tuple[str, ...]

    @cached_property
    def next_names(self) -> frozenset[str]:
        """The names of the state functions after the step."""
        return frozenset(function.next.name() for function in self.state)

    def after(self, formula: z3.BoolRef) -> z3.BoolRef:
        """Return a formula about a board as one about the board after the step."""
        return rename(formula, self._after)

    @cached_property
    def _after(self) -> Renaming:
        return renaming((f.now, f.next) for f in self.state)

    def shift(self, step: int) -> Renaming:
        """Return what turns a formula about a board and the next into one about boards `step` and `step + 1`."""
        now = [(f.now, self._numbered(f, step)) for f in self.state]
        return renaming([*now, *((f.next, self._numbered(f, step + 1)) for f in self.state)])

    def functions_at(self, step: int) -> list[tuple[str, z3.FuncDeclRef]]:
        """Return what there is to show of board number `step`: what is printed, then the state."""
        return [*self.rigid, *((f.name, self._numbered(f, step)) for f in self.state)]

    @cached_property
    def sorts(self) -> Mapping[str, z3.SortRef]:
        """The uninterpreted sorts by name."""
        functions = [f.now for f in self.state] + [f for _, f in self.rigid]
        used = [f.domain(place) for f in functions for place in range(f.arity())] + [f.range() for f in functions]
        return {sort.name(): sort for sort in used if sort.kind() == z3.Z3_UNINTERPRETED_SORT}

    @cached_property
    def rigid(self) -> tuple[tuple[str, z3.FuncDeclRef], ...]:
        """The functions that no step changes, by name."""
        moving = {f.now.name() for f in self.state} | self.next_names | self.switches.keys()
        found: dict[str, z3.FuncDeclRef] = {}
        for formula in (*self.axioms, self.init, *(c for a in self.actions for c in a.conjuncts)):
            for function in declarations(formula):
                if function.arity() and function.name() not in moving:
                    found.setdefault(function.name(), function)
        return tuple(sorted(found.items()))

    def _numbered(self, function: StateFunction, step: int) -> z3.FuncDeclRef:
        if step == 0:
            return function.now
        now = function.now
        sorts = [*(now.domain(place) for place in range(now.arity())), now.range()]
        return z3.Function(f"{function.name}.{step}", *sorts)

    def chosen(self, values: Mapping[str, bool]) -> list[z3.BoolRef]:
        """Return the formulas that set switches; clauses that are not named are in force.

        Raises:
            InputError: there is no such switch.

        """
        for name in values:
            if name not in self.switches:
                raise InputError(f"there is no switch {name}; there are {', '.join(self.switches)}")
        clauses = {name: True for name in self.switches if name.startswith("clause.")}
        return [
            self.switches[name] if value else z3.Not(self.switches[name])
            for name, value in (clauses | dict(values)).items()
        ]


Renaming: TypeAlias = tuple[tuple[z3.FuncDeclRef, z3.ExprRef], ...]
"""Functions to replace, each with what to write for it over its arguments."""


def renaming(pairs: Iterable[tuple[z3.FuncDeclRef, z3.FuncDeclRef]]) -> Renaming:
    """Return the renaming of functions into others of the same sorts."""
    return tuple((old, new(*_arguments(new))) for old, new in pairs)


def rename(formula: z3.BoolRef, names: Renaming) -> z3.BoolRef:
    """Return a formula with functions renamed."""
    return z3.substitute_funs(formula, *names) if names else formula


def _arguments(function: z3.FuncDeclRef) -> list[z3.ExprRef]:
    return [z3.Var(place, function.domain(place)) for place in range(function.arity())]


def load_theory(folder: Path) -> Theory:
    """Read the `.smt2` files of a folder, in the order of their names, as one system.

    Raises:
        InputError: the text is no SMT-LIB, or something is missing in it.

    """
    files = sorted(folder.glob("*.smt2"))
    if not files:
        raise InputError(f"no .smt2 file is in {folder}")
    parts = [read_annotations(file.read_text(encoding="utf-8"), file.name) for file in files]
    _check_apart(files, parts)
    return _Builder(folder.name, parts).theory()


def theory_of(text: str, name: str = "text") -> Theory:
    """Read a text as one system; see `load_theory`."""
    return _Builder(name, [read_annotations(text, name)]).theory()


def _check_apart(files: Sequence[Path], parts: Sequence[Annotated]) -> None:
    """Raise unless Z3 reads each file with those before it, so that a fault is found in its own file."""
    parser = z3.ParserContext(z3.Context())
    for file, part in zip(files, parts, strict=True):
        try:
            parser.from_string(part.plain)
        except z3.Z3Exception as error:
            raise InputError(f"no SMT-LIB: {_message(error)}", Position(file.name)) from error


def _message(error: z3.Z3Exception) -> str:
    value = error.value
    return (value.decode() if isinstance(value, bytes) else str(value)).strip()


class _Builder:
    """Collects what the annotations name."""

    def __init__(self, name: str, parts: Sequence[Annotated]) -> None:
        self.name = name
        self.context = z3.Context()
        self.definitions = [d for part in parts for d in part.definitions]
        self.known = {d.name: d for d in self.definitions}
        self.constants = [c for part in parts for c in part.constants]
        self.info = {key: value for part in parts for key, value in part.info.items()}
        self._parser = z3.ParserContext(self.context)
        plain = "\n".join(part.plain for part in parts)
        try:
            self.axioms = tuple(self._parser.from_string(plain))
        except z3.Z3Exception as error:
            raise InputError(f"no SMT-LIB: {_message(error)}", Position(name)) from error

    def theory(self) -> Theory:
        """Return the system."""
        theory = Theory(
            self.name,
            self.context,
            self.axioms,
            tuple(self._state()),
            self._one("init"),
            self._one("trans"),
            tuple(map(self._action, self._with("action"))),
            tuple(self._claims()),
            {name: self._formula(name) for name in self.constants},
            tuple(self.info.get("versions", "").split()),
        )
        self._check_trans()
        for action in theory.actions:
            _check_frame(theory, action)
        return theory

    def _check_trans(self) -> None:
        """Raise unless a step is exactly one of the actions, with any parameters."""
        (trans,) = self._with("trans")
        ways = trans.body[1:] if isinstance(trans.body, list) and trans.body[0] == "or" else [trans.body]
        listed = sorted(map(write, ways))
        due = sorted(map(_some, self._with("action")))
        if listed != due:
            wrong = sorted({*listed} ^ {*due})
            raise InputError(f"{self.name}: a step is not exactly one of the actions: {', '.join(wrong)}")

    def _with(self, attribute: str) -> list[Definition]:
        return [d for d in self.definitions if attribute in d.attributes]

    def _one(self, attribute: str) -> z3.BoolRef:
        found = self._with(attribute)
        if len(found) != 1:
            raise InputError(f"{self.name}: {len(found)} definitions are marked :{attribute}; expected one")
        return self._formula(found[0].name)

    def _formula(self, term: str) -> z3.BoolRef:
        return self._parser.from_string(f"(assert {term})")[0]

    def _state(self) -> Iterator[StateFunction]:
        for definition in self._with("next"):
            names = [name for name, _ in definition.params]
            new = definition.attributes["next"]
            left, right = (f"({f} {' '.join(names)})" if names else f for f in (definition.name, new))
            equation = f"(= {left} {right})"
            if names:
                bound = " ".join(f"({name} {sort})" for name, sort in definition.params)
                equation = f"(forall ({bound}) {equation})"
            formula = self._formula(equation)
            body = formula.body() if z3.is_quantifier(formula) else formula
            now, after = body.arg(0).decl(), body.arg(1).decl()
            yield StateFunction(now.name(), now, after)

    def _action(self, definition: Definition) -> Action:
        params = [(f"{definition.name}.{name}", sort) for name, sort in definition.params]
        self._parser.from_string("\n".join(f"(declare-const {name} {sort})" for name, sort in params))
        names = " ".join(name for name, _ in params)
        formula = self._formula(f"({definition.name} {names})" if params else definition.name)
        constants = [self._formula(f"(= {name} {name})").arg(0) for name, _ in params]
        parts, cited = tuple(conjuncts(formula)), tuple(clauses_behind(definition, self.known))
        assert len(parts) == len(cited), "the text and what Z3 makes of it have the same conjuncts"
        after = {d.attributes["next"] for d in self._with("next")}
        about = tuple(symbols(part) & after for part in parts)
        attributes = definition.attributes
        open_, together = attributes.get("open", "").strip("()").split(), attributes.get("together", "")
        self._require_state(definition, open_)
        return Action(
            definition.name, tuple(constants), parts, definition.clauses, about, cited, tuple(open_), together
        )

    def _require_state(self, definition: Definition, names: Sequence[str]) -> None:
        """Raise unless these are names of state functions."""
        state = {d.name.removeprefix("sv.") for d in self._with("next")}
        for name in names:
            if name not in state:
                raise InputError(f"{self.name}: action {definition.name} leaves {name} open, which is no state")

    def _claims(self) -> Iterator[Claim]:
        for definition in self.definitions:
            of_step = "step-property" in definition.attributes
            if of_step or "invar-property" in definition.attributes:
                auxiliary = definition.attributes.get("auxiliary")
                formula = self._formula(definition.name)
                for_order = auxiliary == "order"
                helps = for_order or auxiliary == "true"
                yield Claim(definition.name, formula, of_step, helps, for_order, definition.clauses)


def _some(action: Definition) -> str:
    """Write "the action, with some parameters"."""
    if not action.params:
        return action.name
    bound = " ".join(f"({name} {sort})" for name, sort in action.params)
    return f"(exists ({bound}) ({action.name} {' '.join(name for name, _ in action.params)}))"


def conjuncts(formula: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """Yield the conjuncts of a formula; an if-then-else gives two implications, an implication one each."""
    if z3.is_and(formula):
        for part in formula.children():
            yield from conjuncts(part)
    elif z3.is_app_of(formula, z3.Z3_OP_ITE):
        test, then, other = formula.children()
        yield from (z3.Implies(test, part) for part in conjuncts(then))
        yield from (z3.Implies(z3.Not(test), part) for part in conjuncts(other))
    elif z3.is_implies(formula):
        test, then = formula.children()
        yield from (z3.Implies(test, part) for part in conjuncts(then))
    else:
        yield formula


def declarations(formula: z3.ExprRef) -> Iterator[z3.FuncDeclRef]:
    """Yield the functions and constants in a formula, some more than once."""
    seen: set[int] = set()
    waiting = [formula]
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_quantifier(term):
            waiting.append(term.body())
        elif z3.is_app(term):
            if term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                yield term.decl()
            waiting.extend(term.children())


def symbols(formula: z3.ExprRef) -> frozenset[str]:
    """Return the names of the functions and constants in a formula."""
    return frozenset(function.name() for function in declarations(formula))


def union(formulas: Iterable[z3.ExprRef]) -> frozenset[str]:
    """Return the names of the functions and constants in formulas."""
    return frozenset().union(*map(symbols, formulas))


def _check_frame(theory: Theory, action: Action) -> None:
    """Raise if an action says nothing about some state function after the step."""
    silent = sorted(theory.next_names - union(action.conjuncts))
    if silent:
        raise InputError(f"{theory.name}: action {action.name} does not say what becomes of {', '.join(silent)}")
