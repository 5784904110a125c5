"""How games end or are abandoned."""

from dataclasses import replace

import pytest
from played_table import AFTER_61, BLACK, LAST_CHECKERS, START, WHITE, PlayedTable, first_turn, moved
from said import notice_of
from whole_page import page_state

from companion.game import Ended, Phase
from companion.interface import Button, CubeActed, CubeAction, Light, SetUp, Tapped


@pytest.fixture
def table():
    return first_turn()


def test_bearing_off_the_last_checker_ends_the_game_and_scores():
    table = PlayedTable([6, 1, 3, 2])
    table.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    table.sees(LAST_CHECKERS)
    table.taps()
    shown = table.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))
    assert table.events[-1] == Ended(WHITE, 1, "single")
    assert (shown.phase, shown.light, shown.score) == (Phase.OVER, Light.GREEN, (1, 0))
    assert "White wins" in notice_of(shown)
    assert notice_of(table.taps()) == "No roll yet. Set up the starting position, then tap Roll."
    assert table.sees(START).phase is Phase.OPENING
    shown = table.taps()
    assert (shown.phase, shown.on_roll, shown.score) == (Phase.TO_MOVE, "white", (1, 0))
    assert shown.history == ()


@pytest.fixture
def set_up_again(table):
    """The starting position is set up during a game."""
    table.sees(AFTER_61)
    table.taps()
    table.sees(START)
    return table


def test_a_game_is_abandoned_by_the_starting_position_and_two_taps_on_roll(set_up_again):
    table = set_up_again
    assert "to give it up, the other player taps Roll too" in notice_of(table.taps())
    assert table.session.game.running
    assert table.taps().notice.key == "ruling.two_taps", "a double press is one player's"
    shown = table.does(Tapped(Button.ROLL, 9.0))
    assert Ended(None, 0, "unfinished") in table.events
    assert (shown.phase, shown.dice, shown.score) == (Phase.OPENING, (4, 4), (0, 0))


def test_one_player_alone_cannot_abandon_a_game(set_up_again):
    """Otherwise the losing player could abandon the game."""
    for tapped_s, player in ((9.0, WHITE), (19.0, WHITE), (29.0, None), (39.0, WHITE)):
        set_up_again.does(Tapped(Button.ROLL, tapped_s, player))
    assert set_up_again.session.game.running


def test_a_game_is_abandoned_by_taps_of_both_named_players(set_up_again):
    set_up_again.taps(player=BLACK)
    set_up_again.taps(player=WHITE)
    assert Ended(None, 0, "unfinished") in set_up_again.events


def headline(snapshot):
    return page_state(snapshot)["headline"]


def test_the_page_names_the_player_who_bore_off_the_last_checker():
    table = PlayedTable([6, 1, 3, 2])
    table.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    table.sees(LAST_CHECKERS)
    table.taps()
    assert headline(table.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))) == "White has won"


def test_the_page_names_the_winner_of_a_passed_double_though_the_loser_has_borne_off_more():
    ahead = replace(START, points=(10, *[0] * 22, -15), off=(5, 0))
    table = PlayedTable()
    table.does(SetUp(ahead, BLACK, 0.0))
    table.sees(ahead)
    table.does(CubeActed(CubeAction.DOUBLE, 3.0, BLACK))
    shown = table.does(CubeActed(CubeAction.PASS, 4.0, WHITE))
    assert (shown.ended, shown.position["off"]) == (Ended(BLACK, 1, "double passed"), [5, 0])
    assert headline(shown) == "Black has won"


def test_the_page_names_the_opponent_of_the_player_who_resigned(table):
    table.sees(AFTER_61)
    shown = table.resigns(WHITE, "gammon")
    assert (shown.phase, headline(shown)) == (Phase.OVER, "Black has won")


def test_the_page_names_no_winner_of_a_draw(sit_down):
    players = sit_down("acf")
    players.sets()
    players.taps()
    players.plays("11-15")
    shown = players.draws()
    assert (shown.phase, headline(shown)) == (Phase.OVER, "The game is drawn")


def test_the_page_names_no_winner_of_an_unfinished_game(table):
    resumed = PlayedTable(resume=[*table.events, Ended(None, 0, "unfinished")])
    shown = resumed.sees(AFTER_61)
    assert (shown.phase, headline(shown)) == (Phase.OVER, "The game was left unfinished")
