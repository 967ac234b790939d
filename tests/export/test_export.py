"""What is exported means what the rules mean: simulators, Z3, cvc5 and ABC agree with our verdicts."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import cvc5
import pytest
import z3

from checker.engines.explicit import ExplicitEngine
from checker.engines.protocol import Holds, Limits, Unknown
from checker.errors import InputError
from checker.export.aiger import to_aiger
from checker.export.btor2 import to_btor2
from checker.export.machine import KINDS, Machine, machine
from checker.export.vmt import to_vmt
from checker.export.witness import read_aiger, read_btor2, to_game
from checker.pipeline import load_system
from checker.system.model import Kind, TransitionSystem
from checker.traces.replay import ReplayError
from tests.export.simulate import Aag, Btor2, Found, Model, search
from tests.traces.toys import CHAIN, CLASH, GAMES, LAMPS, toy

ABC = shutil.which("berkeley-abc")

MIXED = {
    "lit from the start": (
        LAMPS.replace("initially(lit(C), no) :-", "initially(lit(C), (no; yes)) :-").replace(
            "initially(fuse, whole)", "initially(fuse, (whole; dead; blown))"
        )
        + """
        violated(mixed) :- now(fuse, dead), now(lit(red), yes), occurs(light(blue)).
        works :- now(fuse, whole).    works :- now(fuse, dead).
        violated(nowhere) :- not works, not now(fuse, blown).
        """,
        {"bright": Kind.INVARIANT, "mixed": Kind.STEP, "lost": Kind.SOMETIMES, "nowhere": Kind.INVARIANT},
    ),
    "blown from the start": (
        LAMPS.replace("initially(fuse, whole)", "initially(fuse, (whole; blown))")
        + "reached(sooner) :- now(fuse, dead), now(lit(blue), yes), now(lit(red), no).\n",
        {"sooner": Kind.SOMETIMES},
    ),
    "stuck": (CLASH + "violated(never) :- now(coin, tails), now(coin, heads).\n", {"never": Kind.INVARIANT}),
    "idle": (
        CHAIN.replace("initially(tied(1), yes)", "initially(tied(1), no)")
        + """
        fluent(sign, (on; off)).    initially(sign, off).
        violated(turned) :- now(sign, on), now(tied(2), yes).
        """,
        {"gap": Kind.INVARIANT, "turned": Kind.INVARIANT},
    ),
}
"""Boards with several beginnings, with a domain that does not fill its bits, and with what never changes."""


def systems() -> Iterator[tuple[str, TransitionSystem]]:
    """Yield small systems with at least one goal that can be exported."""
    for name, (text, kinds) in (GAMES | MIXED).items():
        able = {goal: kind for goal, kind in kinds.items() if kind in KINDS}
        if able:
            yield name, toy(text, kinds)


CASES = dict(systems())


def made(name: str) -> Machine:
    """Return the machine of a case."""
    system = CASES[name]
    return machine(system, [goal for goal in system.goals if goal.kind in KINDS])


def lengths(model: Machine) -> dict[int, int]:
    """Return for each goal that has a game the frames of a shortest one, by our explicit engine."""
    verdicts = ExplicitEngine().check(model.system, model.goals, Limits(), lambda _: None).verdicts
    found = {}
    for number, verdict in enumerate(verdicts):
        assert not isinstance(verdict.answer, Unknown)
        trace = verdict.answer.witness if isinstance(verdict.answer, Holds) else verdict.answer.trace
        if trace is not None:
            # A fault on a board is seen in the frame after its last step, one in a step in that step's frame.
            found[number] = len(trace.states)
    return found


def written(model: Machine, form: str) -> Model:
    """Return the machine as a simulator reads it."""
    return Aag(to_aiger(model, "test").text()) if form == "aiger" else Btor2(to_btor2(model, "test"))


@pytest.mark.parametrize("form", ["aiger", "btor2"])
@pytest.mark.parametrize("name", CASES)
def test_a_simulator_finds_what_we_find(name: str, form: str) -> None:
    model = made(name)
    found = search(written(model, form))
    assert {number: len(run.frames) for number, run in found.items()} == lengths(model)


def test_the_cases_are_of_all_sorts() -> None:
    found = {name: lengths(made(name)) for name in CASES}
    assert found["lamps"] == {0: 3, 1: 2, 2: 4, 5: 3}
    assert found["clash"] == {0: 1, 1: 1}
    assert found["lit from the start"] == {0: 1, 1: 1, 2: 1}
    assert found["blown from the start"] == {0: 3}
    assert set(found["idle"]) == {0}
    assert found["stuck"] == {}


def as_aiger(number: int, run: Found) -> str:
    """Write a run as an AIGER witness."""
    frames = ["".join(map(str, frame)) for frame in run.frames]
    return "\n".join(["1", f"b{number}", "".join(map(str, run.start)), *frames, "."]) + "\n"


def as_btor2(number: int, run: Found, model: Btor2) -> str:
    """Write a run as a BTOR2 witness."""
    lines = ["sat", f"b{number}", "#0"]
    lines += [
        f"{n} {value:0{model.sort[int(model.lines[state][1])]}b} s{n}#0"
        for n, (state, value) in enumerate(zip(model.states, run.start, strict=True))
    ]
    for frame, inputs in enumerate(run.frames):
        lines += [f"@{frame}", *(f"{n} {value:b} i{n}@{frame}" for n, value in enumerate(inputs))]
    return "\n".join([*lines, "."]) + "\n"


@pytest.mark.parametrize("form", ["aiger", "btor2"])
@pytest.mark.parametrize("name", CASES)
def test_every_witness_is_a_game(name: str, form: str) -> None:
    model = made(name)
    simulator = written(model, form)
    for number, run in search(simulator).items():
        if isinstance(simulator, Btor2):
            witness = read_btor2(model, as_btor2(number, run, simulator))
        else:
            witness = read_aiger(model, as_aiger(number, run))
        goal, game = to_game(model, witness)
        assert goal is model.goals[number]
        assert len(game.states) == len(run.frames)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has a line of latches"),
        ("1\n0\n", "names the property in its second line"),
        ("1\nb0\n0000\n", "has a line of latches"),
        ("1\nb0\n0000\n1000\n.", '"0000" where 5 bits of latches were expected'),
        ("1\nb0\n01000\n100\n.", '"100" where 4 bits of inputs were expected'),
        ("1\nb9\n01000\n1000\n.", "there is no property number 9; 6 were exported"),
        ("1\nb1\n01000\n1100\n0000\n.", "the code 3 stands for no action; there are 3"),
        ("1\nb1\n01000\n0000\n1000\n.", "step 1 of the witness: mend is not legal there"),
    ],
)
def test_a_witness_that_is_none_is_refused(text: str, message: str) -> None:
    model = made("lamps")
    with pytest.raises(InputError) as caught:
        to_game(model, read_aiger(model, text))
    assert message in str(caught.value)


def test_inputs_that_mean_nothing_are_passed_over() -> None:
    model = made("lamps")
    text = "1\nb1\n01000\n1011\n0111\n.\n"
    _, game = to_game(model, read_aiger(model, text))
    assert [str(step.action) for step in game.steps] == ["light(blue)", "light(red)"]


def test_a_code_beyond_the_domain_is_the_last_value() -> None:
    model = made("lit from the start")
    last = len(model.system.variables[0].domain) - 1
    assert (last, read_aiger(model, "110000\n0000\n").start[0]) == (2, 2)
    assert read_btor2(model, "sat\nb0\n#0\n0 11 fuse#0\n@0\n.\n").start[0] == last


def test_a_witness_that_shows_nothing_is_refused() -> None:
    model = made("lamps")
    with pytest.raises(ReplayError, match="overload: nothing violates it"):
        to_game(model, read_aiger(model, "1\nb1\n01000\n1000\n.\n"))


def test_a_btor2_witness_that_is_none_is_refused() -> None:
    model = made("lamps")
    for text in ("", "unsat\n", "sat\nb0\n#0\n", "sat\nb0\nx\n.", "sat\nb0\n#0\n0 2 fuse#0\n."):
        with pytest.raises(InputError, match="witness"):
            read_btor2(model, text)


def test_the_binary_format_holds_the_same_graph() -> None:
    graph = to_aiger(made("lamps"), "test")
    head, _, rest = graph.binary().partition(b"\n")
    assert head.split()[1:] == graph.text().splitlines()[0].encode().split()[1:]
    lines = rest.split(b"\n", len(graph.latches) + len(graph.bad))
    data, place = lines[-1], 0
    found = []
    for index in range(len(graph.gates)):
        parts = []
        for _ in range(2):
            number = shift = 0
            while True:
                byte = data[place]
                place += 1
                number |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            parts.append(number)
        out = 2 * (len(graph.inputs) + len(graph.latches) + index + 1)
        found.append((out, out - parts[0], out - parts[0] - parts[1]))
    assert tuple(found) == graph.gates


def unrolled(text: str, goal: int, frames: int) -> str:
    """Write "property `goal` fails in the last of `frames` frames" as plain SMT-LIB, from VMT-LIB."""
    lines = ["(set-logic QF_BV)"]
    for frame in range(frames):
        now, then = f"s{frame}_", f"s{frame + 1}_"
        for line in text.splitlines():
            named = re.sub(r"\bb1_", then, re.sub(r"\bb0_", now, line))
            named = re.sub(r"^\(define-fun (init|trans|next_\w+|property\d+) ", rf"(define-fun \1_{frame} ", named)
            declared = named.startswith("(declare") and named in lines
            if not declared and not named.startswith(("(set-logic", ";")):
                lines.append(named)
        if frame:
            lines.append(f"(assert trans_{frame - 1})")
    return "\n".join([*lines, "(assert init_0)", f"(assert (not property{goal}_{frames - 1}))", "(check-sat)", ""])


def by_z3(text: str) -> str:
    """Return what Z3 says of an SMT-LIB text."""
    solver = z3.Solver()
    solver.from_string(text)
    return str(solver.check())


def by_cvc5(text: str) -> str:
    """Return what cvc5 says of an SMT-LIB text."""
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "test")
    manager, said = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, manager)
    return said.strip()


@pytest.mark.parametrize("solver", [by_z3, by_cvc5])
@pytest.mark.parametrize("name", CASES)
def test_smt_solvers_find_what_we_find(name: str, solver: Callable[[str], str]) -> None:
    model = made(name)
    text, ours = to_vmt(model, "test"), lengths(model)
    deepest = 10  # more layers than any of these boards has
    for number in range(len(model.goals)):
        shortest = ours.get(number)
        for frames in range(1, (shortest or deepest) + 1):
            assert solver(unrolled(text, number, frames)) == ("sat" if frames == shortest else "unsat")


def abc(model: Machine, folder: Path, commands: str) -> str:
    """Run ABC's commands on the machine, and return what it prints."""
    path = folder / "model.aig"
    path.write_bytes(to_aiger(model, "test").binary())
    script = f"read_aiger {path.name}; {commands}"
    done = subprocess.run([str(ABC), "-c", script], cwd=folder, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout


def one_start() -> list[tuple[str, int]]:
    """Return the goals of cases with one beginning: ABC knows no latch that begins with anything."""
    return [(name, n) for name in CASES if made(name).started is None for n in range(len(made(name).goals))]


@pytest.mark.skipif(ABC is None, reason="berkeley-abc is not installed")
@pytest.mark.parametrize(("name", "number"), one_start())
def test_abc_agrees(name: str, number: int, tmp_path: Path) -> None:
    whole = made(name)
    model = machine(whole.system, whole.goals[number : number + 1])
    check_by_abc(model, lengths(whole).get(number), tmp_path)


@pytest.mark.skipif(ABC is None, reason="berkeley-abc is not installed")
def test_abc_agrees_on_the_benchmark(tmp_path: Path) -> None:
    system = load_system("bench/equip_bench", "u2_g1_b1_e1")
    goals = [goal for goal in system.goals if goal.kind in KINDS]
    ours = lengths(machine(system, goals))
    assert len(ours) not in (0, len(goals))
    for number, goal in enumerate(goals):
        check_by_abc(machine(system, [goal]), ours.get(number), tmp_path)


def check_by_abc(model: Machine, frames: int | None, folder: Path) -> None:
    """Hold ABC's verdict on the only goal, the length of its shortest game, and that game, against ours."""
    if frames is None:
        assert "Property proved" in abc(model, folder, "pdr")
        return
    said = abc(model, folder, "bmc3 -F 50; write_cex -a found.cex")
    assert f"was asserted in frame {frames - 1}." in said
    _, game = to_game(model, read_aiger(model, (folder / "found.cex").read_text(encoding="utf-8")))
    assert len(game.states) == frames
