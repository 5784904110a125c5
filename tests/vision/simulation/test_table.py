"""The simulated table: checkers lie where they are dropped; it does not apply rules."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import numpy as np
import pytest

from companion.core import BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, Side
from vision.simulation import SimulatedTable
from vision.simulation.boards import STARTING_BOARD, slot
from vision.simulation.projection import DIAMETER
from vision.simulation.table import HOLD_S, SimulatedTableError


class HandSetClock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> HandSetClock:
    return HandSetClock()


@pytest.fixture
def table(clock: HandSetClock) -> SimulatedTable:
    return SimulatedTable(seed=3, clock=clock)


def board_with(**contents: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """A board with `p6=(7, 0)`: White's 6 point; `bar_white`, `bar_black`, `off_white`, `off_black`."""
    names = {"bar_white": WHITE_BAR, "bar_black": BLACK_BAR, "off_white": WHITE_OFF, "off_black": BLACK_OFF}
    board = [(0, 0)] * 28
    for name, content in contents.items():
        board[names[name] if name in names else int(name[1:]) - 1] = content
    return tuple(board)


def top_of(table: SimulatedTable, point: int) -> int:
    """The id of the checker on White's `point` that lies farthest from the edge."""
    x, edge = slot(point - 1, 0)
    there = [c for c in table.checkers() if abs(c.x - x) < 0.5 and abs(c.y - edge) < 5]
    return max(there, key=lambda c: (c.layer, abs(c.y - edge))).id


def test_a_new_table_shows_the_starting_position_with_thirty_checkers(table: SimulatedTable) -> None:
    assert table.board() == STARTING_BOARD
    assert len(table.checkers()) == 30
    assert [c.side for c in table.checkers()].count(Side.WHITE) == 15


@pytest.mark.parametrize(
    "board",
    [
        board_with(p6=(15, 0), p19=(0, 15)),
        board_with(bar_white=(4, 0), bar_black=(0, 4), p1=(11, 0), p24=(0, 11)),
        board_with(off_white=(15, 0), off_black=(0, 13), p3=(0, 2)),
        board_with(p8=(1, 1), p13=(14, 0), p12=(0, 14)),
    ],
)
def test_any_position_can_be_set_up(table: SimulatedTable, board: tuple[tuple[int, int], ...]) -> None:
    table.set_up(board)
    assert table.board() == board


def test_checkers_of_one_layer_never_overlap(table: SimulatedTable) -> None:
    table.set_up(board_with(p6=(12, 0), p19=(0, 9), bar_white=(3, 0), bar_black=(0, 3), off_black=(0, 3)))
    rng = np.random.default_rng(5)
    for _ in range(100):
        for one, other in combinations(table.checkers(), 2):
            if one.layer == other.layer:
                assert hypot(one.x - other.x, one.y - other.y) > DIAMETER - 1e-6
        table.drag(int(rng.integers(30)), float(rng.uniform(0, 13)), float(rng.uniform(0, 10.6)))


def test_a_row_begins_at_the_edge_and_the_sixth_checker_lies_on_the_first(table: SimulatedTable) -> None:
    table.set_up(board_with(p6=(6, 0)))
    first, *_, sixth = table.checkers()
    assert first.layer == 0
    assert first.y == pytest.approx(DIAMETER / 2, abs=0.15)
    assert sixth.layer == 1
    assert (sixth.x, sixth.y) == pytest.approx((first.x, first.y), abs=0.2)


def test_a_dropped_checker_joins_the_nearest_row(table: SimulatedTable) -> None:
    table.drag(top_of(table, 8), *slot(4 - 1, 3))
    after = list(STARTING_BOARD)
    after[8 - 1], after[4 - 1] = (2, 0), (1, 0)
    assert table.board() == tuple(after)
    moved = next(c for c in table.checkers() if c.x > 8 and c.y < 2 and c.side is Side.WHITE and abs(c.x - 9.5) < 0.5)
    assert moved.y == pytest.approx(DIAMETER / 2, abs=0.25)


