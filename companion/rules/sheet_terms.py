"""The values that a rule sheet's fields can take, and what each of them decides.

A play that the opponent condones by rolling must still be a play of the mover's: checkers of the wrong player, or more
or fewer checkers than before, are put right under every sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Finding, Half, Reason, Side
from companion.rules.sheet import BackgammonSheet, CheckersSheet

if TYPE_CHECKING:
    from companion.core import Die, Verdict
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


NEVER_CONDONED = frozenset(
    {Reason.WRONG_PLAYER_MOVED, Reason.HIT_CHECKER_NOT_ON_BAR, Reason.CHECKER_MISSING, Reason.CHECKER_EXTRA}
)


def condoned(sheet: Sheet, verdict: Verdict[Any]) -> bool:
    """Whether the opponent's roll lets the play that `verdict` speaks of stand, illegal as it is."""
    if not isinstance(sheet, BackgammonSheet) or sheet.illegal_play != "stands_once_opponent_rolls":
        return False
    if verdict.finding is not Finding.ILLEGAL or verdict.after is None or verdict.reason is None:
        return False
    return NEVER_CONDONED.isdisjoint((verdict.reason, *verdict.also))


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


def throw_fault(sheet: Sheet, throw: Throw) -> str | None:
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
