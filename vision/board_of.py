"""What all kinds of boards do alike with what was learned of them, behind the seam of `vision.boards`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from vision.answers import describe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Observation
    from vision.camera import Picture

    Floats = NDArray[np.float64]


class LocatedInPicture(Protocol):
    """What lies in a camera's pictures at a known place."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures."""

    @property
    def corners(self) -> Floats:
        """Of the playing area, 4 x 2 pixels."""


class LearnedCalibration(LocatedInPicture, Protocol):
    """What was learned of a board, whatever its kind."""

    @property
    def fit(self) -> float:
        """How well the known position was seen, at most 1."""

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries. Raises CalibrationError."""


LearnedT = TypeVar("LearnedT", bound=LearnedCalibration)


class CalibratedBoard(ABC, Generic[LearnedT]):
    """A board and what was learned of it; a kind of board adds how it is learned, read, drawn over and found again."""

    def __init__(self, calibration: LearnedT) -> None:
        self.calibration = calibration

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads."""
        return self.calibration.size

    @property
    def corners(self) -> Floats:
        """Of the playing area."""
        return self.calibration.corners

    @property
    @abstractmethod
    def measures(self) -> Mapping[str, float]:
        """Of this kind of board, in widths of the playing area."""

    @property
    def summary(self) -> dict[str, Any]:
        """How well it fits, and its measures."""
        layout = {name: round(float(value), 4) for name, value in self.measures.items()}
        return {"fit": round(self.calibration.fit, 3), "layout": layout}

    def answer(self, observation: Observation) -> dict[str, Any]:
        """What `boardside read` answers."""
        return describe(observation)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Nothing, unless a kind of board compares pictures: it is read from each by itself."""

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries."""
        self.calibration.save(path, **extra)
