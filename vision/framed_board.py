"""The framed backgammon board: one of the kinds of board in `vision.boards`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.observation import BLACK_BAR
from vision.board_of import CalibratedBoard
from vision.calibration import START, Calibration, calibrate
from vision.eye import Eye
from vision.locate import BACKGAMMON, locate_start
from vision.overlay import draw
from vision.position_json import backgammon_cells
from vision.regain import moved_by, regain
from vision.start_check import find_framed_board
from vision.trouble_spot import with_place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.camera import Picture
    from vision.locate import Located
    from vision.unchanged import AcceptedFrame

    Floats = NDArray[np.float64]


class FramedBoard(CalibratedBoard[Calibration]):
    """A backgammon board with twelve columns, a bar and a frame (`vision.boards.LearnedBoard`)."""

    game: ClassVar[str] = "backgammon"

    def __init__(self, calibration: Calibration, sure: AcceptedFrame | None = None) -> None:
        """`sure`: the reference frame that pictures are compared with (see `confirm`); None if there is none yet."""
        super().__init__(calibration)
        self._eye = Eye(calibration, sure)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> FramedBoard:
        """See `vision.boards.learn_board`."""
        corners = cls.find(picture, mirror).corners if corners is None else corners
        known = START if position is None else [content or (0, 0) for content in position[: BLACK_BAR + 1]]
        return cls(calibrate(picture, corners, mirror, known))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Locate the starting position in a picture."""
        return locate_start(picture, BACKGAMMON, partial(find_framed_board, mirror=mirror))

    @classmethod
    def load(cls, path: Path) -> FramedBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(Calibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """Parse a position in JSON into points and bar. Raises CalibrationError that quotes it."""
        return backgammon_cells(value)

    @property
    def measures(self) -> Mapping[str, float]:
        """Width of the bar, diameter of a checker and depth of the playing area, in widths of the playing area."""
        layout = self.calibration.layout
        return {"bar": layout.bar, "checker": layout.checker, "depth": layout.depth}

    def look(self, picture: Picture) -> Observation:
        """Read the board in a picture."""
        return with_place(self._eye.look(picture), self.calibration, picture)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """A copy of the picture with the reading drawn over it."""
        return draw(picture, self.calibration, observation)

    def regain(self, picture: Picture) -> FramedBoard | None:
        """The same board at its new place after a knock; None if it is not found."""
        found = regain(self.calibration, picture)
        return None if found is None else FramedBoard(found, self._eye.sure)

    def moved(self, motion: Floats, picture: Picture) -> FramedBoard:
        """The board moved by `motion` (3 x 3 homography, old to new pixels). Raises NoPoseError."""
        return FramedBoard(moved_by(self.calibration, motion, picture), self._eye.sure)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Use this picture, which shows `board`, as the reference frame for later pictures."""
        self._eye.sure = self._eye.sure_of(picture, board)
