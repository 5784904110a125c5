"""Codec of events as JSON objects: `{"event": "Rolled", "side": "white", "dice": [6, 1], …}`."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.core import BoardsideError, Dice, PositionT, Side, quoted
from companion.game import (
    Agreed,
    Announced,
    Beavered,
    Corrected,
    Declined,
    DiceRevealed,
    DiceSealed,
    Disputed,
    DisputeEvidence,
    Doubled,
    Drawn,
    Ended,
    Event,
    FalseMove,
    MatchBegan,
    NamedReading,
    OpeningDrawn,
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
    TakenBack,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EVENTS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(
            MatchBegan,
            Started,
            OpeningDrawn,
            OpeningRolled,
            Rolled,
            Announced,
            Played,
            FalseMove,
            Doubled,
            Beavered,
            Taken,
            Passed,
        ),
        *(Corrected, Disputed, Ruled, Resigned, Drawn, Ended),
        *(Proposed, Agreed, Declined, TakenBack, ReadAs),
        *(DiceSealed, DiceRevealed, RollVoided),
    )
}
POSITIONS = {
    **dict.fromkeys((Started, Corrected, Proposed), "position"),
    Played: "after",
    Disputed: "seen",
    Ruled: "after",
}
"""Name of the field with a position, for the events that have one."""
SIDES = frozenset({"side", "on_roll", "winner", "by"})
REMEDIES = frozenset({"remedy", "ruling"})
VALUES = {
    "verdict": RecordedVerdict.from_json,
    "evidence": DisputeEvidence.from_json,
    "reading": NamedReading.from_json,
}
"""The fields with values of `companion.game.evidence`, and their readers."""


PLAIN: dict[str, tuple[type[Any], ...]] = {"int": (int,), "float": (int, float), "bool": (bool,)}
"""The types of numbers and booleans in JSON, by annotation."""


class EventJsonError(BoardsideError):
    """A JSON object is not an event."""


class EventJson(Generic[PositionT]):
    """Encodes and decodes events; the ruleset's `to_json` and `from_json` handle positions."""

    def __init__(self, to_json: Callable[[PositionT], dict[str, Any]], from_json: Callable[[Any], PositionT]) -> None:
        """`to_json(position)` gives plain JSON; `from_json` is its inverse."""
        self._to_json = to_json
        self._from_json = from_json

    def encode(self, event: Event[PositionT]) -> dict[str, Any]:
        """`event` as plain JSON; optional fields without a value are left out."""
        values = {field.name: getattr(event, field.name) for field in fields(event)}
        for name, usual in (("proof", None), ("early", False), ("level", ""), ("picture", None)):
            if values.get(name, ...) is usual:
                del values[name]
        plain = {name: self._plain(type(event), name, value) for name, value in values.items()}
        return {"event": type(event).__name__, **plain}

    def decode(self, value: Mapping[str, Any]) -> Event[PositionT]:
        """Decode an event. Raises EventJsonError."""
        kind = EVENTS.get(str(value.get("event")))
        if kind is None:
            raise EventJsonError(
                f"unknown event {quoted(value.get('event'))}; this version of Boardside knows {', '.join(EVENTS)}"
            )
        try:
            event: Event[PositionT] = kind(**{k: self._typed(kind, k, v) for k, v in value.items() if k != "event"})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise EventJsonError(f"event {quoted(dict(value))} cannot be read: {quoted(error)}") from error
        for field in fields(event):
            if not _fits(getattr(event, field.name), str(field.type)):
                raise EventJsonError(f"event {quoted(dict(value))} cannot be read: {field.name} is no {field.type}")
        return event

    def _plain(self, kind: type[Any], name: str, value: Any) -> Any:
        if name == POSITIONS.get(kind) and value is not None:
            return self._to_json(value)
        if isinstance(value, Dice):
            return list(value.values)
        if isinstance(value, DisputeEvidence | NamedReading | RecordedVerdict):
            return value.to_json()
        return asdict(value) if isinstance(value, Proof) else value

    def _typed(self, kind: type[Any], name: str, value: Any) -> Any:
        if value is None:
            return None
        if name == POSITIONS.get(kind):
            return self._from_json(value)
        if name in SIDES:
            return Side(value)
        if name == "dice":
            return Dice(tuple(value))
        if name in REMEDIES:
            return Remedy(value)
        if name == "agreed":
            return tuple(None if side is None else Side(side) for side in value)
        if name in VALUES:
            return VALUES[name](value)
        return Proof(**value) if name == "proof" else value


def _fits(value: Any, hint: str) -> bool:
    """Whether a JSON value has the type of its field's annotation; positions were checked by their reader."""
    if hint.startswith("PositionT"):
        return True
    if hint.startswith("tuple["):
        inner = hint.removeprefix("tuple[").removesuffix("]").split(", ")[0]
        return isinstance(value, tuple) and all(_fits(one, inner) for one in value)
    if " | " in hint:
        return any(_fits(value, kind) for kind in hint.split(" | "))
    if hint == "str":
        return isinstance(value, str)
    if hint in PLAIN:
        return type(value) in PLAIN[hint]
    if is_dataclass(value):
        return all(_fits(getattr(value, field.name), str(field.type)) for field in fields(value))
    return value is None if hint == "None" else value is not None


WITHOUT_POSITIONS: EventJson[Any] = EventJson(lambda _: {}, lambda _: None)
"""For events whose positions do not matter: encoded as {}, decoded as None."""
