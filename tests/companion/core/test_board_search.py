"""A search for boards that is given up does not pass off those that it found as all."""

from __future__ import annotations

from crowded_looks import crowded_look

from companion.core import board_search, count_checkers, likely_boards

CERTAIN_NATS = 3.0


def cost_nats(white: int, black: int) -> float:
    return 14.0 * (max(white - 15, 0) + max(black - 15, 0))


def test_an_abandoned_search_finds_nothing(monkeypatch):
    look = crowded_look(second_nats=0.1)
    assert likely_boards(look, cost_nats, 12.0, 2000) is None
    monkeypatch.setattr(board_search, "_MOST_STEPS", 10**9)
    found = likely_boards(look, cost_nats, 12.0, 2000)
    assert found is not None
    assert [one.board[0] for one in found[:2]] == [(1, 0), (2, 0)]


def test_a_board_whose_rivals_were_not_all_found_is_not_counted():
    assert count_checkers(crowded_look(second_nats=0.1), CERTAIN_NATS) is None
