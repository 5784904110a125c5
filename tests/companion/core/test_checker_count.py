"""Which board a single look shows, its checkers counted in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import (
    BLACK_BAR,
    BLACK_OFF,
    CHECKERS,
    WHITE_BAR,
    WHITE_OFF,
    CellReading,
    Content,
    Observation,
    all_home,
    count_checkers,
    missing_checkers,
)

CERTAIN_NATS = 3.0
START = {0: (0, 2), 5: (5, 0), 7: (3, 0), 11: (0, 5), 12: (5, 0), 16: (0, 3), 18: (0, 5), 23: (2, 0)}


def look(contents: dict[int, Content], doubts: dict[int, list[tuple[Content, float]]] | None = None) -> Observation:
    """A look that is certain of points and bar except for the doubts, and does not see what was borne off."""
    cells = [CellReading(((contents.get(cell, (0, 0)), 0.0),)) for cell in range(26)]
    for cell, likelihoods in (doubts or {}).items():
        cells[cell] = CellReading(tuple(likelihoods))
    return Observation((*cells, CellReading(), CellReading()))


def test_a_certain_look_is_taken_as_it_is() -> None:
    taken = count_checkers(look(START), CERTAIN_NATS)
    assert taken is not None
    assert {cell: content for cell, content in enumerate(taken.board) if content and any(content)} == START
    assert taken.doubtful == ()
    assert taken.margin_nats >= CERTAIN_NATS


def test_a_checker_too_many_is_counted_out() -> None:
    taken = count_checkers(look(START, {5: [((6, 0), 0.0), ((5, 0), -4.0)]}), CERTAIN_NATS)
    assert taken is not None
    assert taken.board[5] == (5, 0)


def test_a_board_that_contradicts_what_is_seen_is_doubtful() -> None:
    fewer = {5: [((5, 0), 0.0), ((4, 0), -2.2)], 7: [((3, 0), 0.0), ((2, 0), -3.4)]}
    taken = count_checkers(look({**START, 3: (2, 0)}, fewer), CERTAIN_NATS)
    assert taken is not None
    assert taken.margin_nats == 0
    assert taken.doubtful == (5, 7)


@pytest.mark.parametrize(("beside", "doubtful"), [(1, (BLACK_OFF,)), (2, (BLACK_OFF,)), (3, ()), (7, ())])
def test_few_checkers_beside_a_full_board_are_doubtful_and_many_are_ignored(
    beside: int, doubtful: tuple[int, ...]
) -> None:
    seen = CellReading((((0, beside), 0.0), *(((0, other), -8.0) for other in range(beside))))
    taken = count_checkers(replace(look(START), cells=(*look(START).cells[:BLACK_OFF], seen)), CERTAIN_NATS)
    assert taken is not None
    assert taken.doubtful == doubtful


def test_a_missing_checker_is_assumed_where_it_may_be_hidden() -> None:
    one_fewer = {**START, 7: (2, 0)}
    taken = count_checkers(look(one_fewer, {5: [((5, 0), 0.0), ((6, 0), -2.0)]}), CERTAIN_NATS)
    assert taken is not None
    assert taken.board[5] == (6, 0)


def test_a_layer_that_nothing_shows_may_be_a_checker_in_the_hand() -> None:
    """From straight above five and six look alike: that a checker lacks is all that speaks for the sixth."""
    hardly_seen = {5: [((5, 0), 0.0), ((6, 0), -0.2)]}
    taken = count_checkers(look({**START, 7: (2, 0)}, hardly_seen), 5.0)
    assert taken is not None
    assert taken.margin_nats < 5.0
    assert taken.doubtful == (5,)


def test_if_a_layer_is_seen_the_number_of_checkers_determines_its_size() -> None:
    more = {5: [((6, 0), 0.0), ((7, 0), -0.2), ((5, 0), -6.5)]}
    taken = count_checkers(look({**START, 7: (2, 0), 12: (4, 0)}, more), 5.0)
    assert taken is not None
    assert taken.board[5] == (7, 0)
    assert taken.margin_nats >= 5.0


def test_boards_that_are_unlikely_at_first_are_rivals_if_the_sum_demands_nine_checkers() -> None:
    """In a hard shadow hardly a checker of two points is seen. Nine may lie on one of them, or some on the other."""
    layers = [((count, 0), -8.4 - 0.6 * count) for count in range(6, 16)]
    shaded = {
        7: [((2, 0), 0.0), ((3, 0), -3.4), ((4, 0), -6.9), ((5, 0), -10.3), *layers],
        12: [((0, 0), 0.0), ((1, 0), -3.4), ((2, 0), -6.9), ((3, 0), -10.4)],
    }
    taken = count_checkers(look({**START, 5: (4, 0)}, shaded), 5.0)
    assert taken is not None
    assert (taken.board[7], taken.board[12]) == ((9, 0), (0, 0))
    assert taken.margin_nats == pytest.approx(2.8)
    assert taken.doubtful == (7, 12)


@pytest.mark.parametrize(("beside", "margin"), [(None, 2.4), (1, 2.4), (8, 4.4)])
def test_borne_off_checkers_make_a_layer_less_likely_only_where_their_number_is_seen(
    beside: int | None, margin: float
) -> None:
    """Six may lie on White's 1 point, and seven or eight beside the board, of which a misjudged table shows one."""
    seen = look({1: (2, 0), **{cell: content for cell, content in START.items() if content[1]}})
    cells = [*seen.cells]
    cells[0] = CellReading((((5, 0), 0.0), ((6, 0), -2.4)))
    if beside is not None:
        off = {(number, 0): 0.0 if number == beside else -3.0 for number in range(CHECKERS + 1)}
        off[7, 0] = off[8, 0]
        cells[WHITE_OFF] = CellReading.of(off)
    taken = count_checkers(Observation(tuple(cells)), CERTAIN_NATS)
    assert taken is not None
    assert taken.board[0] == (5, 0)
    assert taken.margin_nats == pytest.approx(margin)


