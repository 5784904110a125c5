"""The framed backgammon board as a kind of board: calibrate, read, draw, reacquire.

All learned data is on rasters, so only the rasters' place in the picture is estimated again. The empty board is
registered with the new picture, first roughly, then exactly. Points repeat every second column, so places one or two
columns off fit half as well. The right place must fit clearly better, and the frame must be in place.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

from companion.core import BLACK_BAR, NO_MARKS, Cause, Part
from vision.backgammon.calibration import Calibration
from vision.backgammon.learning import calibrate
from vision.backgammon.locate.refine import find_framed_board
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.tray import tray_raster
from vision.board import (
    START,
    CalibratedBoard,
    backgammon_cells,
    describe,
    draw,
    locate_start,
    reacquire_board,
)
from vision.imaging import calmed, ellipse, level, washed_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.core import BoardMarks, Content, Observation
    from vision.arrays import Bools, Floats, Picture
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
    outside the picture before is taken from this one.
    """
    found = calibration.transformed(motion)
    unseen = ~tray_raster(calibration.top, calibration.layout).in_view(calibration.size)
    table = calibration.table.copy()
    table[unseen] = tray_raster(found.top, found.layout).rectify(picture)[unseen]
    found = replace(found, table=table)
    found.reuse_models(calibration)
    return found


_THIRDS = 3
_ALL_OVER = 0.5
"""Share of the playing area from which trouble is not attributed to one part."""
_FOREIGN_NATS = 5.0
"""Least evidence, in nats, that a pixel differs from the empty board to count as foreign: about three standard
deviations of noise."""
_OPENING = 0.6
"""Diameter of the morphological opening, in checker diameters. It removes shadows and sides of checkers, which are
thinner than a hand."""
_PARTS = (
    (Part.UPPER_LEFT, Part.UPPER, Part.UPPER_RIGHT),
    (Part.LEFT, Part.MIDDLE, Part.RIGHT),
    (Part.LOWER_LEFT, Part.LOWER, Part.LOWER_RIGHT),
)


def with_part(observation: Observation, learned: Calibration, picture: Picture) -> Observation:
    """Add the affected ninth of the board to an observation of a picture (BGR) with glare or a hand."""
    if observation.unreadable not in (Cause.GLARE, Cause.HAND):
        return observation
    view = learned.top.rectify(picture)
    glare = observation.unreadable is Cause.GLARE
    trouble = washed_out(view, learned.appearance.background.picture) if glare else _foreign_mask(learned, view)
    margin = round(learned.top.margin * learned.top.scale)
    return replace(observation, where=part_of(trouble[margin:-margin, margin:-margin]))


def part_of(trouble: Bools) -> Part | None:
    """Ninth of the playing area with the centroid of the mask `trouble` (height x width; row 0 is the upper edge).

    None if the mask is empty or covers at least half of the area.
    """
    if not 0 < trouble.mean() < _ALL_OVER:
        return None
    middle = np.argwhere(trouble).mean(axis=0) / trouble.shape
    row, column = np.minimum(middle * _THIRDS, _THIRDS - 1).astype(int)
    return _PARTS[row][column]


def _foreign_mask(learned: Calibration, view: Picture) -> Bools:
    """Mask of the largest foreign object on the raster: neither empty board nor the colours of checkers."""
    evidence = learned.appearance.evidence(level(view, learned.appearance.gain_of(view)))
    known = np.maximum(evidence.white, evidence.black) > 0
    foreign = ((evidence.changed > _FOREIGN_NATS) & ~known & ~learned.foreign_at_calibration).astype(np.uint8)
    thick = cv2.morphologyEx(foreign, cv2.MORPH_OPEN, ellipse(_OPENING * learned.rows.diameter))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    return np.asarray(labels == sizes.argmax() + 1) if len(sizes) else np.zeros(thick.shape, bool)


class FramedBoard(CalibratedBoard[Calibration]):
    """A backgammon board with twelve columns, a bar and a frame (see `vision.board.LearnedBoard`)."""

    game: ClassVar[str] = "backgammon"
    position = staticmethod(backgammon_cells)

    def __init__(self, calibration: Calibration) -> None:
        super().__init__(calibration)
        self._eye = FramedBoardReader(calibration)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> FramedBoard:
        """See `vision.learn_board`."""
        found = cls.find(picture, mirror).corners if corners is None else corners
        known = START if position is None else [content or (0, 0) for content in position[: BLACK_BAR + 1]]
        return cls(calibrate(calmed(picture), found, mirror, known, marked=corners is not None))

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
        return with_part(self._eye.look(picture), self.calibration, picture)

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
