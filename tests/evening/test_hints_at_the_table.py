"""The Hint button."""

from dataclasses import replace

import pytest
from desk import AFTER_61, START, WHITE, Desk, first_turn

from companion.hints import RankedPlay, Ranking
from companion.inbox import Button, Hinted, HintsHidden, Tapped
from companion.model import Dice
from web.view_model import page_state


@pytest.fixture
def desk():
    return first_turn()


RANKING = Ranking((RankedPlay("13/7 8/7", AFTER_61, 0.1), RankedPlay("24/18 13/12", AFTER_61, -0.05)), "an engine")


def test_hints_are_asked_for_and_shown_with_what_the_others_give_away(desk):
    shown = desk.taps(Button.HINT)
    (request,) = desk.asked
    assert (request.position, request.side, request.dice) == (START, WHITE, Dice((6, 1)))
    assert shown.hints is None
    shown = desk.does(Hinted(RANKING, request.turn, 4.0))
    assert shown.hints == RANKING
    assert [(row["play"], row["gives_away"]) for row in page_state(shown, None)["hints"]["rows"]] == [
        ("13/7 8/7", "0.000"),
        ("24/18 13/12", "0.150"),
    ]


def test_hints_are_put_away_by_a_second_tap_by_the_page_and_by_the_next_roll(desk):
    for put_away in (Tapped(Button.HINT, 5.0), HintsHidden(5.0)):
        desk.taps(Button.HINT)
        desk.does(Hinted(RANKING, desk.asked[-1].turn, 4.0))
        assert desk.does(put_away).hints is None
    desk.taps(Button.HINT)
    desk.does(Hinted(RANKING, desk.asked[-1].turn, 4.0))
    desk.sees(AFTER_61)
    assert desk.taps().hints is None


def test_hints_that_come_too_late_are_dropped(desk):
    desk.taps(Button.HINT)
    desk.sees(AFTER_61)
    desk.taps()
    assert desk.does(Hinted(RANKING, desk.asked[-1].turn, 4.0)).hints is None


def test_an_engine_that_failed_is_named(desk):
    desk.taps(Button.HINT)
    shown = desk.does(Hinted(replace(RANKING, note="gnubg has died"), desk.asked[-1].turn, 4.0))
    assert shown.notice == "gnubg has died"


def test_without_dice_there_are_no_hints():
    assert Desk().taps(Button.HINT).notice == "Hints come when dice lie on the table."
