"""The directory in which a table keeps its record and its calibrations; one Boardside at a time."""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from companion.model import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Mapping


class StateError(BoardsideError):
    """The state directory cannot be used; the text names it and the mend."""


class StateDirectory:
    """An open state directory, held until `close`."""

    def __init__(self, path: Path, lock: TextIO) -> None:
        """Wrap a directory whose lock is held."""
        self.path = path
        self._lock = lock

    @classmethod
    def open(cls, path: Path | None, environment: Mapping[str, str] = os.environ) -> Self:
        """Create and claim the directory `path`, by default systemd's or else the user's own.

        Raises StateError where it cannot be written, or another Boardside uses it.
        """
        path = path or default_path(environment)
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = (path / "lock").open("a+", encoding="utf-8")
        except OSError as error:
            raise StateError(
                f"cannot use the state directory {str(path)!r}: {error.strerror}; choose another with --state"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise StateError(
                f"another Boardside uses the state directory {str(path)!r}: stop it, or choose another with --state"
            ) from error
        return cls(path, lock)

    @property
    def record(self) -> Path:
        """The file of the record."""
        return record_in(self.path)

    @property
    def dice_secrets(self) -> Path:
        """The file of the secrets behind the dice."""
        return self.path / "dice.secrets"

    @property
    def clock(self) -> Path:
        """The file of what the chess clock shows."""
        return self.path / "clock.json"

    def calibration(self, camera: str) -> Path:
        """The file of what was learned of the board under the camera of that name."""
        return self.path / f"calibration-{re.sub('[^a-z0-9]+', '-', camera.lower()).strip('-')}.npz"

    def close(self) -> None:
        """Let another Boardside use it."""
        self._lock.close()


def record_in(directory: Path) -> Path:
    """The file of the record in a state directory."""
    return directory / "record.db"


def sheets_in(directory: Path) -> Path:
    """The folder of a state directory in which players may put rule sheets of their own."""
    return directory / "sheets"


def default_path(environment: Mapping[str, str]) -> Path:
    """Where the state is kept: systemd's $STATE_DIRECTORY, else $XDG_STATE_HOME/boardside, else in the home."""
    if environment.get("STATE_DIRECTORY"):
        return Path(environment["STATE_DIRECTORY"].split(":")[0])
    base = environment.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "boardside"
