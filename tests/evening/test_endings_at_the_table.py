"""How games end, and how they are left."""

import pytest
from desk import AFTER_61, LAST_CHECKERS, START, WHITE, Desk, first_turn, moved

from companion.events import Ended
from companion.inbox import SetUp
from companion.phase import Phase
from companion.snapshot import Light


@pytest.fixture
def desk():
    return first_turn()


def test_bearing_off_the_last_checker_ends_the_game_and_scores():
    desk = Desk([6, 1, 3, 2])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    shown = desk.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))
    assert desk.events[-1] == Ended(WHITE, 1, "single")
    assert (shown.phase, shown.light, shown.score) == (Phase.OVER, Light.GREEN, {"white": 1, "black": 0})
    assert "White wins" in shown.notice
    assert "differs from the starting position" in desk.taps().notice
    assert desk.sees(START).phase is Phase.OPENING
    shown = desk.taps()
    assert (shown.phase, shown.on_roll, shown.score) == (Phase.TO_MOVE, "white", {"white": 1, "black": 0})
    assert shown.history == ()


def test_a_game_is_left_when_the_starting_position_stands_and_roll_is_tapped_twice(desk):
    desk.sees(AFTER_61)
    desk.taps()
    desk.sees(START)
    assert "tap Roll again to leave it" in desk.taps().notice
    assert desk.session.game.running
    shown = desk.taps()
    assert Ended(None, 0, "unfinished") in desk.events
    assert (shown.phase, shown.dice, shown.score) == (Phase.OPENING, (4, 4), {"white": 0, "black": 0})
