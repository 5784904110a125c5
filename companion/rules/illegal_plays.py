"""What becomes of an illegal play: it must be put right, or it stands once the opponent has rolled.

A play that the opponent condones by rolling must still be a play of the mover's: checkers of the wrong player, or more
or fewer checkers than before, are put right under every sheet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.model import Finding
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.model import Verdict
    from companion.rules.sheet import Sheet

NEVER_CONDONED = frozenset({"wrong_player_moved", "hit_checker_not_on_bar", "checker_missing", "checker_extra"})


def condoned(sheet: Sheet, verdict: Verdict[Any]) -> bool:
    """Whether the opponent's roll lets the play that `verdict` speaks of stand, illegal as it is."""
    if not isinstance(sheet, BackgammonSheet) or sheet.illegal_play != "stands_once_opponent_rolls":
        return False
    if verdict.finding is not Finding.ILLEGAL or verdict.after is None or verdict.reason is None:
        return False
    return NEVER_CONDONED.isdisjoint((verdict.reason, *verdict.also))
