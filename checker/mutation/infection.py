"""Where a fault can be noticed at all: the boards on which a mutant's rule ever derives something else.

A fault is noticed only if it is executed, changes what its rule says there, and that change spreads (Voas 1992,
"PIE: a dynamic failure-based technique"). The first two are decided here for many mutants at once: the bodies
of their rules are grounded over the atoms that the rules as written have, and one search looks for a board or
step on which a rule and its mutant differ. Where there is none, what holds on each board and in each step is
a perfect model of both sets of rules, so that by induction both reach the same boards by the same steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from clingo import ast
from clingo.ast import AST, ASTType
from clingo.symbol import Number, Symbol

from checker.engines.protocol import Limits, Violated
from checker.engines.registry import engine
from checker.errors import InputError
from checker.mutation.mutants import Mutant
from checker.mutation.overlay import FALSE, Overlay, apart, by_head, key_of, moved
from checker.rulebook.encoding import Encoding
from checker.system.ground import Ground, ground
from checker.system.model import Atom, Goal, Kind, Rule, RuleSource, TransitionSystem, rule_name
from checker.system.specialise import step_atoms
from checker.system.stratify import stratify

GIVEN = frozenset({"fired", "option", "chosen"})
"""Predicates that stand for the rules themselves; a mutant of a rule that reads them is not laid."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A system with an atom for each mutant that says: here its rule derives something else.

    apart: these atoms, by the mutant's number; mutants that differ in the same way share one. unclear: what the
    rule derives takes grounding to tell. unsafe: clingo refuses the rule on any board. All others have the same
    ground rule. written: the system as it is. above: the rules laid over it, by head. rules: for each in `apart`
    its rule, and what it derives instead.
    """

    system: TransitionSystem
    apart: Mapping[int, Atom]
    unclear: frozenset[int]
    unsafe: frozenset[int]
    written: TransitionSystem
    above: Mapping[Atom, Sequence[Rule]]
    rules: Mapping[int, tuple[int, tuple[Rule, ...]]]

    def with_fault(self, number: int) -> TransitionSystem:
        """Return the rules as written with one of the mutants in `apart`, without grounding again."""
        rule, instead = self.rules[number]
        gone = {atom for atom, owner in self.written.fired.items() if owner == rule}
        kept = [r for r in self.written.rules() if gone.isdisjoint(r.body)]
        strata = stratify([*kept, *instead, *_below(instead, self.above)])
        return replace(self.system, strata=strata, goals=self.written.goals)


def lay(encoding: Encoding, system: TransitionSystem, mutants: Sequence[Mutant]) -> Laid:
    """Lay the mutants of rules over a board's ground rules, which `encoding` as written has."""
    layer = _Layer(encoding, system)
    clear = [n for n, mutant in enumerate(mutants) if mutant.rule not in encoding.choosing]
    unclear = set(range(len(mutants))) - set(clear)
    rules = {mutants[n].rule for n in clear}
    flat = {n: list(_flat(n, mutants[n].nodes)) for n in clear}
    written = {rule: list(_flat(len(mutants) + rule, _written(encoding, rule))) for rule in rules}
    grounds, refused, unsafe = layer.ground(flat, [node for nodes in written.values() for node in nodes])
    unclear |= refused
    for program in grounds:
        layer.take(program)
    found: dict[int, Atom] = {}
    for n in clear:
        atom = None if n in refused else layer.differ(len(mutants) + mutants[n].rule, n)
        if atom is None:
            unclear.add(n)
        elif atom != FALSE:
            found[n] = atom
    instead = {n: (mutants[n].rule, tuple(layer.instead(n))) for n in found}
    return Laid(
        layer.over.onto(system),
        found,
        frozenset(unclear),
        frozenset(unsafe),
        system,
        by_head(layer.over.rules),
        instead,
    )


def shows(laid: Laid, limits: Limits, engine_name: str) -> frozenset[int]:
    """Return the mutants whose rule derives something else on a reachable board or step, or that are unclear.

    Those that the search does not come to within the limits count as such.
    """
    if not laid.apart:
        return laid.unclear
    atoms = dict.fromkeys(laid.apart.values())
    named = {atom: RuleSource(atom, "mutant", atom, 0, "", (), None) for atom in atoms}
    marked = replace(laid.system, fired={atom: atom for atom in atoms}, sources=tuple(named.values()), goals=())
    goal = Goal("shows", Kind.RULES_FIRE)
    answer = engine(engine_name).check(marked, (goal,), limits, lambda _: None).verdicts[0].answer
    dead = set(answer.culprits) if isinstance(answer, Violated) else set()
    return laid.unclear | {n for n, atom in laid.apart.items() if rule_name(named[atom]) not in dead}


def _below(rules: Iterable[Rule], above: Mapping[Atom, Sequence[Rule]]) -> Iterator[Rule]:
    """Yield the rules of `above` that some rules need, each once."""
    waiting, seen = [abs(lit) for rule in rules for lit in rule.body], set[Atom]()
    while waiting:
        atom = waiting.pop()
        if atom not in seen:
            seen.add(atom)
            yield from above.get(atom, ())
            waiting += [abs(lit) for rule in above.get(atom, ()) for lit in rule.body]


def _written(encoding: Encoding, rule: int) -> tuple[AST, ...]:
    return tuple(n for n, o in zip(encoding.program, encoding.owners, strict=True) if o == rule)


