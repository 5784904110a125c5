"""Who begins a game, and what becomes of an illegal play; one test a rule."""

from dataclasses import replace

import pytest

from companion.core import Dice, Side
from companion.rules import condoned, load_sheet, plays_opening_dice, rules_named, starter

WHITE, BLACK = Side.WHITE, Side.BLACK


def test_in_standard_backgammon_one_die_each_decides_every_game():
    assert starter(load_sheet("standard"), previous_winner=WHITE) is None
    assert plays_opening_dice(load_sheet("standard"))


def test_without_doubling_the_previous_winner_begins_and_rolls_again():
    sheet = load_sheet("no-doubling")
    assert starter(sheet) is None
    assert starter(sheet, previous_winner=BLACK) is BLACK
    assert not plays_opening_dice(sheet)


def test_in_checkers_black_begins_and_on_the_travel_set_the_player_that_both_name():
    assert starter(load_sheet("acf"), agreed=WHITE) is BLACK
    assert starter(load_sheet("travel-set-checkers"), agreed=WHITE) is WHITE
    assert starter(load_sheet("travel-set-checkers")) is BLACK


def verdict(sheet, side, dice, play):
    rules = rules_named(sheet)
    board = rules.board_after(rules.start(), side, play)
    return rules.explain(rules.start(), side, Dice(dice), board, done=True)


@pytest.mark.parametrize("play", ["13/8", "13/10", "24/23 13/7"])
def test_an_illegal_play_stands_once_the_opponent_rolls_if_the_sheet_says_so(play):
    assert condoned(load_sheet("encyclopedia"), verdict("encyclopedia", WHITE, (5, 1), play))


def test_an_illegal_play_must_be_corrected_unless_the_sheet_says_otherwise():
    assert not condoned(load_sheet("standard"), verdict("standard", WHITE, (5, 1), "13/7 13/8"))


def test_a_legal_play_is_not_condoned():
    assert not condoned(load_sheet("encyclopedia"), verdict("encyclopedia", WHITE, (3, 1), "8/5 6/5"))


def test_moved_checkers_of_the_opponent_and_missing_ones_are_corrected_under_every_sheet():
    rules = rules_named("encyclopedia")
    moved = rules.explain(
        rules.start(), WHITE, Dice((3, 1)), rules.board_after(rules.start(), BLACK, "8/5 6/5"), done=True
    )
    assert moved.reason == "wrong_player_moved"
    assert not condoned(rules.sheet, moved)
    board = list(rules.board_after(rules.start(), WHITE, "8/5 6/5"))
    board[0] = (0, 1)
    missing = rules.explain(rules.start(), WHITE, Dice((3, 1)), tuple(board), done=True)
    assert missing.reason == "checker_missing"
    assert not condoned(rules.sheet, missing)


def test_an_uncertain_play_is_not_condoned():
    illegal = verdict("encyclopedia", WHITE, (5, 1), "13/8")
    assert not condoned(load_sheet("encyclopedia"), replace(illegal, after=None))
