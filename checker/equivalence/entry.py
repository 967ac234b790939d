"""An entry of `shared.toml` as formulas: what the theory's actions ask for and do, over the letters of the entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from string import Formatter

import z3
from clingo.symbol import Symbol, SymbolType, parse_term

from checker.engines.smt.circuit import FALSE
from checker.equivalence.shared import Like, SharedAction
from checker.equivalence.view import View
from checker.errors import InputError
from checker.firstorder.theory import Action, rename


@dataclass(frozen=True, slots=True)
class Alike:
    """An action of the theory with its arguments in place: when it is allowed, and what it does."""

    action: Action
    allowed: z3.BoolRef
    effect: z3.BoolRef


@dataclass(frozen=True, slots=True)
class Way:
    """An entry with values for the letters that the rules name.

    closed: the values that other letters may have. where: which they are, by `where` and `named`. somewhere: it
    holds for some of them. when: as in the file. given: what the rules ask for beyond. unseen: what is so of what
    the board does not show. shown: the board shows it all the same.
    """

    likes: tuple[Alike, ...]
    closed: tuple[z3.BoolRef, ...]
    where: z3.BoolRef
    when: z3.BoolRef
    given: z3.BoolRef
    somewhere: z3.BoolRef
    unseen: z3.BoolRef
    shown: z3.BoolRef

    @property
    def allowed(self) -> z3.BoolRef:
        """One of the theory's actions is allowed."""
        return z3.Or([like.allowed for like in self.likes])

    @property
    def wanted(self) -> z3.BoolRef:
        """The theory allows it, and what it does not know of is given."""
        return z3.And(self.allowed, self.when, self.given)


