"""What of an accepted board its picture does not contradict, and whether the board has been set up anew since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import CellReading, Content
    from vision.arrays import Bools

_UNLIKELY_NATS = 5.0
"""Log-likelihood of a point's content below minus this contradicts it (1 in 150)."""
_LEAST_UNCHANGED = 0.5
"""Least share of cells with checkers that look unchanged unless the board was set up anew. People touch more than they
move."""


def uncontradicted(readings: Sequence[CellReading], board: Sequence[Content | None]) -> list[Content | None]:
    """The contents of a board, without those that a reading of its cells contradicts."""
    pairs = zip(readings, board, strict=True)
    return [held if held and cell.log_likelihood(held) > -_UNLIKELY_NATS else None for cell, held in pairs]


def is_set_up_anew(unchanged: Bools) -> bool:
    """Whether so few cells look unchanged that an accepted look tells nothing; so it is if there are none.

    `unchanged`: mask of the cells with checkers.
    """
    return not unchanged.size or bool(np.mean(unchanged) < _LEAST_UNCHANGED)
