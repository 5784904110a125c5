"""What both players have to ask for."""

from __future__ import annotations

from companion.core import Side
from companion.history.joint_requests import JointRequests

WHITE, BLACK = Side


def test_one_player_alone_gets_nothing_however_often():
    requests = JointRequests()
    assert [requests.ask(1, WHITE), requests.ask(1, WHITE), requests.ask(2, BLACK)] == [False] * 3
    assert (requests.waiting(1), requests.waiting(2), requests.waiting(3)) == (WHITE, BLACK, None)


def test_two_players_or_their_common_screen_get_it_once():
    requests = JointRequests()
    requests.ask(1, WHITE)
    assert requests.ask(1, BLACK)
    assert requests.waiting(1) is None
    assert requests.ask(2, None)
    assert not requests.ask(2, BLACK)


def test_a_request_that_is_withdrawn_counts_for_nothing():
    requests = JointRequests()
    requests.ask(1, WHITE)
    requests.withdraw(1)
    assert not requests.ask(1, BLACK)
