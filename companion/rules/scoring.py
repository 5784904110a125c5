"""What a finished backgammon game is called and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.backgammon import BAR, OPPONENT
from companion.rules.ruleset import Score
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.model import Side
    from companion.rules.backgammon import Position, View
    from companion.rules.sheet import Sheet

LEVELS = {"single": 1, "gammon": 2, "backgammon": 3}
LOSERS_WAY_OUT = 19
"""The winner's home board begins at the loser's 19 point."""


def backgammon_kind(sheet: BackgammonSheet, position: Position, winner: Side) -> str:
    """Single, gammon or backgammon, by where the loser's checkers stand."""
    loser = position.view(winner.opponent)[:OPPONENT]
    if _is_backgammon(sheet, loser):
        return "backgammon"
    return "gammon" if _is_gammon(sheet, loser) else "single"


def backgammon_score(sheet: BackgammonSheet, kind: str, *, cube: int, for_stakes: bool) -> Score:
    """What a win of that kind counts; where the sheet has no cube, the cube's number does not."""
    counted = kind if for_stakes or sheet.levels_count == "always" else "single"
    return Score(LEVELS[counted] * (cube if has_cube(sheet) else 1), counted)


def has_cube(sheet: Sheet) -> bool:
    """Whether there is a doubling cube under this sheet."""
    return isinstance(sheet, BackgammonSheet) and sheet.cube


def levels_of(sheet: Sheet) -> tuple[str, ...]:
    """How a game can be lost under the sheet, the cheapest first; a game of checkers is won or lost."""
    if not isinstance(sheet, BackgammonSheet):
        return ("win",)
    possible = {"single": True, "gammon": sheet.gammon_when != "never", "backgammon": sheet.backgammon_when != "never"}
    return tuple(kind for kind in LEVELS if possible[kind])


def _is_gammon(sheet: BackgammonSheet, loser: View) -> bool:
    match sheet.gammon_when:
        case "none_off":
            return not loser[0]
        case "none_off_or_any_outside_home":
            return not loser[0] or any(loser[7 : BAR + 1])
        case _:
            return False


def _is_backgammon(sheet: BackgammonSheet, loser: View) -> bool:
    back = any(loser[LOSERS_WAY_OUT : BAR + 1])
    match sheet.backgammon_when:
        case "none_off_and_back":
            return back and not loser[0]
        case "back":
            return back
        case _:
            return False
