"""Board of twelve tiles as a `vision.boards.LearnedBoard`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.observation import BLACK_BAR, WHITE_BAR
from vision.board_of import CalibratedBoard
from vision.calibration import START
from vision.locate import TILES, locate_start
from vision.overlay import draw
from vision.position_json import backgammon_cells
from vision.tile_calibration import TileCalibration, learn_tiles
from vision.tile_eye import TileEye
from vision.tile_fit import find_tile_board
from vision.tile_regain import regain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.camera import Picture
    from vision.locate import Located

    Floats = NDArray[np.float64]


class TileBoard(CalibratedBoard[TileCalibration]):
    """Learned board of twelve tiles in a line, with spaces on both sides and cubes as checkers."""

    game: ClassVar[str] = "backgammon"

    def __init__(self, calibration: TileCalibration) -> None:
        super().__init__(calibration)
        self._eye = TileEye(calibration)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> TileBoard:
        """Calibrate from a picture of a known position; see `vision.boards.learn_board`."""
        corners = cls.find(picture, mirror).corners if corners is None else corners
        points = START if position is None else [content or (0, 0) for content in position[:WHITE_BAR]]
        waiting = position is not None and any(map(any, filter(None, position[WHITE_BAR : BLACK_BAR + 1])))
        return cls(learn_tiles(picture, corners, mirror, points, waiting=waiting))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Locate the board in a picture (BGR) of the starting position. Raises LocateError."""
        return locate_start(picture, TILES, partial(find_tile_board, mirror=mirror))

    @classmethod
    def load(cls, path: Path) -> TileBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(TileCalibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """Parse the points and the bar of a position in JSON. Raises CalibrationError with the faulty value."""
        return backgammon_cells(value)

    @property
    def measures(self) -> Mapping[str, float]:
        """Side of a cube and depth of the playing area, in lengths of the line of tiles."""
        layout = self.calibration.layout
        return {"cube": layout.checker, "depth": layout.depth}

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR)."""
        return self._eye.look(picture)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """Draw an observation over a copy of the picture."""
        return draw(picture, self.calibration, observation)

    def regain(self, picture: Picture) -> TileBoard | None:
        """Locate the board again after it moved; None if it did not move or is not found."""
        found = regain(self.calibration, picture)
        return None if found is None else TileBoard(found)
