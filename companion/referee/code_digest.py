"""Which code judges: recorded with a verdict, so that a later check knows whether the same code checks it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.core import digest_of

COMPANION = Path(__file__).parents[1]
ROOMS = ("notation", "referee", "rules")
"""What a verdict, its reason and the notation of a play come from."""


@cache
def judging_code() -> str:
    """The `digest_of` the code that judges here."""
    return digest_of(COMPANION, (path for room in ROOMS for path in (COMPANION / room).rglob("*.py")))
