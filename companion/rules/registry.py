"""The ruleset of a sheet; apart from `ruleset`, which the rulesets of both games import."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.rules.backgammon.rules import BackgammonRules
from companion.rules.checkers.rules import CheckersRules
from companion.rules.ruleset import RulesError, Ruleset
from companion.rules.sheet import BackgammonSheet, CheckersSheet, Sheet
from companion.rules.sheet_loading import load_sheet


def ruleset_for(sheet: Sheet) -> Ruleset[Any]:
    """The rules of the sheet's game under the sheet. Raises RulesError for a game without rules."""
    if isinstance(sheet, BackgammonSheet):
        return BackgammonRules(sheet)
    if isinstance(sheet, CheckersSheet):
        return CheckersRules(sheet)
    raise RulesError(f"sheet {sheet.name!r} is of game {sheet.game!r}, which has no rules here")


@cache
def rules_named(name_or_path: str) -> Ruleset[Any]:
    """The rules of the sheet of that name or in that file; cached. Raises SheetError."""
    return ruleset_for(load_sheet(name_or_path))
