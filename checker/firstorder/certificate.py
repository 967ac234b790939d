"""Certificates for any number of cards: the obligations of claims that rest on each other, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import z3

from checker.certificates import About, CertificateError, Checked, certify, digest, write_obligations
from checker.firstorder.prove import AnySize, Obligation, Prover


def closure(proofs: Iterable[AnySize], names: Iterable[str]) -> list[AnySize]:
    """Return the proofs of the named claims and of all they rest on."""
    known = {proof.claim.name: proof for proof in proofs}
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        wanted += [other for other in known[name].needed if other not in wanted]
    return [known[name] for name in wanted]


def write_any_size(
    folder: Path,
    name: str,
    proofs: Sequence[AnySize],
    *,
    tool: str,
    inputs: Mapping[str, bytes],
    origin: Mapping[str, Any] | None = None,
) -> None:
    """Write the certificate of claims for any number of cards.

    Args:
        folder: where to.
        name: what the theory is called.
        proofs: closed under what they rest on; see `closure`.
        tool: what writes it, with its version.
        inputs: the contents of the theory's files, by name.
        origin: what the theory is to be loaded from again.

    """
    hashes = {file: digest(content) for file, content in sorted(inputs.items())}
    goals = ", ".join(proof.claim.name for proof in proofs if not proof.claim.auxiliary)
    about = About(name, goals, "any number of cards", tool, hashes, origin or {})
    says = {proof.claim.name: f"{proof.claim.name} holds at the start and every action keeps it" for proof in proofs}
    write_obligations(folder, about, {p.claim.name: _script(p.obligations) for p in proofs}, says)


def certify_any_size(folder: Path, prover: Prover, inputs: Mapping[str, bytes], seconds: float = 60.0) -> list[Checked]:
    """Check a certificate with another solver, and that it says what the theory says.

    What a script asserts must be among what the theory gives for that obligation, and each claim assumed
    must have a script of its own. `seconds` as in `certify`.

    Raises:
        CertificateError: the certificate does not stand.

    """
    checked = certify(folder, inputs=inputs, seconds=seconds)
    claims = {claim.name: claim for claim in prover.theory.claims}
    given = {item.name: claims[item.name] for item in checked if item.name in claims}
    if len(given) != len(checked):
        raise CertificateError("the certificate speaks of claims that the theory does not have")
    assumed = [claim.formula for claim in given.values() if not claim.of_step]
    for claim in given.values():
        asked = [(w, [*f, *([] if w == "initial" else assumed)]) for w, f in prover.questions(claim)]
        stated = _blocks((folder / f"{claim.name}.smt2").read_text("utf-8"), prover.theory.context)
        if len(stated) != len(asked):
            raise CertificateError(f'"{claim.name}" has {len(stated)} obligations; the theory has {len(asked)}')
        for (what, formulas), block in zip(asked, stated, strict=True):
            allowed = {formula.sexpr() for formula in (*prover.fixed, *formulas)}
            if not block <= allowed:
                raise CertificateError(f'obligation "{claim.name}", {what}, does not follow from the theory')
    return checked


def _script(obligations: Sequence[Obligation]) -> str:
    """Write obligations as one script that asks one question for each."""
    everything = z3.Solver(ctx=obligations[0].formulas[0].ctx)
    everything.add(*(formula for obligation in obligations for formula in obligation.formulas))
    lines = [line for line in everything.sexpr().splitlines() if line.startswith("(declare")]
    for obligation in obligations:
        lines += [f"; {obligation.what}", "(push 1)"]
        lines += [f"(assert {formula.sexpr()})" for formula in obligation.formulas]
        lines += ["(check-sat)", "(pop 1)"]
    return "\n".join(["(set-logic UF)", *lines]) + "\n"


def _blocks(text: str, context: z3.Context) -> list[set[str]]:
    """Return what each question of a script asserts, as Z3 writes it."""
    head, *parts = text.split("(push 1)\n")
    declarations = "\n".join(line for line in head.splitlines() if line.startswith("(declare"))
    blocks = []
    for part in parts:
        parser = z3.ParserContext(context)
        parser.from_string(declarations)
        asserted = parser.from_string(part.partition("(check-sat)")[0])
        blocks.append({formula.sexpr() for formula in asserted})
    return blocks
