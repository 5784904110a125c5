"""Learns a framed board from one picture of a known position, and reads that picture again as a test.

Reading that picture does not reveal every error in the given position. A bare place given as occupied is learned as a
checker, and a checker on a place given as bare as empty board: with these models the position reads as given. So each
known checker is also compared with the others alone (leave-one-out), and the first free place of each point with the
empty board of points of the same design.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.core import FULL_ROW
from vision.backgammon.calibration import Calibration
from vision.backgammon.fit import fit_board
from vision.backgammon.known_position import KnownPosition
from vision.backgammon.layout import FINER
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.tray import tray_raster
from vision.board import (
    CERTAIN_NATS,
    EMPTY,
    POINTS,
    START,
    CalibrationError,
    cannot_be_read,
    describe,
    not_on,
    placed_checkers,
    refuse_too_few,
    turned_patches,
)
from vision.geometry import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Content, Observation
    from vision.arrays import Floats, Ints, Picture
    from vision.backgammon.slot_comparison import SlotComparison


_LEAST_FIT = 0.25
"""Least fit (see `fit_layout`, -1 to 1) with which a board is learned. Measured: random places less than 0.1; starts of
52 boards, half of them in hard pictures, as they are and in haze that takes four fifths of the contrast, 0.35."""


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
        CalibrationError: the position is not visible there, cannot be read for certain, or has fewer than two
            checkers of one colour.
    """
    learned = fit_calibration(picture, corners, mirror, position, marked=marked)
    _refuse_unread(learned, picture)
    if points := misplaced(learned):
        raise CalibrationError(
            f"checkers on {' and '.join(str(point + 1) for point in points)} as White counts seem to stand otherwise "
            "than in the known position: check them, or correct the position"
        )
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
    nominal = placed_checkers(points)
    refuse_too_few(nominal, "checkers", " on the points")
    stacked = [point for point, content in enumerate(points) if sum(content) > FULL_ROW]
    fitted = fit_board(picture, np.asarray(corners, np.float64), nominal, mirror, stacked, marked=marked)
    if fitted.fit < _LEAST_FIT:
        where = not_on([str(point + 1) for point in sorted(set(fitted.unlike))], ", ", " as White counts")
        raise CalibrationError(
            f"the known position is not visible inside these corners{where}: check that the checkers "
            "stand in that position, and that the whole board is in the picture"
        )
    on_bar = sum(white for white, _ in bar), sum(black for _, black in bar)
    known = fitted.known.with_asides(stacked)
    placed, layout, pose = known.placed, known.layout, known.pose
    hit = known.find_hit_checkers(on_bar)
    known = known.without_hit(hit)
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
        asides=tuple(one.aside for one in placed),
    )


def _refuse_unread(learned: Calibration, picture: Picture) -> None:
    """Raise CalibrationError if the known position is not read for certain from its own picture.

    Full rows may be doubtful: they may carry others.
    """
    known = learned.points
    seen = FramedBoardReader(learned, own_picture=True).look(picture)
    answer = describe(seen, learned.numbers)
    position = answer["position"]
    if position is not None:
        read = position["points"]
        unlike = [point + 1 for point, (white, black) in enumerate(known) if read[point] != white - black]
    elif answer.get("doubtful"):
        points = [name for name in answer["doubtful"] if isinstance(name, int)]
        unlike = [point for point in points if sum(known[point - 1]) < FULL_ROW]
    else:
        raise cannot_be_read(answer["unreadable"])
    if unlike:
        _refuse_rows_of_six(known, seen)
        raise CalibrationError(
            f"the board cannot be told from its checkers on {', '.join(map(str, unlike))} as White counts: check that "
            "the checkers stand in the known position, and give the board more light, and the same all over"
        )


