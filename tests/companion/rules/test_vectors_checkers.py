"""Checkers positions with known legal moves, and turns with known verdicts, from files."""

from __future__ import annotations

import json
import re

import pytest
from places import VECTORS

from companion.commands.json_lines import answer


def cases(name: str) -> list:
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def ends(move: str) -> tuple[str, str]:
    squares = re.findall(r"\d+", move)
    return squares[0], squares[-1]


@pytest.mark.parametrize("case", cases("legal_checkers.jsonl") + cases("legal_sheets_checkers.jsonl"))
def test_the_moves_are_exactly_the_legal_ones(case):
    plays = answer("moves", json.dumps(case["in"]))["plays"]
    assert len({play["after"] for play in plays}) == len(plays) == case["n_results"]
    assert {ends(play["play"]) for play in plays} == {ends(move) for move in case["moves"]}


@pytest.mark.parametrize("case", cases("judge_checkers.jsonl") + cases("natural_checkers.jsonl"))
def test_a_turn_gets_its_verdict_and_reason(case):
    verdict = answer("judge", json.dumps(case["in"]))
    assert verdict["finding"] in case["want"]["finding"], verdict["message"]
    assert verdict["reason"] in (case["want"]["reason"] or [None]), verdict["message"]
