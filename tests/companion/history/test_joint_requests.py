"""Requests that both players must make."""

from __future__ import annotations

from companion.core import Side
from companion.history.joint_requests import JointRequests

WHITE, BLACK = Side


def test_one_player_alone_cannot_complete_a_request():
    requests = JointRequests()
    assert [requests.ask(1, WHITE), requests.ask(1, WHITE), requests.ask(2, BLACK)] == [False] * 3
    assert (requests.waiting(1), requests.waiting(2), requests.waiting(3)) == (WHITE, BLACK, None)


def test_two_players_or_their_shared_screen_complete_a_request_once():
    requests = JointRequests()
    requests.ask(1, WHITE)
    assert requests.ask(1, BLACK)
    assert requests.waiting(1) is None
    assert requests.ask(2, None)
    assert not requests.ask(2, BLACK)


def test_a_withdrawn_request_is_forgotten():
    requests = JointRequests()
    requests.ask(1, WHITE)
    requests.withdraw(1)
    assert not requests.ask(1, BLACK)
