"""Mistakes and moves by hand on a checkers board, in turn and out of turn, each with the reasons that are true of it.

Everything that two players may plausibly have done from a position is listed. Several deeds may lead to the same board;
then the reasons of all of them are true. Boards are dicts from (row, column) to (side, whether a king); row 0 is
White's edge. Of the rules it knows the geometry only; legal moves come from the ruleset, which has tests of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from companion.core import Side

if TYPE_CHECKING:
    from collections.abc import Iterator

Square = tuple[int, int]
Pieces = dict[Square, tuple[Side, bool]]
ALL = [(row, column) for row in range(8) for column in range(8)]
DARK = [square for square in ALL if sum(square) % 2 == 0]


@dataclass(frozen=True)
class Deed:
    """What was done: its `kind`, the resulting `board` as a camera sees it, and the `reasons` that are true of it."""

    kind: str
    board: tuple
    reasons: frozenset[str]
    moved: int = 1


def square_of(number: int) -> Square:
    row = 7 - (number - 1) // 4
    return row, 2 * ((number - 1) % 4) + row % 2


def pieces_of(position) -> Pieces:
    found = {}
    for side, squares in ((Side.WHITE, position.white), (Side.BLACK, position.black)):
        for number in range(1, 33):
            if squares >> (number - 1) & 1:
                found[square_of(number)] = (side, bool(position.kings >> (number - 1) & 1))
    return found


def seen(pieces: Pieces) -> tuple:
    contents = {Side.WHITE: (1, 0), Side.BLACK: (0, 1)}
    return tuple(contents[pieces[square][0]] if square in pieces else (0, 0) for square in ALL)


def moved(pieces: Pieces, source: Square, target: Square, *removed: Square) -> Pieces:
    left = {square: piece for square, piece in pieces.items() if square not in (source, *removed)}
    return left | {target: pieces[source]}


def deeds(rules, position) -> list[Deed]:
    """All deeds from a position, with the player to move."""
    side = position.to_move
    if not rules.successors(position, side, None):
        return []
    return [
        *_single(rules, position, side),
        *_captures_gone_wrong(rules, position, side),
        *_miscounted(rules, position, side),
        *_two_pieces(rules, position, side),
        *_by_the_opponent(rules, position, side),
        *_replies(rules, position, side),
    ]


def _deed(kind: str, pieces: Pieces, *reasons: str, moved: int = 1) -> Deed:
    return Deed(kind, seen(pieces), frozenset(reasons), moved)


def _legal(rules, position, side: Side) -> Iterator[tuple[Square, Square, tuple[Square, ...], object]]:
    """Each legal move: from, to, what it captures, and the position after it."""
    for successor in rules.successors(position, side, None):
        taken = tuple(square_of(step.captured) for step in successor.play if step.captured)
        yield square_of(successor.play[0].source), square_of(successor.play[-1].target), taken, successor.after


def reasons_of_one(rules, pieces: Pieces, source: Square, target: Square, *, must_capture: bool) -> set[str]:
    """The first rule that a piece breaks by going straight from one square to another; empty: none."""
    side, king = pieces[source]
    rows, columns = target[0] - source[0], target[1] - source[1]
    backwards = not king and rows * (1 if side is Side.WHITE else -1) < 0
    if sum(target) % 2:
        return {"light_square"}
    if 0 in (rows, columns):
        return {"not_diagonal"}
    if backwards:
        return {"man_moved_backwards"}
    if abs(rows) != abs(columns) or abs(rows) > 2:
        return {"too_far"}
    if abs(rows) == 1:
        return {"must_capture"} if must_capture else set()
    over = pieces.get((source[0] + rows // 2, source[1] + columns // 2))
    if over is None:
        return {"nothing_to_jump"}
    if over[0] is side:
        return set() if rules.sheet.jump_own else {"jumped_own"}
    return {"captured_not_removed"}


def _must_capture(rules, position, side: Side) -> bool:
    captures = any(taken for _, _, taken, _ in _legal(rules, position, side))
    return rules.sheet.capture == "compulsory" and captures


def _single(rules, position, side: Side) -> Iterator[Deed]:
    """One piece moved to any square; nothing else changes."""
    pieces, must = pieces_of(position), _must_capture(rules, position, side)
    for source in [square for square, piece in pieces.items() if piece[0] is side]:
        for target in ALL:
            if target not in pieces:
                reasons = reasons_of_one(rules, pieces, source, target, must_capture=must)
                if reasons:
                    yield _deed("one piece went wrong", moved(pieces, source, target), *reasons)


def _jumps(pieces: Pieces, square: Square, taken: tuple[Square, ...], start: Square) -> Iterator[tuple[Square, Square]]:
    """(over, to) for every jump over an opposing piece from a square, in any direction."""
    side = pieces[start][0]
    for rows in (1, -1):
        for columns in (1, -1):
            over, to = (square[0] + rows, square[1] + columns), (square[0] + 2 * rows, square[1] + 2 * columns)
            free = to in DARK and (to not in pieces or to == start)
            if free and over not in taken and over in pieces and pieces[over][0] is not side:
                yield over, to


def _sequences(pieces: Pieces, start: Square) -> Iterator[tuple[Square, tuple[Square, ...], bool, bool]]:
    """Every chain of jumps: where it ends, what it takes, whether a man went back in it, or on after its crowning."""
    side, king = pieces[start]
    last = 7 if side is Side.WHITE else 0
    growing = [(start, (), False, False, king)]
    while growing:
        square, taken, back, on, king_now = growing.pop()
        if taken:
            yield square, taken, back, on
        for over, to in _jumps(pieces, square, taken, start):
            goes_back = not king_now and (to[0] - square[0]) * (1 if side is Side.WHITE else -1) < 0
            goes_on = king_now and not king
            growing.append((to, (*taken, over), back or goes_back, on or goes_on, king_now or to[0] == last))


def _captures_gone_wrong(rules, position, side: Side) -> Iterator[Deed]:
    pieces = pieces_of(position)
    legal = {seen(pieces_of(after)) for _, _, _, after in _legal(rules, position, side)}
    for source in [square for square, piece in pieces.items() if piece[0] is side]:
        yield from _own_captured(pieces, source)
        for target, taken, back, on in _sequences(pieces, source):
            made = moved(pieces, source, target, *taken)
            broken = {"man_moved_backwards"} if back else set()
            broken |= {"turn_ended_on_crowning"} if on and rules.sheet.crowning_ends_turn else set()
            if target == source and broken:
                continue  # nothing has moved, and pieces are gone
            if not broken and seen(made) not in legal:
                broken = {"must_finish_jump"}
            if broken:
                yield _deed("a jump against the rules", made, *broken)
            yield from _left_standing(pieces, source, target, taken, broken)


def _left_standing(
    pieces: Pieces, source: Square, target: Square, taken: tuple[Square, ...], broken: set[str]
) -> Iterator[Deed]:
    """A jump after which pieces that it took still stand, or another one is taken away in their place."""
    others = [square for square, piece in pieces.items() if piece[0] is not pieces[source][0] and square not in taken]
    for standing in taken:
        stands = moved(pieces, source, target, *taken) | {standing: pieces[standing]}
        yield _deed("a captured piece left standing", stands, *broken, "captured_not_removed")
        for gone in others:
            wrong = {square: piece for square, piece in stands.items() if square != gone}
            reasons = (*broken, "captured_not_removed", "removed_wrongly")
            yield _deed("another piece taken away than the one captured", wrong, *reasons)
    if len(taken) > 1:
        whole = moved(pieces, source, target)
        yield _deed("all captured pieces left standing", whole, *broken, "captured_not_removed")


def _own_captured(pieces: Pieces, source: Square) -> Iterator[Deed]:
    """A piece jumps over one of its own, which is taken off as if captured."""
    side, king = pieces[source]
    for over, piece in pieces.items():
        to = (2 * over[0] - source[0], 2 * over[1] - source[1])
        one_step = abs(over[0] - source[0]) == abs(over[1] - source[1]) == 1
        if piece[0] is side and one_step and to in DARK and to not in pieces:
            ahead = (to[0] - source[0]) * (1 if side is Side.WHITE else -1) > 0
            back = () if ahead or (king and piece[1]) else ("man_moved_backwards",)  # it, or the one it took
            taken = moved(pieces, source, to, over)
            yield _deed("its own piece captured", taken, "jumped_own", "piece_missing", "must_capture", *back)


def _miscounted(rules, position, side: Side) -> Iterator[Deed]:
    for _, _, _, after in _legal(rules, position, side):
        pieces = pieces_of(after)
        for square, piece in pieces.items():
            left = {other: kept for other, kept in pieces.items() if other != square}
            reasons = ("piece_missing",) if piece[0] is side else ("piece_missing", "removed_wrongly")
            yield _deed("a piece gone after a legal move", left, *reasons)
        for square in DARK:
            if square not in pieces:
                yield _deed(
                    "a piece too many after a legal move", pieces | {square: (Side.WHITE, False)}, "piece_extra"
                )
                yield _deed(
                    "a piece too many after a legal move", pieces | {square: (Side.BLACK, False)}, "piece_extra"
                )


def _two_pieces(rules, position, side: Side) -> Iterator[Deed]:
    pieces = pieces_of(position)
    quiet = [(source, target) for source, target, taken, _ in _legal(rules, position, side) if not taken]
    for (first, to), (second, there) in combinations(quiet, 2):
        if first != second and to != there:
            yield _deed("two pieces moved", moved(moved(pieces, first, to), second, there), "two_pieces_moved", moved=2)


def _by_the_opponent(rules, position, side: Side) -> Iterator[Deed]:
    theirs, _ = rules.with_turn(position, side.opponent)
    for _, _, _, after in _legal(rules, theirs, side.opponent):
        yield _deed("the opponent moved", pieces_of(after), "wrong_player_moved")


def _replies(rules, position, side: Side) -> Iterator[Deed]:
    """A legal move, and an answer before the tap, legal or not; and a quiet move that was none, answered legally."""
    too = "wrong_player_moved"
    for _, _, _, after in _legal(rules, position, side):
        pieces = pieces_of(after)
        for source, target, taken, both in _legal(rules, after, side.opponent):
            kind = "an answer that captures" if taken else "an answer"
            yield _deed(f"{kind} before the tap", pieces_of(both), too, moved=2)
            if taken:
                stands = moved(pieces, source, target)
                yield _deed("an answer before the tap, the captured piece left", stands, too, moved=2)
        for source in [square for square, piece in pieces.items() if piece[0] is not side]:
            for rows, columns in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                target = (source[0] + rows, source[1] + columns)
                if target in DARK and target not in pieces:
                    yield _deed("any step by the opponent before the tap", moved(pieces, source, target), too, moved=2)
    if _must_capture(rules, position, side):
        yield from _forgotten_and_answered(pieces_of(position), side)


def _forgotten_and_answered(pieces: Pieces, side: Side) -> Iterator[Deed]:
    """A step forward in place of a capture, which the opponent answers with a capture."""
    ahead = 1 if side is Side.WHITE else -1
    for source in [square for square, piece in pieces.items() if piece[0] is side]:
        for target in ((source[0] + ahead, source[1] + 1), (source[0] + ahead, source[1] - 1)):
            if target not in DARK or target in pieces:
                continue
            quiet = moved(pieces, source, target)
            for other in [square for square, piece in quiet.items() if piece[0] is not side]:
                for to, taken, back, on in _sequences(quiet, other):
                    if not back and not on:
                        both = moved(quiet, other, to, *taken)
                        reasons = ("wrong_player_moved", "must_capture")
                        yield _deed("a capture forgotten, and an answer", both, *reasons, moved=2)
