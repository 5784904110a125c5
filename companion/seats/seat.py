"""A seat at the table: for whom a device may act."""

from __future__ import annotations

from enum import StrEnum

from companion.core import Side


class Seat(StrEnum):
    """For whom a device may act; BOTH is the one screen beside the board that both players use."""

    WHITE = "white"
    BLACK = "black"
    BOTH = "both"

    @property
    def sides(self) -> tuple[Side, ...]:
        """The players whose seat it is."""
        return tuple(Side) if self is Seat.BOTH else (Side(self.value),)

    @property
    def only(self) -> Side | None:
        """The one player whose seat it is; None for BOTH."""
        return None if self is Seat.BOTH else Side(self.value)
