import json

import pytest

from companion.event_json import EventJson, EventJsonError
from companion.events import (
    Corrected,
    DiceRevealed,
    DiceSealed,
    Disputed,
    Doubled,
    Drawn,
    Ended,
    MatchBegan,
    OpeningRolled,
    Passed,
    Played,
    Proof,
    Resigned,
    Rolled,
    RollVoided,
    Ruled,
    Started,
    Taken,
)
from companion.model import Dice, Side

CODEC = EventJson(lambda position: {"points": list(position)}, lambda value: tuple(value["points"]))
EVENTS = [
    Started("backgammon", "standard", (1, 2)),
    Started("backgammon", "standard", (1, 2), Side.BLACK),
    OpeningRolled(3, 4, kept=False),
    Rolled(Side.WHITE, Dice((6, 1)), "fair"),
    Played(Side.BLACK, "bar/20*", (3,)),
    Played(Side.BLACK, "", (3,)),
    Corrected((1,), None),
    Disputed(1, Side.WHITE, (4,), {"finding": "illegal", "reason": "wrong_distance"}, "a1", None),
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
    Ended(Side.WHITE, 2, "gammon"),
    Ended(None, 0, "unfinished"),
    DiceSealed("ab12"),
    RollVoided(Side.BLACK, "A die does not lie flat."),
    DiceRevealed("ab12", "00ff", 41),
    DiceRevealed("ab12", None, 0),
    OpeningRolled(3, 4, proof=Proof(1, 1500)),
    Rolled(Side.BLACK, Dice((6, 1)), "fair", Proof(2, 83_211)),
]


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_comes_back_from_json_as_it_was(event):
    assert CODEC.decode(json.loads(json.dumps(CODEC.encode(event)))) == event


def test_an_event_says_in_json_what_it_is():
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
def test_what_is_no_event_is_quoted(value, says):
    with pytest.raises(EventJsonError, match=says):
        CODEC.decode(value)


def test_a_position_may_be_a_text():
    codec = EventJson(lambda position: position.upper(), lambda value: str(value).lower())
    for event in (Played(Side.WHITE, "22-18", "fen"), Disputed(1, Side.WHITE, "fen", None, "Before", "After")):
        encoded = codec.encode(event)
        assert "FEN" in encoded.values()
        assert codec.decode(encoded) == event


def test_an_event_of_an_older_record_is_read_as_it_was_meant():
    begun = {"event": "Started", "game": "backgammon", "sheet": "standard", "position": {"points": [1]}}
    assert CODEC.decode(begun) == Started("backgammon", "standard", (1,), cube=True, rolls=True)
