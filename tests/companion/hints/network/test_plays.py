"""The look-ahead's plays are the referee's."""

import random

import numpy as np
import pytest

from companion.core import Dice, Side
from companion.hints.network.plays import PlayGenerator
from companion.hints.network.rows import HALF, rows_of
from companion.rules import rules_named, shipped_sheets

SHEETS = [name for name in shipped_sheets() if rules_named(name).sheet.game == "backgammon"]


def positions(rules, count, seed):
    """(position, side, dice) of games played by lot, which lead to every kind of position."""
    lots = random.Random(seed)
    position, side = rules.start(), Side.WHITE
    for _ in range(count):
        dice = tuple(sorted((lots.randint(1, 6), lots.randint(1, 6)), reverse=True))
        successors = rules.successors(position, side, Dice(dice))
        yield position, side, dice, successors
        if successors:
            position = lots.choice(successors).after
        side = side.opponent
        if rules.outcome(position):
            position = rules.start()


def check(rules, count, seed):
    known = list(positions(rules, count, seed))
    rows = np.concatenate([rows_of([position], side) for position, side, _, _ in known])
    results = PlayGenerator(rules.sheet).results(rows, np.array([dice for _, _, dice, _ in known]))
    found = [set() for _ in known]
    for row, number in zip(results.rows, results.of, strict=True):
        assert bytes(row) not in found[number], "a result comes once"
        found[number].add(bytes(row))
    for (_, side, _, successors), row, rows_found in zip(known, rows, found, strict=True):
        expected = {bytes(row) for row in rows_of([s.after for s in successors], side)} or {bytes(row)}
        assert rows_found == expected


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_result_of_every_play_is_found_and_no_other(sheet):
    check(rules_named(sheet), 150, 1)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
def test_the_play_generator_agrees_with_the_rules_in_long_games(sheet):
    for seed in range(2, 4):
        check(rules_named(sheet), 600, seed)


def test_a_row_has_the_roller_first_each_player_in_their_own_numbers():
    rules = rules_named("standard")
    (row,) = rows_of([rules.start()], Side.BLACK)
    assert row[[6, 8, 13, 24]].tolist() == row[[HALF + 6, HALF + 8, HALF + 13, HALF + 24]].tolist() == [5, 3, 5, 2]
