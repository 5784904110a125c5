"""Wrapper of a learned board that undistorts pictures, and finds a moved board by printed markers.

A board found by markers is read only if its own edges are visible there too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from companion.core import NO_MARKS
from vision.board.base import LearnedBoard
from vision.geometry import FEWEST_MARKERS, LensDistortion, NoPoseError, find_markers, motion_of, project

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.core import Board, BoardMarks, Observation
    from vision.arrays import Floats, Picture
    from vision.board.storage import SavedCalibration


@runtime_checkable
class MovableBoard(LearnedBoard, Protocol):
    """A learned board that can be moved to another place by a homography of the picture."""

    def moved(self, motion: Floats, picture: Picture) -> MovableBoard:
        """The board where `motion` (3 x 3, pixels before to now) has moved it. Raises NoPoseError."""


class TrackedBoard:
    """A board of any kind (see `LearnedBoard`) with a lens, with markers, or with both.

    Attributes:
        inner: the board, learned from a picture that was undistorted by `lens`.
        lens: distortion that is removed from every picture first; None for none.
        markers: from `find_markers`, in an undistorted picture that shows the board in its present place.
    """

    def __init__(self, inner: LearnedBoard, lens: LensDistortion | None, markers: Mapping[int, Floats]) -> None:
        self.inner = inner
        self.lens = lens
        self.markers = markers

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
        """Corners of the playing area in pictures as taken, 4 x 2 pixels."""
        return self.inner.corners if self.lens is None else self.lens.distort(self.inner.corners)

    @property
    def summary(self) -> dict[str, Any]:
        """The board's summary, the numbers of the markers, and the distortion coefficient of the lens."""
        markers = {"markers": sorted(self.markers)} if self.markers else {}
        lens = {} if self.lens is None else {"lens": round(self.lens.bend, 4)}
        return {**self.inner.summary, **markers, **lens}

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if it is not of `size`."""
        return self.inner.look(self._undistorted(picture))

    def answer(self, observation: Observation) -> dict[str, Any]:
        """The JSON answer of `boardside read`."""
        return self.inner.answer(observation)

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over the undistorted picture."""
        return self.inner.draw(self._undistorted(picture), observation, marks)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Use the picture as a reference: the players accepted `board`, which it shows."""
        self.inner.confirm(self._undistorted(picture), board)

    def reacquire(self, picture: Picture) -> TrackedBoard | None:
        """Find the moved board by its markers, otherwise by its own appearance."""
        undistorted = self._undistorted(picture)
        if not self.markers:
            found = self.inner.reacquire(undistorted)
            return None if found is None else TrackedBoard(found, self.lens, {})
        seen = find_markers(undistorted)
        motion = motion_of(self.markers, seen)
        if motion is not None and isinstance(self.inner, MovableBoard):
            with suppress(NoPoseError):
                moved = self.inner.moved(motion, undistorted)
                there = {number: project(motion, corners) for number, corners in self.markers.items()}
                return TrackedBoard(moved.reacquire(undistorted) or moved, self.lens, there)
        found = self.inner.reacquire(undistorted)
        return None if found is None else TrackedBoard(found, self.lens, {**self.markers, **seen})

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with the markers, the lens and `extra` entries. Raises CalibrationError."""
        if self.markers:
            extra["markers"] = {number: corners.tolist() for number, corners in self.markers.items()}
        if self.lens is not None:
            extra["lens"] = {"size": self.lens.size, "bend": self.lens.bend}
        self.inner.save(path, **extra)

    def _undistorted(self, picture: Picture) -> Picture:
        return picture if self.lens is None else self.lens.undistort_picture(picture)


def track_learned(board: LearnedBoard, undistorted: Picture, lens: LensDistortion | None) -> LearnedBoard:
    """Wrap a board with its lens, and with the markers of its calibration picture if it can use them.

    `undistorted`: the calibration picture (BGR), undistorted by `lens`.
    """
    markers = find_markers(undistorted) if isinstance(board, MovableBoard) else {}
    return _tracked(board, lens, markers if len(markers) >= FEWEST_MARKERS else {})


def track_saved(board: LearnedBoard, kept: SavedCalibration) -> LearnedBoard:
    """Wrap a board with the lens and the markers of its calibration file."""
    lens, markers = kept.entry("lens"), kept.entry("markers")
    if lens is not None:
        width, height = lens["size"]
        lens = LensDistortion((int(width), int(height)), float(lens["bend"]))
    usable = isinstance(board, MovableBoard) and markers is not None
    found = {int(number): np.array(corners, np.float64) for number, corners in markers.items()} if usable else {}
    return _tracked(board, lens, found)


def _tracked(board: LearnedBoard, lens: LensDistortion | None, markers: Mapping[int, Floats]) -> LearnedBoard:
    """The board itself where there is neither a lens nor a marker."""
    return board if lens is None and not markers else TrackedBoard(board, lens, markers)
