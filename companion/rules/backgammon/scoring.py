"""The kind of a win at backgammon and the points that it counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.notation import BAR
from companion.rules.backgammon.position import HIGHEST_HOME_POINT, OPPONENT, View
from companion.rules.ruleset import Score
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.core import Side
    from companion.rules.backgammon.position import BackgammonPosition
    from companion.rules.sheet import Sheet

LossCondition = Callable[[View], bool]
"""Tests the loser's 26 counts, in the loser's own numbers."""

LEVELS = {"single": 1, "gammon": 2, "backgammon": 3}
WINNERS_HOME = slice(BAR - HIGHEST_HOME_POINT, BAR + 1)
"""The winner's home board and the bar, in the loser's numbers."""


def backgammon_kind(sheet: BackgammonSheet, position: BackgammonPosition, winner: Side) -> str:
    """The kind of a win by where the loser's checkers stand: "single", "gammon" or "backgammon"."""
    loser = position.view(winner.opponent)[:OPPONENT]
    backgammon, gammon = _backgammon_condition(sheet), _gammon_condition(sheet)
    if backgammon is not None and backgammon(loser):
        return "backgammon"
    return "gammon" if gammon is not None and gammon(loser) else "single"


def backgammon_score(sheet: BackgammonSheet, kind: str, *, cube: int, for_stakes: bool) -> Score:
    """The points of a win of that kind; the cube counts only where the sheet has one."""
    counted = kind if for_stakes or sheet.levels_count == "always" else "single"
    return Score(LEVELS[counted] * (cube if has_cube(sheet) else 1), counted)


def has_cube(sheet: Sheet) -> bool:
    """Whether there is a doubling cube under this sheet."""
    return isinstance(sheet, BackgammonSheet) and sheet.cube


def has_jacoby_rule(sheet: Sheet) -> bool:
    """Whether games at a stake may be played by the Jacoby rule under this sheet."""
    return isinstance(sheet, BackgammonSheet) and sheet.jacoby_allowed and has_cube(sheet)


def has_crawford_game(sheet: Sheet) -> bool:
    """Whether in a match the first game after a player comes within a point of winning is played without the cube.

    True also where there is no cube at all: nothing is switched off there.
    """
    return not isinstance(sheet, BackgammonSheet) or sheet.crawford


def levels_of(sheet: Sheet) -> tuple[str, ...]:
    """The kinds of loss under the sheet, the cheapest first; ("win",) for checkers."""
    if not isinstance(sheet, BackgammonSheet):
        return ("win",)
    possible = {"single": True, "gammon": _gammon_condition(sheet), "backgammon": _backgammon_condition(sheet)}
    return tuple(kind for kind in LEVELS if possible[kind] is not None)


def _gammon_condition(sheet: BackgammonSheet) -> LossCondition | None:
    """The condition for a gammon; None where the sheet has no gammon."""
    return {
        "never": None,
        "none_off": lambda loser: not loser[0],
        "none_off_or_any_outside_home": lambda loser: not loser[0] or any(loser[HIGHEST_HOME_POINT + 1 : BAR + 1]),
    }[sheet.gammon_when]


def _backgammon_condition(sheet: BackgammonSheet) -> LossCondition | None:
    """The condition for a backgammon; None where the sheet has none."""
    return {
        "never": None,
        "none_off_and_back": lambda loser: any(loser[WINNERS_HOME]) and not loser[0],
        "back": lambda loser: any(loser[WINNERS_HOME]),
    }[sheet.backgammon_when]
