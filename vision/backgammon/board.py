"""The framed backgammon board as a kind of board: calibrate, read, draw, reacquire.

All learned data is on rasters, so only the rasters' place in the picture is estimated again. The empty board is
registered with the new picture, first roughly, then exactly. Points repeat every second column, so places one or two
columns off fit half as well. The right place must fit clearly better, and the frame must be in place.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from companion.core import BLACK_BAR, NO_MARKS, BoardsideError
from vision.backgammon.calibration import Calibration
from vision.backgammon.learning import calibrate
from vision.backgammon.locate.refine import find_framed_board
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.tray import tray_raster
from vision.board import (
    START,
    CalibratedBoard,
    CalibrationError,
    backgammon_cells,
    describe,
    draw,
    locate_start,
    reacquire_board,
)
from vision.imaging import calmed, level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.core import Board, BoardMarks, Content, Observation
    from vision.arrays import Floats, Picture
    from vision.board import Located


_REACH_COLUMNS = 3.5
"""Search range about the old place, in columns."""


def reacquire(calibration: Calibration, picture: Picture) -> Calibration | None:
    """Calibration of a framed board at its new place after a move (see `reacquire_board`)."""
    column = calibration.layout.column
    beside = [(columns * column, 0.0) for columns in (-2, -1, 1, 2)]
    return reacquire_board(calibration, picture, move_calibration, beside, _REACH_COLUMNS * column)


def move_calibration(calibration: Calibration, motion: Floats, picture: Picture) -> Calibration:
    """Calibration for another place of the camera or the board. Raises NoPoseError.

    `motion`: 3 x 3 homography of the bed, old to new pixels. Learned rasters are kept. The part of the table that was
    outside the picture before is taken from this one, in the light of the calibration picture.
    """
    found = calibration.transformed(motion)
    unseen = ~tray_raster(calibration.top, calibration.layout).in_view(calibration.size)
    table = calibration.table.copy()
    beside = tray_raster(found.top, found.layout).rectify(picture)
    table[unseen] = level(beside, found.appearance.gain_of(found.top.rectify(picture)))[unseen]
    found = replace(found, table=table)
    found.reuse_models(calibration)
    return found


class FramedBoard(CalibratedBoard[Calibration]):
    """A backgammon board with twelve columns, a bar and a frame (see `vision.board.LearnedBoard`)."""

    game: ClassVar[str] = "backgammon"
    position = staticmethod(backgammon_cells)

    def __init__(self, calibration: Calibration) -> None:
        super().__init__(calibration)
        self._eye = FramedBoardReader(calibration)
        self._eye.compare_with_known()

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> FramedBoard:
        """See `vision.learn_board`."""
        found = cls.find(picture, mirror).corners if corners is None else corners
        known = START if position is None else [content or (0, 0) for content in position[: BLACK_BAR + 1]]
        learned = partial(calibrate, calmed(picture), found, mirror, known)
        marked = corners is not None
        try:
            return cls(learned(marked=marked))
        except CalibrationError:
            # rows can be located a checker off, and checkers laid carelessly mislead where marked corners are improved
            with suppress(BoardsideError):
                return cls(learned(marked=not marked))
            raise

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Locate the starting position in a picture."""
        return locate_start(picture, "backgammon", "thirty checkers", partial(find_framed_board, mirror=mirror))

    @classmethod
    def load(cls, path: Path) -> FramedBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(Calibration.load(path))

    @property
    def mirrored(self) -> bool:
        """Whether White's home is at the left."""
        return self.calibration.layout.mirror

    @property
    def measures(self) -> Mapping[str, float]:
        """Width of the bar, diameter of a checker and depth of the playing area, in widths of the playing area."""
        layout = self.calibration.layout
        return {"bar": layout.bar, "checker": layout.checker, "depth": layout.depth}

    def look(self, picture: Picture) -> Observation:
        """Read the board in a picture."""
        return self._eye.look(picture)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one too."""
        self._eye.accept(picture, board)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """The JSON answer of `boardside read`; checkers borne off in the known position are still off."""
        return describe(observation, self.calibration.numbers)

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """A copy of the picture with the reading drawn over it."""
        return draw(picture, self.calibration, observation, marks)

    def reacquire(self, picture: Picture) -> FramedBoard | None:
        """The same board at its new place after a knock; None if it is not found."""
        found = reacquire(self.calibration, calmed(picture))
        return None if found is None else FramedBoard(found)

    def moved(self, motion: Floats, picture: Picture) -> FramedBoard:
        """The board moved by `motion` (3 x 3 homography, old to new pixels). Raises NoPoseError."""
        return FramedBoard(move_calibration(self.calibration, motion, picture))
