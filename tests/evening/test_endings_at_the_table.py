"""How games end, and how they are left."""

from dataclasses import replace

import pytest
from desk import AFTER_61, BLACK, LAST_CHECKERS, START, WHITE, Desk, first_turn, moved

from companion.events import Ended
from companion.inbox import Cube, CubeDeed, Resigns, SetUp
from companion.phase import Phase
from companion.snapshot import Light
from web.view_model import page_state


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
    assert (shown.phase, shown.light, shown.score) == (Phase.OVER, Light.GREEN, (1, 0))
    assert "White wins" in shown.notice
    assert "differs from the starting position" in desk.taps().notice
    assert desk.sees(START).phase is Phase.OPENING
    shown = desk.taps()
    assert (shown.phase, shown.on_roll, shown.score) == (Phase.TO_MOVE, "white", (1, 0))
    assert shown.history == ()


def test_a_game_is_left_when_the_starting_position_stands_and_roll_is_tapped_twice(desk):
    desk.sees(AFTER_61)
    desk.taps()
    desk.sees(START)
    assert "tap Roll again to leave it" in desk.taps().notice
    assert desk.session.game.running
    shown = desk.taps()
    assert Ended(None, 0, "unfinished") in desk.events
    assert (shown.phase, shown.dice, shown.score) == (Phase.OPENING, (4, 4), (0, 0))


def headline(snapshot):
    return page_state(snapshot, None)["headline"]


def test_the_page_names_the_player_who_bore_off_the_last_checker():
    desk = Desk([6, 1, 3, 2])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    assert headline(desk.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))) == "White has won"


def test_the_page_names_the_winner_of_a_passed_double_though_the_loser_has_borne_off_more():
    ahead = replace(START, points=(10, *[0] * 22, -15), off=(5, 0))
    desk = Desk()
    desk.does(SetUp(ahead, BLACK, 0.0))
    desk.sees(ahead)
    desk.does(Cube(CubeDeed.DOUBLE, 3.0, BLACK))
    shown = desk.does(Cube(CubeDeed.PASS, 4.0, WHITE))
    assert (shown.ended, shown.position["off"]) == (Ended(BLACK, 1, "double passed"), [5, 0])
    assert headline(shown) == "Black has won"


def test_the_page_names_the_opponent_of_the_player_who_resigned(desk):
    desk.sees(AFTER_61)
    shown = desk.does(Resigns(WHITE, "gammon", 3.0))
    assert (shown.phase, headline(shown)) == (Phase.OVER, "Black has won")


def test_the_page_names_no_winner_of_a_draw(sit_down):
    players = sit_down("acf")
    players.sets()
    players.taps()
    players.plays("11-15")
    shown = players.draws()
    assert (shown.phase, headline(shown)) == (Phase.OVER, "The game is drawn")


def test_the_page_names_no_winner_of_a_game_left_unfinished(desk):
    resumed = Desk(resume=[*desk.events, Ended(None, 0, "unfinished")])
    shown = resumed.sees(AFTER_61)
    assert (shown.phase, headline(shown)) == (Phase.OVER, "The game was left unfinished")
