"""Debounces a button's contact: edges in, presses out. Pure functions.

Mock pins and some pin factories do not debounce. A contact bounces for some milliseconds when it closes and when it
opens. The first closing edge after `BOUNCE_S` without edges is a press, reported at once; edges within `BOUNCE_S` of
another edge are bouncing. A stuck key gives one press only. If a release was missed, the next closing edge after
`BOUNCE_S` without edges is a press again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

BOUNCE_S = 0.03
"""Seconds. Small switches settle within 5 to 10 ms.

Source: Ganssle, "A Guide to Debouncing" (at most 6.2 ms in most switches, 157 ms in one).
"""


@dataclass(frozen=True, slots=True)
class Contact:
    """State of a contact: the time of its last edge in seconds, and whether that edge closed it."""

    last_edge_s: float = -inf
    closed: bool = False

    @property
    def settles_s(self) -> float:
        """Time in seconds at which bouncing is over, if no further edge comes."""
        return self.last_edge_s + BOUNCE_S


def debounce(contact: Contact, closing: bool, at_s: float) -> tuple[Contact, bool]:
    """The contact after an edge at `at_s` seconds, and whether that edge is a press."""
    quiet = at_s >= contact.settles_s
    return Contact(at_s, closing), closing and quiet
