"""XGID: eXtreme Gammon's notation for a backgammon position with cube, player on roll, dice and score.

`XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10`. Fields between colons, in order:

1. 26 letters from the bottom player's side: the top player's bar, points 1 to 24, the bottom player's bar. A capital
   counts the bottom player's checkers (A is 1), a small letter the top player's, `-` is none.
2. Cube as a power of two. 3. Its owner: 1 bottom, -1 top, 0 in the middle. 4. Player on roll: 1 bottom, -1 top.
5. Dice; `00` before the roll; `D`, `B` or `R` while a double, beaver or raccoon is not answered.
6. and 7. Scores, bottom and top. 8. Crawford or Jacoby. 9. Match length. 10. Largest cube as a power of two.

White is the bottom player here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.core import CHECKERS, BoardsideError, Side, quoted

START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
LETTERS = 26
"""24 points and two bars."""
OFFERS = ("D", "B", "R")

_SIDES = {1: Side.WHITE, -1: Side.BLACK}
_WHOLE = re.compile(r"-?\d{1,9}")


class XgidError(BoardsideError):
    """An XGID cannot be read; the message quotes it."""


@dataclass(frozen=True, slots=True)
class Xgid:
    """Contents of an XGID.

    Attributes:
        points: 24 signed counts, White's 1 point first, positive for White, negative for Black.
        bar: (White's, Black's) checkers.
        cube: the cube's number.
        cube_owner: the player who owns the cube; None in the middle.
        turn: the player on roll.
        dice: the roll; None before it.
        score: (White's, Black's) points.
        rule: in a match 1 for the Crawford game; in money play 1 Jacoby, 2 beavers, 3 both.
        length: points that win the match; 0 for money play.
        largest_cube: exponent of the largest cube as a power of two.
        offer: "D", "B" or "R" where a double, beaver or raccoon is not answered, else "".
    """

    points: tuple[int, ...]
    bar: tuple[int, int]
    cube: int = 1
    cube_owner: Side | None = None
    turn: Side = Side.WHITE
    dice: tuple[int, int] | None = None
    score: tuple[int, int] = (0, 0)
    rule: int = 0
    length: int = 0
    largest_cube: int = 10
    offer: str = ""


def parse_xgid(text: str) -> Xgid:
    """Read an XGID, with or without `XGID=`. Raises XgidError."""
    fields = text.strip().removeprefix("XGID=").split(":")
    numbers = (*fields[1:4], *fields[5:])
    if len(fields) != 10 or len(fields[0]) != LETTERS or not all(_WHOLE.fullmatch(number) for number in numbers):
        raise XgidError(f"XGID {quoted(text)} is not of the form {START_XGID}")
    counts = [_count(letter, text) for letter in fields[0]]
    cube, owner, turn = map(int, fields[1:4])
    white, black, rule, length, largest = map(int, fields[5:])
    if turn not in _SIDES or owner not in (-1, 0, 1) or not 0 <= cube <= 20:
        raise XgidError(f"XGID {quoted(text)} has cube {cube}, owner {owner} and turn {turn}")
    for side, total in (("White", sum(n for n in counts if n > 0)), ("Black", -sum(n for n in counts if n < 0))):
        if total > CHECKERS:
            raise XgidError(f"XGID {quoted(text)} gives {side} {total} checkers")
    return Xgid(
        points=tuple(counts[1:25]),
        bar=(counts[25], -counts[0]),
        cube=1 << cube,
        cube_owner=_SIDES.get(owner),
        turn=_SIDES[turn],
        dice=_dice(fields[4], text),
        score=(white, black),
        rule=rule,
        length=length,
        largest_cube=largest,
        offer=fields[4] if fields[4] in OFFERS else "",
    )


def format_xgid(state: Xgid) -> str:
    """Write an XGID."""
    counts = (-state.bar[1], *state.points, state.bar[0])
    owner = {None: 0, Side.WHITE: 1, Side.BLACK: -1}[state.cube_owner]
    turn = 1 if state.turn is Side.WHITE else -1
    dice = state.offer or "00" if state.dice is None else f"{state.dice[0]}{state.dice[1]}"
    fields = (
        state.cube.bit_length() - 1,
        owner,
        turn,
        dice,
        *state.score,
        state.rule,
        state.length,
        state.largest_cube,
    )
    return "XGID=" + "".join(map(_letter, counts)) + ":" + ":".join(map(str, fields))


def _count(letter: str, text: str) -> int:
    if letter == "-":
        return 0
    count = ord(letter.upper()) - ord("A") + 1
    if not letter.isascii() or not letter.isalpha() or count > CHECKERS:
        raise XgidError(f"{quoted(letter)} in XGID {quoted(text)} is not '-' or a letter from A to O")
    return count if letter.isupper() else -count


def _letter(count: int) -> str:
    if not count:
        return "-"
    letter = chr(ord("A") + abs(count) - 1)
    return letter if count > 0 else letter.lower()


def _dice(field: str, text: str) -> tuple[int, int] | None:
    if field in ("00", *OFFERS):
        return None
    if not re.fullmatch("[1-6]{2}", field):
        raise XgidError(f"dice {quoted(field)} in XGID {quoted(text)} are not two numbers from 1 to 6, or 00")
    return int(field[0]), int(field[1])
