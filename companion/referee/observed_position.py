"""The position seen on the board, and positions that players enter or agree on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.core import (
    BACKGAMMON_CELLS,
    BLACK_OFF,
    WHITE_OFF,
    Board,
    BoardsideError,
    PositionT,
    Refusal,
    Side,
    all_home,
    checker_totals,
    count_checkers,
    message,
    missing_checkers,
    verbatim,
)
from companion.notation import Pieces, format_fen, parse_fen
from companion.referee.assessment import places
from companion.rules import stack_limit

if TYPE_CHECKING:
    from companion.core import Message
    from companion.game import Game
    from companion.referee.assessment import Assessment
    from companion.rules import Ruleset


CROWNING_SQUARES = (frozenset(range(1, 5)), frozenset(range(29, 33)))
"""Squares on which White's and Black's men become kings."""


class PositionRefusal(Refusal):
    """A position that cannot stand in this game; `why` is the end of a sentence."""

    def __init__(self, what: Message, why: Message) -> None:
        super().__init__(what)
        self.why = why


def checked_position(rules: Ruleset[PositionT], game: Game[PositionT], value: Any, on_roll: Side | None) -> PositionT:
    """The position that `value` (the interface's form; of checkers also the squares as a camera sees them) describes.

    Raises Refusal with the reason why it cannot stand in this game.
    """
    try:
        completed = _with_kings(rules, game, value)
        position = rules.from_json(completed) if isinstance(completed, str) else rules.from_json(completed, on_roll)
    except BoardsideError as error:
        raise _impossible(verbatim(str(error))) from error
    check_position(rules, game, position)
    return position


def check_position(rules: Ruleset[PositionT], game: Game[PositionT], position: PositionT) -> None:
    """Raise Refusal with the reason where `position` cannot stand in this game."""
    if game.position is not None:
        found, expected = map(checker_totals, map(rules.visible, (position, game.position)))
        _check_totals(found, expected, exact=game.rolls)
    _check_stacks(rules, position)


def _with_kings(rules: Ruleset[PositionT], game: Game[PositionT], value: Any) -> Any:
    """Convert squares as a camera sees them to a FEN: pieces on the squares of kings stay kings.

    Raises Refusal where a king has left its square, because kings look like men to the camera.
    """
    if not isinstance(value, dict) or "squares" not in value or "fen" in value or game.position is None:
        return value.get("fen", value) if isinstance(value, dict) else value
    before = parse_fen(str(rules.to_json(game.position)))
    board = rules.board_from_json({"squares": value["squares"]})
    white, black = (_squares(rules, board, side) for side in (0, 1))
    kings = {square for square in before.kings if square in (white if square in before.white else black)}
    if kings != before.kings:
        raise _impossible(message("position.king"))
    crowned = (white & CROWNING_SQUARES[0]) | (black & CROWNING_SQUARES[1])
    return format_fen(Pieces(before.to_move, white, black, frozenset(kings | crowned)))


def _squares(rules: Ruleset[PositionT], board: Board, side: int) -> frozenset[int]:
    """The squares on which a side (0 White, 1 Black) has pieces."""
    labels = [rules.cell_label(cell) for cell, content in enumerate(board) if content and content[side]]
    if not all(isinstance(label, int) for label in labels):
        raise _impossible(message("reason.light_square"))
    return frozenset(label for label in labels if isinstance(label, int))


def _check_totals(found: tuple[int, int], expected: tuple[int, int], *, exact: bool) -> None:
    """Raise Refusal unless numbers of checkers are unchanged (`exact`), or fewer but not 0 (checkers)."""
    for side, now, before in zip(Side, found, expected, strict=True):
        if before and not now and not exact:
            raise _impossible(message("position.no_piece", player=side))
        if now > before or (exact and now < before):
            key = "count" if exact else "count.most"
            raise _impossible(message(f"position.{key}", player=side, now=now, expected=before))


def _check_stacks(rules: Ruleset[PositionT], position: PositionT) -> None:
    most = stack_limit(rules.sheet)
    for cell, content in enumerate(rules.visible(position)):
        label = rules.cell_label(cell)
        if most and isinstance(label, int) and content is not None and max(content) > most:
            raise _impossible(
                message("position.stack", count=max(content), point=label, sheet=rules.sheet.name, most=most)
            )


def _impossible(why: Message) -> PositionRefusal:
    return PositionRefusal(message("position.cannot_be", why=why), why)


DOUBTFUL_NATS = 3.0
"""If a board is less than e³ (about twenty) times likelier than another, the cells in which they differ are in
doubt."""


@dataclass(frozen=True, slots=True)
class ObservedPosition:
    """A board as JSON, and the cells in doubt.

    Backgammon: `{"points", "bar", "off"}`, `[white, black]` for a point with both. Checkers: `{"squares"}`, with the
    `"fen"` where it is certain.
    """

    position: dict[str, Any]
    doubtful: tuple[int, ...]


def seen_position(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> ObservedPosition | None:
    """The board of the last look, with no doubtful cells if the verdict is certain; None where it cannot be read."""
    game, look = assessment.game, assessment.look
    if look is None or look.unreadable is not None:
        return None
    certain = None if assessment.verdict is None else assessment.verdict.after
    if assessment.verdict is None and not assessment.differs:
        certain = game.position if game.running else rules.start()
    if certain is not None:
        return ObservedPosition(shown_position(rules, certain), ())
    before = rules.visible(rules.start() if game.position is None else game.position)
    doubtful = tuple(cell for cell, reading in enumerate(look.cells) if reading.margin_nats < DOUBTFUL_NATS)
    best = tuple(reading.best for reading in look.cells)
    if len(look.cells) != BACKGAMMON_CELLS:  # only backgammon has checkers that leave the board and still count
        return ObservedPosition(rules.board_to_json(best), doubtful)
    estimate = count_checkers(look, DOUBTFUL_NATS, checker_totals(before))
    if estimate is not None:
        best, doubtful = estimate.board, estimate.doubtful
    elif not doubtful:  # each cell is certain by itself, but not all of them together
        doubtful = (min(range(len(look.cells)), key=lambda cell: look.cells[cell].margin_nats),)
    shown = rules.board_to_json(tuple(content or (0, 0) for content in best))
    return ObservedPosition({**shown, "off": [_off(best, side, before) for side in (0, 1)]}, doubtful)


def shown_position(rules: Ruleset[PositionT], position: PositionT) -> dict[str, Any]:
    """A position for the page: the interface's form, a FEN with the squares as a camera sees them beside it."""
    value = rules.to_json(position)
    return value if isinstance(value, dict) else {"fen": value, **rules.board_to_json(rules.visible(position))}


@dataclass(frozen=True, slots=True)
class CertainPosition(Generic[PositionT]):
    """The position seen, if it is certain and the game can go on from it; else None, and `unsure` says why."""

    position: PositionT | None
    unsure: Message | None = None


def certain_position(
    assessment: Assessment[PositionT], rules: Ruleset[PositionT], shown: ObservedPosition | None
) -> CertainPosition[PositionT]:
    """The position certainly on the board and possible in this game; `shown` is the result of `seen_position`."""
    if shown is None:
        return CertainPosition(None, message("cause.unknown"))
    if shown.doubtful:
        where = places(rules, shown.doubtful, assessment.game.numbered_for)
        return CertainPosition(None, message("unsure.places", places=where))
    certain = None if assessment.verdict is None else assessment.verdict.after
    try:
        if certain is not None:
            check_position(rules, assessment.game, certain)
            return CertainPosition(certain)
        return CertainPosition(checked_position(rules, assessment.game, shown.position, assessment.game.on_roll))
    except PositionRefusal as refusal:
        return CertainPosition(None, message("unsure.cannot_be", why=refusal.why))


def _off(board: Board, side: int, before: Board) -> int:
    """Number of checkers of a side (0 White, 1 Black) borne off; `before` is the board at the beginning of the turn.

    If the tray is out of view: the missing checkers if all others are home, else the number in `before`.
    """
    tray = (WHITE_OFF, BLACK_OFF)[side]
    content = board[tray]
    if content is None and all_home(board, side):
        return max(missing_checkers(board, side, checker_totals(before)[side]), 0)
    return (content or before[tray] or (0, 0))[side]
