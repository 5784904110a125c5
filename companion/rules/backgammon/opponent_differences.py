"""Faults in the opponent's checkers, once the hits of the mover's trips are taken into account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Reason
from companion.notation import BAR, OFF
from companion.rules.backgammon.trips import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rules.backgammon.trips import Trip


def lifted_blots(before: Sequence[int], now: Sequence[int]) -> list[int]:
    """The points from which blots went to the bar; none where the bar did not gain as many."""
    lifted = [point for point in range(1, BAR) if before[point] == 1 and not now[point]]
    return lifted if len(lifted) <= now[BAR] - before[BAR] else []


def opponent_faults(
    before: Sequence[int], seen: Sequence[int], trips: tuple[Trip, ...], hits: frozenset[int]
) -> tuple[Fault, ...]:
    """The faults in the opponent's checkers.

    Args:
        before: the opponent's counts before the turn, indexed by the mover's points; 0 off, 25 the bar.
        seen: the same counts now.
        trips: the trips of the mover's checkers.
        hits: the points where these trips hit a blot.
    """
    excess = [now - then for now, then in zip(seen, before, strict=True)]
    if not hits and not any(excess):
        return ()
    for point in hits:
        excess[point] += 1
        excess[BAR] -= 1
    _explain_bar(excess, before, trips)
    faults = []
    if hits and excess[BAR] < 0:
        _place_unbarred(excess, hits)
        answered = any(trip.target == BAR for trip in trips) or (any(excess) and not sum(excess))
        if not answered:  # otherwise the hit checker may have entered since
            points = tuple(sorted(hits, key=lambda p: (not seen[p], -p)))
            faults.append(Fault(Reason.HIT_CHECKER_NOT_ON_BAR, points=points))
    if any(excess):
        total = sum(excess)
        miscounted = Reason.CHECKER_MISSING if total < 0 else Reason.CHECKER_EXTRA
        faults.append(Fault(miscounted if total else Reason.WRONG_PLAYER_MOVED))
    return tuple(faults)


def _explain_bar(excess: list[int], before: Sequence[int], trips: tuple[Trip, ...]) -> None:
    """Explain checkers on the opponent's bar that no hit put there; `excess` is changed in place."""
    for trip in trips:  # after landing on a point that the opponent held, its checkers were put on the bar
        if trip.target not in (None, OFF, BAR) and before[trip.target] > 1:
            _cancel_on_bar(excess, trip.target)
    missing_hitters = sum(trip.target is None for trip in trips)
    for point in range(1, BAR):  # a blot hit by a checker that is now missing
        if missing_hitters and before[point] == 1 and excess[point] == -1 and excess[BAR] > 0:
            _cancel_on_bar(excess, point)
            missing_hitters -= 1


def _place_unbarred(excess: list[int], hits: frozenset[int]) -> None:
    """Match hit checkers missing from the bar with extra ones elsewhere, first on the points hit; changes `excess`."""
    lacking = min(-excess[BAR], len(hits))
    excess[BAR] += lacking
    for point in sorted(range(len(excess)), key=lambda p: p not in hits):
        taken = max(min(excess[point], lacking), 0)
        excess[point] -= taken
        lacking -= taken


def _cancel_on_bar(excess: list[int], point: int) -> None:
    """Match checkers missing from a point with extra ones on the bar; changes `excess` in place."""
    moved = max(min(-excess[point], excess[BAR]), 0)
    excess[point] += moved
    excess[BAR] -= moved
