"""Atomic and durable writing of files."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


OWNER_ONLY = 0o600
"""Mode of a file that nobody else on this machine may read."""


@contextmanager
def written_whole(path: Path, *, owner_only: bool = False) -> Iterator[BinaryIO]:
    """Open a new file beside `path`; at the end of the `with` block it is synced and renamed to `path`.

    With `owner_only` it has that mode before anything is in it. On any exception, OSError included, the new file is
    deleted and the old one stays. The directory is not synced: a power cut soon after may restore the old file.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        with fresh.open("wb") as file:
            if owner_only:
                os.fchmod(file.fileno(), OWNER_ONLY)
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)  # already gone if renamed


def sync_directory(directory: Path) -> None:
    """Sync the names in `directory` to the disk; a file's own fsync does not do that."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
