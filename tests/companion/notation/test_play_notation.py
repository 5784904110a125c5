"""Standard backgammon notation."""

from __future__ import annotations

import pytest

from companion.core import Step
from companion.notation import NotationError, format_play, parse_play


@pytest.mark.parametrize(
    ("steps", "written"),
    [
        ([Step(24, 23), Step(13, 7)], "24/23 13/7"),
        ([Step(25, 20, 20)], "bar/20*"),
        ([Step(6, 0)], "6/off"),
        ([Step(8, 4), Step(8, 4)], "8/4(2)"),
        ([Step(8, 4, 4), Step(8, 4)], "8/4*(2)"),
        ([Step(24, 18), Step(18, 13)], "24/13"),
        ([Step(18, 13), Step(24, 18)], "24/13"),
        ([Step(24, 18, 18), Step(18, 13)], "24/18*/13"),
        ([Step(24, 18, 18), Step(18, 13, 13)], "24/18*/13*"),
        ([], ""),
    ],
)
def test_a_play_is_written(steps, written):
    assert format_play(tuple(steps)) == written


def test_a_chain_is_one_checker_moving_on():
    assert parse_play("24/18/13*") == (Step(24, 18), Step(18, 13, 13))


def test_a_number_in_brackets_repeats_the_move():
    assert parse_play("8/4(2) bar/20*") == (Step(8, 4), Step(8, 4), Step(25, 20, 20))


@pytest.mark.parametrize(
    "text", ["13-7", "13/", "27/20", "13/7(0x)", "x/3", "13/7/", "13/7(0)", "13/7(99999999999)", "9" * 5000 + "/13"]
)
def test_an_invalid_play_is_quoted(text):
    with pytest.raises(NotationError, match=r"13|27|x"):
        parse_play(text)
