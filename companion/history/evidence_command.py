"""`boardside verify FILE`: checks the evidence of a dispute and says what holds and what cannot be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import boardside_version
from companion.dice import not_holding
from companion.history.evidence_check import check_evidence
from companion.history.evidence_file import read_evidence

if TYPE_CHECKING:
    import argparse


def verify_evidence(args: argparse.Namespace) -> int:
    """Print a line for each check; returns 1 if one does not hold. Raises EvidenceError."""
    lines = []
    for line in check_evidence(read_evidence(args.file), boardside_version()):
        lines.append(line)
        print(f"{line.mark} {line.words.rstrip('.')}.")
    wrong = not_holding(lines)
    print(wrong or "Nothing in it is wrong. Lines without a mark are what it says, or what it cannot tell.")
    return int(wrong != "")
