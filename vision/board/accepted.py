"""What of an accepted board its picture does not contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import CellReading, Content

_UNLIKELY_NATS = 5.0
"""Log-likelihood of a point's content below minus this contradicts it (1 in 150)."""


def uncontradicted(readings: Sequence[CellReading], board: Sequence[Content | None]) -> list[Content | None]:
    """The contents of a board, without those that a reading of its cells contradicts."""
    pairs = zip(readings, board, strict=True)
    return [held if held and cell.log_likelihood(held) > -_UNLIKELY_NATS else None for cell, held in pairs]
