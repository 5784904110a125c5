"""Checkers of both sides on one point: rare, and read where they are seen clearly."""

from __future__ import annotations

import numpy as np
import pytest
from carried_checkers import carried
from labelled import Scene
from places import PICTURES

from companion.core import Observation, count_checkers
from vision.backgammon.cell_counts import cells
from vision.backgammon.layout import ROWS
from vision.board import CERTAIN_NATS, Slot

BOARDS = "00-travel", "08-classic", "09-leather"


@pytest.fixture(scope="module", params=BOARDS)
def board(request: pytest.FixtureRequest) -> Scene:
    return Scene.load(PICTURES / request.param)


def test_checkers_of_both_sides_on_one_point_are_read_where_they_are_seen_clearly(board: Scene) -> None:
    start, layout, tried = board.frames[0].points, board.eye.calibration.layout, 0
    for frame in board.frames[1:]:
        lone = [p for p in range(24) if abs(frame.points[p]) == 1 and start[p] == 0]
        rows = [p for p in range(24) if lone and frame.points[p] * frame.points[lone[0]] in (-2, -3)]
        if frame.hand or frame.drift or not rows:
            continue
        tried += 1
        point, number = rows[0], abs(frame.points[rows[0]])
        source, target = (np.array(layout.slot(*place)) for place in ((lone[0], 0), (point, number)))
        made = carried(frame.picture, board.start, board.eye.calibration, source, target)
        counted = count_checkers(board.eye.look(made), CERTAIN_NATS)
        assert counted is not None
        assert sorted(counted.board[point]) == [1, number]
        assert counted.margin_nats > CERTAIN_NATS
    assert tried


def test_a_doubtful_checker_beside_the_other_side_s_does_not_replace_a_lacking_one(board: Scene) -> None:
    """As white checkers are hardly seen on white points: the third on the 23 point, or the bed on the 13 point."""
    white, black = (0.0, -30.0, -30.0), (-30.0, 0.0, -30.0)
    doubtful, hardly_seen = (-18.6, 0.0, -4.5), (-19.8, -4.0, 0.0)
    rows = {0: [black] * 4, 5: [white] * 4, 7: [white] * 4, 16: [black] * 3, 18: [black] * 5, 20: [white] * 4}
    rows |= {12: [white] * 3 + [doubtful], 22: [black] * 2 + [hardly_seen]}
    places = board.eye.calibration.rows
    read = [
        [
            Slot(*np.rint(places.place(row, index)).astype(int).tolist(), nats, foreign=False)
            for index, nats in enumerate(rows.get(row, []))
        ]
        for row in range(ROWS)
    ]
    counted = count_checkers(Observation((*cells(read, places, {}), *board.looks[0].cells[26:])), CERTAIN_NATS)
    assert counted is not None
    assert {12, 22} <= set(counted.doubtful)
