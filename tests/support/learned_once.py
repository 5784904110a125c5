"""What takes seconds to learn is learned once in a test run; every process loads the file that it was saved in."""

from __future__ import annotations

import fcntl
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOLDERS: list[Path] = []
"""The last one is shared by the processes of this test run; without one, everything is learned where it is needed."""


class Saved(Protocol):
    """Something learned that can be saved to a file."""

    def save(self, path: Path) -> None:
        """Save it to a file."""


Learned = TypeVar("Learned", bound=Saved)


def learned_once(name: str, learn: Callable[[], Learned], load: Callable[[Path], Learned]) -> Learned:
    """What `learn` learns; while it does, other processes that ask for `name` wait."""
    if not FOLDERS:
        return learn()
    path = FOLDERS[-1] / f"{name}.cal"
    with (FOLDERS[-1] / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            learn().save(path)
    return load(path)
