"""The board of tiles as a kind of board: calibrate, read, draw, reacquire."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core import BLACK_BAR, CHECKERS, NO_MARKS, WHITE_BAR
from vision.board import (
    START,
    CalibratedBoard,
    CalibrationError,
    backgammon_cells,
    draw,
    locate_start,
    placed_checkers,
    reacquire_board,
)
from vision.imaging import calmed
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


_REACH = 2.5 * TILE
"""Largest movement that is searched, in board units; a larger one is taken for a board that was set up anew."""
_BESIDE = [(tiles * TILE, 0.0) for tiles in (-2, -1, 1, 2)]
"""Shifts (x, y, in board units) of wrong alignments to compare with: the line looks alike one or two tiles along it."""


class TileBoard(CalibratedBoard[TileCalibration]):
    """Learned board of twelve tiles in a line, with spaces on both sides and cubes as checkers."""

    game: ClassVar[str] = "backgammon"
    position = staticmethod(backgammon_cells)

    def __init__(self, calibration: TileCalibration) -> None:
        super().__init__(calibration)
        self._eye = TileBoardReader(calibration)
        self._eye.compare_with_known()

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> TileBoard:
        """Calibrate from a picture of a known position; see `vision.learn_board`."""
        corners = cls.find(picture, mirror).corners if corners is None else corners
        points = START if position is None else [content or (0, 0) for content in position[:WHITE_BAR]]
        any_hit = position is not None and any(map(any, filter(None, position[WHITE_BAR : BLACK_BAR + 1])))
        board = cls(learn_tiles(calmed(picture), corners, mirror, points, any_hit=any_hit))
        board._refuse_missing()
        board._refuse_misread(picture)
        return board

    def _refuse_missing(self) -> None:
        """Raise CalibrationError if a known cube is missing: read again, its place seems as given."""
        learned = self.calibration
        placed = placed_checkers(learned.points, row=CHECKERS)
        points = sorted({placed[index].point + 1 for index in learned.comparison.missing()})
        if points:
            raise CalibrationError(
                f"cubes on {' and '.join(map(str, points))} as White counts seem to be missing: put them there, or "
                "correct the position"
            )

    def _refuse_misread(self, picture: Picture) -> None:
        """Raise CalibrationError if something else than the known position is read from its own picture.

        Its spaces may be doubtful: pictures with fewer cubes in them can often be read nevertheless.
        """
        answer = self.answer(TileBoardReader(self.calibration).look(picture))
        known = [white - black for white, black in self.calibration.points]
        if "doubtful" not in answer and (answer["position"] or {}).get("points") != known:
            raise CalibrationError(
                "the cubes of the known position cannot be told from the table: check that they stand in that "
                "position and that nothing else lies there, give the board more light, or bring the camera nearer"
            )

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Locate the board in a picture (BGR) of the starting position. Raises LocateError."""
        find = partial(find_tile_board, mirror=mirror)
        return locate_start(calmed(picture), "tiles", "thirty cubes beside the twelve tiles", find)

    @classmethod
    def load(cls, path: Path) -> TileBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(TileCalibration.load(path))

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
        """Read a picture (BGR). Raises WrongSize."""
        return self._eye.look(picture)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one too."""
        self._eye.accept(picture, board)

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over a copy of the picture."""
        return draw(picture, self.calibration, observation, marks, bar="")

    def reacquire(self, picture: Picture) -> TileBoard | None:
        """Locate the board again after it moved; None if it did not move or is not found."""
        learned = self.calibration
        stretched = learned.contrast.applied(calmed(picture))
        found = reacquire_board(learned, stretched, lambda tiles, motion, _: tiles.moved(motion), _BESIDE, _REACH)
        return None if found is None else TileBoard(found)
