"""Who begins a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.model import Side
from companion.rules.sheet import BackgammonSheet, CheckersSheet

if TYPE_CHECKING:
    from companion.rules.sheet import Sheet


def starter(sheet: Sheet, *, previous_winner: Side | None = None, agreed: Side | None = None) -> Side | None:
    """Who begins the next game under `sheet`; None where one die each decides.

    Args:
        sheet: the rule sheet.
        previous_winner: who won the game before, None where there was none or nobody won.
        agreed: whom the players named; where they are to agree and named nobody, Black, who begins elsewhere too.
    """
    if isinstance(sheet, CheckersSheet):
        return _first_mover(sheet) or agreed or Side.BLACK
    if isinstance(sheet, BackgammonSheet) and sheet.next_game_starter == "previous_winner":
        return previous_winner
    return None


def players_agree(sheet: Sheet) -> bool:
    """Whether the sheet leaves it to the players who begins."""
    return isinstance(sheet, CheckersSheet) and _first_mover(sheet) is None


def plays_opening_dice(sheet: Sheet) -> bool:
    """Whether the starter's first turn is played with the two numbers of the opening roll."""
    return isinstance(sheet, BackgammonSheet) and sheet.opening_roll == "kept"


def _first_mover(sheet: CheckersSheet) -> Side | None:
    """Who moves first in every game; None where the players agree."""
    return None if sheet.first_mover == "agreed" else Side(sheet.first_mover)
