"""gnubg's Position ID; the values come from gnubg itself."""

from __future__ import annotations

import pytest

from companion.core import Side
from companion.notation import parse_position_id
from companion.notation.position_id import PositionIdError
from companion.rules.backgammon.position import START, position_from_json


def test_the_starting_position_is_gnubgs():
    assert START.position_id(Side.WHITE) == START.position_id(Side.BLACK) == "4HPwATDgc/ABMA"


def test_the_player_not_on_roll_comes_first():
    on_roll, opponent = parse_position_id("AQAAgAEAAAAAAA")
    assert (on_roll[5], opponent[0]) == (2, 1)


def test_the_player_on_roll_decides_whose_checkers_they_are():
    white = position_from_json({"id": "AQAAgAEAAAAAAA", "player": "white"})
    black = position_from_json({"id": "AQAAgAEAAAAAAA", "player": "black"})
    assert (white.points[5], white.points[23], white.off) == (2, -1, (13, 14))
    assert (black.points[18], black.points[0], black.off) == (-2, 1, (14, 13))


@pytest.mark.parametrize("text", ["", "4HPwATDgc/ABM", "4HPwATDgc/ABM!", "//////////////", "4HPwATDgc/ABMAAA"])
def test_an_invalid_position_id_is_quoted(text):
    with pytest.raises(PositionIdError, match=f"Position ID '{text}'"):
        parse_position_id(text)
