"""gnubg's Position ID: a backgammon position in 14 characters.

80 bits, least significant first in each byte, as base64 without padding. First for the player *not* on roll, then for
the player on roll: for each point, from the player's own 1 to 24, and the bar, a one for each checker and then a zero
(GNU Backgammon manual, "A technical description of the Position ID"; the order was checked against gnubg).
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from companion.core import CHECKERS, BoardsideError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTS_AND_BAR = 25

Counts = tuple[int, ...]
"""25 counts: a player's checkers on their own points 1 to 24, then on the bar."""


class PositionIdError(BoardsideError):
    """A Position ID cannot be read; the message quotes it."""


def format_position_id(on_roll: Sequence[int], opponent: Sequence[int]) -> str:
    """Write the Position ID. Each argument: 25 counts, own points 1 to 24 and the bar."""
    bits = "".join("1" * count + "0" for counts in (opponent, on_roll) for count in counts).ljust(80, "0")
    packed = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(packed).decode("ascii").rstrip("=")


def parse_position_id(text: str) -> tuple[Counts, Counts]:
    """Read a Position ID: (counts of the player on roll, counts of the opponent). Raises PositionIdError."""
    try:
        packed = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError) as error:
        raise _not_base64(text) from error
    if len(packed) != 10 or len(text) != 14:
        raise _not_base64(text)
    bits = bin(int.from_bytes(packed, "little") | 1 << 80)[:2:-1]
    runs = [len(run) for run in bits.split("0")]
    counts = tuple(runs[: 2 * POINTS_AND_BAR])
    opponent, on_roll = counts[:POINTS_AND_BAR], counts[POINTS_AND_BAR:]
    if len(runs) <= 2 * POINTS_AND_BAR or any(runs[2 * POINTS_AND_BAR :]):
        raise PositionIdError(f"Position ID {quoted(text)} does not end after two times 25 places")
    if sum(on_roll) > CHECKERS or sum(opponent) > CHECKERS:
        raise PositionIdError(f"Position ID {quoted(text)} gives a player more than 15 checkers")
    return on_roll, opponent


def _not_base64(text: str) -> PositionIdError:
    return PositionIdError(f"Position ID {quoted(text)} is not 14 letters of base64 such as 4HPwATDgc/ABMA")
