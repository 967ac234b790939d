"""Certificates: proofs as files that another solver checks again."""

from checker.certificates.folder import About, certify, digest, write_certificate, write_obligations
from checker.certificates.invariant import CertificateError, Gates, Input, Invariant, invariant_of
from checker.certificates.recheck import Checked

__all__ = [
    "About",
    "CertificateError",
    "Checked",
    "Gates",
    "Input",
    "Invariant",
    "certify",
    "digest",
    "invariant_of",
    "write_certificate",
    "write_obligations",
]
