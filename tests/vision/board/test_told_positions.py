"""A board is learned from any given position: what its checkers hide is inferred from points of the same pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.board import UNKNOWN, CalibrationError, Layout, inpaint_bed
from vision.geometry import COLUMNS, Raster
from vision.registry import LocateError, kind_of, learn_board

if TYPE_CHECKING:
    from vision.cameras import Picture

LAYOUT = Layout(depth=0.9)
BED = Raster(np.eye(3, 4), 0.0, LAYOUT.depth, 240.0, 0.05)
DARK, LIGHT, BED_COLOUR = (30, 40, 90), (170, 200, 220), (60, 110, 60)


def drawn(other_side_alike: bool = True, displaced: float = 0.0) -> Picture:
    """A board with points of two alternating colours, all round: opposite points differ.

    `displaced`: greatest distance of a point from an exact pitch, in columns.
    """
    picture = np.full((*BED.size[::-1], 3), BED_COLOUR, np.uint8)
    for point in range(24):
        column = LAYOUT.column_of(point)
        colour = (DARK, LIGHT)[point % 2]
        if point >= COLUMNS and not other_side_alike:
            colour = (200, 60, 10 + 15 * column)
        x = LAYOUT.column_x(column) + displaced * LAYOUT.column * (-1, 0, 1)[point % 3]
        half = LAYOUT.column * 0.45
        corners = [
            (x - half, LAYOUT.reach(point, 0)),
            (x + half, LAYOUT.reach(point, 0)),
            (x, LAYOUT.reach(point, 0.4)),
        ]
        cv2.fillPoly(picture, [np.rint(BED.pixels(np.array(corners))).astype(np.int32)], colour)
    return picture


def first_checkers_hidden(points: range) -> Picture:
    """Mask (255) of what the first checkers on these points hide."""
    hidden = np.zeros(BED.size[::-1], np.uint8)
    for point in points:
        x, y = BED.pixels(np.array(LAYOUT.slot(point, 0)))
        cv2.circle(hidden, (round(float(x)), round(float(y))), round(LAYOUT.checker * BED.scale * 0.55), 255, -1)
    return hidden


def covered(truth: Picture, hidden: Picture) -> Picture:
    """The picture with white where the mask says hidden."""
    return np.asarray(cv2.copyTo(np.full_like(truth, 255), hidden, truth.copy()), np.uint8)


def test_if_all_points_of_one_pattern_are_occupied_the_opposite_points_show_the_bed() -> None:
    truth, hidden = drawn(), first_checkers_hidden(range(1, 12, 2))
    empty, unknown = inpaint_bed(covered(truth, hidden), hidden, LAYOUT, BED)
    away = np.abs(empty.astype(int) - truth).max(axis=2)[hidden > 0]
    assert np.percentile(away, 90) < 20
    assert (unknown[hidden > 0] < UNKNOWN // 2).mean() > 0.9


def test_points_that_are_not_at_an_exact_pitch_are_copied_to_where_they_are() -> None:
    truth, hidden = drawn(displaced=0.05), first_checkers_hidden(range(0, 12, 4))
    empty, _ = inpaint_bed(covered(truth, hidden), hidden, LAYOUT, BED)
    away = np.abs(empty.astype(int) - truth).max(axis=2)[hidden > 0]
    assert np.percentile(away, 95) < 40, "70 is the difference of a point and the bed"


def test_where_nothing_is_drawn_the_empty_bed_is_copied_without_registration() -> None:
    truth = np.full((*BED.size[::-1], 3), BED_COLOUR, np.uint8)
    hidden = first_checkers_hidden(range(0, 12, 4))
    empty, unknown = inpaint_bed(covered(truth, hidden), hidden, LAYOUT, BED)
    assert np.array_equal(empty, truth)
    assert not unknown.any()


def test_opposite_points_of_another_pattern_do_not_show_the_bed() -> None:
    truth, hidden = drawn(other_side_alike=False), first_checkers_hidden(range(1, 12, 2))
    _, unknown = inpaint_bed(truth, hidden, LAYOUT, BED)
    assert (unknown[hidden > 0] == UNKNOWN).mean() > 0.9


def test_a_board_with_checkers_on_every_second_point_is_learned_and_read() -> None:
    scene = Scene.load(PICTURES / "03-magnetic")
    known, other = scene.frames[3], scene.frames[0]
    assert all(known.points[1:12:2])
    told = kind_of("backgammon").position({"points": known.points, "bar": known.bar})
    board = learn_board(known.picture, corners=scene.corners, mirror=scene.mirror, position=told)
    for frame in (known, other):
        assert frame.grade(board.answer(board.look(frame.picture))) == "right"


def test_a_position_other_than_the_start_requires_corners() -> None:
    scene = Scene.load(PICTURES / "03-magnetic")
    told = kind_of("backgammon").position({"points": scene.frames[3].points, "bar": scene.frames[3].bar})
    with pytest.raises(LocateError, match="tell the corners of the playing area too"):
        learn_board(scene.frames[3].picture, position=told)


def test_a_given_checker_that_is_not_on_the_board_is_named() -> None:
    scene = Scene.load(PICTURES / "03-magnetic")
    known = scene.frames[1]
    assert known.points[2] == 2
    assert known.points[9] == 0
    points = [*known.points[:2], 1, *known.points[3:9], 1, *known.points[10:]]
    told = kind_of("backgammon").position({"points": points, "bar": known.bar})
    with pytest.raises(CalibrationError, match=r"not visible inside these corners \(not on 10 as White counts\)"):
        learn_board(known.picture, corners=scene.corners, mirror=scene.mirror, position=told)
