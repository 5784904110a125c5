"""All results of all plays of many rolls at once, for looking ahead.

Legality at the table comes from `companion.rules`; a test checks that this generator agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.hints.network.rows import BAR, CELLS, HALF, Rows
from companion.rules import movement_terms

if TYPE_CHECKING:
    from companion.rules import BackgammonSheet

Ints = npt.NDArray[np.int64]
NO_LIMIT = 100
HOME = 6
ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
"""The 21 rolls, the higher number first."""
SHARES = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2) / 36
"""Probabilities of ROLLS."""
_KEYS = np.random.default_rng(7).integers(1 << 62, size=CELLS, dtype=np.int64)
_BY_ROLL = 0x1E3779B97F4A7C15
"""Random factors of a hash in which each checker and each roll adds its own number (A. Zobrist, 1970)."""


@dataclass(frozen=True, slots=True)
class Results:
    """Positions after plays, the mover's half first; `of[k]` is the index of the roll that led to `rows[k]`."""

    rows: Rows
    of: Ints


@dataclass(frozen=True, slots=True)
class _Layer:
    """Intermediate states: rows, their rolls, hashes, and last sources (steps of a double go from high to low)."""

    rows: Rows
    of: Ints
    keys: Ints
    last: Ints

    def where(self, chosen: npt.NDArray[np.bool_]) -> _Layer:
        return _Layer(self.rows[chosen], self.of[chosen], self.keys[chosen], self.last[chosen])


class PlayGenerator:
    """Results of plays under one sheet."""

    def __init__(self, sheet: BackgammonSheet) -> None:
        """Read the sheet's rules on moving."""
        self._terms = movement_terms(sheet)
        self._limit = self._terms.stack_limit or NO_LIMIT

    def results(self, rows: Rows, rolls: Ints) -> Results:
        """The results of all plays of `rolls[k]` (higher number first) at `rows[k]`; the row itself where none exists.

        Each result of a roll comes once.
        """
        count = len(rows)
        start = _Layer(rows, np.arange(count), rows @ _KEYS + np.arange(count) * _BY_ROLL, np.full(count, BAR))
        double = rolls[:, 0] == rolls[:, 1]
        ways = [self._played(start.where(double), (rolls[:, 0],) * 4, double=True)]
        ways += [self._played(start.where(~double), tuple(order), double=False) for order in (rolls.T, rolls.T[::-1])]
        most = np.zeros(count, np.int64)
        for layers in ways:
            for number, layer in enumerate(layers):
                np.maximum.at(most, layer.of, number)
        kept = []
        for way, layers in enumerate(ways):
            for number, layer in enumerate(layers):
                ends = most[layer.of] == number
                if not self._terms.as_many_as_possible:
                    ends |= number > 0
                elif way == 2 and number == 1 and self._terms.larger_if_only_one:
                    ends &= ~np.isin(layer.of, ways[1][1].of if len(ways[1]) > 1 else [])
                kept.append(layer.where(ends))
        keys, of = np.concatenate([k.keys for k in kept]), np.concatenate([k.of for k in kept])
        first = np.unique(keys, return_index=True)[1]
        return Results(np.concatenate([k.rows for k in kept])[first], of[first])

    def _played(self, layer: _Layer, dice: tuple[Ints, ...], *, double: bool) -> list[_Layer]:
        """The states after none, one, two … of the dice; `dice` has an array of numbers, by roll, for each step."""
        layers = [layer]
        sorted_sources = double and self._limit == NO_LIMIT
        for die in dice:
            layer = self._stepped(layer, die[layer.of], sorted_sources=sorted_sources)
            if not len(layer.of):
                break
            if double and not sorted_sources:
                chosen = np.zeros(len(layer.of), bool)
                chosen[np.unique(layer.keys, return_index=True)[1]] = True
                layer = layer.where(chosen)
            layers.append(layer)
        return layers

    def _stepped(self, layer: _Layer, dice: Ints, *, sorted_sources: bool) -> _Layer:
        """The states after one more legal step with `dice[k]` from state k."""
        state, source = self._steps(layer, dice, sorted_sources=sorted_sources).nonzero()
        source += 1
        target = np.maximum(source - dice[state], 0)
        rows, keys = layer.rows[state], layer.keys[state]
        index = np.arange(len(state))
        keys = keys + _KEYS[target] - _KEYS[source]
        rows[index, source] -= 1
        rows[index, target] += 1
        hit = ((target > 0) & (rows[index, CELLS - 1 - target] == 1)).nonzero()[0]
        struck = CELLS - 1 - target[hit]
        rows[hit, struck] = 0
        rows[hit, CELLS - 1] += 1
        keys[hit] += _KEYS[CELLS - 1] - _KEYS[struck]
        return _Layer(rows, layer.of[state], keys, source)

    def _steps(self, layer: _Layer, dice: Ints, *, sorted_sources: bool) -> npt.NDArray[np.bool_]:
        """Whether a step from source s is legal, at [state, s - 1]."""
        rows, count = layer.rows, len(layer.rows)
        own = rows[:, 1:HALF]
        closed = np.zeros((count, BAR + HOME), bool)  # target t at t + 5: 6 places for borne-off checkers
        closed[:, HOME:-1] = rows[:, CELLS - 2 : HALF : -1] > 1
        if self._limit < NO_LIMIT:
            closed[:, HOME:-1] |= rows[:, 1:BAR] >= self._limit
        sources = np.arange(1, HALF)
        targets = sources - dice[:, None]
        legal = (own > 0) & ~np.take_along_axis(closed, targets + HOME - 1, axis=1)
        legal[:, :-1] &= (rows[:, BAR] == 0)[:, None]
        highest = BAR - (own[:, ::-1] > 0).argmax(axis=1)
        off = targets[:, :HOME] <= 0
        bears = (targets[:, :HOME] == 0) | (self._terms.larger_bears_off & (sources[:HOME] == highest[:, None]))
        legal[:, :HOME] &= ~off | (bears & (highest <= HOME)[:, None])
        if sorted_sources:
            legal &= sources <= layer.last[:, None]
        return np.asarray(legal)
