"""Files that appear whole or not at all: whatever happens on the way, the name has the old content or the new."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A fresh file beside `path`, to be written within the `with`; then the disk has it, and it takes that name.

    Where anything is raised within, or the disk does not let us (OSError), the fresh file goes and the old one stays.
    The directory is not waited for: a power cut soon after may bring back the old file, whole.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        with fresh.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)  # where it took the name, it is no longer there
