"""Backgammon decisions for training: many games side by side, gnubg's 0-ply choices with blunders mixed in.

A decision is the positions after the plays of one roll, with the opponent to roll: what counts is their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.core import Side
from companion.hints.network.plays import PlayGenerator
from companion.hints.network.rows import BAR, CELLS, HALF, Rows, rows_of, turned
from companion.rules import rules_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from training.labels import Chances, Labeller

KEPT = 8
"""Plays kept of a decision: the best 6, and others drawn by lot."""
BEST = 6
GAMES = 256
Styles = tuple[tuple[float, float], ...]
STYLES: Styles = ((0.0, 0.35), (0.04, 0.3), (0.15, 0.2), (0.5, 0.15))
"""Share of turns played by lot in a game, and share of the games in which it is so."""
SCRAMBLED = (0, 0, 0, 2, 4, 8, 14, 20)
"""Turns at the beginning of a game that are played by lot; one is drawn for each game."""
HOME_START = 0.04
"""Share of the games that begin with bearing off, some with a checker of the opponent behind."""
START = rows_of([rules_named("standard").start()], Side.WHITE)[0]


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions.

    Attributes:
        before, rolls: rows with the player on roll, and what they roll, the higher number first.
        rows: of shape (decisions, KEPT, CELLS), after plays, with the opponent on roll.
        chances: of the opponent at `rows`.
        counts: how many of KEPT exist.
    """

    before: Rows
    rolls: npt.NDArray[np.int8]
    rows: Rows
    chances: Chances
    counts: npt.NDArray[np.int8]


def standard_plays() -> PlayGenerator:
    """Results of plays under the standard rules."""
    return PlayGenerator(rules_named("standard").sheet)  # type: ignore[arg-type]  # the standard sheet is backgammon's


def equity(chances: Chances) -> npt.NDArray[np.float32]:
    """Points expected in a game without a cube."""
    return chances @ np.array([2, 1, 1, -1, -1], np.float32) - 1


def decisions(
    labeller: Labeller, seed: int, styles: Styles = STYLES, by_lot: Sequence[int] = SCRAMBLED
) -> Iterator[Decisions]:
    """Decisions without end, those of one turn of all games at a time."""
    lots = np.random.default_rng(seed)
    generator = standard_plays()
    games = [_Game.drawn(lots, styles, by_lot) for _ in range(GAMES)]
    while True:
        rolls = np.sort(lots.integers(1, 7, (GAMES, 2)), axis=1)[:, ::-1]
        before = np.array([game.row for game in games])
        results = generator.results(before, rolls)
        order = np.argsort(results.of, kind="stable")
        after = turned(results.rows[order])
        bounds = np.searchsorted(results.of[order], np.arange(GAMES + 1))
        over = after[:, HALF] == 15
        chances = labeller.label(after, 0)
        value = -equity(chances)
        kept, going = [], []
        for k, game in enumerate(games):
            plays = np.arange(bounds[k], bounds[k + 1])
            ranked = plays[np.argsort(-value[plays])]
            if over[ranked[0]]:
                games[k] = _Game.drawn(lots, styles, by_lot)
                continue
            some = ranked[:BEST]
            others = lots.permutation(ranked[BEST:])[: KEPT - BEST]
            kept.append(np.concatenate((some, others)))
            going.append(k)
            games[k] = game.played(after, ranked, lots)
        counts = np.array([len(k) for k in kept], np.int8)
        index = np.array([np.resize(k, KEPT) for k in kept])
        chosen = counts > 1
        told = np.array(going)[chosen]
        yield Decisions(
            before[told], rolls[told].astype(np.int8), after[index[chosen]], chances[index[chosen]], counts[chosen]
        )


@dataclass(frozen=True, slots=True)
class _Game:
    """A game in progress: the row of the player on roll, turns still played by lot, share of others played so."""

    row: Rows
    by_lot: int
    share: float

    @classmethod
    def drawn(cls, lots: np.random.Generator, styles: Styles, by_lot: Sequence[int]) -> _Game:
        """A new game of a style drawn by lot."""
        row = _bearing_off(lots) if lots.random() < HOME_START else START
        shares, weights = zip(*styles, strict=True)
        return cls(row, int(lots.choice(by_lot)), float(lots.choice(shares, p=weights)))

    def played(self, after: Rows, ranked: npt.NDArray[np.int64], lots: np.random.Generator) -> _Game:
        """The game after the best play or one drawn by lot."""
        drawn = self.by_lot > 0 or lots.random() < self.share
        return _Game(after[lots.choice(ranked) if drawn else ranked[0]], max(self.by_lot - 1, 0), self.share)


def _bearing_off(lots: np.random.Generator) -> Rows:
    """Both players home or nearly, some checkers off; in some, one has a checker or two on the bar."""
    row = np.zeros(CELLS, np.int8)
    for half in (0, HALF):
        left = int(lots.integers(1, 16))
        row[half] = 15 - left
        highest = int(lots.choice([6, 6, 6, 9, 12]))
        places = lots.integers(1, highest + 1, left)
        np.add.at(row, half + places, 1)
    if lots.random() < 0.5:
        row[HALF:] = 0
        behind = int(lots.integers(1, 4))
        row[HALF + BAR] = behind
        np.add.at(row, HALF + lots.integers(1, 7, 15 - behind), 1)
        clash = (row[1:BAR] > 0) & (row[HALF + 24 : HALF : -1] > 0)
        if clash.any():
            return START
    return row
