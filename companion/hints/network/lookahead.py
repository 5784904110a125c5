"""Expected probabilities over every roll of the opponent, or of both players, with the networks' best replies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.hints.network.evaluation import chances, rough_chances
from companion.hints.network.plays import ROLLS, SHARES
from companion.hints.network.rows import CELLS, is_over, turned

if TYPE_CHECKING:
    from companion.hints.network.evaluation import Floats
    from companion.hints.network.plays import Ints, PlayGenerator
    from companion.hints.network.rows import Rows
    from companion.hints.scoring import Worths

OTHERS = [0, 3, 4, 1, 2]
"""Order of the opponent's five probabilities (`Chances`) as one's own; the first is then subtracted from 1."""
REPLIES = 4
"""Number of replies to a roll, the best by the small network, that the other networks judge."""
AT_ONCE = 8
"""Positions evaluated at once, some 400 replies each: this takes a few megabytes."""


def mirrored(theirs: Floats) -> Floats:
    """The opponent's probabilities as one's own."""
    own = theirs[:, OTHERS]
    own[:, 0] = 1 - own[:, 0]
    return own


def equities(own: Floats, worths: Worths) -> Floats:
    """Equity of each position for the player whose probabilities are given; `own` has shape (positions, 5)."""
    return np.asarray((own * np.array(worths[1:], np.float32)).sum(axis=1) + np.float32(worths[0]))


def after_their_roll(rows: Rows, worths: Worths, generator: PlayGenerator) -> Floats:
    """Probabilities of the player who has just played, where the opponent rolls and replies at their best.

    `rows` have the opponent on roll, and none is over; `worths` are the player's.
    """
    found = np.empty((len(rows), 5), np.float32)
    for start in range(0, len(rows), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        found[some] = _mean_over_rolls(best_replies(rows[some], worths, generator)[1])
    return found


def after_both_rolls(row: Rows, worths: Worths, theirs: Worths, generator: PlayGenerator) -> Floats:
    """As `after_their_roll`, for one position (CELLS counts), followed by the player's own next roll and best play.

    `theirs` are the opponent's worths.
    """
    replied, own = (part[0] for part in best_replies(row[None], worths, generator))
    unfinished = ~is_over(replied)
    own[unfinished] = mirrored(after_their_roll(replied[unfinished], theirs, generator))
    return _mean_over_rolls(own)


def best_replies(rows: Rows, worths: Worths, generator: PlayGenerator) -> tuple[Rows, Floats]:
    """The opponent's best reply to each of ROLLS: positions with the player on roll again, and their probabilities.

    Shapes (positions, rolls, CELLS) and (positions, rolls, 5).
    """
    count, rolls = len(rows), len(ROLLS)
    results = generator.results(np.repeat(rows, rolls, axis=0), np.tile(ROLLS, (count, 1)))
    after = turned(results.rows)
    promising = _lowest(equities(rough_chances(after), worths), results.of, REPLIES)
    after, of = after[promising], results.of[promising]
    own = chances(after)
    best = _lowest(equities(own, worths), of, 1)
    return after[best].reshape(count, rolls, CELLS), own[best].reshape(count, rolls, 5)


def _lowest(values: Floats, of: Ints, most: int) -> Ints:
    """Indices of the `most` lowest values of each roll, by roll."""
    order = np.lexsort((values, of))
    rolls = of[order]
    return np.asarray(order[np.arange(len(order)) - np.searchsorted(rolls, rolls) < most])


def _mean_over_rolls(after_each: Floats) -> Floats:
    """Means over the rolls, which are the last axis but one."""
    return np.asarray(np.einsum("...rp,r->...p", after_each, SHARES.astype(np.float32)))
