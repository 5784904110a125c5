"""Paths of the tests' own files; no other module derives paths from the place of a test file."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""
BENCHMARKS = ROOT / "benchmarks"
DOCUMENTATION = ROOT / "docs"
PICTURES = ROOT / "tests" / "pictures"
"""Labelled pictures; tests/pictures/README.md describes them."""
VECTORS = ROOT / "tests" / "vectors"
"""Positions with their legal plays and verdicts, one JSON object a line."""
RECORDS = ROOT / "tests" / "records"
"""Records that older versions wrote."""
