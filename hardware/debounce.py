"""From the edges of a contact to presses: a pure function, since mock pins (and some factories) do not debounce.

A contact bounces for some milliseconds when it closes and again when it opens. The first closing edge after quiet is
the press, at once; what follows within `BOUNCE_S` of any edge is bouncing. Whether the key was let go shows once the
contact has been open for `BOUNCE_S`. A stuck key gives one press and no more; a press whose release was lost does not
make the button dead: the next closing edge after quiet is a press again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

BOUNCE_S = 0.03
"""Small switches settle within 5 to 10 ms (Ganssle, "A Guide to Debouncing": 6.2 ms at worst in most, 157 in one)."""


@dataclass(frozen=True, slots=True)
class Contact:
    """What is remembered of a button's contact: when its last edge came, and whether that one closed it."""

    last_edge_s: float = -inf
    closed: bool = False

    @property
    def settles_s(self) -> float:
        """When the contact has settled, provided that no other edge comes."""
        return self.last_edge_s + BOUNCE_S


def debounce(contact: Contact, closing: bool, at_s: float) -> tuple[Contact, bool]:
    """The contact after an edge (`closing` or opening, at `at_s` seconds), and whether that edge is a press."""
    quiet = at_s >= contact.settles_s
    return Contact(at_s, closing), closing and quiet
