"""What single fields of a rule sheet decide: who starts, the layout, whether illegal plays stand, dice manners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core import (
    BoardLayout,
    BoardsideError,
    Finding,
    Half,
    PlayerNameError,
    Reason,
    Side,
    message,
    player_names,
    with_colours_changed,
)
from companion.rules.sheet import BackgammonSheet, CheckersSheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Die, Message, Names, Verdict
    from companion.rules.sheet import Sheet

NEVER_CONDONED = frozenset(
    {Reason.WRONG_PLAYER_MOVED, Reason.HIT_CHECKER_NOT_ON_BAR, Reason.CHECKER_MISSING, Reason.CHECKER_EXTRA}
)
"""Reasons corrected under every sheet: a condoned play must be the mover's, with all checkers on the board."""
MISCOUNTS = frozenset(
    {*NEVER_CONDONED, Reason.PIECE_MISSING, Reason.PIECE_EXTRA, Reason.CAPTURED_NOT_REMOVED, Reason.REMOVED_WRONGLY}
)
"""Reasons that are put right on the board but are no false move of the player on roll."""
RIGHT_HAND = {Side.WHITE: Half.RIGHT, Side.BLACK: Half.LEFT}
"""Each player's right-hand half of the board, as White sees it."""


class LayoutError(BoardsideError):
    """A layout of the board that the sheet does not allow."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw of real dice.

    Attributes:
        side: the player who threw.
        dice: the dice on the board.
        early: whether they lay there before the other player's turn was complete.
        touched: whether they were moved or turned before the play was made.
    """

    side: Side
    dice: tuple[Die, ...]
    early: bool = False
    touched: bool = False


def starter(sheet: Sheet, *, previous_winner: Side | None = None, agreed: Side | None = None) -> Side | None:
    """The player who starts the next game under `sheet`; None where an opening roll decides.

    Args:
        sheet: the rule sheet.
        previous_winner: the winner of the last game that somebody won; None where there was none.
        agreed: the player whom both named, under a sheet that leaves the choice to them; without one, Black starts.
    """
    if isinstance(sheet, CheckersSheet):
        return _first_mover(sheet) or agreed or Side.BLACK
    if isinstance(sheet, BackgammonSheet) and sheet.next_game_starter == "previous_winner":
        return previous_winner
    return None


def players_agree(sheet: Sheet) -> bool:
    """Whether the players choose who starts."""
    return isinstance(sheet, CheckersSheet) and _first_mover(sheet) is None


def match_points(sheet: Sheet) -> tuple[int, int]:
    """What a game counts in a match: (factor for the points of a win, each player's points for a draw)."""
    halves = isinstance(sheet, CheckersSheet) and sheet.draw_counts == "half_a_win"
    return (2, 1) if halves else (1, 0)


def colours_alternate(sheet: Sheet) -> bool:
    """Whether the players of a match change colours after every game."""
    return isinstance(sheet, CheckersSheet) and sheet.match_colours == "alternate"


def draws_opening(sheet: Sheet) -> bool:
    """Whether the first moves of a game are drawn by lot."""
    return isinstance(sheet, CheckersSheet) and sheet.opening == "three_move_ballot"


def plays_opening_dice(sheet: Sheet) -> bool:
    """Whether the starter's first turn is played with the two numbers of the opening roll."""
    return isinstance(sheet, BackgammonSheet) and sheet.opening_roll == "kept"


def kind_of_board(sheet: Sheet) -> str | None:
    """The kind of backgammon board, "points" or "tiles"; None in a game with one kind."""
    return sheet.board if isinstance(sheet, BackgammonSheet) else None


def names_under(sheet: Sheet, asked: Sequence[str]) -> Names:
    """The players' names and colours: as `asked` (see `companion.core.player_names`), else the sheet's colours.

    Raises PlayerNameError.
    """
    assert isinstance(sheet, BackgammonSheet | CheckersSheet)  # noqa: S101 - a sheet is of one of the games
    return player_names(asked, sheet.colours)


def names_on_record(sheet: Sheet, recorded: Sequence[str], *, colours_changed: bool = False) -> Names:
    """The same for recorded names, which may come from another program: unusable names are left out.

    `colours_changed`: each player now has the colour that the other had in the first game.
    """
    try:
        names = names_under(sheet, recorded)
    except PlayerNameError:
        names = names_under(sheet, ())
    return with_colours_changed(names) if colours_changed else names


def laid_of_tiles(sheet: Sheet) -> bool:
    """Whether the board has spaces counted forward, cubes and no bar."""
    return kind_of_board(sheet) == "tiles"


