"""Finds the most likely boards of an observation, with a prior on the number of checkers.

A board's score is the sum of its cells' log-likelihoods less the cost of its number of checkers. The search is exact:
dynamic programming from the last doubtful cell to the first gives an upper bound for every branch. A depth-first
search then follows only branches that can come within the margin of the best score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.observation import checker_totals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.observation import Board, Content, Observation

Totals = tuple[int, int]
"""(White, Black) checkers on a board."""

_MOST_STEPS = 50_000
"""Nodes after which the search is given up. A board with one or two doubtful stacks takes some hundreds."""


@dataclass(frozen=True, slots=True)
class LikelyBoard:
    """A board and its score in nats: the camera's log-likelihood less the cost of its number of checkers."""

    board: Board
    score_nats: float


def likely_boards(
    observation: Observation, cost_nats: Callable[[int, int], float], within_nats: float, most: int
) -> list[LikelyBoard] | None:
    """Every board whose score is at most `within_nats` below the best one's, best first.

    `cost_nats(white, black)` is the cost of those numbers of checkers in the cells seen. None where there are more
    than `most` such boards, or where the search is given up: some of the boards would look like all of them.
    """
    search = _Search(observation, cost_nats, within_nats)
    least = search.best_nats - within_nats
    found: list[LikelyBoard] = []
    for board in search.boards(least):
        found.append(board)
        if len(found) > most:
            return None
    return None if search.given_up else sorted(found, key=lambda likely: -likely.score_nats)


class _Search:
    """The search of one observation, over the cells with several possible contents ("doubtful").

    Log-likelihoods are at most 0 and costs at least 0. So a content whose log-likelihood alone is below the score of
    all best contents together, less the margin, cannot be part of a result and is left out first.
    """

    def __init__(self, observation: Observation, cost_nats: Callable[[int, int], float], within_nats: float) -> None:
        self._cost_nats = cost_nats
        self._board: list[Content | None] = [cell.best for cell in observation.cells]
        self._least = -cost_nats(*checker_totals(self._board)) - within_nats
        possible = [[one for one in cell.likelihoods if one[1] >= self._least] for cell in observation.cells]
        self._order = [i for i, contents in enumerate(possible) if len(contents) > 1]
        self._doubtful = [possible[i] for i in self._order]
        self._certain = checker_totals(
            [cell.best for cell, some in zip(observation.cells, possible, strict=True) if len(some) == 1]
        )
        self._completions_from = self._best_completions()
        self._best: dict[tuple[int, Totals], float] = {}
        self._steps = 0
        self.best_nats = self._best_from(0, self._certain)

    def _best_completions(self) -> list[dict[Totals, float]]:
        """For each doubtful cell: the best log-likelihood of it and all later ones, by their total of checkers."""
        completions: list[dict[Totals, float]] = [{(0, 0): 0.0}]
        for contents in reversed(self._doubtful):
            best: dict[Totals, float] = {}
            for (white, black), nats in completions[-1].items():
                for (more_white, more_black), likelihood in contents:
                    totals = (white + more_white, black + more_black)
                    best[totals] = max(best.get(totals, float("-inf")), nats + likelihood)
            completions.append({totals: nats for totals, nats in best.items() if nats >= self._least})
        return completions[::-1]

    @property
    def given_up(self) -> bool:
        """Whether the search exceeded its number of steps."""
        return self._steps > _MOST_STEPS

    def _best_from(self, depth: int, so_far: Totals) -> float:
        """The best log-likelihood of the doubtful cells from `depth` on, less the cost; `so_far`: checkers before."""
        key = (depth, so_far)
        if key not in self._best:
            self._best[key] = max(
                nats - self._cost_nats(so_far[0] + white, so_far[1] + black)
                for (white, black), nats in self._completions_from[depth].items()
            )
        return self._best[key]

    def boards(self, least_nats: float) -> Iterator[LikelyBoard]:
        """Every board with at least that score, in no order."""
        yield from self._branch(0, self._certain, 0.0, least_nats)

    def _branch(self, depth: int, so_far: Totals, nats: float, least_nats: float) -> Iterator[LikelyBoard]:
        self._steps += 1
        best_nats = nats + self._best_from(depth, so_far)
        if best_nats < least_nats or self.given_up:
            return
        if depth == len(self._doubtful):
            yield LikelyBoard(tuple(self._board), best_nats)
            return
        for content, likelihood in self._doubtful[depth]:
            if nats + likelihood < least_nats:
                break
            self._board[self._order[depth]] = content
            totals = (so_far[0] + content[0], so_far[1] + content[1])
            yield from self._branch(depth + 1, totals, nats + likelihood, least_nats)
