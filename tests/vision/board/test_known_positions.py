"""Known positions in JSON: counts, Position IDs, squares and FEN describe the same boards."""

from __future__ import annotations

import random

import pytest

from companion.core import BLACK_BAR, Dice, Side
from companion.notation import Xgid, format_xgid
from companion.notation.xgid import START_XGID
from companion.rules import rules_named
from vision.board import CalibrationError, backgammon_cells
from vision.checkers.layout import KING, checkers_cells

START_ID = "4HPwATDgc/ABMA"


@pytest.mark.parametrize("player", ["white", "black"])
def test_a_position_id_gives_the_same_position_as_its_counts(player: str) -> None:
    rules, chance = rules_named("standard"), random.Random(5)
    position, side = rules.start(), Side.WHITE
    seen_on_bar = False
    for _ in range(60):
        plays = rules.successors(position, side, Dice((chance.randint(1, 6), chance.randint(1, 6))))
        position, side = chance.choice(plays).after if plays else position, side.opponent
        told = {"id": position.position_id(Side(player)), "player": player}
        assert backgammon_cells(told) == position.board()[: BLACK_BAR + 1]
        assert backgammon_cells({"xgid": format_xgid(Xgid(position.points, position.bar))}) == backgammon_cells(told)
        seen_on_bar |= any(position.bar)
    assert seen_on_bar


def test_a_match_id_contains_the_player_on_roll() -> None:
    on_roll = {"id": START_ID, "match_id": "MIHlADAAKAAE"}
    assert backgammon_cells(on_roll) == backgammon_cells({"id": START_ID, "player": "black"})


def test_a_fen_gives_the_squares_with_white_at_the_bottom() -> None:
    cells = checkers_cells({"fen": "B:W21,29,K32:B1,K4,5"})
    held = {(cell // 8, cell % 8): content for cell, content in enumerate(cells) if any(content)}
    assert held == {
        (2, 0): (1, 0),
        (0, 0): (1, 0),
        (0, 6): (KING, 0),
        (7, 1): (0, 1),
        (7, 7): (0, KING),
        (6, 0): (0, 1),
    }


def test_the_start_is_the_same_in_both_forms() -> None:
    fen = "B:W21-32:B1-12"
    squares = {
        f"{row},{column}": "w" if row < 3 else "b"
        for row in (0, 1, 2, 5, 6, 7)
        for column in range(8)
        if (row + column) % 2 == 0
    }
    assert checkers_cells({"fen": fen}) == checkers_cells({"squares": squares})


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ({"id": START_ID}, r"needs the player on roll"),
        ({"id": "4HPw", "player": "white"}, r"4HPw.* is not 14 letters of base64"),
        ({"id": 7, "player": "white"}, r"'7' is not 14 letters"),
        (
            {"id": START_ID, "match_id": "MIHlADAAKAAE", "player": "white"},
            r"but Match ID 'MIHl.*' gives 'black'",
        ),
        ({"xgid": START_XGID[:-1] + "x"}, r":1x' is not of the form"),
        ({"points": [True] * 24}, r"is not .\"points\": \[24 whole numbers\]"),
        ({"points": [1] * 23}, r"is not .\"points\": \[24 whole numbers\]"),
        ([], r"position \[\] is not"),
    ],
)
def test_an_invalid_backgammon_position_is_quoted(told: object, cause: str) -> None:
    with pytest.raises(CalibrationError, match=cause):
        backgammon_cells(told)


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ({"fen": "W:W33:B1"}, r"square 33 in FEN"),
        ({"fen": None}, r"FEN 'None' is not of the form"),
        ({"squares": {"8,0": "w"}}, r"8,0.* is not .\"squares\""),
        ({"squares": {"0,0": "x"}}, r"\"x\".* is not .\"squares\""),
        (None, r"position null is not"),
    ],
)
def test_an_invalid_checkers_position_is_quoted(told: object, cause: str) -> None:
    with pytest.raises(CalibrationError, match=cause):
        checkers_cells(told)


@pytest.mark.parametrize("told", [{"squares": {"0,0": "x" * 5000}}, {"fen": "x" * 5000}])
def test_a_long_position_is_quoted_in_part(told: object) -> None:
    with pytest.raises(CalibrationError) as refused:
        checkers_cells(told)
    assert len(str(refused.value)) < 1000
