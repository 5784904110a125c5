"""What a finished backgammon game is called and counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.notation import BAR
from companion.rules.backgammon.position import OPPONENT, View
from companion.rules.ruleset import Score
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.core import Side
    from companion.rules.backgammon.position import BackgammonPosition
    from companion.rules.sheet import Sheet

Law = Callable[[View], bool]
"""Whether a loser's checkers, in the loser's own numbers, make it more than a single game."""

LEVELS = {"single": 1, "gammon": 2, "backgammon": 3}
LOSERS_WAY_OUT = 19
"""The winner's home board begins at the loser's 19 point."""


def backgammon_kind(sheet: BackgammonSheet, position: BackgammonPosition, winner: Side) -> str:
    """Single, gammon or backgammon, by where the loser's checkers stand."""
    loser = position.view(winner.opponent)[:OPPONENT]
    backgammon, gammon = _backgammon_law(sheet), _gammon_law(sheet)
    if backgammon is not None and backgammon(loser):
        return "backgammon"
    return "gammon" if gammon is not None and gammon(loser) else "single"


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
    possible = {"single": True, "gammon": _gammon_law(sheet), "backgammon": _backgammon_law(sheet)}
    return tuple(kind for kind in LEVELS if possible[kind] is not None)


def _gammon_law(sheet: BackgammonSheet) -> Law | None:
    """When a loser's checkers make it a gammon; None where there is none."""
    return {
        "never": None,
        "none_off": lambda loser: not loser[0],
        "none_off_or_any_outside_home": lambda loser: not loser[0] or any(loser[7 : BAR + 1]),
    }[sheet.gammon_when]


def _backgammon_law(sheet: BackgammonSheet) -> Law | None:
    """When a loser's checkers make it a backgammon; None where there is none."""
    return {
        "never": None,
        "none_off_and_back": lambda loser: any(loser[LOSERS_WAY_OUT : BAR + 1]) and not loser[0],
        "back": lambda loser: any(loser[LOSERS_WAY_OUT : BAR + 1]),
    }[sheet.backgammon_when]
