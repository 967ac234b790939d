"""What engines say, in the language of the report and the words of the game: every sentence there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from checker import engines
from checker.engines.protocol import NO_RESOLUTION
from checker.report.labels import Labels
from checker.report.said import SLOT, EngineWords
from checker.report.words import Words
from checker.typography import spaced
from tests.report.hats import looked_into

ENGINES = Path(str(engines.__file__)).parent
SPEAKERS = {"Holds", "Unknown", "BudgetSpentError", "OutOfBudgetError", "_OutOfBudgetError"}
"""Whose first argument is a sentence."""


def speaker(language: str) -> EngineWords:
    """Return what says sentences about the kennel."""
    result = looked_into()
    return EngineWords(Labels(language), Words(result.rulebook, result.board, language))


def sentences() -> Iterator[str]:
    """Yield every sentence in the source of the engines, with 12 for what is put in."""
    for path in sorted(ENGINES.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            spoken: list[ast.expr] = []
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                spoken = node.args[:1] if name in SPEAKERS else []
                spoken += [k.value for k in node.keywords if k.arg == "note"]
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                spoken = [node.value] if node.targets[0].attr in ("ended", "stopped") else []
            yield from (text for one in spoken if (text := _text(one)))


def _text(node: ast.expr) -> str:
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.JoinedStr(parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "12" for part in parts)
        case _:
            return ""


def test_every_sentence_of_an_engine_is_known_in_french() -> None:
    found = {*sentences(), NO_RESOLUTION}
    assert len(found) > 25
    assert "functional" in found
    french = speaker("fr")
    assert [text for text in sorted(found) if french.say(text) == text] == []


def test_a_sentence_that_nobody_knows_stays_as_it_is() -> None:
    assert speaker("fr").say("the moon is full") == "the moon is full"


def test_both_languages_have_the_same_sentences_with_the_same_slots() -> None:
    english, french = Labels("en").said, Labels("fr").said
    assert english.keys() == french.keys()
    slots = {name: (sorted(SLOT.findall(english[name])), sorted(SLOT.findall(french[name]))) for name in english}
    assert [name for name, (one, other) in slots.items() if one != other] == []


@pytest.mark.parametrize(
    ("sentence", "english", "french"),
    [
        ("all 1,234 reachable boards", "all 1,234 reachable boards", "les 1\u202f234 plateaux atteignables"),
        ("not on all 7 reachable boards", "not on all 7 reachable boards", "sur aucun : les 7 plateaux atteignables"),
        ("no game of at most 1 steps shows it", "no game of at most 1 step shows it",
         "aucune partie d'au plus une étape ne le montre"),
        ("exhaustive: no game has more than 3 steps", "exhaustive: no game has more than 3 steps",
         "exhaustif : aucune partie n'a plus de 3 étapes"),
        ("functional given choices: wear(hat,rex) (alice), wear(hat,fido) (alice, bob)",
         "functional given choices: “Alice puts Bowler | *black* on <i>Dog</i> (rex)”, "
         "“Alice or bob puts Bowler | *black* on <i>Dog</i> (fido)”",
         "une seule issue pour des choix donnés : « Alice met Melon | *noir* sur <i>Dog</i> (rex) », "
         "« Alice ou bob met Melon | *noir* sur <i>Dog</i> (fido) »"),
        ("order-dependent, ordered by alice: wear(hat,rex)",
         "order-dependent, ordered by Alice: “Alice puts Bowler | *black* on <i>Dog</i> (rex)”",
         "l'ordre compte, et Alice en décide : « Alice met Melon | *noir* sur <i>Dog</i> (rex) »"),
        ("wear(hat,rex) (nobody) before rain (game) never ends; rain (game) before wear(hat,rex) (nobody) ends",
         "“someone puts Bowler | *black* on <i>Dog</i> (rex)” before “the game: rain” never ends; "
         "“the game: rain” before “someone puts Bowler | *black* on <i>Dog</i> (rex)” ends",
         "« quelqu'un met Melon | *noir* sur <i>Dog</i> (rex) » avant « il pleut » ne finit jamais ; "
         "« il pleut » avant « quelqu'un met Melon | *noir* sur <i>Dog</i> (rex) » finit"),
        ("rain leaves open: set(worn(hat,rex),true) or set(worn(hat,fido),true)",
         "“someone: rain” leaves open: “Bowler | *black* is on <i>Dog</i> (rex)”, "
         "“Bowler | *black* is on <i>Dog</i> (fido)”", ""),
    ],
)  # fmt: skip
def test_terms_are_said_in_the_words_of_the_game(sentence: str, english: str, french: str) -> None:
    assert speaker("en").say(sentence) == english
    if french:
        assert speaker("fr").say(sentence) == spaced(french, "fr")


def test_english_reports_keep_the_sentences() -> None:
    english = speaker("en")
    plain = [text for text in {*sentences()} if "12" not in text]
    assert [text for text in plain if english.say(text) != text] == []
    assert re.fullmatch(r"time limit of 12 s reached", english.say("time limit of 12 s reached"))
