import json

import pytest

from companion.core import Cause, Dice, Finding, Side
from companion.game import (
    Corrected,
    DiceRevealed,
    DiceSealed,
    Disputed,
    DisputeEvidence,
    Doubled,
    DoubtfulCell,
    Drawn,
    Ended,
    FalseMove,
    LikelyContent,
    MatchBegan,
    NamedReading,
    OpeningRolled,
    Passed,
    Played,
    Proof,
    Proposed,
    ReadAs,
    RecordedVerdict,
    Remedy,
    Resigned,
    Rolled,
    RollVoided,
    Ruled,
    Started,
    Taken,
)
from companion.record import EventJson
from companion.record.event_codec import EventJsonError

CODEC = EventJson(lambda position: {"points": list(position)}, lambda value: tuple(value["points"]))
HIT_OR_NOT = NamedReading(
    RecordedVerdict(Finding.LEGAL, play="13/10*"),
    ("legal|13/10*|", "illegal|13/10|hit_checker_not_on_bar"),
    -1.5,
    "a1",
    DisputeEvidence(12.0, Dice((2, 1)), doubts=(DoubtfulCell(9, 10, (LikelyContent((1, 0), 60.0, 0.0),)),)),
)
EVENTS = [
    Started("backgammon", "standard", (1, 2)),
    Started("backgammon", "standard", (1, 2), Side.BLACK),
    OpeningRolled(3, 4, kept=False),
    Rolled(Side.WHITE, Dice((6, 1)), "fair"),
    Played(Side.BLACK, "bar/20*", (3,)),
    Played(Side.BLACK, "", (3,)),
    Corrected((1,), None),
    Disputed(1, Side.WHITE, (4,), RecordedVerdict(Finding.ILLEGAL, reason="wrong_distance"), "a1", None),
    Disputed(2, Side.WHITE, None, None, None, "b2"),
    Ruled(1, (5,)),
    Ruled(2, None),
    MatchBegan(7),
    MatchBegan(0, 0.5, jacoby=True),
    Started("checkers", "acf", (1, 2), Side.BLACK, cube=False, rolls=False),
    Played(Side.WHITE, "13/8", (3,), "wrong_distance"),
    Doubled(Side.WHITE),
    Taken(Side.BLACK),
    Passed(Side.BLACK),
    Resigned(Side.WHITE, "gammon", 4),
    Drawn("threefold_repetition"),
    FalseMove(Side.WHITE, "wrong_distance", "13/8"),
    Rolled(Side.BLACK, Dice((5, 3)), "fair", Proof(2, 1500), early=True),
    Doubled(Side.BLACK, early=True),
    Proposed(3, Remedy.RESIGNATION, Side.WHITE, (Side.WHITE,), level="gammon"),
    MatchBegan(7, crawford=False),
    MatchBegan(0, 1.0, automatic_doubles=2),
    Ended(Side.WHITE, 2, "gammon"),
    Ended(None, 0, "unfinished"),
    DiceSealed("ab12"),
    RollVoided(Side.BLACK, "A die does not lie flat."),
    DiceRevealed("ab12", "00ff", 41),
    DiceRevealed("ab12", None, 0),
    OpeningRolled(3, 4, proof=Proof(1, 1500)),
    Rolled(Side.BLACK, Dice((6, 1)), "fair", Proof(2, 83_211)),
    Proposed(4, Remedy.READING, Side.WHITE, (Side.WHITE,), reading=HIT_OR_NOT),
    ReadAs(HIT_OR_NOT, (Side.WHITE, None)),
]


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_survives_a_round_trip_through_json(event):
    assert CODEC.decode(json.loads(json.dumps(CODEC.encode(event)))) == event


def test_the_json_of_an_event_contains_its_kind():
    assert CODEC.encode(EVENTS[3]) == {"event": "Rolled", "side": "white", "dice": [6, 1], "source": "fair"}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"event": "Teleported"}, "unknown event 'Teleported'"),
        ({}, "unknown event None"),
        ({"event": "Rolled", "side": "green", "dice": [1, 2], "source": "fair"}, "green"),
        ({"event": "Rolled", "side": "white", "dice": [7, 2], "source": "fair"}, "7"),
        ({"event": "Rolled", "side": "white"}, "cannot be read"),
    ],
)
def test_an_invalid_event_is_quoted(value, says):
    with pytest.raises(EventJsonError, match=says):
        CODEC.decode(value)


def test_a_position_may_be_a_text():
    codec = EventJson(lambda position: position.upper(), lambda value: str(value).lower())
    for event in (Played(Side.WHITE, "22-18", "fen"), Disputed(1, Side.WHITE, "fen", None, "Before", "After")):
        encoded = codec.encode(event)
        assert "FEN" in encoded.values()
        assert codec.decode(encoded) == event


def test_fields_missing_in_an_older_record_have_their_former_meaning():
    begun = {"event": "Started", "game": "backgammon", "sheet": "standard", "position": {"points": [1]}}
    assert CODEC.decode(begun) == Started("backgammon", "standard", (1,), cube=True, rolls=True)


def test_the_json_of_a_dispute_has_its_original_form():
    kept = {
        "event": "Disputed",
        "number": 3,
        "side": "white",
        "seen": {"points": [4]},
        "verdict": {
            "finding": "unreadable",
            "reason": None,
            "also": [],
            "message": "It is too dark.",
            "play": None,
            "plays": ["13/7 8/7"],
            "made": None,
            "cells": [5, 12],
            "cause": "dark",
        },
        "before": "b1",
        "after": None,
        "by": "black",
        "evidence": {
            "at_s": 1700000000.5,
            "dice": [6, 1],
            "plays": ["13/7 8/7"],
            "doubts": [{"cell": 6, "label": 7, "contents": [[[2, 0], 75.5, 0.0], [[0, 0], 24.5, -1.1]]}],
            "unsure": "the board cannot be read",
        },
    }
    doubt = DoubtfulCell(6, 7, (LikelyContent((2, 0), 75.5, 0.0), LikelyContent((0, 0), 24.5, -1.1)))
    dispute = CODEC.decode(kept)
    assert dispute.verdict.cause is Cause.DARK
    assert (dispute.evidence.dice, dispute.evidence.doubts) == (Dice((6, 1)), (doubt,))
    assert json.dumps(CODEC.encode(dispute)) == json.dumps(kept)


def test_a_dispute_of_an_older_record_lacks_later_fields():
    kept = {
        "event": "Disputed",
        "number": 1,
        "side": "white",
        "seen": None,
        "verdict": {"finding": "illegal", "reason": "too_far", "message": "Too far."},
        "before": None,
        "after": None,
        "evidence": {"doubts": [{"cell": 24, "label": "bar", "contents": [[[1, 0], 60.0]]}]},
    }
    dispute = CODEC.decode(kept)
    assert dispute.verdict == RecordedVerdict(Finding.ILLEGAL, "Too far.", "too_far")
    assert dispute.evidence == DisputeEvidence(doubts=(DoubtfulCell(24, "bar", (LikelyContent((1, 0), 60.0),)),))


@pytest.mark.parametrize("verdict", [[], {}, {"finding": "odd"}])
def test_a_dispute_with_an_invalid_verdict_is_quoted(verdict):
    kept = {"event": "Disputed", "number": 1, "side": None, "seen": None, "verdict": verdict}
    with pytest.raises(EventJsonError, match="cannot be read"):
        CODEC.decode({**kept, "before": None, "after": None})
