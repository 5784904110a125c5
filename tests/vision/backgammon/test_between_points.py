"""Checkers between two points are found, and not assigned to one of the points."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from carried_checkers import carried
from labelled import QUICK_BOARDS, Scene, scenes
from places import PICTURES
from sweeps import sampled

from companion.core import CellReading
from vision.backgammon.between.checker import CheckerBetween, add_checkers_between, without_checkers_between
from vision.board import EMPTY, Slot
from vision.board.json_io import describe

if TYPE_CHECKING:
    from companion.core import Observation
    from vision.cameras import Picture

IN_GLARE = "02-leather"
"""White checkers on white points."""
WELL_SEEN = sampled(("00-travel", "08-classic", "09-leather", "14-green"), QUICK_BOARDS)


@pytest.fixture(scope="module", params=(*WELL_SEEN, IN_GLARE))
def board(request: pytest.FixtureRequest) -> Scene:
    return next(scene for scene in scenes(PICTURES) if scene.name == request.param)


def moves(scene: Scene) -> list[tuple[Picture, tuple[int, int], int]]:
    """For each picture, a copy with a single checker moved between two almost empty points: (picture, points, side)."""
    start, layout = scene.frames[0].points, scene.eye.calibration.layout
    found = []
    for number, frame in enumerate(scene.frames[1:]):
        points = frame.points
        if frame.hand or frame.drift:
            continue
        lone = [point for point in range(24) if abs(points[point]) == 1 and start[point] == 0]
        pairs = [
            (p, p + 1) for p in range(23) if p // 6 == (p + 1) // 6 and max(abs(points[p]), abs(points[p + 1])) <= 1
        ]
        free = [pair for pair in pairs if not set(lone[:1]) & set(pair)]
        if lone and free:
            pair = free[5 * number % len(free)]
            target = (np.array(layout.slot(pair[0], 2)) + layout.slot(pair[1], 2)) / 2
            source = np.array(layout.slot(lone[0], 0))
            made = carried(frame.picture, scene.start, scene.eye.calibration, source, target)
            found.append((made, pair, int(points[lone[0]] < 0)))
    return found


def to_the_middle(scene: Scene) -> list[tuple[Picture, tuple[int, int], int]]:
    """For every picture, a copy with a single checker moved between two opposite points that have none."""
    start, layout = scene.frames[0].points, scene.eye.calibration.layout
    found = []
    for number, frame in enumerate(scene.frames[1:]):
        points = frame.points
        lone = [point for point in range(24) if abs(points[point]) == 1 and start[point] == 0]
        pairs = [(p, 23 - p) for p in range(12) if points[p] == points[23 - p] == 0]
        if frame.hand or frame.drift or not lone or not pairs:
            continue
        pair = pairs[5 * number % len(pairs)]
        target = np.array([layout.column_x(layout.column_of(pair[0])), layout.depth / 2])
        made = carried(frame.picture, scene.start, scene.eye.calibration, np.array(layout.slot(lone[0], 0)), target)
        found.append((made, pair, int(points[lone[0]] < 0)))
    return found


def half_onto_the_bar(scene: Scene) -> list[tuple[Picture, int]]:
    """For every picture, a copy with a single checker moved to midway between the bar and a free point beside it."""
    start, layout = scene.frames[0].points, scene.eye.calibration.layout
    found = []
    for frame in scene.frames[1:]:
        points = frame.points
        lone = [point for point in range(24) if abs(points[point]) == 1 and start[point] == 0]
        free = [point for point in (5, 6, 17, 18) if points[point] == 0 and point not in lone[:1]]
        if frame.hand or frame.drift or any(frame.bar) or not lone or not free:
            continue
        x, y = layout.slot(free[0], 1)
        made = carried(
            frame.picture,
            scene.start,
            scene.eye.calibration,
            np.array(layout.slot(lone[0], 0)),
            np.array([(x + 0.5) / 2, y]),
        )
        found.append((made, free[0]))
    return found


@cache
def looks(scene_name: str) -> list[tuple[Observation, tuple[int, int], int]]:
    """The readings of the pictures of `moves`, with what was moved in them."""
    scene = Scene.load(PICTURES / scene_name)
    return [(scene.eye.look(picture), pair, side) for picture, pair, side in moves(scene)]


def test_a_board_with_a_checker_between_two_points_is_not_read(board: Scene) -> None:
    assert looks(board.name)
    for seen, _, _ in looks(board.name):
        assert describe(seen)["unreadable"] == "unknown"


@pytest.mark.parametrize("board", WELL_SEEN, indirect=True)
def test_a_checker_between_two_points_is_named(board: Scene) -> None:
    for seen, pair, _ in looks(board.name):
        told = describe(seen)
        assert told["between"] == [[pair[0] + 1, pair[1] + 1]]
        assert set(told["doubtful"]) >= {pair[0] + 1, pair[1] + 1}


@pytest.mark.parametrize("board", WELL_SEEN, indirect=True)
def test_a_checker_in_the_middle_is_between_opposite_points(board: Scene) -> None:
    """No row reaches it; the sum of fifteen must not add it elsewhere."""
    made = to_the_middle(board)
    assert made
    for picture, pair, _ in made:
        told = describe(board.eye.look(picture))
        assert told["between"] == [[pair[0] + 1, pair[1] + 1]]
        assert set(told["doubtful"]) >= {pair[0] + 1, pair[1] + 1}


@pytest.mark.parametrize("board", sampled(("00-travel", "08-classic", "14-green"), QUICK_BOARDS), indirect=True)
def test_a_checker_across_the_edge_of_the_bar_may_belong_to_bar_or_point(board: Scene) -> None:
    made = half_onto_the_bar(board)
    assert made
    for picture, point in made:
        told = describe(board.eye.look(picture))
        assert told["between"] == [[point + 1, "bar"]]
        assert set(told["doubtful"]) >= {point + 1, "bar"}


@pytest.mark.parametrize("board", WELL_SEEN, indirect=True)
def test_both_points_are_possible(board: Scene) -> None:
    for seen, pair, side in looks(board.name):
        cells = seen.cells
        for point in pair:
            assert len({content[side] for content, nats in cells[point].likelihoods if nats > -1.5}) == 2


def test_no_checker_is_found_between_points_if_none_lies_there(board: Scene) -> None:
    for frame, look in zip(board.frames, board.looks, strict=True):
        if not frame.hand:
            assert look.between == ()


def test_a_checker_already_found_in_a_slot_is_counted_once() -> None:
    """It may be on either point, and is on one of them."""
    scene = Scene.load(PICTURES / "00-travel")
    rows = scene.eye.calibration.rows
    x, y = (round(float(value)) for value in rows.place(5, 4))
    found = [CheckerBetween((4, 5), 0, x, y)]
    sure = Slot(x, y, (0.0, -30.0, -30.0), foreign=False)
    read = [[sure] if point == 5 else [] for point in range(26)]
    assert without_checkers_between(read, found, rows)[5][0].holder == EMPTY
    assert without_checkers_between(read, [], rows) == read
    cells = add_checkers_between([CellReading.of({(4, 0): 0.0})] * 26, found)
    for point in (4, 5):
        assert {content for content, nats in cells[point].likelihoods if nats == 0.0} == {(4, 0), (5, 0)}
    assert cells[6].best == (4, 0)


def test_the_bed_beside_an_opponent_s_checker_is_not_read_as_a_checker_between_points() -> None:
    """Where white checkers stand on a white bed, the bed in a dark checker's shadow is white, and looks changed."""
    (scene,) = scenes(PICTURES / "white-on-white")
    assert [look.between for look in scene.looks] == [(), ()]
    assert [describe(look)["position"]["points"] for look in scene.looks] == [frame.points for frame in scene.frames]