def _refuse_rows_of_six(known: Sequence[Content], seen: Observation) -> None:
    """Raise CalibrationError if more than five checkers are known on a point, and another number is seen.

    The sixth may lie in the row and not on it: then it was taken for a part of the board, and is missing elsewhere.
    """
    points = [
        point + 1
        for point, (content, cell) in enumerate(zip(known, seen.cells, strict=False))
        if sum(content) > FULL_ROW and cell.best != content
    ]
    if points:
        raise CalibrationError(
            f"not all of the more than five checkers on {', '.join(map(str, points))} as White counts are seen: "
            "lay the sixth on top of the first, and so on, or give a position with at most five on a point"
        )


_LEAST_SINGLE = 2
"""Least number of either side's known single checkers: one cannot be compared with others."""


def misplaced(learned: Calibration) -> list[int]:
    """The point (0 to 23) that lacks a known checker and the one with an extra checker; empty if the position fits.

    A checker elsewhere contradicts the known position at both points, and must do so by CERTAIN_NATS in all. Of 263
    wrong positions given for 44 path-traced boards (one or two checkers elsewhere) reading alone refused 255; with this
    all are refused, and all 44 starting positions learned. Of 59 starts of wilder drawn boards it refuses two.
    """
    compared = learned.slot_comparison
    if compared is None or np.bincount(compared.known.checkers.sides).min() < _LEAST_SINGLE:
        return []
    lacking, missing_nats = _least_likely_checker(learned, compared)
    extra, extra_nats = _likeliest_extra_checker(learned, compared)
    return sorted((lacking, extra)) if missing_nats + extra_nats >= CERTAIN_NATS else []


def _least_likely_checker(learned: Calibration, compared: SlotComparison) -> tuple[int, float]:
    """The point whose known checker looks least like one, and the lead (nats) of another content there."""
    known, nats = compared.known.checkers, compared.known.by_others()
    own = np.arange(len(nats)), known.sides
    of_known = nats[own]
    nats[own] = -np.inf
    lead = nats.max(axis=1) - of_known
    worst = int(lead.argmax())
    labelled = learned.fine_labelled
    nearest = np.linalg.norm(labelled.places / labelled.rows.diameter - known.places[worst], axis=1).argmin()
    return labelled.placed[nearest].point, float(lead[worst])


def _likeliest_extra_checker(learned: Calibration, compared: SlotComparison) -> tuple[int, float]:
    """The point whose first free place looks most like a checker, and its lead (nats) over a bare place."""
    labelled, lift = learned.fine_labelled, learned.layers.lift
    numbers = np.array([sum(content) for content in learned.points])
    pairs = np.array(_free_and_bare(learned, numbers)).reshape(-1, 2)
    if not len(pairs):
        return 0, -np.inf
    points, others = pairs.T
    index, diameter = numbers[points], labelled.rows.diameter
    here, there = (labelled.rows.place(which, index) for which in (points, others))
    lifted: Floats = lift[points, index]
    seen = turned_patches(labelled.view, here, lifted, diameter)
    bare = turned_patches(labelled.appearance.background.picture, there, lifted, diameter)
    nats = compared.known.log_likelihoods(seen, bare, here / diameter, np.linalg.norm(lifted, axis=1) / diameter)
    lead = nats[:, :EMPTY].max(axis=1) - nats[:, EMPTY]
    each = {int(point): float(lead[points == point].min()) for point in points}
    most = max(each, key=lambda point: each[point])
    return most, each[most]


def _free_and_bare(learned: Calibration, numbers: Ints) -> list[tuple[int, int]]:
    """Pairs of a point with a free place and another of its side and design, of which the same place is bare."""
    columns = [learned.layout.column_of(point) for point in range(POINTS)]
    return [
        (point, other)
        for point in range(POINTS)
        for other in range(POINTS)
        if point != other
        and point // COLUMNS == other // COLUMNS
        and (columns[point] - columns[other]) % 2 == 0
        and numbers[other] <= numbers[point] < FULL_ROW
    ]
