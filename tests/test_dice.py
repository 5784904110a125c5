import os
from collections import Counter

import pytest

from companion.dice import FairDice, HandDice, NoDiceError, ScriptedDice


def bytes_from(*values):
    given = iter(values)
    return lambda n: bytes(next(given) for _ in range(n))


def test_each_number_comes_from_equally_many_bytes():
    counts = Counter(FairDice(bytes_from(byte)).roll(1)[0] for byte in range(252))
    assert counts == dict.fromkeys(range(1, 7), 42)


def test_the_four_bytes_that_would_favour_low_numbers_are_thrown_away():
    assert FairDice(bytes_from(252, 253, 254, 255, 5)).roll(1) == (6,)


def test_as_many_dice_are_rolled_as_asked_for_each_with_a_byte_of_its_own():
    assert FairDice(bytes_from(0, 1, 2)).roll(3) == (1, 2, 3)


def test_the_operating_systems_randomness_gives_only_numbers_of_a_die():
    assert set(FairDice(os.urandom).roll(600)) == set(range(1, 7))


def test_scripted_dice_come_in_order_and_end_with_a_message():
    dice = ScriptedDice([6, 1, 3])
    assert dice.roll(2) == (6, 1)
    with pytest.raises(NoDiceError, match="2 numbers were asked for, 1 were left"):
        dice.roll(2)


def test_dice_rolled_by_hand_are_asked_for_in_words():
    with pytest.raises(NoDiceError, match="Roll the set's own 2 dice"):
        HandDice().roll(2)
