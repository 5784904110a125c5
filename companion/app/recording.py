"""A recorded game: a folder with `game.json`, its frames and what the players did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.app.effective_settings import DEFAULT_SHEET
from companion.core import BoardsideError, OutsideError, parse_json, quoted, read_text

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 10_000_000
"""Largest `game.json`, in bytes."""
LONGEST_S = 24 * 3600.0
"""Longest film of a game that is accepted, in seconds."""


class ReplayError(BoardsideError):
    """A recorded game cannot be replayed; the text names the file and the fault."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded game, read from `game.json` in its folder.

    Attributes:
        corners: of the playing area in the first frame, (4, 2) in pixels; None: they are located.
        frames: (file, start in seconds, duration in seconds), in order.
        events: "setup", "roll" and "done", in order of time.
        board: the kind of board that the file names; None: not given.
        mirror: White's home is on the left.
    """

    folder: Path
    corners: np.ndarray[Any, np.dtype[np.float64]] | None
    frames: tuple[tuple[Path, float, float], ...]
    events: tuple[dict[str, Any], ...]
    board: str | None = None
    mirror: bool = False

    @classmethod
    def load(cls, folder: Path) -> Recording:
        """Read a folder's `game.json`. Raises ReplayError."""
        path = folder / "game.json"
        try:
            data = parse_json(read_text(path, MOST_BYTES))
            frames = tuple((folder / f["file"], _time(f["t"]), _time(f["hold"])) for f in data["frames"])
            events = tuple(sorted((dict(event) for event in data["events"]), key=lambda event: _time(event["t"])))
            _time(sum(hold_s for _, _, hold_s in frames))
            corners = np.array(data["corners"], np.float64).reshape(4, 2) if data.get("corners") else None
        except OSError as error:
            raise ReplayError(f"no recorded game in {folder}: {path.name} cannot be read ({error.strerror})") from error
        except OutsideError as error:
            raise ReplayError(f"{path} is not a recorded game: {error}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = quoted(error)
            raise ReplayError(f"{path} is not a recorded game: {what} in frames, events or corners") from error
        if not frames or not events or events[0].get("event") != "setup":
            raise ReplayError(f"{path} is not a recorded game: it needs frames, and events that begin with a setup")
        return cls(folder, corners, frames, events, data.get("board"), data.get("mirror") is True)

    @property
    def sheet(self) -> str:
        """The rule sheet that the first setup names."""
        return str(self.events[0].get("sheet") or DEFAULT_SHEET)

    @property
    def turns_s(self) -> tuple[float, ...]:
        """The seconds at which turns begin: rolls, or in a game without dice the ends of turns."""
        for kind in ("roll", "done"):
            if found := tuple(float(event["t"]) for event in self.events if event["event"] == kind):
                return found
        return ()


def _time(seconds: Any) -> float:
    """A time in a recording. Raises ValueError unless it is a number from 0 to LONGEST_S."""
    if type(seconds) not in (int, float) or not 0 <= seconds <= LONGEST_S:
        raise ValueError(f"time {quoted(seconds)}")
    return float(seconds)
