"""How many checkers are in play follows from the position that a board was learned from."""

from __future__ import annotations

from companion.core import CellReading, Observation
from vision.board.json_io import describe

HIDDEN_NATS = 4.0
"""Cost of a hidden checker on a row, given what is seen of the row."""


def seen(white: int, black: int) -> Observation:
    """Rows of at most four checkers, White's from the 13 point up, Black's from the 12 point down: none is at home."""
    counts = [0] * 24
    for side, (left, points) in enumerate(((white, range(12, 24)), (black, range(11, -1, -1)))):
        for point in points:
            if left > 0:
                counts[point] = min(left, 4) * (1, -1)[side]
                left -= 4
    cells = [row(count) for count in counts]
    return Observation((*cells, *(CellReading.of({(0, 0): 0.0}) for _ in range(2)), CellReading(), CellReading()))


def row(count: int) -> CellReading:
    """A row that may have one more checker on top of another."""
    side = (1, 0) if count > 0 else (0, 1)
    if not count:
        return CellReading.of({(0, 0): 0.0})
    as_seen, one_more = ((abs(count) + more) for more in (0, 1))
    return CellReading.of(
        {
            (as_seen * side[0], as_seen * side[1]): 0.0,
            (one_more * side[0], one_more * side[1]): -HIDDEN_NATS,
        }
    )


def test_missing_checkers_may_be_hidden_under_others() -> None:
    assert describe(seen(12, 12))["unreadable"] == "unknown"


def test_a_set_of_twelve_has_no_hidden_checkers() -> None:
    told = describe(seen(12, 12), (12, 12))
    assert told["unreadable"] is None
    assert told["position"]["off"] == [3, 3]
    assert told["position"]["points"][8:16] == [0, -4, -4, -4, 4, 4, 4, 0]


def test_a_side_that_lacks_one_of_its_known_checkers_is_doubtful() -> None:
    assert describe(seen(12, 11), (12, 12))["unreadable"] == "unknown"


def test_more_checkers_than_known_mean_that_another_game_began() -> None:
    told = describe(seen(15, 15), (12, 13))
    assert told["unreadable"] is None
    assert told["position"]["off"] == [0, 0]
    assert describe(seen(14, 15), (12, 13))["unreadable"] == "unknown", "one may be hidden now"


def test_a_full_row_may_carry_more_checkers_than_the_given_position() -> None:
    full = seen(12, 12)
    cells = list(full.cells)
    cells[12] = row(5)
    cells[14] = row(3)
    told = describe(Observation(tuple(cells)), (12, 12))
    assert told["unreadable"] == "unknown"
    assert "13" in map(str, told["doubtful"])


def test_visible_borne_off_checkers_may_be_those_missing_in_the_given_position() -> None:
    """Eleven on the board and three beside it: one is hidden if all fifteen are in play."""
    cells = list(seen(11, 15).cells)
    cells[-2] = CellReading.of({(3, 0): 0.0, (4, 0): -2.0, (2, 0): -8.0})
    assert describe(Observation(tuple(cells)), (14, 15))["unreadable"] == "unknown"


def bearing_off(tray: dict[int, float]) -> Observation:
    """Nine of White's on two home points, for certain; `tray`: likelihood of each number of its borne-off ones."""
    cells = list(seen(0, 15).cells)
    cells[:2] = [CellReading.of({(count, 0): 0.0}) for count in (5, 4)]
    cells[-2] = CellReading.of({(number, 0): nats for number, nats in tray.items()})
    return Observation(tuple(cells))


def test_a_position_is_certain_if_only_the_number_of_borne_off_checkers_is_not() -> None:
    told = describe(bearing_off({4: 0.0, 5: -0.7, 3: -0.7, 6: -3.0}))
    assert told["unreadable"] is None
    assert told["position"]["points"][:2] == [5, 4]
    assert told["position"]["off"] == [6, 0]
    assert told["off_seen"] is None


def test_more_borne_off_checkers_than_the_board_lacks_contradict_it() -> None:
    told = describe(bearing_off({8: 0.0, 6: -9.0}))
    assert told["unreadable"] == "unknown"
    assert told["doubtful"] == ["off"]
