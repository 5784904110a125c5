"""A board laid from twelve tiles, behind the seam of `vision.boards`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from companion.observation import BLACK_BAR, WHITE_BAR
from vision.answers import describe
from vision.calibration import START
from vision.framed_board import FramedBoard
from vision.locate import TILES, locate
from vision.overlay import draw
from vision.tile_calibration import TileCalibration, learn_tiles
from vision.tile_eye import TileEye
from vision.tile_regain import regain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.camera import Picture
    from vision.locate import Located

    Floats = NDArray[np.float64]


class TileBoard:
    """Twelve tiles in a line, the spaces outside them, and cubes (`vision.boards.LearnedBoard`)."""

    game: ClassVar[str] = "backgammon"

    def __init__(self, calibration: TileCalibration) -> None:
        self.calibration = calibration
        self._eye = TileEye(calibration)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> TileBoard:
        """See `vision.boards.learn_board`."""
        corners = locate(picture, TILES, mirror).corners if corners is None else corners
        points = START if position is None else [content or (0, 0) for content in position[:WHITE_BAR]]
        waiting = position is not None and any(map(any, filter(None, position[WHITE_BAR : BLACK_BAR + 1])))
        return cls(learn_tiles(picture, corners, mirror, points, waiting=waiting))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Where the starting position stands in a picture."""
        return locate(picture, TILES, mirror)

    @classmethod
    def load(cls, path: Path) -> TileBoard:
        """Read from a file. Raises CalibrationError."""
        return cls(TileCalibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """As for a framed board. Raises CalibrationError quoting the value."""
        return FramedBoard.position(value)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads."""
        return self.calibration.size

    @property
    def corners(self) -> Floats:
        """Of the area that the spaces cover."""
        return self.calibration.corners

    @property
    def told(self) -> dict[str, Any]:
        """How well it fits, and its measures in lengths of the line of tiles."""
        layout = self.calibration.layout
        measures = {"cube": layout.checker, "depth": layout.depth}
        return {
            "fit": round(self.calibration.fit, 3),
            "layout": {name: round(float(value), 4) for name, value in measures.items()},
        }

    def look(self, picture: Picture) -> Observation:
        """What a picture shows."""
        return self._eye.look(picture)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """What `boardside read` answers."""
        return describe(observation)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture with what was read drawn over it."""
        return draw(picture, self.calibration, observation)

    def regain(self, picture: Picture) -> TileBoard | None:
        """The same board in its new place."""
        found = regain(self.calibration, picture)
        return None if found is None else TileBoard(found)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Nothing: this kind of board is read from each picture by itself."""

    def save(self, path: Path) -> None:
        """Write to a file."""
        self.calibration.save(path)
