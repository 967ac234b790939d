"""Run SPIN and this checker's engines on the benchmark model, one process each, and compare.

Usage, from the root of the repository: `python -m bench.run --size u3_g3_b1_e2`. Nothing is installed; SPIN
is used if `spin` and `gcc` are found. This checker's engines also decide the five properties of the model; SPIN
only visits all states. Seconds are wall time, from the start of the process for the engines and without
translating and compiling for SPIN. Bytes are the peak resident memory of the whole process.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import click
from rich.console import Console
from rich.table import Table

from bench.reference import REFERENCE, Reference

MODEL = Path(__file__).with_name("equip_bench.pml")
TOOLS = ("spin", "explicit", "symbolic")
GIB = 1 << 30
_POLL = 0.005


@dataclass(frozen=True, slots=True)
class Spent:
    """Wall seconds, processor seconds of all cores, and peak resident bytes of a process."""

    wall: float
    cpu: float
    memory: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What one tool did: states and transitions where it counts them, and what it took."""

    states: int | None
    transitions: int | None
    spent: Spent


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a tool gave nothing."""

    reason: str


@click.command()
@click.option("--size", "sizes", multiple=True, type=click.Choice(list(REFERENCE)), default=("u3_g3_b1_e2",))
@click.option("--tool", "tools", multiple=True, type=click.Choice(TOOLS), default=TOOLS)
@click.option("--memory", default=12, help="GiB for each tool.")
@click.option("--seconds", default=600, help="Time limit for each tool.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write the figures to this file too.")
def main(sizes: Sequence[str], tools: Sequence[str], memory: int, seconds: int, path: Path | None) -> None:
    """Compare tools on the benchmark model."""
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(machine())
    results: dict[str, dict[str, Measured | Failed]] = {}
    for size in sizes:
        results[size] = {tool: measure(tool, size, memory * GIB, seconds) for tool in tools}
        console.print(render(size, results[size]))
    if path is not None:
        rows = {size: {tool: asdict(r) for tool, r in row.items()} for size, row in results.items()}
        path.write_text(json.dumps({"machine": machine(), "results": rows}, indent=2), encoding="utf-8")


def measure(tool: str, size: str, memory: int, seconds: int) -> Measured | Failed:
    """Run one tool on one size, given bytes of memory and seconds."""
    return spin(size, memory, seconds) if tool == "spin" else engine(tool, size, memory, seconds)


def engine(name: str, size: str, memory: int, seconds: int) -> Measured | Failed:
    """Run an engine of this checker in a process of its own."""
    command = [sys.executable, "-m", "bench.worker", name, size, str(memory), str(seconds)]
    done = _timed(command, seconds + 60)
    if isinstance(done, Failed):
        return done
    output, spent = done
    counts = json.loads(output.splitlines()[-1])
    if counts["reason"]:
        return Failed(counts["reason"])
    return Measured(counts["states"], counts["transitions"], spent)


def spin(size: str, memory: int, seconds: int) -> Measured | Failed:
    """Translate and compile the Promela model for one size, and run SPIN's search over all states."""
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    if missing:
        return Failed(f"no {' and no '.join(missing)} here (Debian: apt-get install spin gcc)")
    sizes = [f"-DN{letter.upper()}={value}" for letter, value in re.findall(r"([ugbe])(\d+)", size)]
    states = REFERENCE[size].states
    depth = min(max(states, 10_000), 10_000_000)
    hash_bits = min(max(states.bit_length(), 18), 28)
    with TemporaryDirectory() as folder:
        subprocess.run(["spin", "-a", *sizes, str(MODEL)], cwd=folder, check=True, capture_output=True)
        flags = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", f"-DMEMLIM={memory >> 20}"]
        subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)
        done = _timed([str(Path(folder, "pan")), f"-m{depth}", f"-w{hash_bits}"], seconds, folder)
    return done if isinstance(done, Failed) else read_spin(*done)


def read_spin(output: str, spent: Spent) -> Measured | Failed:
    """Read what SPIN's search printed; it counts the initial state as a step, and rounds large counts."""
    stored = re.search(r"(\S+) states, stored", output)
    taken = re.search(r"(\S+) transitions", output)
    whole = "errors: 0" in output and "max search depth too small" not in output and "aborted" not in output
    if stored is None or taken is None or not whole:
        return Failed("the search was not exhaustive (memory or depth)")
    transitions = int(taken[1]) - 1 if taken[1].isdigit() else None
    return Measured(int(float(stored[1])), transitions, spent)


def _timed(command: list[str], seconds: int, folder: str | None = None) -> tuple[str, Spent] | Failed:
    """Run a command and return its output and what it took."""
    start = time.monotonic()
    with TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        late = False
        while not ended:
            time.sleep(_POLL)
            if not late and time.monotonic() - start > seconds:
                process.kill()
                late = True
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        elapsed = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.read()
    if late:
        return Failed(f"over {seconds} s")
    if process.returncode:
        return Failed((lines.strip().splitlines() or [f"exit code {process.returncode}"])[-1])
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return lines, Spent(elapsed, usage.ru_utime + usage.ru_stime, peak)


def render(size: str, row: dict[str, Measured | Failed]) -> Table:
    """Return the results on one size as a table."""
    table = Table(title=size)
    for heading in ("tool", "states", "transitions", "seconds", "cpu seconds", "states/s", "B/state", "counts"):
        table.add_column(heading, justify="left" if heading == "tool" else "right", no_wrap=True)
    for tool, result in row.items():
        if isinstance(result, Failed):
            table.add_row(tool, *[""] * 6, result.reason)
        else:
            table.add_row(tool, *_cells(result, REFERENCE[size]))
    return table


def _cells(result: Measured, reference: Reference) -> list[str]:
    states = result.states or 0
    known = [(result.states, reference.states), (result.transitions, reference.transitions)]
    exact = all(ours == theirs for ours, theirs in known if None not in (ours, theirs))
    return [
        f"{states:,}",
        "" if result.transitions is None else f"{result.transitions:,}",
        f"{result.spent.wall:.2f}",
        f"{result.spent.cpu:.2f}",
        f"{states / result.spent.wall:,.0f}",
        f"{result.spent.memory / max(states, 1):,.1f}",
        "exact" if exact else "WRONG",
    ]


def machine() -> str:
    """Describe the machine and the versions."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "oxidd", "clingo"))
    python = f"Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores; {python}; {libraries}; {_spin_version()}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        found = re.search(r"model name\s*:\s*(.*)", info.read_text(encoding="utf-8"))
        if found:
            return found[1]
    return platform.processor() or platform.machine()


def _spin_version() -> str:
    if shutil.which("spin") is None:
        return "no SPIN"
    said = subprocess.run(["spin", "-V"], capture_output=True, text=True, check=False).stdout
    return " ".join(said.split())


if __name__ == "__main__":
    main()