def _flat(mark: int, nodes: Sequence[AST]) -> Iterator[AST]:
    """Yield the rule `derives(mark, H) :- B` for each head of a rule that was rewritten to say when it fires."""
    for node in nodes[1:]:
        place = node.location
        head = ast.Function(place, "derives", [ast.SymbolicTerm(place, Number(mark)), node.head.atom.symbol], 0)
        yield ast.Rule(place, ast.Literal(place, ast.Sign.NoSign, ast.SymbolicAtom(head)), nodes[0].body)


class _Layer:
    """The atoms of a system, and above them what rules derive that were grounded over these atoms."""

    def __init__(self, encoding: Encoding, system: TransitionSystem) -> None:
        self.system = system
        self.constants = [n for n in encoding.program if n.ast_type == ASTType.Definition]
        self.over = Overlay(len(system.atoms))
        self.level = {rule.head: n for n, stratum in enumerate(system.strata) for rule in stratum.rules}
        self.step = step_atoms(system)
        self.derived: dict[int, dict[Symbol, Atom]] = {}
        self.reads: dict[Atom, frozenset[Atom]] = {FALSE: frozenset()}

    def ground(
        self, flat: Mapping[int, Sequence[AST]], written: Sequence[AST]
    ) -> tuple[list[Ground], set[int], set[int]]:
        """Ground rules over the atoms there are: all together, or one by one if clingo objects to some.

        Returns:
            the ground rules; the numbers of those to which clingo objects here; and of those that it always would.

        """
        try:
            return [self._grounded([*written, *(node for nodes in flat.values() for node in nodes)])], set(), set()
        except InputError:
            pass
        grounds, refused, unsafe = [self._grounded(written)], set[int](), set[int]()
        for number, nodes in flat.items():
            try:
                grounds.append(self._grounded(nodes))
            except InputError as error:
                refused.add(number)
                unsafe |= {number} if any("unsafe" in p.message for p in error.problems) else set()
        return grounds, refused, unsafe

    def _grounded(self, rules: Sequence[AST]) -> Ground:
        names = set(re.findall(r"[a-z_]\w*", " ".join(map(str, rules)))) - GIVEN
        facts = [symbol for symbol in self.system.facts if symbol.name in names]
        inputs = [s for s in self.system.atom_of if s.name in names and s not in self.system.facts]
        nodes: list[AST] = []
        ast.parse_string("".join(f"#external {symbol}.\n" for symbol in inputs), nodes.append)
        program = (*self.constants, *nodes[1:], *rules)
        return ground(Encoding(program, tuple(None for _ in program), (), {}), facts, strict=False)

    def take(self, program: Ground) -> None:
        """Give an atom to everything that some ground rules derive."""
        place = {
            atom: self.system.atom_of[symbol]
            for atom, symbol in program.symbols.items()
            if symbol in self.system.atom_of and symbol not in program.facts
        }
        for stratum in stratify(program.rules):
            for head, rules in by_head(stratum.rules).items():
                place[head] = self._define(moved(rules, place))
        for atom, symbol in program.symbols.items():
            if symbol.match("derives", 2):
                mark, derived = symbol.arguments
                found = self._define([Rule(FALSE, ())]) if symbol in program.facts else place.get(atom, FALSE)
                self.derived.setdefault(mark.number, {})[derived] = found

    def _define(self, rules: list[Rule]) -> Atom:
        """Return an atom that these rules derive, having noted which atoms of the system it reads."""
        atom = self.over.define(rules)
        if atom not in self.reads:
            read = {abs(lit) for rule in rules for lit in rule.body}
            below = (self.reads.get(other, frozenset({other})) for other in read)
            self.reads[atom] = frozenset().union(*below)
        return atom

    def differ(self, written: int, mutant: int) -> Atom | None:
        """Return an atom that holds where a rule and its mutant derive different things.

        Returns:
            FALSE if they never do; None where the loader has to be asked: the mutant derives what was not there,
            takes away what always was, says who decides, or reads what depends on it.

        """
        before, after = self.derived.get(written, {}), self.derived.get(mutant, {})
        rules: list[Rule] = []
        for derived in sorted({*before, *after}):
            one, other = before.get(derived, FALSE), after.get(derived, FALSE)
            if one == other:
                continue
            if derived in self.system.facts:
                if not self._always(one):
                    continue
                return None
            atom = self.system.atom_of.get(derived)
            if atom is None or derived.name == "by" or not self._fits(atom, other):
                return None
            rules += (Rule(FALSE, body) for body in self._bodies(atom, one, other))
        return self.over.define(rules)

    def instead(self, mutant: int) -> Iterator[Rule]:
        """Yield the rules by which a mutant derives what it does, other than what always holds."""
        for derived, atom in self.derived.get(mutant, {}).items():
            if atom != FALSE and derived not in self.system.facts:
                yield Rule(self.system.atom_of[derived], (atom,))

    def _bodies(self, head: Atom, one: Atom, other: Atom) -> Iterator[tuple[int, ...]]:
        """Yield when it matters that `other` derives what `one` did: what holds anyhow is no news."""
        for body in apart(one, other):
            yield (*body, -head) if body[0] == other else body

    def _always(self, atom: Atom) -> bool:
        return atom != FALSE and atom == self.over.known.get(key_of([Rule(FALSE, ())]))

    def _fits(self, head: Atom, body: Atom) -> bool:
        """Tell whether what derives an atom stays below it: no new loop, and no step in what is of the board."""
        level, read = self.level.get(head), self.reads[body]
        if level is None:
            return False
        below = all(self.level.get(atom, -1) < level for atom in read)
        return below and (head in self.step or not any(atom in self.step for atom in read))