def board_layout(sheet: Sheet, *, mirrored: bool = False) -> BoardLayout:
    """The layout of a sheet's board. Raises LayoutError if the sheet does not allow a mirrored one."""
    refuse_mirrored(sheet, mirrored=mirrored)
    return BoardLayout(tiles=laid_of_tiles(sheet), mirrored=mirrored and sheet.game == "backgammon")


@dataclass(frozen=True, slots=True)
class MovementTerms:
    """What a sheet says about moving.

    Attributes:
        stack_limit: the mover's checkers that a point can hold; None without a limit.
        larger_bears_off: whether a number higher than every occupied point bears off from the highest.
        as_many_as_possible: whether as many dice as possible must be played.
        larger_if_only_one: whether of two dice that cannot both be played the larger must be.
        one_die_at_home: whether a turn that begins with all checkers at home has a single die.
    """

    stack_limit: int | None
    larger_bears_off: bool
    as_many_as_possible: bool
    larger_if_only_one: bool
    one_die_at_home: bool


def movement_terms(sheet: BackgammonSheet) -> MovementTerms:
    """What `sheet` says about moving."""
    return MovementTerms(
        stack_limit(sheet),
        sheet.bear_off_with_larger_die,
        sheet.use_as_many_dice_as_possible,
        sheet.larger_die_if_only_one,
        sheet.bear_off_dice == "one",
    )


def stack_limit(sheet: Sheet) -> int | None:
    """The most checkers of one side on a point; None where there is no limit."""
    return (sheet.max_checkers_per_point or None) if isinstance(sheet, BackgammonSheet) else None


def refuse_mirrored(sheet: Sheet, *, mirrored: bool) -> None:
    """Raise LayoutError where White's home lies on the left and the sheet does not allow it."""
    if mirrored and isinstance(sheet, BackgammonSheet) and not sheet.mirrored_allowed:
        raise LayoutError(
            f"sheet {sheet.name!r} has White's home on the right only: turn the board round and leave out --mirror, "
            "or say mirrored_allowed = true in the sheet"
        )


def is_false_move(reason: str) -> bool:
    """Whether an illegal turn with that reason code is a false move of the player on roll."""
    return reason not in MISCOUNTS


def illegal_play_stands(sheet: Sheet) -> bool:
    """Whether an illegal play stands once the opponent rolls or doubles."""
    return isinstance(sheet, BackgammonSheet) and sheet.illegal_play == "stands_once_opponent_rolls"


def condoned(sheet: Sheet, verdict: Verdict[Any]) -> bool:
    """Whether the illegal play of `verdict` stands once the opponent rolls."""
    if not illegal_play_stands(sheet):
        return False
    if verdict.finding is not Finding.ILLEGAL or verdict.after is None or verdict.reason is None:
        return False
    return NEVER_CONDONED.isdisjoint((verdict.reason, *verdict.also))


def premature_stands(sheet: Sheet) -> bool:
    """Whether a roll or a double before the other player's turn is finished stands."""
    return isinstance(sheet, BackgammonSheet) and sheet.premature_action == "stands"


def dice_land(sheet: Sheet) -> str | None:
    """Where real dice must land, "right_hand" or "either"; None where the sheet has no conditions for a throw."""
    return sheet.dice_half if isinstance(sheet, BackgammonSheet) and sheet.dice_manners else None


def throw_fault(sheet: Sheet, throw: Throw) -> Message | None:
    """Why the throw has to be repeated under the sheet; None where it counts.

    Conditions: both dice lie flat on the roller's right-hand half, or on either half if the sheet allows it. Unless the
    sheet lets an early roll stand, they are thrown after the other player has picked up, and not touched until the move
    is made. Touching is not judged if either half is allowed: it looks the same as a throw by the other player.
    """
    half = dice_land(sheet)
    if half is None:
        return None
    if throw.early and not premature_stands(sheet):
        return message("dice.early", player=throw.side)
    if throw.touched:
        return None if half == "either" or premature_stands(sheet) else message("dice.touched")
    if not all(die.flat for die in throw.dice):
        return message("dice.not_flat")
    if half == "right_hand" and any(die.half is not RIGHT_HAND[throw.side] for die in throw.dice):
        return message("dice.half", player=throw.side)
    return None


def _first_mover(sheet: CheckersSheet) -> Side | None:
    """The player who moves first in every game; None where the players choose."""
    return None if sheet.first_mover == "agreed" else Side(sheet.first_mover)
