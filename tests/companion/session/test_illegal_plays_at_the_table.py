"""An illegal play is corrected, or stands after the opponent's roll, depending on the sheet."""

import pytest
from said import notice_of

from companion.core import Dice, Side
from companion.game import Played

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def forgiving(sit_down):
    """Under the encyclopedia's rule White has 6-1 to play."""
    players = sit_down("encyclopedia", [6, 1, 5, 3])
    players.sets()
    players.taps()
    return players


def test_an_illegal_play_accepted_by_the_opponents_roll_stays_marked(forgiving):
    assert forgiving.plays("13/8").verdict.finding == "illegal"
    stood = forgiving.rules.board_after(forgiving.rules.start(), WHITE, "13/8")
    shown = forgiving.taps(player=BLACK)
    assert shown.dice == (5, 3)
    assert forgiving.rules.visible(forgiving.game.position) == stood
    assert forgiving.events[-2] == Played(WHITE, "13/8", forgiving.game.position, "wrong_distance")
    turn = shown.history[-1]
    assert (turn.side, turn.dice, turn.play, turn.note) == (WHITE, Dice((6, 1)), "13/8", "condoned: wrong_distance")


def test_an_illegal_play_that_stands_is_recorded_as_made(sit_down):
    players = sit_down("encyclopedia", [3, 1, 5, 3])
    players.sets()
    players.taps()
    assert players.plays("24/18 6/5").verdict.made == "24/18 6/5"
    shown = players.taps(player=BLACK)
    assert (players.events[-2].play, players.events[-2].condoned) == ("24/18 6/5", "wrong_distance")
    assert shown.history[-1].play == "24/18 6/5"
    assert players.rules.board_after(players.rules.start(), WHITE, "24/18 6/5") == players.rules.visible(
        players.game.position
    )


def test_an_illegal_play_can_be_corrected_before_the_opponents_roll(forgiving):
    forgiving.plays("13/8")
    forgiving.plays("13/7 8/7")
    forgiving.taps()
    assert forgiving.events[-2].condoned is None


def test_an_incomplete_turn_stands_after_the_next_throw(forgiving):
    assert forgiving.plays("13/7").verdict.finding == "unfinished"
    shown = forgiving.taps()
    assert (shown.on_roll, shown.dice) == (BLACK, (5, 3))
    assert forgiving.events[-2] == Played(WHITE, "13/7", forgiving.game.position, "could_play_more")


def test_an_illegal_play_is_also_accepted_by_a_double(forgiving):
    forgiving.plays("13/7")
    assert forgiving.doubles().match.offered_by is BLACK
    assert forgiving.events[-2].condoned == "could_play_more"


def test_a_turn_with_a_checker_in_the_hand_is_not_accepted(forgiving):
    board = list(forgiving.rules.board_after(forgiving.game.position, WHITE, "13/7"))
    board[7] = (2, 0)  # a checker of the 8 point is in a hand
    assert forgiving.shows(board).verdict.finding == "unfinished"
    assert notice_of(forgiving.taps()).startswith("No roll yet: ")
    assert forgiving.snapshot.verdict.finding == "unfinished"
    assert forgiving.plays("13/7 8/7").verdict.finding == "legal"


def test_a_turn_without_a_move_is_not_accepted(forgiving):
    forgiving.sets()
    assert notice_of(forgiving.taps()).startswith("No roll yet: ")


def test_with_a_missing_checker_rolls_are_refused(forgiving):
    board = list(forgiving.rules.board_after(forgiving.game.position, WHITE, "13/7 8/7"))
    board[0] = (0, 1)
    assert forgiving.shows(board).verdict.reason == "checker_missing"
    assert notice_of(forgiving.taps()).startswith("No roll yet: ")


@pytest.mark.parametrize("sheet", ["standard", "tournament"])
def test_under_other_sheets_a_turn_with_a_die_left_continues(sit_down, sheet):
    players = sit_down(sheet, [6, 1, 5, 3])
    players.sets()
    players.taps()
    players.plays("13/7")
    players.taps()
    assert (players.game.on_roll, players.game.history) == (WHITE, ())


def test_under_the_other_rule_the_same_roll_is_refused(sit_down):
    players = sit_down("standard", [6, 1, 5, 3])
    players.sets()
    players.taps()
    players.plays("13/8")
    assert notice_of(players.taps()).startswith("No roll yet: ")
    assert players.game.on_roll is WHITE
