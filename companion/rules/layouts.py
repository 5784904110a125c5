"""What a sheet says of the board itself: its kind, how it may lie before the players, how many a point holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.model import BoardsideError
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.rules.sheet import Sheet


class LayoutError(BoardsideError):
    """A board laid as the sheet does not have it."""


def kind_of_board(sheet: Sheet) -> str | None:
    """Which kind of backgammon board ("points", "tiles"); None in a game that has one kind only."""
    return sheet.board if isinstance(sheet, BackgammonSheet) else None


def stack_limit(sheet: Sheet) -> int | None:
    """How many checkers of one side a point holds at most; None where there is no limit."""
    return (sheet.max_checkers_per_point or None) if isinstance(sheet, BackgammonSheet) else None


def refuse_mirrored(sheet: Sheet, *, mirrored: bool) -> None:
    """Refuse White's home on the left where the sheet does not allow it. Raises LayoutError.

    A chequered board looks the same either way.
    """
    if mirrored and isinstance(sheet, BackgammonSheet) and not sheet.mirrored_allowed:
        raise LayoutError(
            f"sheet {sheet.name!r} has White's home on the right only: turn the board round and leave out --mirror, "
            "or say mirrored_allowed = true in the sheet"
        )
