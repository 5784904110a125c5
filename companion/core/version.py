"""The version of Boardside that runs, and of a part of its files."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def boardside_version() -> str:
    """The version in the metadata of the installed package; "unknown" where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("boardside")
    except PackageNotFoundError:
        return "unknown"


def digest_of(root: Path, files: Iterable[Path]) -> str:
    """16 hexadecimal digits that change with the content and the names, relative to `root`, of some files."""
    digest = sha256()
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]
