"""Whether a position that the players want to agree on can be: no checker comes or goes, and no rule forbids it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.model import BoardsideError, PositionT, Side, name
from companion.notation.fen import Pieces, format_fen, parse_fen
from companion.refusal import Refusal
from companion.rules.layouts import stack_limit

if TYPE_CHECKING:
    from companion.game import Game
    from companion.observation import Board
    from companion.rules.ruleset import Ruleset

CROWNING_SQUARES = (frozenset(range(1, 5)), frozenset(range(29, 33)))
"""On which White's and Black's men become kings."""


def checked_position(rules: Ruleset[PositionT], game: Game[PositionT], value: Any, on_roll: Side | None) -> PositionT:
    """The position that `value` (the interface's form; of checkers also the squares as a camera sees them) describes.

    Raises Refusal with the reason why it cannot stand in this game.
    """
    try:
        told = _with_kings(rules, game, value)
        position = rules.from_json(told) if isinstance(told, str) else rules.from_json(told, on_roll)
    except BoardsideError as error:
        raise Refusal(f"That position cannot be: {error}.") from error
    check_position(rules, game, position)
    return position


def check_position(rules: Ruleset[PositionT], game: Game[PositionT], position: PositionT) -> None:
    """Raise Refusal with the reason where `position` cannot stand in this game."""
    if game.position is not None:
        _check_totals(_counts(rules, position), _counts(rules, game.position), exact=game.rolls)
    _check_stacks(rules, position)


def _with_kings(rules: Ruleset[PositionT], game: Game[PositionT], value: Any) -> Any:
    """Squares as a camera sees them as a FEN: pieces of checkers that stand where kings stood are kings still.

    Raises Refusal where a king has left its square: the camera cannot tell which piece it is.
    """
    if not isinstance(value, dict) or "squares" not in value or "fen" in value or game.position is None:
        return value.get("fen", value) if isinstance(value, dict) else value
    before = parse_fen(str(rules.to_json(game.position)))
    board = rules.board_from_json({"squares": value["squares"]})
    white, black = (_squares(rules, board, side) for side in (0, 1))
    kings = {square for square in before.kings if square in (white if square in before.white else black)}
    if kings != before.kings:
        raise Refusal("That position cannot be: a king has left its square, and the camera tells no kings from men.")
    crowned = (white & CROWNING_SQUARES[0]) | (black & CROWNING_SQUARES[1])
    return format_fen(Pieces(before.to_move, white, black, frozenset(kings | crowned)))


def _squares(rules: Ruleset[PositionT], board: Board, side: int) -> frozenset[int]:
    """The squares on which a side (0 White, 1 Black) has pieces."""
    labels = [rules.cell_label(cell) for cell, content in enumerate(board) if content and content[side]]
    if not all(isinstance(label, int) for label in labels):
        raise Refusal("That position cannot be: a piece stands on a light square.")
    return frozenset(label for label in labels if isinstance(label, int))


def _counts(rules: Ruleset[PositionT], position: PositionT) -> tuple[int, int]:
    """How many checkers White and Black have, borne-off ones included."""
    seen = [content for content in rules.visible(position) if content is not None]
    return sum(white for white, _ in seen), sum(black for _, black in seen)


def _check_totals(found: tuple[int, int], expected: tuple[int, int], *, exact: bool) -> None:
    """In backgammon checkers neither come nor go; in checkers they only go."""
    for side, now, before in zip(Side, found, expected, strict=True):
        if now > before or (exact and now < before):
            bound = "" if exact else "at most "
            raise Refusal(f"That position cannot be: {name(side)} has {now} checkers in it, expected {bound}{before}.")


def _check_stacks(rules: Ruleset[PositionT], position: PositionT) -> None:
    most = stack_limit(rules.sheet)
    for cell, content in enumerate(rules.visible(position)):
        label = rules.cell_label(cell)
        if most and isinstance(label, int) and content is not None and max(content) > most:
            raise Refusal(
                f"That position cannot be: {max(content)} checkers stand on point {label}, and under the sheet "
                f"{rules.sheet.name} at most {most} may."
            )
