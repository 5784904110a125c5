"""Where points, slots and rows lie on a board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board import POINTS, START, Layout, placed_checkers

layouts = st.builds(
    Layout,
    depth=st.floats(0.75, 1.0),
    bar=st.floats(0.0, 0.15),
    diameter=st.floats(0.7, 1.0),
    edge=st.floats(0.5, 0.6),
    step=st.floats(1.0, 1.1),
    mirror=st.booleans(),
)
points = st.integers(0, POINTS - 1)


@given(layouts)
def test_each_half_of_the_board_has_every_column_once(layout: Layout) -> None:
    for half in (range(12), range(12, 24)):
        assert sorted(layout.column_of(point) for point in half) == list(range(12))


@given(layouts)
def test_points_are_numbered_from_white_s_right_hand_round_the_board(layout: Layout) -> None:
    right_to_left = [layout.column_of(point) for point in range(12)]
    assert right_to_left == sorted(right_to_left, reverse=not layout.mirror)
    assert [layout.column_of(point) for point in range(12, 24)] == right_to_left[::-1]


@given(layouts, points)
def test_a_mirrored_board_has_each_point_in_the_column_opposite(layout: Layout, point: int) -> None:
    other = replace(layout, mirror=not layout.mirror)
    assert layout.column_of(point) + other.column_of(point) == 11


@given(layouts, points, st.integers(0, 4))
def test_a_slot_of_one_player_is_the_other_player_s_slot_rotated_by_half_a_turn(
    layout: Layout, point: int, index: int
) -> None:
    x, y = layout.slot(point, index)
    across_x, across_y = layout.slot(POINTS - 1 - point, index)
    assert across_x == pytest.approx(x)
    assert across_y == pytest.approx(layout.depth - y)


@given(layouts)
def test_columns_are_evenly_spaced_on_both_sides_of_the_bar(layout: Layout) -> None:
    centres = [layout.column_x(column) for column in range(12)]
    assert [1 - x for x in reversed(centres)] == pytest.approx(centres)
    assert centres[6] - centres[5] == pytest.approx(layout.column + layout.bar)
    assert centres[0] == pytest.approx(layout.column / 2)


@given(layouts, points)
def test_checkers_of_a_row_run_inwards_without_overlapping(layout: Layout, point: int) -> None:
    row = np.array([layout.slot(point, index) for index in range(5)])
    assert np.ptp(row[:, 0]) == 0
    steps = np.diff(row[:, 1])
    assert (np.sign(steps) == (1 if point < 12 else -1)).all()
    assert (np.abs(steps) >= layout.checker * 0.999).all()


def test_a_sixth_checker_lies_on_top_and_is_not_placed_on_the_bed() -> None:
    contents = [(0, 0)] * POINTS
    contents[3], contents[20] = (8, 0), (0, 2)
    placed = placed_checkers(contents)
    assert [(checker.index, checker.owner) for checker in placed if checker.point == 3] == [(i, 0) for i in range(5)]
    assert [(checker.index, checker.owner) for checker in placed if checker.point == 20] == [(0, 1), (1, 1)]


def test_all_thirty_checkers_of_the_start_lie_on_the_bed() -> None:
    owners = [checker.owner for checker in placed_checkers(START)]
    assert (owners.count(0), owners.count(1)) == (15, 15)
