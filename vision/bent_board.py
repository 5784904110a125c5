"""A board seen through a lens that bends: its pictures are made straight before anything else looks at them."""

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
    """A learned board of any kind behind a lens; `corners` are where that shows them."""

    def __init__(self, straight: LearnedBoard, lens: LensDistortion) -> None:
        """`straight`: learned from a picture that `lens` has made straight."""
        super().__init__(straight)
        self.lens = lens

    @property
    def corners(self) -> Floats:
        """Of the playing area, where the lens shows them."""
        return self.lens.distort(self.inner.corners)

    @property
    def summary(self) -> dict[str, Any]:
        """What is told of the straight board, and how much the lens bends."""
        return {**self.inner.summary, "lens": round(self.lens.bend, 4)}

    def look(self, picture: Picture) -> Observation:
        """What a picture shows. Raises WrongSize where it is not of `size`."""
        return self.inner.look(self.lens.undistort_picture(picture))

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture, made straight, with what was read drawn over it."""
        return self.inner.draw(self.lens.undistort_picture(picture), observation)

    def regain(self, picture: Picture) -> UndistortedBoard | None:
        """The same board in its new place."""
        found = self.inner.regain(self.lens.undistort_picture(picture))
        return None if found is None else UndistortedBoard(found, self.lens)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Take note that the players played on from that board, which stands in the picture."""
        self.inner.confirm(self.lens.undistort_picture(picture), board)

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with the lens and `extra` entries. Raises CalibrationError."""
        self.inner.save(path, lens={"size": self.lens.size, "bend": self.lens.bend}, **extra)


def saved_lens(kept: SavedCalibration) -> LensDistortion | None:
    """The lens that a file names; None where it names none."""
    told = kept.entry("lens")
    if told is None:
        return None
    width, height = told["size"]
    return LensDistortion((int(width), int(height)), float(told["bend"]))
