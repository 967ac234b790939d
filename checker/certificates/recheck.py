"""Check obligations with cvc5, which had no part in any proof."""

from __future__ import annotations

import time
from dataclasses import dataclass

import cvc5

from checker.certificates.invariant import NotHeldError, UndecidedError

QUANTIFIERS = {"full-saturate-quant": "true", "multi-trigger-cache": "true"}
"""For obligations with quantifiers: try terms until one refutes."""

BITS = {"bitblast": "eager"}
"""For obligations about one board: hand all bits to the SAT solver at once."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An obligation that holds: what it says, and the seconds it took."""

    name: str
    says: str
    seconds: float


def recheck(name: str, says: str, text: str, seconds: float) -> Checked:
    """Show that a script has no model, at each place where it asks.

    Raises:
        NotHeldError: it has one, or it asks nothing.
        UndecidedError: cvc5 gives up.

    """
    began = time.monotonic()
    answer = _answer(text, seconds)
    if answer != "unsat":
        why = "has a counterexample" if answer == "sat" else f"was not decided: cvc5 says {answer}"
        error = UndecidedError if answer.startswith("unknown") else NotHeldError
        raise error(f'obligation "{name}" {why}; it should show that {says}')
    return Checked(name, says, time.monotonic() - began)


def _answer(text: str, seconds: float) -> str:
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    quantified = "(set-logic QF_BV)" not in text
    solver.setOption("incremental", "true" if "(push 1)" in text else "false")
    for option, value in (QUANTIFIERS if quantified else BITS).items():
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    answers = []
    try:
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, symbols)).strip()
            if command.getCommandName() == "check-sat":
                answers.append(said)
                if said != "unsat":
                    return said
            elif command.getCommandName() not in _HARMLESS:
                return f"that {command.getCommandName()} has no place in an obligation"
    except RuntimeError as error:
        return str(error)
    return "unsat" if answers else "that nothing is asked"


_HARMLESS = frozenset(
    {"set-logic", "set-info", "declare-sort", "declare-fun", "declare-const", "define-fun", "assert", "push", "pop"}
)