class Entry:
    """An entry, its formulas read once.

    actions: the theory's actions. letters: the sort of each letter that stands for an element. bound: those of
    them that the rules name.
    """

    def __init__(self, view: View, shared: SharedAction) -> None:
        self.view, self.shared = view, shared
        known = {action.name: action for action in view.theory.actions}
        self.actions = tuple(known[like.name] for like in shared.here)
        self.letters: dict[str, str] = dict(shared.sorts)
        for action, like in zip(self.actions, shared.here, strict=True):
            if len(action.params) != len(like.arguments):
                raise InputError(f"shared.toml: {like.name} has {len(action.params)} arguments")
            for param, text in zip(action.params, like.arguments, strict=True):
                if len(text) == 1:
                    self.letters.setdefault(text, param.sort().name())
        for letter, sort in self.letters.items():
            if sort not in view.theory.sorts:
                raise InputError(f"shared.toml: {letter} of {shared} is of no sort {sort}")
        self.terms = {x: z3.Const(f"the {x}", view.theory.sorts[sort]) for x, sort in self.letters.items()}
        named = {letter for pattern in shared.rules for letter in _letters(pattern)}
        self.bound = tuple(letter for letter in self.letters if letter in named)
        self._where, self._when = self._read(shared.where), self._read(shared.when)
        self._likes = tuple(self._alike(*pair) for pair in zip(self.actions, shared.here, strict=True))

    def with_values(self, values: Mapping[str, Symbol]) -> Way:
        """Return the entry with values for letters that the rules name; those that stand for no element too."""
        fixed = [(self.terms[x], self.view.constants[v]) for x, v in values.items() if x in self.terms]
        loose = [letter for letter in self.letters if letter not in values]
        closed = self.view.universe.closed(self.terms[letter].decl() for letter in loose)
        context = self.view.theory.context
        named = [self._given(text, values, loose) for text in self.shared.named]
        where = _all([z3.substitute(self._where, *fixed), *named], context)
        somewhere = z3.Or([z3.substitute(where, *pairs) for pairs in self._assignments(loose)])
        likes = tuple(
            Alike(like.action, z3.substitute(like.allowed, *fixed), z3.substitute(like.effect, *fixed))
            for like in self._likes
        )
        if self.shared.one_by_one:
            likes = tuple(Alike(x.action, self._some(x.allowed, loose), x.effect) for x in likes)
        when = z3.substitute(self._when, *fixed)
        given = _all((self._given(text, values, loose) for text in self.shared.given), context)
        unseen = _all((z3.substitute(self._unseen(*row), *fixed) for row in self.shared.unseen), context)
        hidden = [self._hidden(row[0], row[1:-1], values, loose) for row in self.shared.unseen]
        return Way(likes, tuple(closed), where, when, given, somewhere, unseen, z3.Not(_all(hidden, context)))

    def concerns(self, values: Mapping[str, Symbol]) -> bool:
        """Tell whether the entry is about these values: the fact that it asks for is one."""
        return not self.shared.only or parse_term(self.shared.only.format_map(values)) in self.view.system.facts

    def one_by_one(self, rounds: int) -> Iterator[z3.BoolRef]:
        """Yield that the actions are taken so many times, in any order, and that nothing happens once none is due."""
        state = self.view.theory.state
        for number in range(rounds):
            now, after = (dict(self.view.theory.functions_at(n)) for n in (number, number + 1))
            yield from self.view.universe.closed(after[f.name] for f in state)
            shift = self.view.theory.shift(number)
            taken = [rename(self._some(z3.And(x.allowed, x.effect), list(self.letters)), shift) for x in self._likes]
            kept = [
                now[f.name](*row) == after[f.name](*row) for f in state for row in self.view.rows(f.now)
            ]  # fmt: skip
            yield z3.Or(*taken, z3.And(z3.Not(self.due(number)), *kept))

    def due(self, number: int) -> z3.BoolRef:
        """Return that some of the actions is allowed after so many of them."""
        shift = self.view.theory.shift(number)
        return z3.Or([rename(self._some(like.allowed, list(self.letters)), shift) for like in self._likes])

    def _some(self, formula: z3.BoolRef, letters: Sequence[str]) -> z3.BoolRef:
        return z3.Or([z3.substitute(formula, *pairs) for pairs in self._assignments(letters)])

    def _assignments(self, letters: Sequence[str]) -> Iterator[list[tuple[z3.ExprRef, z3.ExprRef]]]:
        for row in product(*(self.view.universe.constants[self.letters[letter]] for letter in letters)):
            yield [(self.terms[letter], value) for letter, value in zip(letters, row, strict=True)]

    def _alike(self, action: Action, like: Like) -> Alike:
        pairs = [(p, self._argument(text)) for p, text in zip(action.params, like.arguments, strict=True)]
        parts = [z3.substitute(self.view.universe.ground(part), *pairs) for part in action.conjuncts]
        allowed = [part for part, after in zip(parts, action.about, strict=True) if not after]
        effect = [part for part, after in zip(parts, action.about, strict=True) if after]
        context = self.view.theory.context
        return Alike(action, _all(allowed, context), self._but_derived(_all(effect, context)))

    def _but_derived(self, effect: z3.BoolRef) -> z3.BoolRef:
        """Return an effect without what it says of functions that are derived, which have no arguments."""
        for function in self.view.theory.state:
            if function not in self.view.compared:
                both = (z3.BoolVal(value, self.view.theory.context) for value in (True, False))
                effect = z3.Or([z3.substitute(effect, (function.next(), value)) for value in both])
        return effect

    def _unseen(self, name: str, *rest: str) -> z3.BoolRef:
        """Return that a function has a value at letters, or the one that it has after the step."""
        *arguments, value = rest
        now = dict(self.view.theory.functions_at(0))
        after = {f.name: f.next for f in self.view.theory.state}
        if name not in now:
            raise InputError(f"shared.toml: the encoding has no function {name}")
        terms = [self._argument(text) for text in arguments]
        if value == "next":
            return now[name](*terms) == after[name](*terms)
        if value in ("true", "false"):
            return now[name](*terms) == self.view.value(value == "true")
        return now[name](*terms) == self.view.constants[parse_term(value)]

    def _hidden(
        self, name: str, letters: Sequence[str], values: Mapping[str, Symbol], loose: Sequence[str]
    ) -> z3.BoolRef:
        """Return that the board does not show a function at letters."""
        open_ = [letter for letter in loose if letter in letters]
        parts = []
        for row in product(*(self.view.elements[self.letters[letter]] for letter in open_)):
            chosen = {**values, **dict(zip(open_, row, strict=True))}
            seen = self.view.now[name][tuple(chosen[letter] for letter in letters)].values()
            this = [self.terms[letter] == self.view.constants[chosen[letter]] for letter in open_]
            parts += [z3.Not(z3.And(*this, self.view.formula(net))) for net in seen if net != FALSE]
        return _all(parts, self.view.theory.context)

    def _given(self, text: str, values: Mapping[str, Symbol], loose: Sequence[str]) -> z3.BoolRef:
        """Return a template of `given` as a formula; true where it names what these values do not tell."""
        template = text.removeprefix("not ")
        used = {name for _, name, _, _ in Formatter().parse(template) if name}
        context = self.view.theory.context
        if not used <= {*values, *loose}:
            return z3.BoolVal(True, context)
        open_ = [letter for letter in loose if letter in used]
        parts = []
        for row in product(*(self.view.elements[self.letters[letter]] for letter in open_)):
            chosen = dict(zip(open_, row, strict=True))
            held = self.view.formula(self.view.holds(parse_term(template.format_map({**values, **chosen}))))
            this = [self.terms[letter] == self.view.constants[symbol] for letter, symbol in chosen.items()]
            parts.append(z3.Implies(_all(this, context), held if template == text else z3.Not(held)))
        return z3.And(parts)

    def _argument(self, text: str) -> z3.ExprRef:
        return self.terms[text] if text in self.terms else self._parse(f"(= {text} {text})").arg(0)

    def _read(self, text: str) -> z3.BoolRef:
        return self.view.universe.ground(self._parse(text))

    def _parse(self, text: str) -> z3.BoolRef:
        """Read a formula of `shared.toml` over the letters of the entry."""
        theory = self.view.theory
        known: dict[str, z3.FuncDeclRef] = {f.name: f.now for f in theory.state} | dict(theory.rigid)
        known |= {letter: term.decl() for letter, term in self.terms.items()}
        try:
            parsed = z3.parse_smt2_string(f"(assert {text})", sorts=dict(theory.sorts), decls=known, ctx=theory.context)
        except z3.Z3Exception as error:
            raise InputError(f"shared.toml: {text}: {error}") from error
        return _all(list(parsed), theory.context)


def _all(parts: Iterable[z3.BoolRef], context: z3.Context) -> z3.BoolRef:
    found = list(parts)
    return found[0] if len(found) == 1 else z3.And(found) if found else z3.BoolVal(True, context)


def _letters(pattern: Symbol) -> Iterator[str]:
    if pattern.type is SymbolType.Function:
        if not pattern.arguments and len(pattern.name) == 1:
            yield pattern.name
        for argument in pattern.arguments:
            yield from _letters(argument)
