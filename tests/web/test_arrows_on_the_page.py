"""What the page draws over the board: the last play, moves of an illegal play, the cube, the pip counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scripted_table import START, WHITE_TO_MOVE
from verdicts import verdict
from whole_page import page_state

from companion.core import BLACK_BAR, BLACK_OFF, Dice, Moved, Reason, Side
from companion.game import Match, Phase, Turn
from companion.hints import RankedPlay, Ranking
from web.page_state.arrows import play_arrows

WRONG = Moved(5, 1, (Reason.WRONG_DISTANCE,), 4)
RIGHT = Moved(7, 4, (), 3)


def state(**changes: Any) -> dict[str, Any]:
    return page_state(replace(WHITE_TO_MOVE, **changes))


@pytest.mark.parametrize(
    ("play", "side", "arrows"),
    [
        ("8/5 6/5", Side.WHITE, [(7, 4), (5, 4)]),
        ("24/18*/13", Side.WHITE, [(23, 17), (17, 12)]),
        ("bar/22 6/off(2)", Side.BLACK, [(BLACK_BAR, 2), (18, BLACK_OFF), (18, BLACK_OFF)]),
        ("", Side.WHITE, []),
        ("no play at all", Side.WHITE, []),
    ],
)
def test_every_step_of_a_play_is_an_arrow_between_cells(play: str, side: Side, arrows: list[tuple[int, int]]) -> None:
    assert play_arrows(play, side, "backgammon") == arrows


def test_a_move_of_checkers_goes_by_the_squares_of_the_board() -> None:
    assert play_arrows("22x15x8", Side.WHITE, "checkers") == [(18, 36), (36, 54)]


def test_a_legal_play_is_drawn_until_the_next_roll() -> None:
    history = (Turn(Side.BLACK, Dice((3, 1)), "24/23"),)
    standing = state(verdict=verdict("legal", play="8/5 6/5"), history=history)["arrows"]
    assert (standing["side"], standing["play"]) == (Side.WHITE, [(7, 4), (5, 4)])
    to_roll = state(phase=Phase.TO_ROLL, verdict=None, dice=None, history=history)["arrows"]
    assert (to_roll["side"], to_roll["play"]) == (Side.BLACK, [(0, 1)])
    assert state(verdict=verdict("not_moved"), history=history)["arrows"]["play"] == []


def test_moves_of_the_player_are_not_shown_as_wrong_if_the_opponent_moved_too() -> None:
    shown = state(verdict=verdict("illegal", reason="wrong_player_moved", moved=[RIGHT]), dice=(3, 1))["arrows"]
    assert [one["wrong"] for one in shown["moved"]] == [False]


def test_a_wrong_distance_is_shown_with_its_pips_and_the_rolled_numbers() -> None:
    shown = state(verdict=verdict("illegal", reason="wrong_distance", moved=[RIGHT, WRONG]), dice=(3, 1))["arrows"]
    assert shown["rolled"] == [3, 1]
    assert shown["moved"] == [
        {"from": 7, "to": 4, "pips": "3", "wrong": False},
        {"from": 5, "to": 1, "pips": "4", "wrong": True},
    ]


def test_the_rolled_numbers_are_shown_beside_no_other_error() -> None:
    backwards = Moved(5, 8, (Reason.MOVED_BACKWARDS,), -3)
    shown = state(verdict=verdict("illegal", reason="moved_backwards", moved=[backwards]))["arrows"]
    assert (shown["moved"][0]["pips"], shown["rolled"]) == ("−3", [])


def test_if_no_single_checker_is_wrong_all_moved_ones_are_shown_as_wrong() -> None:
    shown = state(verdict=verdict("illegal", reason="too_many_moves", moved=[RIGHT]))["arrows"]
    assert [one["wrong"] for one in shown["moved"]] == [True]


def test_each_play_that_can_be_pointed_at_has_its_arrows() -> None:
    ranking = Ranking((RankedPlay("8/5 6/5", None, 0.1),), "embedded")
    shown = state(verdict=verdict("not_moved", plays=["13/9", "24/23 6/3"]), hints=ranking)
    assert shown["verdict"]["arrows"] == [[(12, 8)], [(23, 22), (5, 2)]]
    assert shown["hints"]["rows"][0]["arrows"] == [(7, 4), (5, 4)]


@pytest.mark.parametrize(
    ("match", "cube"),
    [
        (Match(), {"number": 64, "owner": None, "offered_to": None}),
        (Match(cube=4, owner=Side.BLACK), {"number": 4, "owner": Side.BLACK, "offered_to": None}),
        (Match(cube=2, offered_by=Side.WHITE), {"number": 4, "owner": None, "offered_to": Side.BLACK}),
        (Match(has_cube=False), None),
        (Match(length=5, score=(4, 0)), None),
        (None, None),
    ],
)
def test_the_cube_lies_with_its_owner_or_the_player_who_is_asked(
    match: Match | None, cube: dict[str, Any] | None
) -> None:
    assert state(match=match)["cube"] == cube


def test_after_a_game_no_cube_is_drawn() -> None:
    assert state(match=Match(), phase=Phase.OVER)["cube"] is None


def test_both_players_pips_are_counted_from_the_board_that_is_drawn() -> None:
    assert state()["board"]["pips"] == [167, 167]
    points = [1, *[0] * 22, -2]
    assert state(seen={"points": points, "bar": [1, 0], "off": None}, position=START)["board"]["pips"] == [26, 2]
