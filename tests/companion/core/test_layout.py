"""How a board lies is one value; which way home lies does not change what a point is called."""

from __future__ import annotations

import pytest

from companion.core import BoardLayout, Side
from companion.core.layout import WHITE_NUMBERS


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_point_has_the_same_number_whichever_way_home_lies(mirrored: bool) -> None:
    layout = BoardLayout(mirrored=mirrored)
    assert layout.numbers(Side.WHITE) == WHITE_NUMBERS == tuple(range(1, 25))
    assert layout.numbers(Side.BLACK) == tuple(range(24, 0, -1))


def test_on_tiles_each_player_counts_forward() -> None:
    layout = BoardLayout(tiles=True)
    assert layout.numbers(Side.WHITE)[0] == 24
    assert layout.numbers(Side.BLACK)[0] == 1


def test_a_chequered_board_has_one_orientation() -> None:
    assert BoardLayout(mirrored=True).to_json("checkers") == {"kind": "squares", "mirrored": False}
    assert BoardLayout(mirrored=True).to_json("backgammon") == {"kind": "points", "mirrored": True}
    assert BoardLayout(tiles=True).to_json("backgammon") == {"kind": "tiles", "mirrored": False}
