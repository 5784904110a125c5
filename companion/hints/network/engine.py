"""The embedded backgammon engine: its own networks, and a look-ahead over rolls of both players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from companion.hints.cube import advise_ahead
from companion.hints.engine import EngineError, RankedPlay, Ranking
from companion.hints.network.evaluation import chances, clip_to_possible
from companion.hints.network.lookahead import after_both_rolls, after_their_roll, best_replies, equities, mirrored
from companion.hints.network.plays import SHARES, PlayGenerator
from companion.hints.network.rows import is_over, rows_of
from companion.hints.scoring import equity_of, worths_of
from companion.rules import BackgammonSheet, movement_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Dice, Side
    from companion.game import Match
    from companion.hints.cube import Chances, CubeAdvice, CubeQuestion
    from companion.hints.network.evaluation import Floats
    from companion.hints.network.plays import Ints
    from companion.hints.network.rows import Rows
    from companion.hints.scoring import Worths
    from companion.rules import BackgammonPosition, Ruleset

MOST_ROLLS = 2
"""Most rolls looked ahead: a level's number."""
CANDIDATES, MARGIN = 6, 0.12
"""Plays that get a look-ahead: the best 6 within 0.12 points by the networks alone, and those that are shown."""
POOR = 0.25
"""Equity behind the best position, by the networks alone, from which a position gets no look-ahead (points)."""
SHOWN = 8
"""Most plays that get a look-ahead because they are shown, for any number of requested plays."""
AHEAD = 0.5
"""Weight of the look-ahead in a probability; the rest is the networks' estimate of the position itself.

The replies that the networks rank best are also those that they overrate, so that the look-ahead alone is biased."""
LOSS = 0.0011
"""Mean loss for a decision at the best level, in points, by gnubg two plies ahead (`benchmarks/hints.py`)."""
CLOSE, MOST_CLOSE = 0.06, 3
"""Plays that get a second look-ahead, over a roll of both players: the best 3 by the first, within 0.06 points."""


class NetworkEngine:
    """Ranks plays by networks that estimate how the game ends; sheet and match say what each end counts."""

    name = "Boardside's network"

    def __init__(self, rules: Ruleset[BackgammonPosition], level: int = MOST_ROLLS) -> None:
        """`level`: the rolls looked ahead, at most `MOST_ROLLS`. Raises EngineError for rules of another game."""
        if not isinstance(rules.sheet, BackgammonSheet):
            raise EngineError(f"networks for backgammon, but sheet {rules.sheet.name!r} is for {rules.sheet.game}")
        self._rules = rules
        self._generator = PlayGenerator(rules.sheet)
        self._stopped = False
        self._rolls = 0 if movement_terms(rules.sheet).one_die_at_home else level
        self._loss = LOSS if self._rolls == MOST_ROLLS else None

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int, match: Match | None = None) -> Ranking:
        """The `n` best plays; those examined by look-ahead come first, because their equities are more reliable."""
        successors = self._rules.successors(position, side, dice)
        if not successors:
            return Ranking(engine=self.name)
        worths = worths_of(self._rules, side, match)
        rows = rows_of([s.after for s in successors], side.opponent)
        own = mirrored(chances(rows))
        value = equities(own, worths)
        order = np.argsort(-value, kind="stable")
        if self._rolls and len(order) > 1:
            close = int((value[order[:CANDIDATES]] > value[order[0]] - MARGIN).sum())
            near = order[: max(min(n, SHOWN), close)]
            self._look_ahead(own, near, rows, worths)
            order[: len(near)] = near[np.argsort(-equities(own[near], worths), kind="stable")]
            if self._rolls == MOST_ROLLS:
                theirs = worths_of(self._rules, side.opponent, match)
                self._look_further(own, order, rows, worths, theirs)
        write = self._rules.write_play
        plays = (_evaluated(write(successors[k].play), successors[k].after, own[k], worths) for k in order[:n])
        return Ranking(tuple(plays), self.name, loss=self._loss)

    def weigh(self, positions: Sequence[Any], side: Side, match: Match | None = None) -> list[RankedPlay]:
        """Evaluations of positions after a play of `side`; of more than SHOWN, the poor ones get no look-ahead."""
        worths = worths_of(self._rules, side, match)
        rows = rows_of(positions, side.opponent)
        own = mirrored(chances(rows))
        if self._rolls:
            value = equities(own, worths)
            near = (value > value.max() - POOR).nonzero()[0] if len(value) > SHOWN else np.arange(len(value))
            self._look_ahead(own, near, rows, worths)
        return [_evaluated("", position, theirs, worths) for position, theirs in zip(positions, own, strict=True)]

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice on the cube from the networks' probabilities, at levels that look ahead after each roll."""
        rows = rows_of([question.position], question.side)
        outlooks = [(1.0, _chances(chances(rows)[0]))]
        if self._rolls:
            theirs = worths_of(self._rules, question.side.opponent, question.match)
            own = mirrored(best_replies(rows, theirs, self._generator)[1][0])
            outlooks = [(share, _chances(after)) for share, after in zip(SHARES.tolist(), own, strict=True)]
        return advise_ahead(outlooks, question.position, question.side, question.match)

    def stop(self) -> None:
        """End the look-ahead until `ready`, from any thread; the answer is what was found by then."""
        self._stopped = True

    def ready(self) -> None:
        """Allow the full look-ahead of the level again after `stop`."""
        self._stopped = False

    def close(self) -> None:
        """Nothing to release."""

    def _look_ahead(self, own: Floats, near: Ints, rows: Rows, worths: Worths) -> None:
        """Mix the look-ahead into the mover's probabilities `own[near]`, in unfinished games only."""
        unfinished = near[~is_over(rows[near])]
        own[unfinished] += AHEAD * (after_their_roll(rows[unfinished], worths, self._generator) - own[unfinished])

    def _look_further(self, own: Floats, order: Ints, rows: Rows, worths: Worths, theirs: Worths) -> None:
        """If the best plays of `order` are close, evaluate them again over a roll of both players, and sort them.

        The mean change of their probabilities is added to the other plays too, so that all can be compared.
        """
        value = equities(own[order], worths)
        count = int((value[:MOST_CLOSE] > value[0] - CLOSE).sum())
        first, rest = order[:count], order[count:]
        if count < 2 or is_over(rows[first]).any():
            return
        further = []
        for row in rows[first]:
            if self._stopped:
                return
            further.append(after_both_rolls(row, worths, theirs, self._generator))
        judged = np.stack(further)
        own[rest] += (judged - own[first]).mean(axis=0)
        own[first] = judged
        clip_to_possible(own)
        order[:count] = first[np.argsort(-equities(judged, worths), kind="stable")]


def _evaluated(play: str, after: BackgammonPosition, own: Floats, worths: Worths) -> RankedPlay:
    """A play from the mover's probabilities after it."""
    chances_of = _chances(own)
    return RankedPlay(play, after, equity_of(chances_of, worths), *chances_of)


def _chances(own: Floats) -> Chances:
    """One position's probabilities as plain numbers."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = map(float, own)
    return win, gammon, backgammon, lose_gammon, lose_backgammon
