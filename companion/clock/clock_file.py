"""Saves the chess clock's state, so that a power cut loses at most the time of the current turn."""

from __future__ import annotations

import json
import logging
import math
from typing import TYPE_CHECKING

from companion.clock.chess_clock import ClockError, ClockSetting
from companion.clock.clock_controller import SavedClock
from companion.core import parse_json, read_bytes, written_whole

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger(__name__)
MOST_BYTES = 10_000
_DAMAGED = (ClockError, AttributeError, KeyError, TypeError, ValueError)
"""Errors from reading a damaged file."""


class ClockFile:
    """The file with one table's clock; a failure to write is logged once, and the game continues."""

    def __init__(self, path: Path) -> None:
        """Use the file at `path`, created when the clock first runs."""
        self._path = path
        self._saved: SavedClock | None = None
        self._warned = False

    def load(self) -> SavedClock | None:
        """The stored state; None if there is none or it cannot be read."""
        try:
            stored = parse_json(read_bytes(self._path, MOST_BYTES))
            reserve_s = float(stored["reserve_s"]["white"]), float(stored["reserve_s"]["black"])
            if not all(map(math.isfinite, reserve_s)):
                raise ValueError(f"reserves of {reserve_s}")
            score = (int(stored["score"]["white"]), int(stored["score"]["black"])) if stored["score"] else None
            setting = ClockSetting.parse(stored["setting"])
            return SavedClock(setting, reserve_s, int(stored["turn"]), score, paused=bool(stored["paused"]))
        except FileNotFoundError:
            return None
        except OSError as error:
            LOG.warning("the chess clock starts with full reserves: %s cannot be read (%s)", self._path, error.strerror)
        except _DAMAGED as error:
            LOG.warning("the chess clock starts with full reserves: %s is damaged (%s)", self._path, error)
        return None

    def save(self, clock: SavedClock | None) -> None:
        """Write the state if a turn or a pause has begun since the last write that succeeded."""
        if clock is None or (self._saved is not None and clock.moment == self._saved.moment):
            return
        stored = {
            "setting": str(clock.setting),
            "reserve_s": {"white": clock.reserve_s[0], "black": clock.reserve_s[1]},
            "turn": clock.turn,
            "score": {} if clock.score is None else {"white": clock.score[0], "black": clock.score[1]},
            "paused": clock.paused,
        }
        try:
            with written_whole(self._path) as file:
                file.write(json.dumps(stored).encode())
        except OSError as error:
            if not self._warned:
                LOG.warning("the chess clock is not saved: %s cannot be written (%s)", self._path, error.strerror)
            self._warned = True
        else:
            self._saved = clock
