"""Hostile exports, with fields of the wrong kind, endless numbers and invalid text: nothing is imported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from fuzz_commands import command_line
from fuzz_targets import exported

from companion.record import Record

if TYPE_CHECKING:
    from pathlib import Path

SOUND = [json.loads(line) for line in exported().splitlines()]
ROLL = next(number for number, entry in enumerate(SOUND) if entry["event"] == "Rolled")
HARM: dict[str, dict[str, Any]] = {
    "event": {"event": ["Rolled"]},
    "no event": {"event": None},
    "side": {"side": 1},
    "no side": {"side": None},
    "dice": {"dice": [7, 1]},
    "dice of text": {"dice": "61"},
    "source": {"source": {"a": 1}},
    "early": {"early": "yes"},
    "time": {"at_s": "now"},
    "time after the end": {"at_s": 1e300},
    "entry": {"entry": 1.5},
    "proof": {"proof": {"counter": "x", "tapped_ms": 1}},
    "unknown": {"x": 1},
    "deep": {"source": [[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]},
    "many digits": {"source": 10**400},
}


@pytest.mark.parametrize("harm", HARM)
def test_a_record_with_a_wrong_field_is_refused_on_one_line(harm: str, tmp_path: Path) -> None:
    changed = [*SOUND[:ROLL], {**SOUND[ROLL], **HARM[harm]}, *SOUND[ROLL + 1 :]]
    (tmp_path / "match.json").write_text("\n".join(map(json.dumps, changed)), encoding="utf-8")
    status, _, said = command_line(["import", str(tmp_path / "match.json"), "--state", str(tmp_path / "state")])
    assert status == 1
    assert len(said.splitlines()) == 1
    assert len(said) < 1200
    record = Record.open(tmp_path / "state" / "record.db")
    assert record.entries() == ()
    record.close()
