"""gnubg's Match ID: score, cube, dice and player on roll in 12 characters.

Fields and their bits, least significant first: cube as a power of two (4), its owner (2; 3: in the middle), player on
roll (1), Crawford game (1), game state (3), player to decide (1), doubled (1), resignation (2), dice (3 + 3), match
length (15), the players' scores (15 + 15), and 1 without the Jacoby rule (GNU Backgammon manual, "A technical
description of the Match ID"; checked against gnubg). Players are 0 (gnubg's top) and 1 (bottom).
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from companion.core import BoardsideError, quoted

MATCH_ID_BYTES = 9
MATCH_ID_LETTERS = 12
IN_THE_MIDDLE = 3
"""Value of the cube owner's bits while nobody owns the cube."""
MATCH_ID_LARGEST_SCORE = (1 << 15) - 1
"""Points; a score and the match's length have 15 bits each."""
_WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)


class MatchIdError(BoardsideError):
    """A Match ID cannot be read or written; the message quotes it."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """Contents of a Match ID.

    Attributes:
        cube: the cube's number.
        cube_owner: player 0 or 1; None in the middle.
        on_roll: the player on roll.
        crawford: whether this is the Crawford game.
        state: 0 no game, 1 playing, 2 over, 3 resigned, 4 ended by a dropped double.
        decides: the player who has to move or to answer a double.
        doubled: whether a double is offered.
        resigned: resignation offered: 0 none, 1 single, 2 gammon, 3 backgammon.
        dice: the roll; (0, 0) before it.
        length: points that win the match; 0 for money play.
        score: points of players 0 and 1.
        jacoby: whether the Jacoby rule is used.
    """

    cube: int = 1
    cube_owner: int | None = None
    on_roll: int = 0
    crawford: bool = False
    state: int = 1
    decides: int = 0
    doubled: bool = False
    resigned: int = 0
    dice: tuple[int, int] = (0, 0)
    length: int = 0
    score: tuple[int, int] = (0, 0)
    jacoby: bool = False


def parse_match_id(text: str) -> MatchState:
    """Read a Match ID. Raises MatchIdError."""
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise MatchIdError(f"Match ID {quoted(text)} is not 12 letters of base64 such as cAkAAAAAAAAA") from error
    if len(packed) != MATCH_ID_BYTES or len(text) != MATCH_ID_LETTERS:
        raise MatchIdError(f"Match ID {quoted(text)} is not 12 letters of base64 such as cAkAAAAAAAAA")
    bits, values = int.from_bytes(packed, "little"), []
    for width in _WIDTHS:
        values.append(bits & ((1 << width) - 1))
        bits >>= width
    cube, owner, on_roll, crawford, state, decides, doubled, resigned, first, second, length, zero, one, off = values
    if max(first, second) > 6 or owner == 2:
        raise MatchIdError(f"Match ID {quoted(text)} has dice {first}-{second} and cube owner {owner}")
    return MatchState(
        cube=1 << cube,
        cube_owner=None if owner == IN_THE_MIDDLE else owner,
        on_roll=on_roll,
        crawford=bool(crawford),
        state=state,
        decides=decides,
        doubled=bool(doubled),
        resigned=resigned,
        dice=(first, second),
        length=length,
        score=(zero, one),
        jacoby=not off,
    )


def format_match_id(match: MatchState) -> str:
    """Write a Match ID. Raises MatchIdError where a value does not fit."""
    values = (
        match.cube.bit_length() - 1,
        IN_THE_MIDDLE if match.cube_owner is None else match.cube_owner,
        match.on_roll,
        match.crawford,
        match.state,
        match.decides,
        match.doubled,
        match.resigned,
        *match.dice,
        match.length,
        *match.score,
        not match.jacoby,
    )
    bits = shift = 0
    for value, width in zip(values, _WIDTHS, strict=True):
        if not 0 <= value < 1 << width:
            raise MatchIdError(f"{int(value)} of {quoted(match)} does not fit into {width} bits of a Match ID")
        bits |= int(value) << shift
        shift += width
    return base64.b64encode(bits.to_bytes(MATCH_ID_BYTES, "little")).decode("ascii")
