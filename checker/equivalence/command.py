"""The work of `prove --equivalence`: a rulebook's two encodings held against each other on small boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import click

from checker.equivalence.compare import Compared, compare
from checker.equivalence.shared import Shared, load_shared
from checker.errors import InputError
from checker.firstorder.command import folder_of, require_version
from checker.firstorder.examine import switches
from checker.firstorder.prove import AnySize, Prover
from checker.firstorder.theory import Claim, Theory, load_theory
from checker.pipeline import read_rules, system_of
from checker.rulebook.encoding import Encoding
from checker.rulebook.load import load_board, load_rulebook
from checker.rulebook.model import Rulebook


@dataclass(frozen=True, slots=True)
class Held:
    """A board under some readings, with every way to act on it compared. readings: those that are not the board's."""

    board: str
    readings: Mapping[str, str]
    compared: tuple[Compared, ...]

    @property
    def likes(self) -> frozenset[str]:
        """The actions of the encoding that are some step of the rules."""
        return frozenset(like for found in self.compared for like in found.likes)


def run_equivalence(rulebook: str, readings: Mapping[str, str]) -> int:
    """Compare the encodings on every board beside the first-order one, and print what was found.

    Returns:
        0 if they agree, 1 if they differ somewhere.

    Raises:
        InputError: the rulebook or a reading is wrong, this version has no first-order encoding, or nothing says what
            the encodings have in common.

    """
    began = monotonic()
    book = load_rulebook(rulebook)
    folder = folder_of(book)
    theory, shared = load_theory(folder), load_shared(folder)
    require_version(theory, book)
    reached: set[str] = set()
    differing = 0
    for held in hold(book, folder, theory, shared, readings):
        reached |= held.likes
        differing += sum(found.differs is not None for found in held.compared)
        click.echo("\n".join(_summary(held)))
    named = [action.name for action in theory.actions]
    met = sum(name in reached for name in named)
    lines = [f"{met} of {len(named)} actions of the encoding are steps of the rules"]
    lines += [f"not compared: {name}: {why}" for name, why in shared.left_out.items()]
    idle = [name for name in named if name not in reached | shared.left_out.keys()]
    lines += [f"on no board a step of the rules: {', '.join(idle)}"] if idle else []
    click.echo("\n".join([*lines, f"{book.name} {book.version.name}: {monotonic() - began:.1f} s"]))
    return 1 if differing else 0


def hold(book: Rulebook, folder: Path, theory: Theory, shared: Shared, readings: Mapping[str, str]) -> Iterator[Held]:
    """Compare on each board, under its readings, and under the others that `shared.toml` names.

    Raises:
        InputError: a reading is wrong, there are no boards, or the mapping does not fit the encodings.

    """
    boards = sorted((folder / "boards").glob("*.toml"))
    if not boards:
        raise InputError(f"no board to compare {book.name} on is in the folder boards beside its first-order encoding")
    rules = read_rules(book, [shared.rules] if shared.rules is not None else [])
    proved: dict[str, tuple[Claim, ...]] = {}
    for more in ({}, *(dict([text.split("=")]) for text in shared.readings)):
        if more.keys() & readings.keys():
            continue
        for board in boards:
            yield _held(book, rules, board, theory, shared, {**readings, **more}, proved)


def _held(
    book: Rulebook,
    rules: Encoding,
    path: Path,
    theory: Theory,
    shared: Shared,
    readings: Mapping[str, str],
    proved: dict[str, tuple[Claim, ...]],
) -> Held:
    board = load_board(book, str(path))
    chosen = book.choose(board, readings)
    values = switches(theory, book.version.name, chosen)
    if str(values) not in proved:
        answers = Prover(theory, values).prove()
        proved[str(values)] = tuple(answer.claim for answer in answers if isinstance(answer, AnySize))
    system = system_of(book, rules, board, chosen, (), strict=False)
    return Held(board.name, readings, tuple(compare(system, theory, shared, values, proved[str(values)])))


def _summary(held: Held) -> Iterator[str]:
    agree = sum(found.differs is None for found in held.compared)
    readings = "".join(f", {name}={value}" for name, value in held.readings.items())
    ways = f"{agree} of {len(held.compared)} ways to act are the same in both encodings"
    yield f"{held.board}{readings}: {ways}; {len(held.likes)} actions of the first-order one"
    never = [found.action for found in held.compared if not found.happens and found.differs is None]
    if never:
        yield f"  possible on no board: {'; '.join(never)}"
    for found in held.compared:
        yield from () if found.differs is None else found.differs.lines()
