"""What was found about claims and actions for any number of cards, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from checker.errors import counted
from checker.firstorder.boards import FirstOrderBoard
from checker.firstorder.cores import leans_on
from checker.firstorder.examine import Answer, AnyOrder, Determined, Examined, OneOutcome
from checker.firstorder.prove import AnySize, Open, Prover, Settled
from checker.firstorder.refute import MOST, SmallGame, TwoOutcomes
from checker.firstorder.vacuous import Unmet


def claim_lines(prover: Prover, shown: Sequence[Examined], unmet: Sequence[Unmet]) -> Iterator[str]:
    """Yield a line for each claim, what its proof leans on and lacks, and the games that refute others."""
    width = max((len(e.claim.name) for e in shown), default=0)
    for examined in shown:
        yield f"{examined.claim.name:<{width}}  {_verdict(examined.answer)}  ({examined.seconds:.2f} s)"
        if isinstance(examined.answer, AnySize):
            clauses = ", ".join(leans_on(prover, examined.answer))
            yield f"{'':<{width}}    leans on {clauses or 'no clause, only on what steps leave alone'}"
            yield from (f"{'':<{width}}    {_premise(one)}" for one in unmet if one.claim is examined.claim)
    for examined in shown:
        if isinstance(examined.answer, SmallGame):
            yield from ("", f"{examined.claim.name} {' '.join(examined.claim.clauses)}".rstrip())
            yield from _game(examined.answer.boards, examined.answer.actions)
            yield ""


def step_lines(steps: Sequence[OneOutcome | AnyOrder]) -> Iterator[str]:
    """Yield a line for each action, then for each pair of steps that nobody orders, and boards with two outcomes."""
    if not steps:
        return
    width = max(len(_title(step)) for step in steps)
    yield from ("", "Is the outcome of each step determined?")
    for step in steps:
        yield f"{_title(step):<{width}}  {_outcome(step)}  ({step.seconds:.2f} s)"
    for step in steps:
        if isinstance(step.answer, TwoOutcomes):
            yield from ("", _title(step), *_two_outcomes(step.answer), "")


def never_lines(names: Sequence[str]) -> Iterator[str]:
    """Say which actions can never be taken, as far as small boards show, so that nothing is shown of them."""
    if names:
        yield f"possible on no board of up to {MOST} of each sort, under these readings: {', '.join(names)}"


def _verdict(answer: Answer) -> str:
    match answer:
        case AnySize(undecided=around):
            return f"proved for any number of cards; {_fragment(around)}"
        case SmallGame(from_start=True) as game:
            return f"refuted by a game of {counted(len(game.actions), 'action')}"
        case SmallGame():
            return "open: not inductive, a step from a board that perhaps no game reaches breaks it"
        case Open(what=what, reason=reason):
            return f"open: {reason} ({what})"


def _premise(unmet: Unmet) -> str:
    if not unmet.unknown:
        return f"holds, but only because this can never be: {unmet.says}"
    where = f"on no board of up to {MOST} of each sort; of larger ones the solver does not know ({unmet.unknown})"
    return f"perhaps holds of nothing: its premise is met {where}: {unmet.says}"


def _fragment(around: Sequence[str]) -> str:
    return f"outside the decidable fragment: {'; '.join(around)}" if around else "in a decidable fragment"


def _title(step: OneOutcome | AnyOrder) -> str:
    if isinstance(step, OneOutcome):
        return step.action.name
    one, other = step.actions
    return f"{step.moment}: {one}, {other if other != one else 'another'}"


def _outcome(step: OneOutcome | AnyOrder) -> str:
    proved = _proved(step.answer)
    if isinstance(step, AnyOrder):
        if not isinstance(step.answer, Settled):
            return proved
        never = step.answer.name.startswith("apart.")
        return f"{'never both possible' if never else 'order-independent'}, {proved}"
    if not step.open:
        return f"functional, {proved}" if isinstance(step.answer, Settled) else proved
    clauses = ", ".join(step.action.clauses) or "no clause is cited"
    rest = f"all else functional, {proved}" if isinstance(step.answer, Settled) else proved
    return f"open outcome: {', '.join(step.open)} ({clauses}); {rest}"


def _proved(answer: Determined) -> str:
    match answer:
        case Settled(undecided=around):
            return f"for any number of cards; {_fragment(around)}"
        case TwoOutcomes(ways=(one, other), from_start=True):
            return "two outcomes of one action" if one == other else "order-dependent"
        case TwoOutcomes():
            return "open: two outcomes on a board that perhaps no game reaches"
        case open_:
            return f"open: {open_.reason} ({open_.question.what})"


def _two_outcomes(found: TwoOutcomes) -> Iterator[str]:
    """Yield the game to the board, and what each way makes of it."""
    yield from _game(found.boards, found.actions)
    before = found.boards[-1].lines()
    for way, end in zip(found.ways, found.ends, strict=True):
        yield f"  {', then '.join(way)}, and so"
        yield from (f"    {line}" for line in _changed(end.lines(), before) or ["nothing is different"])


def _game(boards: Iterable[FirstOrderBoard], actions: Iterable[str]) -> Iterator[str]:
    """Yield the first board, then each action with the lines that it changed."""
    before: list[str] = []
    for action, board in zip(["the board", *actions], boards, strict=True):
        lines = board.lines()
        yield from (f"  {action}", *(f"    {line}" for line in _changed(lines, before)))
        before = lines


def _changed(lines: Sequence[str], before: Sequence[str]) -> list[str]:
    return [line for line in lines if line not in before]
