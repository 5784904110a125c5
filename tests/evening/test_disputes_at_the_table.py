"""The Referee button: evidence, rulings, and what then counts."""

import pytest
from desk import AFTER_61, BLACK, ILLEGAL_61, RULES, START, WHITE, Desk, first_turn

from companion.inbox import Button, Ruling, SetUp
from companion.model import Cause
from companion.record import picture_name
from companion.snapshot import Light, Phase


@pytest.fixture
def desk():
    return first_turn()


def test_the_referee_button_freezes_the_evidence(desk):
    desk.sees(ILLEGAL_61, b"after")
    dispute = desk.taps(Button.REFEREE).dispute
    assert dispute["dice"] == [6, 1]
    assert dispute["player"] == "white"
    assert (dispute["before"], dispute["after"]) == (picture_name(b"jpeg"), picture_name(b"after"))
    assert dispute["verdict"]["reason"] == "wrong_distance"
    assert "13/7 8/7" in dispute["plays"]
    assert desk.pictures == [b"jpeg", b"after"]


def test_a_play_put_right_leaves_the_dice_and_the_turn(desk):
    desk.sees(ILLEGAL_61)
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "corrected", 4.0))
    assert (shown.dispute, shown.dice, shown.on_roll) == (None, (6, 1), "white")
    assert desk.sees(AFTER_61).light is Light.GREEN
    assert desk.taps().on_roll == "black"


def test_a_play_that_stands_counts_and_is_recorded_as_such(desk):
    desk.sees(ILLEGAL_61)
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert (shown.phase, shown.on_roll, shown.position) == (Phase.TO_ROLL, "black", RULES.to_json(ILLEGAL_61))
    assert shown.history[-1]["note"] == "stands: wrong_distance"
    assert desk.taps(player=BLACK).dice == (5, 3)


def test_the_evidence_stands_as_it_was_when_the_referee_was_called(desk):
    desk.sees(ILLEGAL_61)
    desk.taps(Button.REFEREE)
    desk.sees(START)
    assert desk.does(Ruling(1, "stands", 4.0)).position == RULES.to_json(ILLEGAL_61)


def test_in_a_dispute_roll_rolls_nothing_and_two_taps_of_two_players_put_the_play_right(desk):
    desk.sees(AFTER_61)
    desk.taps(Button.REFEREE)
    shown = desk.taps(player=WHITE)
    assert (shown.on_roll, shown.dice, shown.light) == ("white", (6, 1), Light.AMBER)
    assert "the play is put right, and White plays 6-1 anew. Black agrees with a tap on Roll." in shown.notice
    shown = desk.taps(player=BLACK)
    assert (shown.dispute, shown.proposal, shown.on_roll, shown.dice) == (None, None, "white", (6, 1))
    assert desk.taps().on_roll == "black"


def test_what_was_not_certain_cannot_stand(desk):
    desk.cannot_see(Cause.DARK)
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert shown.notice == "That cannot be agreed on: the board cannot be read."
    assert shown.dispute is not None


def test_a_ruling_on_another_dispute_does_nothing(desk):
    desk.taps(Button.REFEREE)
    assert "settled already" in desk.does(Ruling(7, "stands", 4.0)).notice


def test_before_the_first_turn_there_is_nothing_to_rule_on():
    assert "nothing to rule on" in Desk().taps(Button.REFEREE).notice


def test_a_board_that_differs_before_a_roll_can_be_let_stand():
    desk = Desk([3, 1])
    desk.does(SetUp(START, BLACK, 0.0))
    shown = desk.sees(AFTER_61)
    assert shown.light is Light.RED
    assert "points 7, 8, 13" in shown.notice
    assert "differs from the game" in desk.taps().notice
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert (shown.position, shown.on_roll, shown.light) == (RULES.to_json(AFTER_61), "black", Light.BLUE)
    assert desk.taps().dice == (3, 1)
