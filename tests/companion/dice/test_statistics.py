from math import isclose

import pytest

from companion.dice import chi_square, in_words
from companion.dice.statistics import p_value
from companion.texts import render

# Critical values of the chi-square distribution with 5 degrees of freedom: Abramowitz & Stegun, table 26.8.
CRITICAL = [
    (0.554300, 0.99),
    (1.14548, 0.95),
    (4.35146, 0.5),
    (9.23635, 0.1),
    (11.0705, 0.05),
    (15.0863, 0.01),
    (20.515, 0.001),
]


@pytest.mark.parametrize(("statistic", "probability"), CRITICAL)
def test_the_tail_agrees_with_the_published_table(statistic, probability):
    assert isclose(p_value(statistic), probability, rel_tol=2e-4)


def test_equal_counts_have_no_deviation_and_are_certain_to_be_matched():
    assert chi_square((7, 7, 7, 7, 7, 7)) == 0
    assert p_value(0.0) == 1
    assert chi_square((0, 0, 0, 0, 0, 0)) == 0


def test_the_statistic_is_pearsons():
    assert isclose(chi_square((5, 8, 9, 8, 10, 20)), 13.4)  # the example of many textbooks, n = 60


@pytest.mark.parametrize(
    ("faces", "says"),
    [
        ((0, 0, 0, 0, 0, 0), "0 of the 30 needed"),
        ((0, 0, 0, 0, 0, 29), "29 of the 30 needed"),
        ((10, 10, 10, 10, 10, 10), "Nothing unusual: fair dice are at least this uneven nearly always."),
        ((7, 9, 13, 12, 8, 11), "in 7 of 10 evenings"),
        ((5, 8, 9, 8, 10, 20), "More uneven than most: fair dice do this in 2 of 100 evenings. More rolls will tell."),
        ((5, 8, 8, 9, 8, 22), "in 3 of 1,000 evenings"),
        ((0, 0, 0, 0, 0, 60), "in less than 1 of 1,000 evenings. Whether each roll was derived as promised"),
    ],
)
def test_the_statistic_is_explained_in_plain_words(faces, says):
    assert says in render(in_words(faces))


def test_dice_are_never_called_unfair():
    for sixes in range(0, 300, 7):
        assert "unfair" not in render(in_words((10, 10, 10, 10, 10, sixes)))
