"""What becomes of an illegal play: it is put right, or stands once the opponent has rolled, as the sheet says."""

import pytest
from said import notice_of

from companion.core import Dice, Side
from companion.game import Played

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def forgiving(sit_down):
    """Under the encyclopedia's law White has 6-1 to play."""
    players = sit_down("encyclopedia", [6, 1, 5, 3])
    players.sets()
    players.taps()
    return players


def test_the_opponents_roll_lets_an_illegal_play_stand_and_it_stays_marked(forgiving):
    assert forgiving.plays("13/8").verdict.finding == "illegal"
    stood = forgiving.rules.board_after(forgiving.rules.start(), WHITE, "13/8")
    shown = forgiving.taps(player=BLACK)
    assert shown.dice == (5, 3)
    assert forgiving.rules.visible(forgiving.game.position) == stood
    assert forgiving.events[-2] == Played(WHITE, "13/8", forgiving.game.position, "wrong_distance")
    turn = shown.history[-1]
    assert (turn.side, turn.dice, turn.play, turn.note) == (WHITE, Dice((6, 1)), "13/8", "condoned: wrong_distance")


def test_until_then_it_may_be_put_right(forgiving):
    forgiving.plays("13/8")
    forgiving.plays("13/7 8/7")
    forgiving.taps()
    assert forgiving.events[-2].condoned is None


def test_a_play_not_finished_is_no_illegal_play_to_condone(forgiving):
    forgiving.plays("13/7")
    assert notice_of(forgiving.taps()).startswith("No roll yet.")
    forgiving.sets()
    assert notice_of(forgiving.taps()).startswith("No roll yet.")


def test_a_missing_checker_is_put_back_before_anybody_rolls(forgiving):
    board = list(forgiving.rules.board_after(forgiving.game.position, WHITE, "13/7 8/7"))
    board[0] = (0, 1)
    assert forgiving.shows(board).verdict.reason == "checker_missing"
    assert notice_of(forgiving.taps()).startswith("No roll yet.")


def test_under_the_other_law_the_same_roll_is_refused(sit_down):
    players = sit_down("standard", [6, 1, 5, 3])
    players.sets()
    players.taps()
    players.plays("13/8")
    assert notice_of(players.taps()).startswith("No roll yet.")
    assert players.game.on_roll is WHITE
