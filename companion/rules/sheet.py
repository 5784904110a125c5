"""Rule sheets: the fields of each game, and which settings contradict each other."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - get_type_hints reads the annotations of Sheet
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from companion.core import BoardsideError, Colours

if TYPE_CHECKING:
    from collections.abc import Iterator


class SheetError(BoardsideError):
    """A rule sheet cannot be used; the text names the sheet, the key and the values that are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The fields that sheets of every game have.

    Attributes:
        name: the name on the command line; by default the file's name.
        title: the name for players.
        game: "backgammon" or "checkers".
        source: one line: which text the sheet follows, and which reading of it.
        built_on: the base, whose fields hold where this sheet states none; None for a base.
        stated: names of the rule fields that the sheet itself states.
        examples: positions with the expected verdict or score; see `companion.rules.examples`.
    """

    name: str
    title: str
    game: str
    source: str
    built_on: Sheet | None = None
    stated: frozenset[str] = frozenset()
    examples: tuple[Mapping[str, Any], ...] = ()

    @property
    def base(self) -> str | None:
        """Name of the base sheet."""
        return self.built_on.name if self.built_on else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgammonSheet(Sheet):
    """The rule fields of backgammon; their meanings are in docs/rule-sheets.md."""

    opening_roll: Literal["kept", "rolled_again"]
    next_game_starter: Literal["roll_off", "previous_winner"]
    use_as_many_dice_as_possible: bool
    larger_die_if_only_one: bool
    max_checkers_per_point: int
    bear_off_with_larger_die: bool
    gammon_when: Literal["never", "none_off", "none_off_or_any_outside_home"]
    backgammon_when: Literal["never", "none_off_and_back", "back"]
    levels_count: Literal["always", "for_stakes"]
    cube: bool
    jacoby_allowed: bool
    crawford: bool
    illegal_play: Literal["must_be_corrected", "stands_once_opponent_rolls"]
    bear_off_dice: Literal["two", "one"]
    premature_action: Literal["has_no_effect", "stands"]
    dice_manners: bool
    dice_half: Literal["right_hand", "either"]
    colours: Colours
    board: Literal["points", "tiles"]
    mirrored_allowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckersSheet(Sheet):
    """The rule fields of checkers (English draughts)."""

    capture: Literal["compulsory", "optional"]
    jump_sequence: Literal["must_be_completed", "may_stop"]
    crowning_ends_turn: bool
    jump_own: bool
    colours: Colours
    first_mover: Literal["black", "white", "agreed"]
    match_colours: Literal["alternate", "kept"]
    draw_counts: Literal["half_a_win", "nothing"]
    opening: Literal["free", "three_move_ballot"]


SHEET_TYPES: dict[str, type[Sheet]] = {"backgammon": BackgammonSheet, "checkers": CheckersSheet}
HEAD_KEYS = frozenset({"name", "title", "game", "base", "source", "example"})
COMMON_FIELDS = frozenset(field.name for field in fields(Sheet))
LARGEST_STARTING_STACK = 5
"""Checkers on one point in the starting position."""


def contradictions(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Pairs of settings that contradict each other.

    A setting without its precondition is an error only where this sheet states it. Inherited from the base it has no
    effect: a sheet may state `cube = false` alone although its base allows the Jacoby rule.
    """
    if not isinstance(sheet, BackgammonSheet):
        return
    stated = sheet.stated
    if "jacoby_allowed" in stated and sheet.jacoby_allowed and not sheet.cube:
        yield "jacoby_allowed = true", "cube = false (the Jacoby rule speaks of a cube)"
    if "crawford" in stated and sheet.crawford and not sheet.cube:
        yield "crawford = true", "cube = false (the Crawford game is the one without the cube)"
    if "larger_die_if_only_one" in stated and sheet.larger_die_if_only_one and not sheet.use_as_many_dice_as_possible:
        yield "larger_die_if_only_one = true", "use_as_many_dice_as_possible = false (only one die need be played)"
    if "backgammon_when" in stated and sheet.backgammon_when != "never" and sheet.gammon_when == "never":
        yield (
            f"backgammon_when = {sheet.backgammon_when!r}",
            "gammon_when = 'never' (it is more than a gammon)",
        )
    levels = {sheet.gammon_when, sheet.backgammon_when}
    if "levels_count" in stated and sheet.levels_count == "for_stakes" and levels == {"never"}:
        yield "levels_count = 'for_stakes'", "gammon_when = 'never' and backgammon_when = 'never' (nothing to count)"
    if "dice_half" in stated and sheet.dice_half != "right_hand" and not sheet.dice_manners:
        yield f"dice_half = {sheet.dice_half!r}", "dice_manners = false (nothing is said of where dice land)"
    if 0 < sheet.max_checkers_per_point < LARGEST_STARTING_STACK:
        yield (
            f"max_checkers_per_point = {sheet.max_checkers_per_point}",
            "the starting position (five on a point)",
        )
