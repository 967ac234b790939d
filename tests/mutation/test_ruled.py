"""Mutants held against rulings: the same are noticed as by playing every ruling by every mutant."""

from __future__ import annotations

from pathlib import Path

from checker.errors import InputError
from checker.mutation.mutants import Mutant, mutants
from checker.mutation.ruled import noticed_by_rulings, setups_of
from checker.mutation.workbench import opened
from checker.rulebook.encoding import Encoding
from checker.rulebook.model import Rulebook
from checker.rulings.load import load_rulings
from checker.rulings.play import play
from tests.mutation.lamps import RULING, write_lamps

CHOSEN = RULING.replace("illegal", "do = 'fix'\nchoose = ['set(fuse, whole)']\n[[r1.steps]]\nillegal")
WRONG = RULING.replace("r1", "r0").replace("yes", "no")


def notices(book: Rulebook, encoding: Encoding, mutant: Mutant) -> bool:
    try:
        rulings = [ruling for ruling in load_rulings(book) if ruling.id == "r1"]
        return any(game.failure is not None for game in play(book, mutant.put_into(encoding), rulings, strict=False))
    except InputError:
        return True


def test_as_many_are_noticed_as_by_playing_all(tmp_path: Path) -> None:
    """A ruling that fails by the rules as written, r0, notices nothing."""
    book, encoding = opened(str(write_lamps(tmp_path, ruling=CHOSEN + WRONG)))
    own = list(mutants(encoding, [s.id for s in encoding.sources]))
    (setup,) = setups_of(book)

    found = noticed_by_rulings(book, encoding, setup, own)

    assert setup == ("one", ())
    assert [n for n, _ in found] == [n for n, mutant in enumerate(own) if notices(book, encoding, mutant)]
    assert 20 < len(found) < len(own)
    assert {(kill.by, kill.board) for _, kill in found} <= {("ruling", "r1"), ("ruling", "")}
