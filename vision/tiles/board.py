"""The board of tiles as a kind of board: calibrate, read, draw, reacquire."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from companion.core import BLACK_BAR, NO_MARKS, WHITE_BAR
from vision.board import START, CalibratedBoard, backgammon_cells, draw, locate_start, reacquire_board
from vision.geometry import Raster, move_pose, project, warp
from vision.imaging import Appearance, BackgroundModel, brightened
from vision.tiles.calibration import TileCalibration, learn_tiles
from vision.tiles.layout import TILE
from vision.tiles.locate import find_tile_board
from vision.tiles.reader import TileBoardReader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.core import Board, BoardMarks, Content, Observation
    from vision.arrays import Floats, Picture
    from vision.board import Located
    from vision.geometry import CameraPose


_TILE_PX = 24
"""Resolution of the raster, in pixels a tile."""
_MARGIN_TILES = 0.4
"""Width of table shown around the line, in tiles. Cubes stand there, so most of the raster must be the line itself."""
_REACH_TILES = 2.5
"""Largest movement that is searched, in tiles; a larger one is taken for a board that was set up anew."""
_BESIDE = [(tiles * TILE, 0.0) for tiles in (-2, -1, 1, 2)]
"""Shifts (x, y, in board units) of wrong alignments to compare with: the line looks alike one or two tiles along it."""


@dataclass(frozen=True)
class TileLine:
    """The line of tiles without cubes, for `vision.board.reacquire_board`.

    Attributes:
        size: width and height of the pictures.
        corners: of the playing area, 4 x 2 pixels.
        pose: camera pose over that area.
        learned: calibration of the board in its old place.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    learned: TileCalibration

    @cached_property
    def top(self) -> Raster:
        """Raster of the line of tiles and a margin around it."""
        onto = np.eye(4)
        onto[1, 3] = self._foot
        return Raster(self.pose.matrix @ onto, 0.0, TILE, _TILE_PX / TILE, _MARGIN_TILES * TILE)

    @cached_property
    def appearance(self) -> Appearance:
        """Appearance of the line without cubes on the raster `top`."""
        onto = np.eye(3)
        onto[1, 2] = self._foot
        to_learned = np.linalg.inv(self.learned.bed.to_board) @ onto @ self.top.to_board
        ground = warp(self.learned.ground, to_learned, self.top.size)
        return Appearance(BackgroundModel(ground), self.learned.looks.tables[:2])

    @property
    def _foot(self) -> float:
        """The y of the line's edge on White's side."""
        return self.learned.layout.axis - TILE / 2


def reacquire(calibration: TileCalibration, picture: Picture) -> TileCalibration | None:
    """Calibration for the new place of the tiles; None if they did not move or no certain match is found."""
    line = TileLine(calibration.size, calibration.corners, calibration.pose, calibration)
    found = reacquire_board(line, picture, _move_line, _BESIDE, _REACH_TILES * TILE)
    if found is None:
        return None
    again = replace(calibration, corners=found.corners, pose=found.pose)
    again.reuse_models(calibration)
    return again


def _move_line(line: TileLine, motion: Floats, picture: Picture) -> TileLine:  # noqa: ARG001  # one signature for all kinds
    pose = move_pose(line.pose, motion, line.size)
    return replace(line, corners=project(motion, line.corners), pose=pose)


class TileBoard(CalibratedBoard[TileCalibration]):
    """Learned board of twelve tiles in a line, with spaces on both sides and cubes as checkers."""

    game: ClassVar[str] = "backgammon"

    def __init__(self, calibration: TileCalibration) -> None:
        super().__init__(calibration)
        self._eye = TileBoardReader(calibration)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> TileBoard:
        """Calibrate from a picture of a known position; see `vision.learn_board`."""
        corners = cls.find(picture, mirror).corners if corners is None else corners
        points = START if position is None else [content or (0, 0) for content in position[:WHITE_BAR]]
        any_hit = position is not None and any(map(any, filter(None, position[WHITE_BAR : BLACK_BAR + 1])))
        return cls(learn_tiles(picture, corners, mirror, points, any_hit=any_hit))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Locate the board in a picture (BGR) of the starting position. Raises LocateError."""
        find = partial(find_tile_board, mirror=mirror)
        return locate_start(picture, "tiles", "thirty cubes beside the twelve tiles", find)

    @classmethod
    def load(cls, path: Path) -> TileBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(TileCalibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """Parse the points and the bar of a position in JSON. Raises CalibrationError with the faulty value."""
        return backgammon_cells(value)

    @property
    def mirrored(self) -> bool:
        """Whether White's home is at the left."""
        return self.calibration.layout.mirror

    @property
    def measures(self) -> Mapping[str, float]:
        """Side of a cube and depth of the playing area, in lengths of the line of tiles."""
        layout = self.calibration.layout
        return {"cube": layout.checker, "depth": layout.depth}

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR)."""
        return self._eye.look(brightened(picture, self.calibration.brighter))

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over a copy of the picture."""
        return draw(picture, self.calibration, observation, marks, bar="")

    def reacquire(self, picture: Picture) -> TileBoard | None:
        """Locate the board again after it moved; None if it did not move or is not found."""
        found = reacquire(self.calibration, brightened(picture, self.calibration.brighter))
        return None if found is None else TileBoard(found)
