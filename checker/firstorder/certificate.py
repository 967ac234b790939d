"""Certificates for any number of cards: the obligations of claims that rest on each other, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import z3

from checker.certificates import About, CertificateError, Checked, certify, digest, write_obligations
from checker.firstorder.determined import statement
from checker.firstorder.prove import AnySize, Prover, Settled

Proof: TypeAlias = AnySize | Settled

SIZE = "any number of cards"
"""For which boards such a certificate holds."""


def closure(proofs: Iterable[Proof], names: Iterable[str]) -> list[Proof]:
    """Return the proofs of the named claims and statements and of all they rest on."""
    known = {proof.name: proof for proof in proofs}
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        wanted += [other for other in known[name].needed if other not in wanted]
    return [known[name] for name in wanted]


def write_any_size(
    folder: Path,
    name: str,
    proofs: Sequence[Proof],
    *,
    tool: str,
    inputs: Mapping[str, bytes],
    origin: Mapping[str, Any] | None = None,
) -> None:
    """Write the certificate of claims, and of statements about steps, for any number of cards.

    Args:
        folder: where to.
        name: what the theory is called.
        proofs: closed under what they rest on; see `closure`.
        tool: what writes it, with its version.
        inputs: the contents of the theory's files, by name.
        origin: what the theory is to be loaded from again.

    """
    hashes = {file: digest(content) for file, content in sorted(inputs.items())}
    goals = ", ".join(p.name for p in proofs if isinstance(p, Settled) or not p.claim.auxiliary)
    about = About(name, goals, SIZE, tool, hashes, origin or {})
    says = {proof.name: proof.says for proof in proofs}
    texts = {proof.name: _script([(o.what, o.formulas) for o in proof.obligations]) for proof in proofs}
    write_obligations(folder, about, texts, says)


def certify_any_size(folder: Path, prover: Prover, inputs: Mapping[str, bytes], seconds: float = 60.0) -> list[Checked]:
    """Check a certificate with another solver, and that it says what the theory says.

    What a script asserts must be among what the theory gives for that obligation, each claim assumed must have a
    script of its own, and a script must hold nothing else that a solver reads. `seconds` as in `certify`.

    Raises:
        CertificateError: the certificate does not stand.

    """
    checked = certify(folder, inputs=inputs, seconds=seconds)
    claims = {claim.name: claim for claim in prover.theory.claims}
    assumed = [claims[c.name].formula for c in checked if c.name in claims and not claims[c.name].of_step]
    for item in checked:
        asked = list(_asked(prover, item.name))
        text = (folder / f"{item.name}.smt2").read_text("utf-8")
        stated = _blocks(item.name, text, prover.theory.context)
        if len(stated) != len(asked):
            raise CertificateError(f'"{item.name}" has {len(stated)} obligations; the theory has {len(asked)}')
        for (what, formulas), block in zip(asked, stated, strict=True):
            held = [] if what == "initial" else assumed
            allowed = {formula.sexpr() for formula in (*prover.fixed, *formulas, *held)}
            if not {formula.sexpr() for formula in block} <= allowed:
                raise CertificateError(f'obligation "{item.name}", {what}, does not follow from the theory')
        if _script([(what, block) for (what, _), block in zip(asked, stated, strict=True)]) != text:
            raise CertificateError(f'"{item.name}" says more than its obligations')
    return checked


def _asked(prover: Prover, name: str) -> Iterator[tuple[str, Sequence[z3.BoolRef]]]:
    """Yield what must have no model for a claim or a statement to hold."""
    for claim in prover.theory.claims:
        if claim.name == name:
            yield from prover.questions(claim)
            return
    found = statement(prover.theory, name)
    if found is None:
        raise CertificateError(f"the certificate speaks of {name}, which the theory does not have")
    yield from ((question.what, question.formulas) for question in found.questions)


def _script(blocks: Sequence[tuple[str, Sequence[z3.BoolRef]]]) -> str:
    """Write one script that asks of each block, by name, whether its formulas have a model."""
    everything = z3.Solver(ctx=blocks[0][1][0].ctx)
    everything.add(*(formula for _, block in blocks for formula in block))
    lines = [line for line in everything.sexpr().splitlines() if line.startswith("(declare")]
    for what, block in blocks:
        lines += [f"; {what}", "(push 1)"]
        lines += [f"(assert {formula.sexpr()})" for formula in block]
        lines += ["(check-sat)", "(pop 1)"]
    return "\n".join(["(set-logic UF)", *lines]) + "\n"


def _blocks(name: str, text: str, context: z3.Context) -> list[list[z3.BoolRef]]:
    """Return what each question of a script asserts.

    Raises:
        CertificateError: a question asserts nothing, or Z3 cannot read it.

    """
    head, *parts = text.split("(push 1)\n")
    declarations = "\n".join(line for line in head.splitlines() if line.startswith("(declare"))
    blocks = []
    for part in parts:
        parser = z3.ParserContext(context)
        try:
            parser.from_string(declarations)
            asserted = list(parser.from_string(part.partition("(check-sat)")[0]))
        except z3.Z3Exception as error:
            raise CertificateError(f'"{name}" cannot be read: {error}') from error
        if not asserted:
            raise CertificateError(f'a question of "{name}" asserts nothing')
        blocks.append(asserted)
    return blocks
