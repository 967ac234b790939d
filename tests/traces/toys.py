"""Small games for the tests, written in the rulebook language and ground like a real rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from clingo.symbol import Symbol, parse_term

from checker.rulebook.encoding import read_encoding
from checker.rulebook.model import Property, Text
from checker.system.build import build
from checker.system.ground import ground
from checker.system.model import Atom, Kind, State, Step, TransitionSystem

LAMPS = """
% Two lamps and a fuse: alice switches lamps, a blown fuse must be mended first, by the game.
lamp(red). lamp(blue).
fluent(lit(C), yes) :- lamp(C).    fluent(lit(C), no) :- lamp(C).    initially(lit(C), no) :- lamp(C).
fluent(fuse, (whole; blown; dead)).    initially(fuse, whole).
action(mend).    by(mend, game).
%@ 1
action(light(C)) :- lamp(C).
%@ 1
by(light(C), alice) :- lamp(C).
load(N) :- N = #sum { 2, C : now(lit(C), yes) }.
%@ 1
possible(light(C)) :- action(light(C)), now(lit(C), no).
%@ 2
possible(mend) :- now(fuse, blown).
%@ 2
forced(mend) :- now(fuse, blown).
%@ 1
event(lit(C)) :- occurs(light(C)).
%@ 1.a
set(lit(C), yes) :- event(lit(C)).
%@ 3
set(fuse, blown) :- event(lit(_)), load(N), N >= 2, now(fuse, whole).
%@ 4
{ set(fuse, V) : outcome(V) } = 1 :- occurs(mend).
outcome(whole). outcome(dead).
violated(bright, C) :- lamp(C), load(4).
violated(overload, C) :- occurs(light(C)), load(N), N >= 2.
reached(dead) :- now(fuse, dead).
reached(lost) :- now(fuse, dead), now(lit(red), no).
"""
"""6 boards: none lit, one lit (2), both lit with the fuse blown, whole and dead.

