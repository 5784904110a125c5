"""The reason codes of illegal verdicts, in the order in which an explanation is looked for.

One-checker explanations come before two-checker ones, bookkeeping (what is on the bar, how many checkers there are)
after moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


BACKGAMMON_REASONS = (
    "wrong_player_moved",
    "bar_first",
    "moved_backwards",
    "not_all_home",
    "bear_off_higher_first",
    "stack_limit",
    "blocked_point",
    "blocked_on_the_way",
    "must_play_larger_die",
    "could_play_more",
    "too_many_moves",
    "wrong_distance",
    "hit_checker_not_on_bar",
    "checker_missing",
    "checker_extra",
)

CHECKERS_REASONS = (
    "wrong_player_moved",
    "light_square",
    "not_diagonal",
    "man_moved_backwards",
    "jumped_own",
    "nothing_to_jump",
    "too_far",
    "must_capture",
    "must_finish_jump",
    "turn_ended_on_crowning",
    "captured_not_removed",
    "removed_wrongly",
    "two_pieces_moved",
    "piece_missing",
    "piece_extra",
)


def in_order(codes: Iterable[str], order: tuple[str, ...]) -> tuple[str, ...]:
    """The distinct codes, most specific first."""
    return tuple(sorted(set(codes), key=order.index))


@dataclass(frozen=True, slots=True)
class Trip:
    """One checker's way in the mover's numbers; `source` None: it appeared, `target` None: it is missing."""

    source: int | None
    target: int | None


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule, and the trip that broke it (None where no single checker of the mover did)."""

    code: str
    trip: Trip | None = None
