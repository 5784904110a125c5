"""What all kinds of boards do alike with what was learned of them, behind the seam of `vision.boards`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from vision.answers import describe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.camera import Picture
    from vision.locate import Located

    Floats = NDArray[np.float64]


class LearnedBoard(Protocol):
    """A board as one look at a known position taught it; it reads any later picture."""

    @property
    def game(self) -> str:
        """What is played on it: "backgammon" or "checkers"."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads."""

    @property
    def corners(self) -> Floats:
        """Of the playing area, 4 x 2 pixels: bottom-left, bottom-right, top-right, top-left as White sits."""

    @property
    def summary(self) -> dict[str, Any]:
        """What `boardside calibrate` says of it besides: how well it fits, and its measures."""

    def look(self, picture: Picture) -> Observation:
        """What a picture (BGR) shows. Raises WrongSize where it is not of `size`."""

    def answer(self, observation: Observation) -> dict[str, Any]:
        """What `boardside read` answers for an observation of this board."""

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture with what was read drawn over it; the one given is left as it is."""

    def regain(self, picture: Picture) -> LearnedBoard | None:
        """The same board in its new place after a knock; None where it did not move or is not found for certain."""

    def confirm(self, picture: Picture, board: Board) -> None:
        """Take note that the players played on from that board, which stands in the picture."""

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file that `load_board` reads; it appears whole or not at all. Raises CalibrationError.

        `extra`: what is about the board, by name, in what JSON can say; `SavedCalibration.entry` has it again.
        """


class Kind(Protocol):
    """A kind of board: how one of them is learned, and read from a file."""

    def learn(
        self, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> LearnedBoard:
        """See `learn_board`."""

    def load(self, path: Path) -> LearnedBoard:
        """Read from a file of this kind. Raises CalibrationError."""

    def find(self, picture: Picture, mirror: bool) -> Located:
        """Where the starting position stands in a picture. Raises LocateError."""

    def position(self, value: object) -> Board:
        """The cells of a position in JSON, as `calibrate --position` has it. Raises CalibrationError quoting it."""


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
