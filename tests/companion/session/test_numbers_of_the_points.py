"""Points are named in the numbering of the player concerned."""

from __future__ import annotations

import pytest
from played_table import BLACK, RULES, START, WHITE, PlayedTable
from said import notice_of

from companion.core import BoardLayout
from companion.game import Phase
from companion.interface import SetUp
from companion.speech.language import Language, Style
from companion.speech.verdict_phrases import places

OF_BLACK = tuple(range(24, 0, -1))


def one_left(side):
    """One checker of `side` on its 1 point, and two of the other's that have far to go."""
    points = [0] * 24
    points[0 if side is WHITE else 23] = 1 if side is WHITE else -1
    points[12] = -2 if side is WHITE else 2
    off = [14, 13] if side is WHITE else [13, 14]
    return RULES.from_json({"points": points, "bar": [0, 0], "off": off})


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_after_a_winning_bear_off_points_have_the_winner_s_numbers(side):
    table = PlayedTable([6, 5])
    table.does(SetUp(one_left(side), side, 0.0))
    table.sees(one_left(side))
    assert table.taps().on_roll is side
    shown = table.plays("1/off")
    assert (shown.phase, shown.ended.winner) == (Phase.OVER, side)
    assert shown.point_numbers[0] == (1 if side is WHITE else 24)


def test_differences_are_shown_and_spoken_in_the_numbers_on_the_board():
    table = PlayedTable([3, 1])
    table.does(SetUp(START, BLACK, 0.0))
    shown = table.plays("24/23")
    assert shown.point_numbers == OF_BLACK
    assert notice_of(shown).startswith("The board differs from the game on points 23, 24: ")
    assert places(shown.lost, shown, Language("en", Style.FRIENDLY)) == "twenty-four and twenty-three"


def test_a_mirrored_board_changes_no_number():
    mirrored = PlayedTable([3, 1], layout=BoardLayout(mirrored=True))
    mirrored.does(SetUp(START, BLACK, 0.0))
    assert mirrored.snapshot.layout.mirrored
    assert mirrored.snapshot.point_numbers == OF_BLACK
