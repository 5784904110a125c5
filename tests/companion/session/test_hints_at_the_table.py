"""The Hint button."""

from dataclasses import replace

import pytest
from played_table import AFTER_61, START, WHITE, PlayedTable, first_turn
from said import notice_of
from whole_page import page_state

from companion.core import Dice
from companion.hints import RankedPlay, Ranking
from companion.interface import Button, Hinted, HintsHidden, Tapped


@pytest.fixture
def table():
    return first_turn()


RANKING = Ranking((RankedPlay("13/7 8/7", AFTER_61, 0.1), RankedPlay("24/18 13/12", AFTER_61, -0.05)), "an engine")


def test_requested_hints_are_shown_with_the_loss_of_each_play(table):
    shown = table.taps(Button.HINT)
    (request,) = table.asked
    assert (request.position, request.side, request.dice) == (START, WHITE, Dice((6, 1)))
    assert shown.hints is None
    shown = table.does(Hinted(RANKING, request.turn, 4.0))
    assert shown.hints == RANKING
    assert [(row["play"], row["gives_away"]) for row in page_state(shown)["hints"]["rows"]] == [
        ("13/7 8/7", "0.000"),
        ("24/18 13/12", "0.150"),
    ]


def test_hints_are_hidden_by_a_second_tap_by_the_page_and_by_the_next_roll(table):
    for put_away in (Tapped(Button.HINT, 5.0), HintsHidden(5.0)):
        table.taps(Button.HINT)
        table.does(Hinted(RANKING, table.asked[-1].turn, 4.0))
        assert table.does(put_away).hints is None
    table.taps(Button.HINT)
    table.does(Hinted(RANKING, table.asked[-1].turn, 4.0))
    table.sees(AFTER_61)
    assert table.taps().hints is None


def test_preliminary_hints_are_shown_until_the_look_ahead_is_finished(table):
    table.taps(Button.HINT)
    turn = table.asked[-1].turn
    glance = replace(RANKING, plays=RANKING.plays[1:], at_a_glance=True)
    shown = table.does(Hinted(glance, turn, 4.0))
    assert (shown.hints, shown.notice.key) == (glance, "hints.looking")
    shown = table.does(Hinted(RANKING, turn, 5.0))
    assert shown.hints == RANKING
    assert shown.notice.key != "hints.looking"


def test_hidden_preliminary_hints_stay_hidden(table):
    table.taps(Button.HINT)
    turn = table.asked[-1].turn
    table.does(Hinted(replace(RANKING, at_a_glance=True), turn, 4.0))
    assert table.taps(Button.HINT).hints is None
    assert table.does(Hinted(RANKING, turn, 5.0)).hints is None


def test_late_hints_are_dropped(table):
    table.taps(Button.HINT)
    table.sees(AFTER_61)
    table.taps()
    assert table.does(Hinted(RANKING, table.asked[-1].turn, 4.0)).hints is None


def test_an_engine_that_failed_is_named(table):
    table.taps(Button.HINT)
    shown = table.does(Hinted(replace(RANKING, note="gnubg has died"), table.asked[-1].turn, 4.0))
    assert notice_of(shown) == "GNU Backgammon does not answer: the built-in engine advises in its place."


def test_without_dice_there_are_no_hints():
    assert PlayedTable().taps(Button.HINT).notice.key == "hints.dice_first"
