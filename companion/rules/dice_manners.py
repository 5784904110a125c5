"""When a throw of real dice does not count under a sheet with dice manners: the one place that asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.model import Side
from companion.observation import Half
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.observation import Die
    from companion.rules.sheet import Sheet

RIGHT_HAND = {Side.WHITE: Half.RIGHT, Side.BLACK: Half.LEFT}
"""Each player's right-hand half, as White sits."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Real dice as they were thrown.

    Attributes:
        side: who threw them.
        dice: how they lie.
        early: whether they lay there before the other player's play was complete.
        touched: whether they lie otherwise than they fell, before the move was made.
    """

    side: Side
    dice: tuple[Die, ...]
    early: bool = False
    touched: bool = False


def fault_of(sheet: Sheet, throw: Throw) -> str | None:
    """Why the throw has to be repeated, None where it counts.

    The encyclopedia's conditions: both dice land flat on the roller's right-hand half, not before the other has picked
    up, and are left alone until the move is made.
    """
    if not isinstance(sheet, BackgammonSheet) or not sheet.dice_manners:
        return None
    player = throw.side.capitalize()
    if throw.early:
        return f"{player} threw before the other player had picked up."
    if throw.touched:
        return "The dice were not left alone until the move was made."
    if not all(die.flat for die in throw.dice):
        return "A die does not lie flat."
    if any(die.half is not RIGHT_HAND[throw.side] for die in throw.dice):
        return f"Both dice must land on {player}'s right-hand half."
    return None