def test_checkers_are_dropped_with_random_inaccuracy(table: SimulatedTable) -> None:
    checker = top_of(table, 8)
    resting = set()
    for _ in range(5):
        table.drag(checker, 9.5, 1.0)
        resting.add(next((c.x, c.y) for c in table.checkers() if c.id == checker))
    assert len(resting) == 5


def test_a_checker_may_be_dropped_where_no_rule_allows_it(table: SimulatedTable) -> None:
    table.drag(top_of(table, 8), *slot(1 - 1, 2))
    assert table.board()[0] == (1, 2)


@pytest.mark.parametrize(
    ("point", "place", "cell"),
    [(6, (6.5, 7.0), WHITE_BAR), (1, (6.5, 2.0), BLACK_BAR), (6, (15.0, 3.0), WHITE_OFF), (1, (-1.0, 9.0), BLACK_OFF)],
)
def test_checkers_go_to_the_bar_and_beside_the_board(
    table: SimulatedTable, point: int, place: tuple[float, float], cell: int
) -> None:
    side = 0 if cell in (WHITE_BAR, WHITE_OFF) else 1
    table.drag(top_of(table, point), *place)
    assert table.board()[cell][side] == 1


def test_a_row_closes_the_gap_of_a_removed_checker(table: SimulatedTable) -> None:
    table.set_up(board_with(p6=(7, 0)))
    table.hold(1, 3.0, 5.0)
    row = [c for c in table.checkers() if c.id != 1]
    assert table.board()[5] == (6, 0)
    assert [c.layer for c in row] == [0, 0, 0, 0, 0, 1]
    for place, checker in enumerate(row):
        assert (checker.x, checker.y) == pytest.approx(slot(5, place), abs=0.15)


def test_a_carried_checker_is_on_no_point_until_it_is_dropped(table: SimulatedTable) -> None:
    checker = top_of(table, 8)
    table.hold(checker, 9.5, 1.0)
    assert table.board()[7] == (2, 0)
    assert sum(white for white, _ in table.board()) == 14
    assert next((c.x, c.y) for c in table.checkers() if c.id == checker) == (9.5, 1.0)
    table.drag(checker, 9.5, 1.0)
    assert table.board()[3] == (1, 0)


def test_a_second_hand_makes_the_first_drop_its_checker(table: SimulatedTable) -> None:
    table.hold(top_of(table, 8), 9.5, 1.0)
    table.hold(top_of(table, 6), 10.5, 1.0)
    assert table.board()[3] == (1, 0)
    assert table.board()[5] == (4, 0)


def test_a_hand_without_further_messages_drops_its_checker(table: SimulatedTable, clock: HandSetClock) -> None:
    table.hold(top_of(table, 8), 9.5, 1.0)
    clock.now_s += HOLD_S + 0.1
    table.render()
    assert table.board()[3] == (1, 0)


def test_every_change_increases_the_version(table: SimulatedTable) -> None:
    versions = [table.version]
    for change in (
        lambda: table.hold(0, 3.0, 3.0),
        lambda: table.drag(0, 3.0, 3.0),
        lambda: table.hand(3.0, 3.0),
        lambda: table.hand(None),
        lambda: table.set_up(STARTING_BOARD),
    ):
        change()
        versions.append(table.version)
    assert versions == sorted(set(versions))
    assert table.wait(versions[0], timeout_s=0.0) == versions[-1]


@pytest.mark.parametrize(
    ("checker", "x", "y", "words"),
    [(30, 1.0, 1.0, "checker 30"), (0, float("nan"), 1.0, "nan"), (0, 1.0, float("inf"), "inf")],
)
def test_an_unknown_checker_or_place_is_refused(
    table: SimulatedTable, checker: int, x: float, y: float, words: str
) -> None:
    for move in (table.drag, table.hold):
        with pytest.raises(SimulatedTableError, match=words):
            move(checker, x, y)
    assert table.board() == STARTING_BOARD


def test_a_board_with_the_wrong_number_of_cells_is_refused(table: SimulatedTable) -> None:
    with pytest.raises(SimulatedTableError, match="24 cells: expected 28"):
        table.set_up(STARTING_BOARD[:24])
