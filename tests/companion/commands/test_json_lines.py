"""The commands that read JSON lines."""

from __future__ import annotations

import json

import pytest

from companion.commands.json_lines import answer

START = {"points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]}
AFTER_3_1 = {"points": [-2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]}
WON = {"points": [0] * 18 + [-5, -5, -5, 0, 0, 0], "bar": [0, 0], "off": [15, 0]}


def ask(command: str, sheet: str = "", **question: object) -> dict:
    return answer(command, json.dumps(question), sheet)


def test_moves_gives_each_play_with_the_position_after_it():
    plays = ask("moves", position=START, player="white", dice=[3, 1])["plays"]
    made = next(play["after"] for play in plays if play["play"] == "8/5 6/5")
    assert made == AFTER_3_1 | {"bar": [0, 0], "off": [0, 0]}


def test_no_play_gives_an_empty_list():
    closed = {"points": [0] * 18 + [-2] * 6, "bar": [1, 0]}
    assert ask("moves", position=closed, player="white", dice=[3, 1]) == {"plays": []}


def test_judge_answers_with_the_verdict():
    verdict = ask("judge", position=START, player="white", dice=[3, 1], after=AFTER_3_1)
    assert list(verdict) == ["finding", "reason", "also", "message", "play", "plays"]
    assert (verdict["finding"], verdict["play"]) == ("legal", "8/5 6/5")


def test_a_turn_is_done_unless_the_line_says_otherwise():
    half = {"points": [-2, 0, 0, 0, 1, 5, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]}
    question = {"position": START, "player": "white", "dice": [3, 1], "after": half}
    assert ask("judge", **question)["reason"] == "could_play_more"
    assert ask("judge", **question, done=False)["finding"] == "unfinished"


def test_a_point_with_both_colours_is_a_pair():
    after = {"points": [*START["points"][:18], [1, 5], 0, 0, 0, 0, 1]}
    assert ask("judge", position=START, player="white", dice=[5, 2], after=after)["reason"] == "blocked_point"


def test_a_position_may_be_a_position_id_with_its_player():
    by_id = ask("moves", position={"id": "4HPwATDgc/ABMA", "player": "black"}, player="black", dice=[3, 1])
    assert by_id == ask("moves", position=START, player="black", dice=[3, 1])
    assert by_id == ask("moves", position={"id": "4HPwATDgc/ABMA"}, player="black", dice=[3, 1])


def test_score_counts_level_and_cube():
    assert ask("score", position=WON, winner="white", stake=None, cube=2) == {"points": 4, "kind": "gammon"}
    assert ask("score", position=WON) == {"points": 2, "kind": "gammon"}
    assert "white has won in this position" in ask("score", position=WON, winner="black")["error"]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ({"dice": [7, 1]}, "[7, 1]"),
        ({"dice": [3]}, "[3]"),
        ({"dice": "31"}, "'31'"),
        ({"player": "red"}, "'red'"),
        ({"player": ["white"]}, "['white']"),
        ({"position": {"points": [1, 2]}}, "[1, 2] (2 of them)"),
        ({"position": {"points": [16] + [0] * 23}}, "16"),
        ({"position": {"points": [1.5] + [0] * 23}}, "1.5"),
        ({"position": {"points": [[1, 1]] + [0] * 23}}, "[1, 1]"),
        ({"position": {"points": [15, 15] + [0] * 22}}, "30 checkers"),
        ({"position": {"points": [1, -1] + [0] * 22, "bar": [-1, 0]}}, "[-1, 0]"),
        ({"position": {"points": [0] * 24, "home": 3}}, "'home'"),
        ({"position": {"id": "nonsense"}}, "'nonsense'"),
        ({"position": None}, "None"),
        ({"sheet": "house"}, "'house'"),
        ({"sheet": 3}, "3"),
        ({"game": "chess"}, "'chess'"),
        ({"after": {"points": [[1]] + [0] * 23}}, "[1]"),
        ({"done": "yes"}, "'yes'"),
    ],
)
def test_an_invalid_value_is_quoted_in_the_answer(question, quoted):
    right = {"position": START, "player": "white", "dice": [3, 1], "after": AFTER_3_1}
    assert quoted in ask("judge", **(right | question))["error"]


@pytest.mark.parametrize("line", ["", "{", "[1]", "nonsense", "12", '{"game": "backgammon"}'])
def test_an_invalid_line_is_an_error(line):
    assert list(answer("moves", line)) == ["error"]


def test_a_sheet_of_the_other_game_is_an_error():
    assert "is for backgammon" in ask("moves", "standard", game="checkers", fen="W:W32:B1")["error"]


@pytest.mark.parametrize("cube", [0, 3, -2, "2", True])
def test_a_cube_shows_a_power_of_two(cube):
    assert repr(cube) in ask("score", position=WON, winner="white", cube=cube)["error"]
