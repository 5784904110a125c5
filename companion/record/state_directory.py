"""State directory of a table: record, calibrations, secrets; locked for one Boardside at a time."""

from __future__ import annotations

import fcntl
import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from companion.core import BoardsideError
from companion.record.kept_files import LOCK, RECORD, SHEETS, damaged_name, misplaced_in
from companion.record.state_restore import finish_restore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LOG = logging.getLogger(__name__)


class StateError(BoardsideError):
    """The state directory cannot be used; the message names it and the remedy."""


class StateDirectory:
    """An open state directory, locked until `close`."""

    def __init__(self, path: Path, lock: TextIO, set_aside: Mapping[Path, Path]) -> None:
        """Wrap a locked directory; `set_aside` maps entries of the wrong type to their new names."""
        self.path = path
        self.set_aside = set_aside
        self._lock = lock

    @classmethod
    def open(cls, path: Path | None) -> Self:
        """Create and lock the directory `path`, by default `default_path`.

        Raises StateError if it cannot be written or another Boardside uses it.
        """
        path = path or default_path(os.environ)
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)  # pictures of the table are in it
            set_aside = _put_aside(wrong for wrong in misplaced_in(path) if wrong.name == LOCK)
            lock = (path / LOCK).open("a+", encoding="utf-8")
        except OSError as error:
            raise _unusable(path, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            set_aside |= _put_aside(misplaced_in(path))  # only now: another Boardside may be using them
        except BlockingIOError as error:
            lock.close()
            raise StateError(
                f"another Boardside uses the state directory {str(path)!r}: stop it, or choose another with --state"
            ) from error
        except OSError as error:
            lock.close()
            raise _unusable(path, error) from error
        try:
            if finish_restore(path) is not None:
                LOG.warning("A restore that was interrupted is finished.")
        except OSError as error:
            lock.close()
            raise StateError(f"cannot finish the restore in {str(path)!r}: {error}") from error
        for wrong, kept in set_aside.items():
            LOG.warning("There was no file in the place of %s: what was there is kept as %s.", wrong, kept)
        return cls(path, lock, set_aside)

    @property
    def record(self) -> Path:
        """Path of the record."""
        return record_in(self.path)

    @property
    def dice_secrets(self) -> Path:
        """Path of the dice's secrets."""
        return self.path / "dice.secrets"

    @property
    def seats(self) -> Path:
        """Path of the register of devices with a seat."""
        return self.path / "seats.json"

    @property
    def pictures(self) -> Path:
        """Path of the folder with the pictures that turns were judged by."""
        return self.path / "pictures"

    @property
    def clock(self) -> Path:
        """Path of the chess clock's state."""
        return self.path / "clock.json"

    @property
    def settings(self) -> Path:
        """Path of the players' settings."""
        return self.path / "settings.json"

    def calibration(self, camera: str) -> Path:
        """Path of the calibration for the camera of that name."""
        return self.path / f"calibration-{re.sub('[^a-z0-9]+', '-', camera.lower()).strip('-')}.npz"

    def close(self) -> None:
        """Release the lock."""
        self._lock.close()


def _put_aside(misplaced: Iterable[Path]) -> dict[Path, Path]:
    """Rename entries of the wrong type; returns their new names."""
    return {wrong: wrong.rename(damaged_name(wrong)) for wrong in misplaced}


def _unusable(path: Path, error: OSError) -> StateError:
    return StateError(f"cannot use the state directory {str(path)!r}: {error.strerror}; choose another with --state")


def record_in(directory: Path) -> Path:
    """Path of the record in a state directory."""
    return directory / RECORD


def sheets_in(directory: Path) -> Path:
    """Folder for the players' own rule sheets in a state directory."""
    return directory / SHEETS


def default_path(environment: Mapping[str, str]) -> Path:
    """Default state directory: $STATE_DIRECTORY (systemd), $XDG_STATE_HOME/boardside or ~/.local/state/boardside."""
    if environment.get("STATE_DIRECTORY"):
        return Path(environment["STATE_DIRECTORY"].split(":")[0])
    base = environment.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "boardside"
