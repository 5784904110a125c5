"""Bitboards for checkers: positions as bit sets, and a fast move generator for the search.

Legality at the table comes from `companion.rules`; a test checks that both generators agree.

Square n is bit (n - 1) + (n - 1) // 8, so that every ninth bit is not a square and a step is a shift by four or
five from every square (A. Samuel, "Some studies in machine learning using the game of checkers", 1959).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side
from companion.rules import MoveGenerator

if TYPE_CHECKING:
    from companion.rules import CheckersPosition, CheckersSheet

Bits = tuple[int, int, int]
"""Masks of the pieces of the side to move, of the other side's, and of both sides' kings."""
BOARD = 0x7FBFDFEFF
"""Mask of all squares."""
SQUARES = tuple(1 << bit for bit in range(35) if BOARD >> bit & 1)
CROWNING = (0xF << 31, 0xF)
"""Masks of the crowning rows, Black's and White's; White's is squares 1 to 4, and White's men move to lower bits."""
MOST_REMEMBERED = 20_000
"""Most entries in the cache of `Parts`; beyond it, the newest half is dropped."""
HALF = (1 << 18) - 1
Leaps = dict[int, tuple[tuple[int, int], ...]]
"""By a square's mask: (square jumped over, square landed on) of each jump."""


def bits_of(position: CheckersPosition) -> Bits:
    """Convert from the rules' position."""
    white, black = spread(position.white), spread(position.black)
    mine, theirs = (white, black) if position.to_move is Side.WHITE else (black, white)
    return mine, theirs, spread(position.kings)


def spread(squares: int) -> int:
    """Convert a mask with bit n - 1 for square n to this module's layout."""
    return squares & 0xFF | (squares & 0xFF00) << 1 | (squares & 0xFF0000) << 2 | (squares & 0xFF000000) << 3


class Parts(dict[int, tuple[int, ...]]):
    """Caches for each mask its squares, or each square together with its neighbours."""

    def __init__(self, lower: int = 0, higher: int = 0) -> None:
        """The neighbours are these numbers of bits lower or higher."""
        super().__init__()
        for one in SQUARES:
            self[one] = (one | one >> lower | one << higher,)
        self[0] = ()

    def __missing__(self, mask: int) -> tuple[int, ...]:
        """Take the mask apart."""
        if len(self) > MOST_REMEMBERED:
            for _ in range(MOST_REMEMBERED // 2):
                self.popitem()
        half = mask & HALF if mask & HALF and mask & ~HALF else mask & -mask
        parts = self[mask] = self[half] + self[mask ^ half]
        return parts


def _leaps(white: bool, black: bool) -> Leaps:
    """Jumps towards White's crowning row, towards Black's, or both."""
    found: Leaps = {}
    for square in SQUARES:
        ahead = [(square >> step, square >> 2 * step) for step in (4, 5)] if white else []
        back = [(square << step, square << 2 * step) for step in (4, 5)] if black else []
        found[square] = tuple((over, to) for over, to in ahead + back if over & BOARD and to & BOARD)
    return found


LEAPS = _leaps(white=False, black=True), _leaps(white=True, black=False)
"""Jumps of men: (Black's, White's)."""
KING_LEAPS = _leaps(white=True, black=True)
SINGLE, UP4, UP5, DOWN4, DOWN5 = Parts(), Parts(lower=4), Parts(lower=5), Parts(higher=4), Parts(higher=5)
"""For each mask its squares; in UP and DOWN each together with the square a step away, so that XOR moves a piece."""


def jumpers(at: Bits, white: bool) -> int:
    """Mask of the pieces of the side to move that can capture; `white`: whether that is White."""
    mine, theirs, kings = at
    empty = BOARD ^ (mine | theirs)
    if white:
        found = mine & ((empty << 4 & theirs) << 4 | (empty << 5 & theirs) << 5)
        backwards = mine & kings
        if backwards:
            found |= backwards & ((empty >> 4 & theirs) >> 4 | (empty >> 5 & theirs) >> 5)
        return found
    found = mine & ((empty >> 4 & theirs) >> 4 | (empty >> 5 & theirs) >> 5)
    backwards = mine & kings
    if backwards:
        found |= backwards & ((empty << 4 & theirs) << 4 | (empty << 5 & theirs) << 5)
    return found


def steps(at: Bits, white: bool) -> list[int]:
    """Moves without a capture, each as the mask of the square left and the square reached."""
    mine, theirs, kings = at
    empty = BOARD ^ (mine | theirs)
    backwards = mine & kings
    if white:
        found = [*UP4[mine & empty << 4], *UP5[mine & empty << 5]]
        if backwards:
            found += DOWN4[backwards & empty >> 4]
            found += DOWN5[backwards & empty >> 5]
        return found
    found = [*DOWN4[mine & empty >> 4], *DOWN5[mine & empty >> 5]]
    if backwards:
        found += UP4[backwards & empty << 4]
        found += UP5[backwards & empty << 5]
    return found


def stepped(at: Bits, step: int, white: bool) -> Bits:
    """The position after one of `steps`."""
    mine, theirs, kings = at
    if step & kings:
        kings ^= step
    elif step & CROWNING[white]:
        kings |= step & CROWNING[white]
    return theirs, mine ^ step, kings


class Captures:
    """Captures under one sheet, without jumps over own pieces (see `CheckersEngine`)."""

    def __init__(self, sheet: CheckersSheet) -> None:
        """Read the sheet's rules on captures."""
        rules = MoveGenerator(sheet)
        self.compulsory = rules.must_capture
        self.must_finish = rules.must_finish
        self.crowning_ends = rules.crowning_ends

    def after(self, at: Bits, white: bool, able: int) -> list[Bits]:
        """Positions after each capture of the pieces `able`, which are `jumpers`."""
        mine, theirs, kings = at
        crowning, must_finish, crowning_ends = CROWNING[white], self.must_finish, self.crowning_ends
        found = []
        for start in SINGLE[able]:
            others = mine ^ start
            full, began_king = theirs | others, start & kings
            growing = [(start, 0, began_king)]  # square, captured, not 0 for a king
            while growing:
                square, taken, king = growing.pop()
                ends = True
                if king == began_king or not crowning_ends:
                    for over, target in (KING_LEAPS if king else LEAPS[white])[square]:
                        if over & theirs and not (target & full or over & taken):
                            growing.append((target, taken | over, king or target & crowning))
                            ends = False
                if taken and (ends or not must_finish):
                    crowns = kings & ~(start | taken)
                    found.append((theirs ^ taken, others | square, crowns | square if king else crowns))
        return found if len(found) < 2 else list(dict.fromkeys(found))
