"""The three-move ballot: openings that are drawn by lot, and which of them three dice choose."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import Side
from companion.rules.checkers.position import seen_from

if TYPE_CHECKING:
    from collections.abc import Sequence

BALLOT = Path(__file__).parents[1] / "tables" / "three_move_ballot.toml"
"""Written by `python -m training.ballot`."""
FACES = 6
DICE_OF_A_LOT = 3
"""216 results: more than there are openings."""


@cache
def openings(first: Side) -> tuple[str, ...]:
    """The openings as moves in PDN, `first` to move first; White's are Black's seen from the other side."""
    listed: list[str] = tomllib.loads(BALLOT.read_text(encoding="utf-8"))["openings"]
    return tuple(listed if first is Side.BLACK else map(_from_other_side, listed))


def drawn(thrown: Sequence[int], count: int) -> int | None:
    """The opening that three dice draw, 0 to `count` - 1; None: three more dice are thrown.

    Each of the first `count` results is equally likely and means one opening.
    """
    number = 0
    for die in thrown:
        number = FACES * number + die - 1
    return number if number < count else None


def _from_other_side(opening: str) -> str:
    return re.sub(r"\d+", lambda number: str(seen_from(int(number[0]), Side.BLACK)), opening)
