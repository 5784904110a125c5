"""Reads the player on roll, the dice and the cube from the XGID or Match ID of a backgammon position in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Side, quoted
from companion.notation.match_id import MatchIdError, parse_match_id
from companion.notation.xgid import START_XGID, XgidError, parse_xgid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.notation.xgid import Xgid

MATCH_ID_PLAYERS = (Side.BLACK, Side.WHITE)
"""gnubg's player 0 sits at the top and is Black here; player 1 sits at the bottom and is White."""


class MomentError(BoardsideError):
    """Two values for the same fact differ, or there are two positions; the text quotes both."""


def completed(values: Mapping[str, Any], position: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with "player", "dice" and "cube" added from the position's "xgid" and "match_id".

    Dice may be in either order; they stay missing if the XGID or Match ID describes a moment before the roll.
    Raises MomentError where two values differ, XgidError or MatchIdError where a text cannot be read.
    """
    filled = dict(values)
    sources: dict[str, str] = {}
    for source, key, value in _facts(position):
        given = filled.get(key)
        if given is None:
            filled[key], sources[key] = value, source
        elif given != value and not (key == "dice" and given == value[::-1]):
            first = f"{sources[key]} gives {key} {quoted(given)}" if key in sources else f'"{key}" is {quoted(given)}'
            raise MomentError(f"{first}, but {source} gives {quoted(value)}")
    return filled


def xgid_of(position: Mapping[str, Any]) -> Xgid | None:
    """The position's "xgid", parsed; None where there is none.

    Raises XgidError where it cannot be read, MomentError where "points" or "id" gives a position too.
    """
    text = position.get("xgid")
    if text is None:
        return None
    if not isinstance(text, str):
        raise XgidError(f"XGID {quoted(text)} is not a text such as {START_XGID}")
    for other in ("points", "id"):
        if other in position:
            raise MomentError(f'XGID {quoted(text)} and "{other}" each give a position: leave one out')
    return parse_xgid(text)


def _facts(position: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(source, key, value) of every fact besides the checkers, in the form of the JSON interfaces."""
    xgid = xgid_of(position)
    if xgid is not None:
        yield from _moment(f"XGID {quoted(position['xgid'])}", xgid.turn, xgid.dice, xgid.cube)
    text = position.get("match_id")
    if text is not None:
        if not isinstance(text, str):
            raise MatchIdError(f"Match ID {quoted(text)} is not 12 letters of base64 such as cAkAAAAAAAAA")
        match = parse_match_id(text)
        dice = match.dice if all(match.dice) else None
        yield from _moment(f"Match ID {quoted(text)}", MATCH_ID_PLAYERS[match.on_roll], dice, match.cube)


def _moment(source: str, player: Side, dice: tuple[int, int] | None, cube: int) -> Iterator[tuple[str, str, Any]]:
    yield source, "player", player.value
    if dice is not None:
        yield source, "dice", list(dice)
    yield source, "cube", cube
