"""Decorator for a board behind a distorting lens: undistorts pictures before the board reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.board_round import BoardDecorator
from vision.lens import LensDistortion

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Observation
    from vision.board_of import LearnedBoard
    from vision.calibration_file import SavedCalibration
    from vision.camera import Picture

    Floats = NDArray[np.float64]


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

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """Draw an observation over the undistorted picture."""
        return self.inner.draw(self.lens.undistort_picture(picture), observation)

    def regain(self, picture: Picture) -> UndistortedBoard | None:
        """Find the moved board; None as for the wrapped board."""
        found = self.inner.regain(self.lens.undistort_picture(picture))
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
