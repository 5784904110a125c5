"""A framed backgammon board, behind the seam of `vision.boards`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.observation import BLACK_BAR
from vision.board_of import CalibratedBoard
from vision.calibration import START, Calibration, calibrate
from vision.eye import Eye
from vision.locate import BACKGAMMON, locate
from vision.overlay import draw
from vision.position_json import backgammon_cells
from vision.regain import moved_by, regain
from vision.trouble_spot import with_place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.camera import Picture
    from vision.locate import Located
    from vision.unchanged import SureLook

    Floats = NDArray[np.float64]


class FramedBoard(CalibratedBoard[Calibration]):
    """Twelve columns, a bar and a frame round them (`vision.boards.LearnedBoard`)."""

    game: ClassVar[str] = "backgammon"

    def __init__(self, calibration: Calibration, sure: SureLook | None = None) -> None:
        """`sure`: the last sure look at it (see `confirm`)."""
        super().__init__(calibration)
        self._eye = Eye(calibration, sure)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> FramedBoard:
        """See `vision.boards.learn_board`."""
        corners = locate(picture, BACKGAMMON, mirror).corners if corners is None else corners
        known = START if position is None else [content or (0, 0) for content in position[: BLACK_BAR + 1]]
        return cls(calibrate(picture, corners, mirror, known))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Where the starting position stands in a picture."""
        return locate(picture, BACKGAMMON, mirror)

    @classmethod
    def load(cls, path: Path) -> FramedBoard:
        """Read from a file. Raises CalibrationError."""
        return cls(Calibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """Points and bar of a position in JSON. Raises CalibrationError quoting it."""
        return backgammon_cells(value)

    @property
    def measures(self) -> Mapping[str, float]:
        """Width of the bar, diameter of the checkers and depth of the playing area, in its widths."""
        layout = self.calibration.layout
        return {"bar": layout.bar, "checker": layout.checker, "depth": layout.depth}

    def look(self, picture: Picture) -> Observation:
        """What a picture shows."""
        return with_place(self._eye.look(picture), self.calibration, picture)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture with what was read drawn over it."""
        return draw(picture, self.calibration, observation)

    def regain(self, picture: Picture) -> FramedBoard | None:
        """The same board in its new place."""
        found = regain(self.calibration, picture)
        return None if found is None else FramedBoard(found, self._eye.sure)

    def moved(self, motion: Floats, picture: Picture) -> FramedBoard:
        """The same board in the place that a motion (3 x 3, pixels before to now) brings it to. Raises NoPoseError."""
        return FramedBoard(moved_by(self.calibration, motion, picture), self._eye.sure)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one, in which that board stands."""
        self._eye.sure = self._eye.sure_of(picture, board)
