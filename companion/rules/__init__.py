"""Rule sheets and the rules of both games: legal plays, verdicts on boards and their reasons."""

from __future__ import annotations

from companion.rules.backgammon.position import BackgammonPosition
from companion.rules.backgammon.scoring import has_crawford_game, has_cube, levels_of
from companion.rules.checkers.moves import MoveGenerator
from companion.rules.checkers.openings import DICE_OF_A_LOT, drawn, openings
from companion.rules.checkers.position import CheckersPosition
from companion.rules.examples import check_examples
from companion.rules.registry import rules_named
from companion.rules.ruleset import Outcome, Ruleset, Score, Successor
from companion.rules.sheet import (
    BASES,
    BackgammonSheet,
    CheckersSheet,
    Sheet,
    SheetError,
    base_sheet,
    load_sheet,
    own_sheets,
    shipped_sheets,
    with_own_sheets,
)
from companion.rules.sheet_terms import (
    RIGHT_HAND,
    Throw,
    colours_alternate,
    condoned,
    dice_land,
    draws_opening,
    illegal_play_stands,
    is_false_move,
    kind_of_board,
    laid_of_tiles,
    match_points,
    names_on_record,
    names_under,
    players_agree,
    plays_opening_dice,
    premature_stands,
    refuse_mirrored,
    stack_limit,
    starter,
    throw_fault,
)
from companion.rules.sheet_words import differences

__all__ = [
    "BASES",
    "DICE_OF_A_LOT",
    "RIGHT_HAND",
    "BackgammonPosition",
    "BackgammonSheet",
    "CheckersPosition",
    "CheckersSheet",
    "MoveGenerator",
    "Outcome",
    "Ruleset",
    "Score",
    "Sheet",
    "SheetError",
    "Successor",
    "Throw",
    "base_sheet",
    "check_examples",
    "colours_alternate",
    "condoned",
    "dice_land",
    "differences",
    "drawn",
    "draws_opening",
    "has_crawford_game",
    "has_cube",
    "illegal_play_stands",
    "is_false_move",
    "kind_of_board",
    "laid_of_tiles",
    "levels_of",
    "load_sheet",
    "match_points",
    "names_on_record",
    "names_under",
    "openings",
    "own_sheets",
    "players_agree",
    "plays_opening_dice",
    "premature_stands",
    "refuse_mirrored",
    "rules_named",
    "shipped_sheets",
    "stack_limit",
    "starter",
    "throw_fault",
    "with_own_sheets",
]
