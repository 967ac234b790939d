"""The pytest plugin: properties and rulings as tests, with the counterexample as the failure text."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from checker import pytest_plugin
from checker.report.model import BoardReport
from checker.run import Request, check_one
from tests.ci.game import break_it, edit, start

pytest_plugins = ["pytester"]

for name in ("engines.explicit.engine", "engines.symbolic.engine", "engines.asp", "rulings.play", "report.terminal"):
    import_module(f"checker.{name}")  # pytester forgets what a run has loaded, and numpy cannot be loaded twice

RULED = "rulings/attaching.toml::blade_moves_on[1]"


@pytest.fixture
def plugin(request: pytest.FixtureRequest) -> list[str]:
    """How to load the plugin where its entry point is not installed."""
    return [] if request.config.pluginmanager.has_plugin("equipoise") else ["-p", "checker.pytest_plugin"]


@pytest.fixture
def game(pytester: pytest.Pytester) -> Path:
    """The game in the folder where pytest runs."""
    return start(pytester.path)


def test_the_entry_point_is_this_module() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["entry-points"]["pytest11"] == {"equipoise": pytest_plugin.__name__}


def test_nothing_is_collected_unless_asked_for(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    assert game.is_dir()
    assert pytester.runpytest(*plugin).ret is pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize(
    "asked", [["--equipoise"], ["rulebook.toml", "rulings/attaching.toml"], ["-o", "equipoise=true"]]
)
def test_each_property_and_each_ruling_is_a_test(
    pytester: pytest.Pytester, game: Path, plugin: list[str], asked: list[str]
) -> None:
    assert game.is_dir()
    result = pytester.runpytest(*plugin, "-v", *asked)

    result.assert_outcomes(passed=6)
    names = [line.split(" ")[0] for line in result.outlines if "PASSED" in line]
    properties = ("on_one_unit", "worn", "no_contradiction", "every_action", "every_rule")
    assert names == [*(f"rulebook.toml::two_units::{name}" for name in properties), RULED]


def test_the_failure_text_is_the_counterexample(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    break_it(game)
    result = pytester.runpytest(*plugin, "--equipoise", "--junitxml=junit.xml")

    result.assert_outcomes(passed=4, failed=2)
    failures = {
        f"{case.get('classname')}::{case.get('name')}": case[0].text
        for case in Xml.parse(pytester.path / "junit.xml").getroot().iter("testcase")
        if len(case) and case[0].tag == "failure"
    }
    assert failures == {
        "rulebook.toml.two_units::on_one_unit": (
            "VIOLATED: No gear is on two units. (two_units, 2 steps)\n"
            "1. Alice attaches Blade to Squire (1, 1.b)\n"
            "2. Alice attaches Blade to Knight (1, 1.b)\n"
            "So this is broken: No gear is on two units.\n"
            "What breaks it: Blade\n"
            "It comes straight from steps 1, 2. "
            "Part of the fault, and left as it was by the last step: Blade is on Squire."
        ),
        "rulings.attaching.toml::blade_moves_on[1]": (
            "blade_moves_on (derived, version 1): The blade leaves the knight for the squire, and lies loose when "
            "the squire dies.\n"
            "source: clauses 1 to 2.a\n"
            "step 3: expected not now(attached(blade, knight), yes)\n"
            "but it holds; attach(blade,squire) changed attached(blade,squire) = yes\n"
            "fired: 1, 1.b (rules/attach.lp:11)\n"
            "fired: 1 (rules/attach.lp:15)"
        ),
    }
    result.stdout.no_fnmatch_line("*Traceback*")


def test_one_test_by_its_name_or_a_part_of_it(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    break_it(game)

    pytester.runpytest(*plugin, RULED).assert_outcomes(failed=1)
    pytester.runpytest(*plugin, "rulebook.toml::two_units::worn").assert_outcomes(passed=1)
    pytester.runpytest(*plugin, "--equipoise", "-k", "worn or blade").assert_outcomes(passed=1, failed=1, deselected=4)


@pytest.mark.parametrize(
    ("selection", "decided"),
    [
        ("", ("on_one_unit", "worn", "no_contradiction", "every_action", "every_rule")),
        ("worn or every_rule", ("worn", "every_rule")),
    ],
)
def test_a_board_is_checked_once_for_what_is_selected(
    pytester: pytest.Pytester,
    game: Path,
    plugin: list[str],
    monkeypatch: pytest.MonkeyPatch,
    selection: str,
    decided: tuple[str, ...],
) -> None:
    assert game.is_dir()
    asked: list[tuple[str, tuple[str, ...]]] = []

    def watched(request: Request, board: str) -> BoardReport:
        asked.append((board, request.properties))
        return check_one(request, board)

    monkeypatch.setattr("checker.run.check_one", watched)
    pytester.runpytest(*plugin, "rulebook.toml", "-k", selection).assert_outcomes(
        passed=len(decided), deselected=5 - len(decided)
    )

    assert asked == [("two_units", decided)]


def test_x_stops_at_the_first_failure(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    break_it(game)

    pytester.runpytest(*plugin, "--equipoise", "-x").assert_outcomes(failed=1)


@pytest.mark.parametrize("spread", ["load", "loadgroup"])
def test_side_by_side_with_xdist(pytester: pytest.Pytester, game: Path, plugin: list[str], spread: str) -> None:
    break_it(game)
    result = pytester.runpytest(*plugin, "--equipoise", "-n", "2", "--dist", spread)

    result.assert_outcomes(passed=4, failed=2)
    for line in ("1. Alice attaches Blade to Squire (1, 1.b)", "step 3: expected not now(*"):
        result.stdout.fnmatch_lines([line])


def test_a_known_finding_is_an_expected_failure(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    with (break_it(game) / "rulebook.toml").open("a", encoding="utf-8") as rulebook:
        rulebook.write('[[findings]]\nproperty = "on_one_unit"\ntitle = { en = "Nobody takes it off." }\n')
    result = pytester.runpytest(*plugin, "rulebook.toml", "-rx")

    result.assert_outcomes(passed=4, xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL rulebook.toml::two_units::on_one_unit - Nobody takes it off."])


def test_a_vanished_finding_fails(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    with (game / "rulebook.toml").open("a", encoding="utf-8") as rulebook:
        rulebook.write('[[findings]]\nproperty = "on_one_unit"\ntitle = { en = "Nobody takes it off." }\n')

    pytester.runpytest(*plugin, "rulebook.toml").assert_outcomes(passed=4, failed=1)


def test_a_baseline_is_named_in_the_ini_file(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    break_it(game)
    pytester.makeini("[pytest]\nequipoise = true\nequipoise_baseline = known.toml\n")
    (game / "known.toml").write_text(
        '[[accepted]]\nproperty = "on_one_unit"\nboard = "two_units"\nreason = "soon"\nexpires = 9999-12-31\n',
        encoding="utf-8",
    )

    pytester.runpytest(*plugin, "-k", "on_one_unit").assert_outcomes(xfailed=1, deselected=5)


def test_what_happens_nowhere_on_a_board_is_skipped(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    edit(
        game / "rules" / "properties.lp",
        "reached(worn) :- now",
        "reached(worn) :- now(in(knight), play), now(in(knight), trash), now",
    )

    pytester.runpytest(*plugin, "rulebook.toml").assert_outcomes(passed=4, skipped=1)


def test_versions_are_chosen_in_the_ini_file(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    edit(
        game / "rulebook.toml",
        '[versions."1"]\n',
        '[versions."0"]\nclauses = "clauses/1.toml"\n\n[versions."1"]\n',
    )
    pytester.makeini("[pytest]\nequipoise_versions = 0 1\n")
    result = pytester.runpytest(*plugin, "--equipoise", "-v", "-k", "worn or blade")

    assert [line.split(" ")[0].split("::", 1)[1] for line in result.outlines if "PASSED" in line] == [
        "two_units@0::worn",
        "two_units@1::worn",
        "blade_moves_on[0]",
        "blade_moves_on[1]",
    ]


def test_a_ruling_file_anywhere_below_the_rulebook(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    deep = game / "cases" / "2026"
    deep.mkdir(parents=True)
    (game / "rulings" / "attaching.toml").rename(deep / "blade.ruling.toml")

    pytester.runpytest(*plugin, "--equipoise", "cases").assert_outcomes(passed=1)


def test_readings_are_part_of_a_games_name(pytester: pytest.Pytester, game: Path, plugin: list[str]) -> None:
    with (game / "rulebook.toml").open("a", encoding="utf-8") as rulebook:
        rulebook.write(
            '[readings.speed]\nvalues = ["slow", "fast"]\ndefault = "slow"\nquestion = { en = "How fast?" }\n'
        )
    (game / "rulings" / "open.toml").write_text(
        '[either]\ntitle = { en = "Both." }\nsource = "nobody"\nstatus = "open"\nboard = "two_units"\n'
        + "".join(
            f'[[either.outcomes]]\nreadings = {{ speed = "{speed}" }}\n'
            '[[either.outcomes.steps]]\nholds = ["reading(speed, slow)"]\n'
            for speed in ("slow", "fast")
        ),
        encoding="utf-8",
    )
    result = pytester.runpytest(*plugin, "rulings/open.toml", "-v")

    result.stdout.fnmatch_lines(["*::either[[]1-speed=slow[]] PASSED*", "*::either[[]1-speed=fast[]] FAILED*"])


WRONG = {
    "rulebook": ("rulebook.toml", "languages", "languag", "rulebook.toml:*: unknown key rulebook.languag*"),
    "rules": ("rules/attach.lp", "%@ 1.a", "%@ 1.z", 'rules/attach.lp:*: unknown clause "1.z"*'),
    "ruling": (
        "rulings/attaching.toml",
        '"destroy(squire)"',
        '"destroy(squirl)"',
        '*nothing on board two_units is called "squirl"*',
    ),
    "ruling's shape": (
        "rulings/attaching.toml",
        "because",
        "becaus",
        "rulings/attaching.toml:*: unknown key *.becaus;*",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_file_is_told_in_a_sentence(
    pytester: pytest.Pytester, game: Path, plugin: list[str], case: str
) -> None:
    file, old, new, message = WRONG[case]
    text = (game / file).read_text(encoding="utf-8")
    (game / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    result = pytester.runpytest(*plugin, "--equipoise")

    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    result.stdout.fnmatch_lines([message])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*.py:*Error*")


def test_a_ruling_without_a_rulebook(pytester: pytest.Pytester, plugin: list[str]) -> None:
    (pytester.path / "lost.ruling.toml").write_text("", encoding="utf-8")
    result = pytester.runpytest(*plugin, "lost.ruling.toml")

    result.stdout.fnmatch_lines(["*lost.ruling.toml: there is no rulebook.toml in a folder above these rulings"])
