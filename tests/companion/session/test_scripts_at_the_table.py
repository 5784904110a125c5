"""Items of scripts: positions set up, entered dice, turns declared done."""

import pytest
from played_table import AFTER_61, BLACK, ILLEGAL_61, RULES, START, WHITE, PlayedTable, first_turn, moved

from companion.core import Dice
from companion.dice import HandDice
from companion.game import Phase
from companion.interface import Done, Light, RolledByHand, SetUp


@pytest.fixture
def table():
    return first_turn()


def test_a_filmed_game_is_refereed_like_one_at_the_table():
    film = PlayedTable()
    film.does(SetUp(START, None, 0.0))
    film.sees(START)
    shown = film.does(RolledByHand(BLACK, Dice((3, 1)), 2.0))
    assert (shown.on_roll, shown.dice) == ("black", (3, 1))
    half = moved(START, BLACK, (8, 5))
    assert film.sees(half).verdict.finding == "unfinished"
    assert film.does(Done(BLACK, 3.0)).verdict.reason == "could_play_more"
    whole = moved(START, BLACK, (8, 5), (6, 5))
    film.sees(whole)
    shown = film.does(Done(BLACK, 4.0), RolledByHand(WHITE, Dice((6, 5)), 4.0))
    assert [(turn.side, turn.dice, turn.play, turn.note) for turn in shown.history] == [
        (BLACK, Dice((3, 1)), "8/5 6/5", "")
    ]
    assert (shown.on_roll, shown.dice, shown.position) == ("white", (6, 5), RULES.to_json(whole))


def test_entering_dice_does_not_accept_an_illegal_play(table):
    table.sees(ILLEGAL_61)
    assert table.does(RolledByHand(BLACK, Dice((2, 2)), 4.0)).on_roll == "white"


def test_with_the_sets_own_dice_roll_accepts_the_play_and_asks_for_the_numbers():
    table = PlayedTable(HandDice())
    table.does(SetUp(START, WHITE, 0.0))
    table.sees(START)
    table.does(RolledByHand(WHITE, Dice((6, 1)), 1.0))
    table.sees(AFTER_61)
    shown = table.taps()
    assert (shown.phase, shown.on_roll, shown.light) == (Phase.TO_ROLL, "black", Light.BLUE)
    assert shown.notice.key == "dice.enter"
    assert shown.seen == RULES.to_json(AFTER_61)
    assert table.does(RolledByHand(BLACK, Dice((4, 2)), 2.0)).dice == (4, 2)


def test_a_set_up_during_a_game_corrects_the_record(table):
    shown = table.does(SetUp(AFTER_61, BLACK, 4.0))
    assert (shown.phase, shown.position, shown.on_roll) == (Phase.TO_ROLL, RULES.to_json(AFTER_61), "black")
