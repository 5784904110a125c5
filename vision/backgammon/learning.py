"""Learns a framed board from one picture of a known position, and reads that picture again as a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.calibration import Calibration
from vision.backgammon.fit import fit_board
from vision.backgammon.known_position import KnownPosition
from vision.backgammon.layout import FINER
from vision.backgammon.misplaced import misplaced
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.tray import tray_raster
from vision.board import (
    ORDINARY_ROW,
    POINTS,
    START,
    CalibrationError,
    cannot_be_read,
    describe,
    placed_checkers,
    refuse_too_few,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Content
    from vision.arrays import Floats, Picture


_LEAST_FIT = 0.25
"""Least fit (see `fit_layout`, -1 to 1) with which a board is learned. Measured: random places less than 0.1;
boards that are read rightly afterwards 0.31 and more."""


def calibrate(
    picture: Picture,
    corners: Floats,
    mirror: bool = False,
    position: Sequence[Content] = START,
    *,
    marked: bool = True,
) -> Calibration:
    """Calibrate a framed backgammon board from a picture of a known position; see `fit_calibration`.

    Raises:
        CalibrationError: the position is not visible there, cannot be told for certain, or has fewer than two checkers
            of one colour.
    """
    learned = fit_calibration(picture, corners, mirror, position, marked=marked)
    _refuse_unread(learned, picture)
    _refuse_misplaced(learned)
    return learned


def fit_calibration(
    picture: Picture, corners: Floats, mirror: bool, position: Sequence[Content], *, marked: bool = True
) -> Calibration:
    """Fit a board, without a check that it can be read.

    Args:
        picture: BGR.
        corners: of the playing area, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits.
        mirror: whether White's home board is at the left.
        position: (White, Black) for each of the 24 points, White's 1 point first, then for the bar.
        marked: whether somebody marked the corners; they are then improved by the checkers' outlines.

    Raises:
        CalibrationError: the position is not visible there, or has fewer than two checkers of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    points, bar = position[:POINTS], position[POINTS:]
    placed = placed_checkers(points)
    refuse_too_few(placed, "checkers", " on the points")
    stacked = [point for point, content in enumerate(points) if sum(content) > ORDINARY_ROW]
    fitted = fit_board(picture, np.asarray(corners, np.float64), placed, mirror, stacked, marked=marked)
    if fitted.fit < _LEAST_FIT:
        raise CalibrationError(
            f"the known position is not visible inside these corners{fitted.not_on}: check that the checkers "
            "stand in that position, and that the whole board is in the picture"
        )
    layout, pose = fitted.known.layout, fitted.known.pose
    on_bar = sum(white for white, _ in bar), sum(black for _, black in bar)
    hit = fitted.known.find_hit_checkers(on_bar)
    known = fitted.known.without_hit(hit)
    fine = KnownPosition.of(picture, placed, layout, pose, FINER).without_hit(hit).rectified
    table = tray_raster(known.top, layout).rectify(picture)
    return Calibration(
        size,
        fitted.corners,
        pose,
        fitted.fit,
        layout,
        known.appearance,
        known.rectified,
        tuple(points),
        table,
        fine,
        on_bar=on_bar,
    )


def _refuse_unread(learned: Calibration, picture: Picture) -> None:
    """Raise CalibrationError if the known position is not read for certain from its own picture.

    Full rows may be doubtful: they may carry others.
    """
    told = learned.points
    answer = describe(FramedBoardReader(learned).look(picture), learned.numbers)
    position = answer["position"]
    if position is not None:
        read = position["points"]
        unlike = [point + 1 for point, (white, black) in enumerate(told) if read[point] != white - black]
    elif answer.get("doubtful"):
        points = [name for name in answer["doubtful"] if isinstance(name, int)]
        unlike = [point for point in points if sum(told[point - 1]) < ORDINARY_ROW]
    else:
        raise cannot_be_read(answer["unreadable"])
    if unlike:
        raise CalibrationError(
            f"the board cannot be told from its checkers on {', '.join(map(str, unlike))} as White counts: check that "
            "the checkers stand in the known position, and give the board more light, and the same all over"
        )


def _refuse_misplaced(learned: Calibration) -> None:
    """Raise CalibrationError if a checker stands elsewhere than told."""
    if points := misplaced(learned):
        raise CalibrationError(
            f"checkers on {' and '.join(str(point + 1) for point in points)} as White counts seem to stand otherwise "
            "than in the known position: check them, or correct the position"
        )
