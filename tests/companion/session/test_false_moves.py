"""False moves are counted for each player, once per turn, in the record and on the page."""

import pytest
from said import notice_of
from whole_page import page_state

from companion.core import Side
from companion.game import Ended, FalseMove, Match, Remedy
from companion.interface import Agrees, Button, Proposes

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def players(sit_down):
    """White has 6-1 to play; next come 5-3 and 4-2."""
    players = sit_down(dice=[6, 1, 5, 3, 4, 2])
    players.sets()
    players.taps()
    return players


def false_moves(players):
    return players.snapshot.false_moves


def test_an_illegal_play_counts_when_the_turn_ends_and_once_per_turn(players):
    players.plays("13/8")
    assert false_moves(players) == (0, 0)
    players.taps()
    assert players.events[-1] == FalseMove(WHITE, "wrong_distance", "13/8")
    assert false_moves(players) == (1, 0)
    players.plays("24/20")
    players.taps()
    assert false_moves(players) == (1, 0)
    players.plays("13/7 8/7")
    players.taps()
    players.plays("24/22")
    players.taps()
    players.plays("13/5")
    players.taps()
    assert false_moves(players)[0] == 1


def test_false_moves_are_counted_for_each_player(players):
    players.plays("13/7 8/7")
    players.taps()
    players.plays("13/9")
    players.taps()
    assert false_moves(players) == (0, 1)


def test_unfinished_and_miscounted_plays_are_not_false_moves(players):
    players.plays("13/7")
    players.taps()
    board = list(players.rules.board_after(players.game.position, WHITE, "13/7 8/7"))
    board[0] = (0, 1)
    assert players.shows(board).verdict.reason == "checker_missing"
    players.taps()
    assert false_moves(players) == (0, 0)


def test_an_accepted_illegal_play_counts_as_a_false_move(sit_down):
    players = sit_down("encyclopedia", [6, 1, 5, 3])
    players.sets()
    players.taps()
    players.plays("13/8")
    players.taps()
    assert false_moves(players) == (1, 0)
    assert not [event for event in players.events if isinstance(event, FalseMove)]


@pytest.mark.parametrize(
    ("ruling", "counted"), [(Remedy.CORRECTED, (1, 0)), (Remedy.STANDS, (1, 0)), (Remedy.OVERRULED, (0, 0))]
)
@pytest.mark.parametrize("tapped", [True, False])
def test_a_disputed_illegal_play_counts_unless_the_referee_is_overruled(players, ruling, counted, tapped):
    players.plays("13/8")
    if tapped:
        players.taps()
    players.taps(Button.REFEREE)
    players.does(Proposes(ruling, 10.0, WHITE, dispute=1))
    players.does(Agrees(players.game.proposal.number, 11.0, BLACK))
    assert false_moves(players) == counted


def test_false_moves_are_counted_per_match_also_after_a_restart(sit_down):
    players = sit_down(dice=[6, 1] * 3, terms=Match(1))
    players.sets()
    players.taps()
    players.plays("13/8")
    players.taps()
    again = sit_down(dice=[6, 1], terms=Match(1), resume=players.events)
    again.sets()
    assert again.snapshot.false_moves == (1, 0)
    again.resigns(WHITE)
    assert again.snapshot.false_moves == (1, 0)
    again.sets()
    assert again.taps().false_moves == (0, 0)


def test_the_page_shows_false_moves(players):
    assert page_state(players.snapshot)["false_moves"] == ""
    players.plays("13/8")
    players.taps()
    assert page_state(players.snapshot)["false_moves"] == "False moves: White 1, Black 0"


# --- a wrong set-up ---


def test_after_a_wrong_set_up_the_players_may_agree_to_begin_again(players):
    players.plays("13/7 8/7")
    players.taps()
    assert "set_up" in {offer.remedy for offer in players.snapshot.offers if offer.refused is None}
    players.does(Proposes(Remedy.SET_UP, 10.0, WHITE))
    assert "White proposes: the game is begun again from the right set-up" in notice_of(players.snapshot)
    shown = players.accepts(BLACK)
    assert players.events[-1] == Ended(None, 0, "set_up")
    assert (shown.score, shown.ended.winner) == ((0, 0), None)
    assert notice_of(shown).startswith("The set-up was wrong: the game is begun again.")
    assert page_state(shown)["headline"] == "The game is begun again"
    assert page_state(shown)["light"]["words"] == "Game over"
    players.sets()
    assert players.taps().dice == (4, 2)


def test_after_a_wrong_set_up_the_players_may_agree_to_continue(players):
    board = list(players.rules.visible(players.game.position))
    board[7], board[5] = (2, 0), (6, 0)  # White has set up two on the 8 point and six on the 6 point
    players.shows(board)
    players.does(Proposes(Remedy.POSITION, 10.0, WHITE))
    shown = players.accepts(BLACK)
    assert shown.position["points"][5] == 6
    assert (shown.on_roll, shown.dice, shown.verdict.finding) == (WHITE, (6, 1), "not_moved")
