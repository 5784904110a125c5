"""A filmed game of checkers from the middle of a game: an illegal move is corrected, a jump, a double jump."""

from __future__ import annotations

import json
from typing import Any

import pytest
from labelled_checkers import FILM

from companion.app.recording import Recording
from companion.app.replay import Replay, board_to_learn
from companion.app.table import Table
from companion.rules import rules_named

TURNS: list[dict[str, Any]] = json.loads((FILM / "truth.json").read_text(encoding="utf-8"))["events"]


@pytest.fixture(scope="module")
def said() -> list[dict[str, Any]]:
    recording = Recording.load(FILM)
    rules = rules_named(recording.sheet)
    told: list[dict[str, Any]] = []
    Replay(recording, rules, Table(rules.sheet.game, rules.sheet.name), told.append).run()
    return told


def standing(said: list[dict[str, Any]], turn: dict[str, Any]) -> dict[str, Any]:
    """The verdict that stands when a turn is declared done."""
    return [told for told in said if told["event"] == "verdict" and told["t"] <= turn["t"] + 1e-6][-1]


@pytest.mark.parametrize("turn", TURNS, ids=[f"{turn['t']:g} s" for turn in TURNS])
def test_every_finished_turn_is_judged_correctly(said: list[dict[str, Any]], turn: dict[str, Any]) -> None:
    verdict = standing(said, turn)
    assert verdict["finding"] == ("legal" if turn["legal"] else "illegal")
    if turn["legal"]:
        assert verdict["play"] == turn["move"]
        squares = {name: piece.lower() for name, piece in turn["position"]["squares"].items()}
        assert verdict["after"]["squares"] == squares


def test_the_film_has_an_illegal_turn_and_a_double_jump() -> None:
    assert not all(turn["legal"] for turn in TURNS)
    assert any((turn["move"] or "").count("x") > 1 for turn in TURNS)


def test_under_a_hand_nothing_is_judged(said: list[dict[str, Any]]) -> None:
    assert {told["cause"] for told in said if told["event"] == "verdict" and told["finding"] == "unreadable"} == {
        "hand"
    }


def test_the_reader_gets_the_kings() -> None:
    """In a game's cells kings look like men; the board is learned from the real pieces."""
    told = board_to_learn(rules_named("acf"), {"position": {"fen": "W:WK32,21:B1,K5"}}, None)
    assert told is not None
    assert sorted(content for content in told if content and any(content)) == [(0, 1), (0, 2), (1, 0), (2, 0)]


def test_the_reader_gets_no_position_at_the_start() -> None:
    rules = rules_named("acf")
    assert board_to_learn(rules, {"position": {"fen": rules.to_json(rules.start())}}, None) is None
    assert board_to_learn(rules, {}, None) is None
