"""Base class and protocols of all kinds of boards and their calibrations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from companion.core import BoardsideError
from vision.board.json_io import describe
from vision.board.storage import BoardInView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.core import Board, BoardMarks, Content, Observation
    from vision.arrays import Floats, Picture
    from vision.board.location import Located


class LearnedBoard(Protocol):
    """A board calibrated from one picture of a known position; it reads later pictures."""

    @property
    def game(self) -> str:
        """The game played on it: "backgammon" or "checkers"."""

    @property
    def mirrored(self) -> bool:
        """Whether White's home is at the left."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads, in pixels."""

    @property
    def corners(self) -> Floats:
        """Corners of the playing area, 4 x 2 pixels: bottom-left, bottom-right, top-right, top-left as White sits."""

    @property
    def summary(self) -> dict[str, Any]:
        """Further fields of the JSON answer of `boardside calibrate`: fit and measures."""

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if it is not of `size`."""

    def answer(self, observation: Observation) -> dict[str, Any]:
        """The JSON answer of `boardside read` for an observation of this board."""

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = ...) -> Picture:
        """Draw an observation and the marks over a copy of the picture."""

    def reacquire(self, picture: Picture) -> LearnedBoard | None:
        """The board at its new place (picture: BGR); None if it did not move or is not found for certain."""

    def confirm(self, picture: Picture, board: Board) -> None:
        """Use the picture as a reference: the players accepted `board`, which it shows."""

    def save(self, path: Path, **extra: object) -> None:
        """Write atomically to a file that `load_board` reads. Raises CalibrationError.

        `extra`: JSON values of the board's wrapper, by name; `SavedCalibration.entry` reads them.
        """


class Kind(Protocol):
    """A kind of board: learns boards from pictures, and loads them from files."""

    def learn(
        self, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> LearnedBoard:
        """See `learn_board`."""

    def load(self, path: Path) -> LearnedBoard:
        """Load from a calibration file of this kind. Raises CalibrationError."""

    def find(self, picture: Picture, mirror: bool) -> Located:
        """Find the starting position in a picture. Raises LocateError."""

    def position(self, value: object) -> Board:
        """The cells of a JSON position of `calibrate --position`. Raises CalibrationError quoting it."""


class LocatedInPicture(Protocol):
    """A calibration with the picture size and the place of the playing area."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels."""

    @property
    def corners(self) -> Floats:
        """Corners of the playing area, 4 x 2 pixels."""


CalibrationT = TypeVar("CalibrationT", bound=BoardInView)


class CalibratedBoard(ABC, Generic[CalibrationT]):
    """Base of the boards: what follows from the calibration alone. Subclasses learn, read, draw and reacquire."""

    def __init__(self, calibration: CalibrationT) -> None:
        self.calibration = calibration

    @property
    def mirrored(self) -> bool:
        """Whether White's home is at the left; a chequered board has one layout."""
        return False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads, in pixels."""
        return self.calibration.size

    @property
    def corners(self) -> Floats:
        """Corners of the playing area, 4 x 2 pixels."""
        return self.calibration.corners

    @property
    @abstractmethod
    def measures(self) -> Mapping[str, float]:
        """The measures of this kind of board by name, in widths of the playing area."""

    @property
    def summary(self) -> dict[str, Any]:
        """Fit and measures, for the answer of `boardside calibrate`."""
        layout = {name: round(float(value), 4) for name, value in self.measures.items()}
        return {"fit": round(self.calibration.fit, 3), "layout": layout}

    def answer(self, observation: Observation) -> dict[str, Any]:
        """The JSON answer of `boardside read`."""
        return describe(observation)

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries."""
        self.calibration.save(path, **extra)


_CHANNELS = 3


class WrongSize(BoardsideError):
    """A picture is not of the calibration picture's size, or not in colour."""


def refuse_other_size(picture: Picture, size: tuple[int, int]) -> None:
    """Raise WrongSize if a picture is not BGR of `size` (width, height), the size of the calibration picture."""
    if (picture.shape[1], picture.shape[0]) != size:
        now, then = f"{picture.shape[1]} x {picture.shape[0]}", f"{size[0]} x {size[1]}"
        raise WrongSize(
            f"the picture is {now}, but the board was calibrated at {then}: use pictures of one size, or "
            "calibrate again"
        )
    if picture.shape[2:] != (_CHANNELS,):
        raise WrongSize(
            f"the picture is an array of {picture.shape}, expected height x width x {_CHANNELS} in BGR order"
        )
