"""The boards that a look at the table may mean, likeliest first, the number of checkers weighed in.

A camera's cells are independent claims; that checkers do not come and go binds them together. The search below adds
the cost of a surprising number of checkers to the cells' log-likelihoods and finds every board within a margin of the
best one exactly: best completions for every total are worked out from the last doubtful cell to the first, and no
branch is followed that cannot reach the margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.core.observation import Board, Content, Observation

Totals = tuple[int, int]
"""How many White and how many Black checkers."""


_MOST_STEPS = 50_000
"""A search that takes more steps than this is given up: a board with a doubtful stack or two takes some hundred."""


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
    than `most` such boards: the look says too little.
    """
    search = _Search(observation, cost_nats, within_nats)
    least = search.best_nats - within_nats
    found: list[LikelyBoard] = []
    for board in search.boards(least):
        found.append(board)
        if len(found) > most:
            return None
    return sorted(found, key=lambda likely: -likely.score_nats)


class _Search:
    """The doubtful cells, and the best that can still come from each on for every total.

    No likelihood and no cost can raise a score, so whatever scores lower on its own than the cells' likeliest contents
    do together, less the margin, is left out from the start.
    """

    def __init__(self, observation: Observation, cost_nats: Callable[[int, int], float], within_nats: float) -> None:
        self._cost_nats = cost_nats
        self._board: list[Content | None] = [cell.best for cell in observation.cells]
        self._least = -cost_nats(*_totals(self._board)) - within_nats
        possible = [[one for one in cell.likelihoods if one[1] >= self._least] for cell in observation.cells]
        self._order = [i for i, contents in enumerate(possible) if len(contents) > 1]
        self._doubtful = [possible[i] for i in self._order]
        self._certain = _totals(
            [cell.best for cell, some in zip(observation.cells, possible, strict=True) if len(some) == 1]
        )
        self._to_come = self._completions()
        self._best: dict[tuple[int, Totals], float] = {}
        self._steps = 0
        self.best_nats = self._best_from(0, self._certain)

    def _completions(self) -> list[dict[Totals, float]]:
        """For each doubtful cell: the best log-likelihood of it and all later ones, by their totals."""
        to_come: list[dict[Totals, float]] = [{(0, 0): 0.0}]
        for contents in reversed(self._doubtful):
            best: dict[Totals, float] = {}
            for (white, black), nats in to_come[-1].items():
                for (more_white, more_black), likelihood in contents:
                    totals = (white + more_white, black + more_black)
                    best[totals] = max(best.get(totals, float("-inf")), nats + likelihood)
            to_come.append({totals: nats for totals, nats in best.items() if nats >= self._least})
        return to_come[::-1]

    @property
    def given_up(self) -> bool:
        """Whether the search was cut short."""
        return self._steps > _MOST_STEPS

    def _best_from(self, depth: int, so_far: Totals) -> float:
        """The best score that the cells from `depth` on can still give; the same for every way to the same totals."""
        key = (depth, so_far)
        if key not in self._best:
            self._best[key] = max(
                nats - self._cost_nats(so_far[0] + white, so_far[1] + black)
                for (white, black), nats in self._to_come[depth].items()
            )
        return self._best[key]

    def boards(self, least_nats: float) -> Iterator[LikelyBoard]:
        """Every board that scores at least that."""
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


def _totals(contents: Iterable[Content | None]) -> Totals:
    seen = [content for content in contents if content is not None]
    return sum(white for white, _ in seen), sum(black for _, black in seen)