The second lamp blows the fuse; mending is forced and may leave it dead.
"""


CLASH = """
% A coin that a flip sets to two sides at once, and that only a spin from heads can settle.
fluent(coin, (heads; tails; edge)).    initially(coin, edge).
action((flip; spin; drop)).
by(flip, game). by(spin, game). by(drop, game).
%@ 1
possible(A) :- action(A).
%@ 2
set(coin, heads) :- occurs(flip).
%@ 2
set(coin, tails) :- occurs(flip).
%@ 3
set(coin, heads) :- occurs(drop).
%@ 4
{ set(coin, V) : side(V), now(coin, heads) } = 1 :- occurs(spin).
side(heads). side(tails).
"""
"""3 boards. `flip` conflicts everywhere; `spin` is stuck, but from heads it has two options."""

CHAIN = """
% A rope of four knots, pulled taut knot by knot: `reach` is recursive, `count` counts.
knot(1..4).
fluent(tied(K), (yes; no)) :- knot(K).    initially(tied(1), yes).
initially(tied(K), no) :- knot(K), K > 1.
%@ 1
action(tie(K)) :- knot(K).
%@ 1
by(tie(K), alice) :- knot(K).
reach(1) :- now(tied(1), yes).
reach(K) :- reach(K-1), now(tied(K), yes).
reach(K) :- reach(K+1), now(tied(K), yes).
%@ 1
possible(tie(K)) :- knot(K), now(tied(K), no).
%@ 2
set(tied(K), yes) :- occurs(tie(K)).
violated(gap) :- now(tied(4), yes), not reach(4).
reached(taut) :- reach(4), 4 { now(tied(K), yes) : knot(K) }.
"""
"""8 boards, the subsets of the knots 2, 3 and 4; on 3 of the 4 with knot 4 tied there is a gap."""

WHEEL = """
% A started wheel turns by itself for ever, by force, unless it was greased; a bell asks for an answer.
fluent(wheel, (still; 0; 1; 2)).    initially(wheel, still).
fluent(grease, (yes; no)).    initially(grease, no).
action((start; grease; turn; stop)).
by(start, alice). by(grease, bob). by(turn, game). by(stop, game).
%@ 1
possible(start)  :- now(wheel, still).
%@ 1
possible(grease) :- now(wheel, still), now(grease, no).
%@ 2
possible(turn)   :- now(wheel, N), N != still, now(grease, no).
%@ 2
forced(turn)     :- now(wheel, N), N != still.
%@ 3
possible(stop)   :- now(wheel, N), N != still, now(grease, yes).
%@ 1
set(wheel, 0)    :- occurs(start).
%@ 1
set(grease, yes) :- occurs(grease).
%@ 2
set(wheel, (N + 1) \\ 3) :- occurs(turn), now(wheel, N), N != still.
%@ 3
set(wheel, still) :- occurs(stop).
pending(rest)    :- now(wheel, 0).
answered(rest)   :- now(wheel, still).
"""
"""6 boards; without grease the wheel never stops, so `stops` and `rest` are broken."""

ORDER = """
% Opening a box releases two springs; which goes first decides where the ball lies.
fluent(spring(S), (tense; loose; gone)) :- spring(S).    initially(spring(S), tense) :- spring(S).
fluent(ball, (none; left; right)).    initially(ball, none).
spring(left). spring(right).
action(open).    by(open, alice).
%@ 1
action(release(S)) :- spring(S).
%@ 2
by(release(S), WHO) :- spring(S), owner(S, WHO).
%@ 1
possible(open) :- now(spring(left), tense).
%@ 2
possible(release(S)) :- now(spring(S), loose).
%@ 2
forced(release(S)) :- now(spring(S), loose).
%@ 1
set(spring(S), loose) :- occurs(open), spring(S).
%@ 2
set(spring(S), gone) :- occurs(release(S)).
%@ 3
set(ball, S) :- occurs(release(S)), now(ball, none).
resolution(fair) :- occurs(open).
"""
"""Needs facts owner(left, P) and owner(right, P); 6 boards, of which 2 are stable after opening."""

TRAPS = """
% Smashing and guessing would yield the key, but the one conflicts and the other is stuck; while the lamp
% is red only `left` is forced, while it is blue only `right`.
fluent(key, (yes; no)).    initially(key, no).
fluent(door, (open; shut)).    initially(door, shut).
fluent(lamp, (red; blue; off)).    initially(lamp, off).
fluent(way, (left; right; none)).    initially(way, none).
action((smash; guess; red; blue; left; right)).
by(smash, alice). by(guess, alice). by(red, alice). by(blue, alice). by(left, bob). by(right, bob).
%@ 1
possible(A) :- action(A), not now(lamp, off).
%@ 1
possible(A) :- action(A), A != left, A != right, now(lamp, off).
%@ 2
forced(left) :- now(lamp, red).
%@ 2
forced(right) :- now(lamp, blue).
%@ 3
set(key, yes) :- occurs((smash; guess)).
%@ 3
set(door, (open; shut)) :- occurs(smash).
%@ 3
{ set(way, none) : now(way, left), now(way, right) } = 1 :- occurs(guess).
%@ 4
set(lamp, A) :- occurs(A), fluent(lamp, A).
%@ 4
set(way, A) :- occurs(A), fluent(way, A).
%@ 4
set(lamp, off) :- occurs((left; right)).
reached(key) :- now(key, yes).
reached(other) :- now(lamp, red), now(way, right).
reached(wrong) :- occurs(right), now(lamp, red).
violated(lit) :- next(lamp, red).
violated(dark) :- now(lamp, off).
"""
"""9 boards, 12 steps between them: the lamp in each of three colours after each of three ways."""

GAMES = {
    "traps": (
        TRAPS,
        {
            "key": Kind.SOMETIMES,
            "other": Kind.SOMETIMES,
            "wrong": Kind.SOMETIMES,
            "lit": Kind.STEP,
            "dark": Kind.INVARIANT,
        },
    ),
    "lamps": (
        LAMPS,
        {
            "bright": Kind.INVARIANT,
            "overload": Kind.STEP,
            "dead": Kind.SOMETIMES,
            "lost": Kind.SOMETIMES,
            "torn": Kind.CONFLICT,
            "open": Kind.OPEN_OUTCOME,
        },
    ),
    "clash": (CLASH, {"torn": Kind.CONFLICT, "open": Kind.OPEN_OUTCOME}),
    "chain": (CHAIN, {"gap": Kind.INVARIANT, "taut": Kind.SOMETIMES}),
    "wheel": (WHEEL, {"stops": Kind.TERMINATION, "rest": Kind.RESPONSE}),
    "order": (ORDER, {"fair": Kind.DETERMINISM}),
}


def toy(text: str, goals: dict[str, Kind], facts: Sequence[str] = ()) -> TransitionSystem:
    """Ground the rules in `text` over `facts` of a board, with one property for each name in `goals`."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "toy.lp")
        path.write_text(text, encoding="utf-8")
        encoding = read_encoding(path)
    properties = [Property(name, kind, Text({"en": name}), (), None) for name, kind in goals.items()]
    return build("toy", encoding, ground(encoding, list(map(parse_term, facts))), properties)


def game(name: str, extra: str = "", **goals: Kind) -> TransitionSystem:
    """Return one of `GAMES`, with more rules and properties."""
    text, own = GAMES[name]
    return toy(text + extra, own | goals)


def term(text: str) -> Symbol:
    """Parse a term."""
    return parse_term(text)


def board(system: TransitionSystem, **values: str) -> State:
    """Return the board where each fluent named holds the value given and the others their first initial one.

    A name such as lit__red stands for the fluent lit(red).
    """
    wanted = {parse_term(key.replace("__", "(") + ")" * key.count("__")): v for key, v in values.items()}
    assert wanted.keys() <= {variable.name for variable in system.variables}
    return tuple(
        v.domain.index(parse_term(wanted[v.name])) if v.name in wanted else v.initial[0] for v in system.variables
    )


def step(system: TransitionSystem, action: str, *chosen: str) -> Step:
    """Return the step that takes the action written as a term, choosing effects such as set(fuse,dead)."""
    index = [str(a.name) for a in system.actions].index(action)
    options = [option for outcome in system.outcomes for option in outcome.options]
    taken = tuple(option.chosen for effect in chosen for option in options if str(option.effect) == effect)
    assert len(taken) == len(chosen)
    return Step(index, taken)


def names(system: TransitionSystem, atoms: frozenset[Atom], predicate: str) -> set[str]:
    """Return the atoms of one predicate among `atoms`, as text."""
    named = (system.atoms[atom] for atom in atoms)
    return {str(s) for s in named if s is not None and s.name == predicate}
