"""What both players have to ask for."""

from __future__ import annotations

from companion.core import Side
from companion.history.wishes import Wishes

WHITE, BLACK = Side


def test_one_player_alone_gets_nothing_however_often():
    wishes = Wishes()
    assert [wishes.ask(1, WHITE), wishes.ask(1, WHITE), wishes.ask(2, BLACK)] == [False] * 3
    assert (wishes.waiting(1), wishes.waiting(2), wishes.waiting(3)) == (WHITE, BLACK, None)


def test_two_players_or_their_common_screen_get_it_once():
    wishes = Wishes()
    wishes.ask(1, WHITE)
    assert wishes.ask(1, BLACK)
    assert wishes.waiting(1) is None
    assert wishes.ask(2, None)
    assert not wishes.ask(2, BLACK)


def test_a_wish_that_is_withdrawn_counts_for_nothing():
    wishes = Wishes()
    wishes.ask(1, WHITE)
    wishes.withdraw(1)
    assert not wishes.ask(1, BLACK)
