"""Standard backgammon notation: `13/7 24/23`, `bar/20*`, `6/off`, `8/4(2)`, `24/18*/13`.

Points are the mover's own, 24 to 1; in a `Step` 25 is the bar and 0 off.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.core import BoardsideError, Play, Step, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

BAR, OFF = 25, 0

TripPoints = tuple[tuple[int, bool], ...]
"""(point, whether it hit there) for each point that one checker touches, starting point first."""

_PLACE = r"(?:bar|off|\d{1,3})"
_TRIP = re.compile(rf"({_PLACE})((?:/{_PLACE}\*?)+)(?:\((1[0-5]|[1-9])\))?", re.IGNORECASE)
"""Largest count in brackets, all of a player's checkers; it limits the length of a play."""


MOST_LETTERS = 400
"""Letters of a play; thirty checkers moved one after the other, each written on its own, take 300."""


class NotationError(BoardsideError):
    """A play cannot be read; the message quotes it and shows the expected form."""


def format_play(play: Play) -> str:
    """Write a play, the steps of one checker joined: `24/18*/13 8/5(2)`; an empty play is an empty text."""
    return format_trips(_trips(play))


def format_trips(trips: Iterable[TripPoints]) -> str:
    """Write the trips of single checkers, as they were made; intermediate points without a hit are left out."""
    alike: dict[tuple[int, ...], list[TripPoints]] = {}
    for trip in map(_without_quiet_stops, trips):
        alike.setdefault(tuple(point for point, _ in trip), []).append(trip)
    ordered = sorted(alike.items(), key=lambda item: [-point for point in item[0]])
    return " ".join(_format_alike(trips) for _, trips in ordered)


def parse_play(text: str) -> Play:
    """Read a play; the steps keep the order of the text. Raises NotationError.

    `24/13` is one step of 11 pips; the intermediate point follows only from dice and position.
    """
    if len(text) > MOST_LETTERS:
        raise NotationError(f"play {quoted(text)} is longer than any play: expected one such as 13/7 24/23")
    steps: list[Step] = []
    for word in text.split():
        match = _TRIP.fullmatch(word)
        if match is None:
            raise NotationError(
                f"{quoted(word)} in play {quoted(text)} is not a move such as 13/7, bar/20*, 6/off or 8/4(2)"
            )
        first, rest, count = match.groups()
        for _ in range(int(count or 1)):
            source = _point(first, text)
            for part in rest[1:].split("/"):
                target = _point(part.rstrip("*"), text)
                steps.append(Step(source, target, target if part.endswith("*") else None))
                source = target
    return tuple(steps)


def format_point(point: int) -> str:
    """`bar`, `off` or the point's number."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _point(word: str, text: str) -> int:
    point = {"bar": BAR, "off": OFF}.get(word.lower())
    if point is None:
        point = int(word)
        if not 1 <= point <= 24:
            raise NotationError(f"point {word} in play {quoted(text)} is not from 1 to 24 (or bar, off)")
    return point


def _trips(play: Play) -> list[TripPoints]:
    """Join steps to trips, highest source first: a step that starts where a trip ends continues that trip."""
    trips: list[list[tuple[int, bool]]] = []
    for step in sorted(play, key=lambda step: (-step.source, step.target, step.captured is None)):
        landed = (step.target, step.captured is not None)
        continued = next((trip for trip in trips if trip[-1][0] == step.source), None)
        if continued is None:
            trips.append([(step.source, False), landed])
        else:
            continued.append(landed)
    return [tuple(trip) for trip in trips]


def _without_quiet_stops(trip: TripPoints) -> TripPoints:
    """The trip without points in between where nothing was hit."""
    return (trip[0], *(stop for stop in trip[1:-1] if stop[1]), trip[-1])


def _format_alike(trips: list[TripPoints]) -> str:
    """Write trips over the same points as one; at most one of them hit at each point."""
    stops = zip(*trips, strict=True)
    path = "/".join(format_point(stop[0][0]) + ("*" if any(hit for _, hit in stop) else "") for stop in stops)
    return path + (f"({len(trips)})" if len(trips) > 1 else "")
