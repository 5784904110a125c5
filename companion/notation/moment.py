"""Player, dice and cube that an XGID or a gnubg Match ID gives beside a backgammon position in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Side
from companion.notation.match_id import MatchIdError, parse_match_id
from companion.notation.xgid import START_XGID, XgidError, parse_xgid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.notation.xgid import Xgid

MATCH_ID_PLAYERS = (Side.BLACK, Side.WHITE)
"""gnubg's player 0 sits at the top and is Black here; player 1 sits at the bottom and is White."""


class MomentError(BoardsideError):
    """Two descriptions of one moment disagree; the text names both."""


def completed(values: Mapping[str, Any], position: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with "player", "dice" and "cube" filled in from the position's "xgid" and "match_id".

    Dice agree in either order; an XGID or Match ID before the roll leaves them open.
    Raises MomentError where two values disagree, XgidError or MatchIdError where a text cannot be read.
    """
    filled = dict(values)
    givers: dict[str, str] = {}
    for giver, key, value in _facts(position):
        given = filled.get(key)
        if given is None:
            filled[key], givers[key] = value, giver
        elif given != value and not (key == "dice" and given == value[::-1]):
            first = f"{givers[key]} gives {key} {given!r}" if key in givers else f'"{key}" is {given!r}'
            raise MomentError(f"{first}, but {giver} gives {value!r}")
    return filled


def xgid_of(position: Mapping[str, Any]) -> Xgid | None:
    """The position's "xgid", read; None where there is none.

    Raises XgidError where it cannot be read, MomentError where a second position stands beside it.
    """
    text = position.get("xgid")
    if text is None:
        return None
    if not isinstance(text, str):
        raise XgidError(f"XGID {text!r} is not a text such as {START_XGID}")
    for other in ("points", "id"):
        if other in position:
            raise MomentError(f'XGID {text!r} and "{other}" each give a position: leave one out')
    return parse_xgid(text)


def _facts(position: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(code that gives it, key, value) of every fact beside the checkers, in the JSON interfaces' form."""
    xgid = xgid_of(position)
    if xgid is not None:
        yield from _moment(f"XGID {position['xgid']!r}", xgid.turn, xgid.dice, xgid.cube)
    text = position.get("match_id")
    if text is not None:
        if not isinstance(text, str):
            raise MatchIdError(f"Match ID {text!r} is not 12 letters of base64 such as cAkAAAAAAAAA")
        match = parse_match_id(text)
        dice = match.dice if all(match.dice) else None
        yield from _moment(f"Match ID {text!r}", MATCH_ID_PLAYERS[match.on_roll], dice, match.cube)


def _moment(giver: str, player: Side, dice: tuple[int, int] | None, cube: int) -> Iterator[tuple[str, str, Any]]:
    yield giver, "player", player.value
    if dice is not None:
        yield giver, "dice", list(dice)
    yield giver, "cube", cube
