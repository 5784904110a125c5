"""What the networks are told of a position is true."""

import random

import numpy as np
import pytest

from companion.core import Side
from companion.hints.network.features import INPUTS, inputs, strategy
from companion.hints.network.plays import ROLLS, SHARES, PlayGenerator
from companion.hints.network.rows import BAR, CELLS, HALF, in_contact, rows_of, turned
from companion.hints.network.shots import shots
from companion.rules import rules_named

RULES = rules_named("standard")


def scattered(count, seed):
    """Rows with the checkers at random points, at most one of the roller's on the bar."""
    lots = random.Random(seed)
    rows = np.zeros((count, CELLS), np.int8)
    for row in rows:
        for half, other in ((0, HALF), (HALF, 0)):
            while row[half : half + HALF].sum() < 15:
                point = lots.randint(1, 24)
                if not row[other + BAR - point]:
                    row[half + point] += 1
        if lots.random() < 0.3:
            point = lots.choice([p for p in range(1, BAR) if row[p]])
            row[point] -= 1
            row[BAR] += 1
    return rows


def test_shots_are_the_rolls_with_a_play_that_hits():
    rows = scattered(60, 3)
    every = np.repeat(rows, len(ROLLS), axis=0)
    results = PlayGenerator(RULES.sheet).results(every, np.tile(ROLLS, (len(rows), 1)))
    hits = np.zeros(len(every), bool)
    hits[results.of[results.rows[:, CELLS - 1] > every[results.of, CELLS - 1]]] = True
    halves = rows.reshape(-1, 2, HALF).transpose(1, 2, 0)
    told = shots(halves[0], halves[1])[0]
    true = hits.reshape(len(rows), len(ROLLS)) @ SHARES
    assert np.abs(told - true).max() <= 2 / 36 + 1e-6  # doubles that enter first, or are blocked
    assert (np.abs(told - true) < 1e-6).mean() > 0.9


def test_a_flipped_position_has_the_same_features_for_the_other_player():
    rows = scattered(20, 5)
    count = (INPUTS - 200) // 2
    told, other = inputs(rows)[:, 200:], inputs(turned(rows))[:, 200:]
    assert np.allclose(told[:, :count], other[:, count:])


@pytest.mark.parametrize(("last_white", "contact"), [(12, False), (13, False), (14, True)])
def test_contact_ends_when_the_last_checkers_have_passed(last_white, contact):
    points = [0] * 24
    points[last_white - 1] += 15
    points[13 - 1] -= 15 if last_white != 13 else 0
    points[14 - 1] -= 15 if last_white == 13 else 0
    row = rows_of([RULES.from_json({"points": points, "bar": [0, 0], "off": [0, 0]})], Side.WHITE)
    assert in_contact(row)[0] == contact


def test_pips_are_counted_for_both():
    figures = strategy(rows_of([RULES.start()], Side.WHITE))[0]
    mine, theirs = figures[0], figures[len(figures) // 2]
    assert [100 * mine, 100 * theirs] == pytest.approx([167, 167])
