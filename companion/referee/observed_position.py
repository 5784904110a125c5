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
        raise _cannot_be(verbatim(str(error))) from error
    check_position(rules, game, position)
    return position


def check_position(rules: Ruleset[PositionT], game: Game[PositionT], position: PositionT) -> None:
    """Raise Refusal with the reason where `position` cannot stand in this game."""
    if game.position is not None:
        found, expected = map(checker_totals, map(rules.visible, (position, game.position)))
        _check_totals(found, expected, exact=game.rolls)
    _check_stacks(rules, position)


def _with_kings(rules: Ruleset[PositionT], game: Game[PositionT], value: Any) -> Any:
    """Squares as a camera sees them as a FEN: pieces on the squares of kings stay kings.

    Raises Refusal where a king has left its square: the camera cannot tell which piece it is.
    """
    if not isinstance(value, dict) or "squares" not in value or "fen" in value or game.position is None:
        return value.get("fen", value) if isinstance(value, dict) else value
    before = parse_fen(str(rules.to_json(game.position)))
    board = rules.board_from_json({"squares": value["squares"]})
    white, black = (_squares(rules, board, side) for side in (0, 1))
    kings = {square for square in before.kings if square in (white if square in before.white else black)}
    if kings != before.kings:
        raise _cannot_be(message("position.king"))
    crowned = (white & CROWNING_SQUARES[0]) | (black & CROWNING_SQUARES[1])
    return format_fen(Pieces(before.to_move, white, black, frozenset(kings | crowned)))


def _squares(rules: Ruleset[PositionT], board: Board, side: int) -> frozenset[int]:
    """The squares on which a side (0 White, 1 Black) has pieces."""
    labels = [rules.cell_label(cell) for cell, content in enumerate(board) if content and content[side]]
    if not all(isinstance(label, int) for label in labels):
        raise _cannot_be(message("reason.light_square"))
    return frozenset(label for label in labels if isinstance(label, int))


def _check_totals(found: tuple[int, int], expected: tuple[int, int], *, exact: bool) -> None:
    """In backgammon checkers neither come nor go; in checkers they only go, but not all: that would end the game."""
    for side, now, before in zip(Side, found, expected, strict=True):
        if before and not now and not exact:
            raise _cannot_be(message("position.no_piece", player=side))
        if now > before or (exact and now < before):
            key = "count" if exact else "count.most"
            raise _cannot_be(message(f"position.{key}", player=side, now=now, expected=before))


def _check_stacks(rules: Ruleset[PositionT], position: PositionT) -> None:
    most = stack_limit(rules.sheet)
    for cell, content in enumerate(rules.visible(position)):
        label = rules.cell_label(cell)
        if most and isinstance(label, int) and content is not None and max(content) > most:
            raise _cannot_be(
                message("position.stack", count=max(content), point=label, sheet=rules.sheet.name, most=most)
            )


def _cannot_be(why: Message) -> PositionRefusal:
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


def seen(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> ObservedPosition | None:
    """What the last look shows; None where it cannot be read. Where the referee is certain, so is this."""
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
    taken = count_checkers(look, DOUBTFUL_NATS, checker_totals(before))
    if taken is not None:
        best, doubtful = taken.board, taken.doubtful
    shown = rules.board_to_json(tuple(content or (0, 0) for content in best))
    return ObservedPosition({**shown, "off": [_off(best, side, before) for side in (0, 1)]}, doubtful)


def shown_position(rules: Ruleset[PositionT], position: PositionT) -> dict[str, Any]:
    """A position for the page: the interface's form, a FEN with the squares as a camera sees them beside it."""
    value = rules.to_json(position)
    return value if isinstance(value, dict) else {"fen": value, **rules.board_to_json(rules.visible(position))}


@dataclass(frozen=True, slots=True)
class Agreeable(Generic[PositionT]):
    """The position that the players may let stand as it was seen; where there is none, `unsure` says why."""

    position: PositionT | None
    unsure: Message | None = None


def agreeable(
    assessment: Assessment[PositionT], rules: Ruleset[PositionT], shown: ObservedPosition | None
) -> Agreeable[PositionT]:
    """The position that is certainly on the board and possible in this game.

    `shown` is what the last look shows, as `seen` says.
    """
    if shown is None:
        return Agreeable(None, message("cause.unknown"))
    if shown.doubtful:
        where = places(rules, shown.doubtful, assessment.game.numbered_for)
        return Agreeable(None, message("unsure.places", places=where))
    certain = None if assessment.verdict is None else assessment.verdict.after
    try:
        if certain is not None:
            check_position(rules, assessment.game, certain)
            return Agreeable(certain)
        return Agreeable(checked_position(rules, assessment.game, shown.position, assessment.game.on_roll))
    except PositionRefusal as refusal:
        return Agreeable(None, message("unsure.cannot_be", why=refusal.why))


def _off(board: Board, side: int, before: Board) -> int:
    """How many of a side (0 White, 1 Black) are off: as seen, else by `before`, the board at the turn's beginning.

    Out of view, checkers that are missing once all others are home were borne off.
    """
    tray = (WHITE_OFF, BLACK_OFF)[side]
    content = board[tray]
    if content is None and all_home(board, side):
        return max(missing_checkers(board, side, checker_totals(before)[side]), 0)
    return (content or before[tray] or (0, 0))[side]
