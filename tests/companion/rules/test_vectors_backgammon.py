"""Positions with known legal results, and turns with known verdicts, from files."""

from __future__ import annotations

import json

import pytest
from places import VECTORS

from companion.commands.json_lines import answer


def cases(name: str) -> list:
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def key(position: dict) -> str:
    return json.dumps(position, sort_keys=True)


@pytest.mark.parametrize("case", cases("legal_backgammon.jsonl") + cases("legal_sheets_backgammon.jsonl"))
def test_the_results_of_a_roll_are_exactly_the_legal_ones(case):
    plays = answer("moves", json.dumps(case["in"]))["plays"]
    results = [key(play["after"]) for play in plays] or [key(case["in"]["position"])]
    assert sorted(results) == sorted(map(key, case["want"]))


@pytest.mark.parametrize("case", cases("judge_backgammon.jsonl") + cases("natural_backgammon.jsonl"))
def test_a_turn_gets_its_verdict_and_reason(case):
    verdict = answer("judge", json.dumps(case["in"]))
    assert verdict["finding"] in case["want"]["finding"], verdict["message"]
    assert verdict["reason"] in (case["want"]["reason"] or [None]), verdict["message"]
