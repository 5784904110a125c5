"""Evaluation of checkers positions by patterns of men on eight squares and by the squares of kings.

The values were fitted to the results and search scores of games that the search played against itself
(`python -m training.checkers_values`).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from companion.hints.checkers_bits import SQUARES

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    from companion.hints.checkers_bits import Bits

    Table: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, int]

TABLE = Path(__file__).parent / "tables" / "checkers.npz"
BLACK = 36
"""Bits by which Black's squares are shifted if one number holds both sides'."""
LATE = 1 << 20
"""Factor of a value in an ending, if one number holds it together with the value in an opening."""
PIECES = 24
MOST_KEPT = 30_000
"""Most placements of men, and of kings, whose value is cached."""


def read_table() -> Table:
    """Masks of the patterns, values of men and of kings, and the value of being to move.

    Contiguous: uint64, int16 (patterns, placements, early and late), int16 (squares, early and late).
    """
    import numpy as np  # imported on use: `boardside moves` does not need it

    with np.load(TABLE) as table:
        masks, men, kings = (np.ascontiguousarray(table[name]) for name in ("masks", "men", "kings"))
        return masks.astype(np.uint64), men.astype(np.int16), kings.astype(np.int16), int(table["tempo"])


class Sums(dict[int, int]):
    """Sums of values by the squares of men, or of kings, Black's shifted by BLACK."""

    def __init__(self, patterns: list[tuple[int, dict[int, int]]]) -> None:
        """`patterns` are masks of squares, and the value of each placement on them."""
        super().__init__()
        self._patterns = patterns

    def __missing__(self, placed: int) -> int:
        """Sum the patterns' values."""
        if len(self) > MOST_KEPT:
            self.clear()
        value = 0
        for mask, values in self._patterns:
            value += values[placed & mask]
        self[placed] = value
        return value


class Values:
    """Scores of positions in hundredths of a man."""

    def __init__(self) -> None:
        """Read the table."""
        masks, men, kings, self.tempo = read_table()
        men, kings = men.astype(int), kings.astype(int)
        packed = (men[..., 0] + men[..., 1] * LATE).tolist()
        self._patterns = [
            (mask | mask << BLACK, dict(zip(_placements(mask), one, strict=True)))
            for mask, one in zip(masks.tolist(), packed, strict=True)
        ]
        self._men = Sums(self._patterns)
        ours = dict(zip(SQUARES, (kings[:, 0] + kings[:, 1] * LATE).tolist(), strict=True))
        theirs = {square << BLACK: -value for square, value in zip(reversed(SQUARES), ours.values(), strict=True)}
        self._kings = Sums([(square, {0: 0, square: value}) for square, value in (ours | theirs).items()])

    def score(self, at: Bits, white: bool) -> int:
        """Score of a quiet position for the side to move; `white`: whether that is White."""
        mine, theirs, kings = at
        if kings:
            men = ~kings
            placed = self._men[mine & men | (theirs & men) << BLACK if white else theirs & men | (mine & men) << BLACK]
            crowned = mine & kings | (theirs & kings) << BLACK if white else theirs & kings | (mine & kings) << BLACK
            placed += self._kings[crowned]
        else:
            placed, both = 0, mine | theirs << BLACK if white else theirs | mine << BLACK
            for mask, values in self._patterns:
                placed += values[both & mask]
        late = (placed + LATE // 2) // LATE
        pieces = (mine | theirs).bit_count()
        score = ((placed - late * LATE) * pieces + late * (PIECES - pieces)) // PIECES
        return self.tempo + score if white else self.tempo - score


@cache
def values() -> Values:
    """The table's values, read when first asked for."""
    return Values()


def _placements(mask: int) -> list[int]:
    """Each placement of men on a mask's squares; the lowest square changes fastest: empty, White's, Black's."""
    squares = [square for square in SQUARES if mask & square]
    return [sum(placed) for placed in product(*((0, one, one << BLACK) for one in reversed(squares)))]
