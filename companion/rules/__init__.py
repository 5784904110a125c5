"""Rule sheets and the rules of both games: legal plays, verdicts on boards and their reasons."""

from __future__ import annotations

from companion.rules.backgammon.moves import RolledTurn, StepGenerator
from companion.rules.backgammon.position import BackgammonPosition, cell_of_point
from companion.rules.backgammon.scoring import has_crawford_game, has_cube, has_jacoby_rule, levels_of
from companion.rules.checkers.moves import MoveGenerator
from companion.rules.checkers.openings import DICE_OF_A_LOT, drawn, openings
from companion.rules.checkers.position import CheckersPosition
from companion.rules.examples import check_examples
from companion.rules.players_sheets import (
    copy_of_own,
    keep_copies,
    own_sheets,
    rules_on_record,
    sheet_on_record,
    with_own_sheets,
)
from companion.rules.registry import rules_named, ruleset_for
from companion.rules.ruleset import Outcome, Ruleset, Score, Successor
from companion.rules.sheet import BackgammonSheet, CheckersSheet, Sheet, SheetError
from companion.rules.sheet_loading import (
    BASES,
    base_sheet,
    load_sheet,
    sheet_files,
    sheet_from,
    sheet_text,
    shipped_sheets,
)
from companion.rules.sheet_terms import (
    RIGHT_HAND,
    LayoutError,
    Throw,
    board_layout,
    colours_alternate,
    condoned,
    draws_opening,
    illegal_play_stands,
    is_false_move,
    kind_of_board,
    laid_of_tiles,
    match_points,
    movement_terms,
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
    "LayoutError",
    "MoveGenerator",
    "Outcome",
    "RolledTurn",
    "Ruleset",
    "Score",
    "Sheet",
    "SheetError",
    "StepGenerator",
    "Successor",
    "Throw",
    "base_sheet",
    "board_layout",
    "cell_of_point",
    "check_examples",
    "colours_alternate",
    "condoned",
    "copy_of_own",
    "differences",
    "drawn",
    "draws_opening",
    "has_crawford_game",
    "has_cube",
    "has_jacoby_rule",
    "illegal_play_stands",
    "is_false_move",
    "keep_copies",
    "kind_of_board",
    "laid_of_tiles",
    "levels_of",
    "load_sheet",
    "match_points",
    "movement_terms",
    "names_on_record",
    "names_under",
    "openings",
    "own_sheets",
    "players_agree",
    "plays_opening_dice",
    "premature_stands",
    "refuse_mirrored",
    "rules_named",
    "rules_on_record",
    "ruleset_for",
    "sheet_files",
    "sheet_from",
    "sheet_on_record",
    "sheet_text",
    "shipped_sheets",
    "stack_limit",
    "starter",
    "throw_fault",
    "with_own_sheets",
]
