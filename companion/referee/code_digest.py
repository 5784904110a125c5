"""Which code judges: recorded with a verdict, so that a later check knows whether the same code checks it."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

ROOMS = ("notation", "referee", "rules")
"""What a verdict, its reason and the notation of a play come from."""


def digest_of(folders: tuple[Path, ...]) -> str:
    """The SHA-256, in 64 hexadecimal digits, of all Python files in these folders and of their names."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


@cache
def judging_code() -> str:
    """The first 16 digits of `digest_of` the code that judges here."""
    return digest_of(tuple(Path(__file__).parents[1] / room for room in ROOMS))[:16]
