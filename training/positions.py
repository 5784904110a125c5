"""Backgammon decisions for training: many games side by side, gnubg's 0-ply choices with blunders mixed in.

A decision is the positions after the plays of one roll, with the opponent to roll; a network has to rank them.
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
"""Plays kept of a decision: the best 6, and random others."""
BEST = 6
GAMES = 256
Styles = tuple[tuple[float, float], ...]
STYLES: Styles = ((0.0, 0.35), (0.04, 0.3), (0.15, 0.2), (0.5, 0.15))
"""Shares of random turns in a game, each with its share of the games."""
RANDOM_TURNS = (0, 0, 0, 2, 4, 8, 14, 20)
"""Numbers of random turns at the beginning of a game, of which one is drawn for each game."""
HOME_START = 0.04
"""Share of the games that begin with bearing off, some with a checker of the opponent behind."""
START = rows_of([rules_named("standard").start()], Side.WHITE)[0]


@dataclass(frozen=True, slots=True)
class Decisions:
    """A batch of decisions.

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
    """Cubeless equity (n, points) of the player whose chances (n x 5) are given."""
    return chances @ np.array([2, 1, 1, -1, -1], np.float32) - 1


def decisions(
    labeller: Labeller, seed: int, styles: Styles = STYLES, by_lot: Sequence[int] = RANDOM_TURNS
) -> Iterator[Decisions]:
    """Endless decisions, in batches of one turn of all games."""
    rng = np.random.default_rng(seed)
    generator = standard_plays()
    games = [_Game.drawn(rng, styles, by_lot) for _ in range(GAMES)]
    while True:
        rolls = np.sort(rng.integers(1, 7, (GAMES, 2)), axis=1)[:, ::-1]
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
                games[k] = _Game.drawn(rng, styles, by_lot)
                continue
            some = ranked[:BEST]
            others = rng.permutation(ranked[BEST:])[: KEPT - BEST]
            kept.append(np.concatenate((some, others)))
            going.append(k)
            games[k] = game.played(after, ranked, rng)
        counts = np.array([len(k) for k in kept], np.int8)
        index = np.array([np.resize(k, KEPT) for k in kept])
        chosen = counts > 1
        which = np.array(going)[chosen]
        yield Decisions(
            before[which], rolls[which].astype(np.int8), after[index[chosen]], chances[index[chosen]], counts[chosen]
        )


@dataclass(frozen=True, slots=True)
class _Game:
    """A game in progress: row of the player on roll, random turns still to come, share of random turns after them."""

    row: Rows
    by_lot: int
    share: float

    @classmethod
    def drawn(cls, rng: np.random.Generator, styles: Styles, by_lot: Sequence[int]) -> _Game:
        """A new game of a random style."""
        row = _bearing_off(rng) if rng.random() < HOME_START else START
        shares, weights = zip(*styles, strict=True)
        return cls(row, int(rng.choice(by_lot)), float(rng.choice(shares, p=weights)))

    def played(self, after: Rows, ranked: npt.NDArray[np.int64], rng: np.random.Generator) -> _Game:
        """The game after the best play or a random one."""
        drawn = self.by_lot > 0 or rng.random() < self.share
        return _Game(after[rng.choice(ranked) if drawn else ranked[0]], max(self.by_lot - 1, 0), self.share)


def _bearing_off(rng: np.random.Generator) -> Rows:
    """A random row in the bear-off, some checkers off; in half of them the opponent has one to three on the bar."""
    row = np.zeros(CELLS, np.int8)
    for half in (0, HALF):
        left = int(rng.integers(1, 16))
        row[half] = 15 - left
        highest = int(rng.choice([6, 6, 6, 9, 12]))
        places = rng.integers(1, highest + 1, left)
        np.add.at(row, half + places, 1)
    if rng.random() < 0.5:
        row[HALF:] = 0
        behind = int(rng.integers(1, 4))
        row[HALF + BAR] = behind
        np.add.at(row, HALF + rng.integers(1, 7, 15 - behind), 1)
        clash = (row[1:BAR] > 0) & (row[HALF + 24 : HALF : -1] > 0)
        if clash.any():
            return START
    return row
