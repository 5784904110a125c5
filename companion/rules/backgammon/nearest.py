"""Orders legal plays by how near their results are to the board as seen."""

from __future__ import annotations

from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING

from companion.notation import format_play
from companion.rules.backgammon.moves import higher_points_first, unpack
from companion.rules.backgammon.position import OPPONENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Play
    from companion.rules.backgammon.moves import Layer


def nearest_first(finals: Layer, seen: Sequence[int]) -> tuple[str, ...]:
    """The plays in standard notation, first those whose results differ from `seen` in the fewest checkers.

    Ties are broken by how many points away these checkers are, fewest first.
    """

    def key(item: tuple[int, Play]) -> tuple[int, int, list[int]]:
        view = unpack(item[0])
        elsewhere = sum(map(abs, map(sub, view, seen)))
        away = sum(map(abs, accumulate(map(sub, view[:OPPONENT], seen[:OPPONENT]))))
        return elsewhere, away, higher_points_first(item[1])

    return tuple(format_play(play) for _, play in sorted(finals.items(), key=key))