def test_cells_that_the_count_does_not_determine_are_doubtful() -> None:
    one_fewer = {**START, 7: (2, 0)}
    doubts = {5: [((5, 0), 0.0), ((6, 0), -2.0)], 12: [((5, 0), 0.0), ((6, 0), -2.5)]}
    taken = count_checkers(look(one_fewer, doubts), CERTAIN_NATS)
    assert taken is not None
    assert taken.doubtful == (5, 12)
    assert taken.margin_nats == pytest.approx(0.5)


def test_a_side_with_all_its_checkers_home_may_have_borne_some_off() -> None:
    home = {0: (3, 0), 2: (4, 0), 18: (0, 15)}
    taken = count_checkers(look(home), CERTAIN_NATS)
    assert taken is not None
    assert missing_checkers(taken.board, 0) == 8
    assert taken.margin_nats >= CERTAIN_NATS


def test_an_observation_that_fits_too_many_counts_is_not_counted() -> None:
    anything = [((count, 0), 0.0) for count in range(3)]
    assert count_checkers(look({}, dict.fromkeys(range(14), anything)), CERTAIN_NATS) is None


def test_a_set_with_other_numbers_of_checkers_is_counted_by_its_own() -> None:
    lost = {**START, 7: (2, 0)}
    doubt = {5: [((5, 0), 0.0), ((6, 0), -2.0)]}
    taken = count_checkers(look(lost, doubt), CERTAIN_NATS, totals=(CHECKERS - 1, CHECKERS))
    assert taken is not None
    assert taken.board[5] == (5, 0)


@pytest.mark.parametrize(
    ("contents", "side", "home"),
    [
        ({0: (2, 0), 5: (13, 0)}, 0, True),
        ({6: (1, 0)}, 0, False),
        ({0: (2, 0), WHITE_BAR: (1, 0)}, 0, False),
        ({18: (0, 7), 23: (0, 2)}, 1, True),
        ({17: (0, 1)}, 1, False),
        ({18: (0, 7), BLACK_BAR: (0, 1)}, 1, False),
        ({18: (0, 7), WHITE_BAR: (1, 0)}, 1, True),
    ],
)
def test_all_home_looks_at_bar_and_outer_points(contents: dict[int, Content], side: int, home: bool) -> None:
    board = (*tuple(contents.get(cell, (0, 0)) for cell in range(26)), None, None)
    assert all_home(board, side) is home


@given(st.permutations(range(24)), st.lists(st.integers(1, 5), min_size=3, max_size=6))
def test_a_certain_board_of_any_shape_is_never_read_as_another(order: list[int], heaps: list[int]) -> None:
    contents: dict[int, Content] = {}
    for k, (point, count) in enumerate(zip(order, heaps, strict=False)):
        contents[point] = (count, 0) if k % 2 else (0, count)
    taken = count_checkers(look(contents), CERTAIN_NATS)
    assert taken is not None
    assert taken.board[:24] == tuple(contents.get(point, (0, 0)) for point in range(24))
    assert taken.board[WHITE_OFF] is None
