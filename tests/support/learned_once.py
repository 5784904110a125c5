"""Caches slow results for a test run: each is made once, saved, and loaded from its file by every process."""

from __future__ import annotations

import fcntl
import pickle
from abc import ABC, abstractmethod
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.core import Observation

FOLDERS: list[Path] = []
"""The last one is shared by the processes of this test run; without one, nothing is cached."""


class Saved(Protocol):
    """Something learned that can be saved to a file."""

    def save(self, path: Path) -> None:
        """Save it to a file."""


Learned = TypeVar("Learned", bound=Saved)
Made = TypeVar("Made")


def learned_once(name: str, learn: Callable[[], Learned], load: Callable[[Path], Learned]) -> Learned:
    """The result of `learn`, cached by `name`; meanwhile other processes wait for it."""
    if not FOLDERS:
        return learn()
    with _alone(path := FOLDERS[-1] / f"{name}.cal"):
        if not path.exists():
            learn().save(path)
    return load(path)


def made_once(name: str, make: Callable[[], Made]) -> Made:
    """A copy of the result of `make`, cached by `name`; meanwhile other processes wait for it."""
    if not FOLDERS:
        return make()
    with _alone(path := FOLDERS[-1] / f"{name}.pickle"):
        if not path.exists():
            path.write_bytes(pickle.dumps(make(), pickle.HIGHEST_PROTOCOL))
    made: Made = pickle.loads(path.read_bytes())
    return made


class LookedAt(ABC, Generic[Made]):
    """A board with labelled pictures; its reader and what it reads in them are made once in a run."""

    name: str

    @abstractmethod
    def look(self) -> tuple[Made, tuple[Observation, ...]]:
        """A reader of the board, and what it reads in each picture."""

    @cached_property
    def read(self) -> tuple[Made, tuple[Observation, ...]]:
        """The reader that has looked at all pictures, so that it has models for their light, and what it read."""
        return made_once(f"{self.name}-read", self.look)

    @property
    def looks(self) -> tuple[Observation, ...]:
        """What is read in each picture."""
        return self.read[1]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes from making the same file."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
