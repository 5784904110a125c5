"""Decorators of a learned board: one removes lens distortion, one finds a moved board by printed markers.

Both are optional. A board found by markers is read only if its own edges are visible there too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from companion.core import NO_MARKS
from vision.board.base import LearnedBoard
from vision.geometry import LensDistortion, NoPoseError, find_markers, motion_of, project

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.core import Board, BoardMarks, Observation
    from vision.arrays import Floats, Picture
    from vision.board.storage import SavedCalibration


InnerT = TypeVar("InnerT", bound="LearnedBoard")


class BoardDecorator(Generic[InnerT]):
    """Wraps a learned board (see `LearnedBoard`) and delegates to it."""

    def __init__(self, inner: InnerT) -> None:
        """`inner`: the wrapped board."""
        self.inner = inner

    @property
    def game(self) -> str:
        """The game played on it."""
        return self.inner.game

    @property
    def mirrored(self) -> bool:
        """Whether White's home is at the left."""
        return self.inner.mirrored

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads, in pixels."""
        return self.inner.size

    @property
    def corners(self) -> Floats:
        """Corners of the playing area, 4 x 2 pixels."""
        return self.inner.corners

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if it is not of `size`."""
        return self.inner.look(picture)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """The JSON answer of `boardside read`."""
        return self.inner.answer(observation)

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over a copy of the picture."""
        return self.inner.draw(picture, observation, marks)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Use the picture as a reference: the players accepted `board`, which it shows."""
        self.inner.confirm(picture, board)


class UndistortedBoard(BoardDecorator["LearnedBoard"]):
    """A learned board of any kind behind a distorting lens; `corners` are distorted pixels."""

    def __init__(self, inner: LearnedBoard, lens: LensDistortion) -> None:
        """`inner`: learned from a picture that was undistorted by `lens`."""
        super().__init__(inner)
        self.lens = lens

    @property
    def corners(self) -> Floats:
        """Corners of the playing area in distorted pictures, 4 x 2 pixels."""
        return self.lens.distort(self.inner.corners)

    @property
    def summary(self) -> dict[str, Any]:
        """The board's summary, and the distortion coefficient of the lens."""
        return {**self.inner.summary, "lens": round(self.lens.bend, 4)}

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if it is not of `size`."""
        return self.inner.look(self.lens.undistort_picture(picture))

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over the undistorted picture."""
        return self.inner.draw(self.lens.undistort_picture(picture), observation, marks)

    def reacquire(self, picture: Picture) -> UndistortedBoard | None:
        """Find the moved board; None as for the wrapped board."""
        found = self.inner.reacquire(self.lens.undistort_picture(picture))
        return None if found is None else UndistortedBoard(found, self.lens)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Use the picture as a reference: the players accepted `board`, which it shows."""
        self.inner.confirm(self.lens.undistort_picture(picture), board)

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with the lens and `extra` entries. Raises CalibrationError."""
        self.inner.save(path, lens={"size": self.lens.size, "bend": self.lens.bend}, **extra)


def saved_lens(kept: SavedCalibration) -> LensDistortion | None:
    """The lens distortion stored in a calibration file; None if there is none."""
    lens = kept.entry("lens")
    if lens is None:
        return None
    width, height = lens["size"]
    return LensDistortion((int(width), int(height)), float(lens["bend"]))


@runtime_checkable
class MovableBoard(LearnedBoard, Protocol):
    """A learned board that can be moved to another place by a homography of the picture."""

    def moved(self, motion: Floats, picture: Picture) -> MovableBoard:
        """The board where `motion` (3 x 3, pixels before to now) has moved it. Raises NoPoseError."""

    def reacquire(self, picture: Picture) -> MovableBoard | None:
        """See `LearnedBoard`."""


class MarkerTrackedBoard(BoardDecorator[MovableBoard]):
    """A board that is found again by printed markers beside it."""

    def __init__(self, bare: MovableBoard, markers: Mapping[int, Floats]) -> None:
        """`markers`: from `find_markers`, in a picture that shows `bare` in its present place."""
        super().__init__(bare)
        self.markers = markers

    @property
    def summary(self) -> dict[str, Any]:
        """The board's summary, and the numbers of the markers."""
        return {**self.inner.summary, "markers": sorted(self.markers)}

    def reacquire(self, picture: Picture) -> MarkerTrackedBoard | None:
        """Find the moved board by its markers, otherwise by its own appearance."""
        motion = motion_of(self.markers, find_markers(picture))
        try:
            found = None if motion is None else self.inner.moved(motion, picture)
        except NoPoseError:
            found = None
        if found is not None and motion is not None:
            there = {number: project(motion, corners) for number, corners in self.markers.items()}
            return MarkerTrackedBoard(found.reacquire(picture) or found, there)
        again = self.inner.reacquire(picture)
        return None if again is None else MarkerTrackedBoard(again, {**self.markers, **find_markers(picture)})

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with the markers and `extra` entries. Raises CalibrationError."""
        corners_by_number = {number: corners.tolist() for number, corners in self.markers.items()}
        self.inner.save(path, markers=corners_by_number, **extra)
