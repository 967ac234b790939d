"""Ground a rewritten rulebook with clingo and listen to the rules it emits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clingo import Control, Observer, ast
from clingo.ast import ProgramBuilder
from clingo.core import MessageCode
from clingo.symbol import Symbol

from checker.errors import InputError, LimitError
from checker.rulebook.encoding import Encoding, clingo_problems
from checker.system.model import Atom, Rule

Watch: TypeAlias = Callable[[], str | None]

CHECK_EVERY = 4096
"""Ground rules between two looks at the limits."""


@dataclass(frozen=True)
class Ground:
    """clingo's ground program: the rules, the symbol of each named atom, and which symbols are facts."""

    rules: tuple[Rule, ...]
    symbols: dict[Atom, Symbol]
    facts: frozenset[Symbol]


class _Listener(Observer):
    """Collects the ground rules (aspif, see Gebser et al., "A User's Guide to gringo, clasp, clingo")."""

    def __init__(self, watch: Watch) -> None:
        self.rules: dict[Rule, None] = {}
        self.watch = watch
        self.heard = 0
        self.stop: str | None = None

    def _listen(self) -> None:
        """Break off, the only way clingo has to, when a limit is reached."""
        self.heard += 1
        if self.heard % CHECK_EVERY == 0 and (reason := self.watch()):
            self.stop = f"{reason} while the rules were being ground; {self.heard:,} ground rules so far"
            raise RuntimeError(self.stop)

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._listen()
        assert not choice, "the loader lets no choice through"
        assert len(head) == 1, "the loader lets no disjunction or constraint through"
        if head[0] not in body:
            self.rules[Rule(head[0], tuple(dict.fromkeys(body)))] = None

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self._listen()
        assert not choice, "as in rule()"
        assert len(head) == 1, "as in rule()"
        literals, weights = zip(*body, strict=True) if body else ((), ())
        self.rules[Rule(head[0], tuple(literals), tuple(weights), lower_bound)] = None


def ground(encoding: Encoding, facts: Sequence[Symbol], strict: bool = True, watch: Watch = lambda: None) -> Ground:
    """Ground `encoding` over `facts`.

    Unless `strict`, atoms that nobody derives are let through, as a rulebook with rules switched off has.
    `watch` is asked now and then, and says which limit has been reached, or None.

    Raises:
        LimitError: `watch` says so.
        InputError: an unsafe variable, an undefined atom, or anything else clingo has to say.

    """
    messages: list[tuple[MessageCode, str]] = []
    control = Control(logger=lambda code, text: messages.append((code, text)))
    listener = _Listener(watch)
    control.register_observer(listener, replace=True)
    try:
        with ProgramBuilder(control) as builder:
            ast.parse_string("".join(f"{fact}.\n" for fact in facts), builder.add)
            for node in encoding.program:
                builder.add(node)
        control.ground()
    except RuntimeError:
        if listener.stop:
            raise LimitError(listener.stop) from None
        raise InputError(clingo_problems(messages)) from None
    messages = [m for m in messages if strict or m[0] is not MessageCode.AtomUndefined]
    if messages:
        raise InputError(clingo_problems(messages))
    symbols = {a.literal: a.symbol for a in control.symbolic_atoms}
    true = frozenset(a.symbol for a in control.symbolic_atoms if a.is_fact)
    read = {abs(lit) for rule in listener.rules for lit in rule.body}
    rules = tuple(r for r in listener.rules if r.body or (r.head in read and symbols.get(r.head) not in true))
    return Ground(rules, symbols, true)
