"""The one thread that owns the game: messages in, events and snapshots out."""

from __future__ import annotations

from companion.session.ports import SessionPorts, SessionStart
from companion.session.session import Session

__all__ = [
    "Session",
    "SessionPorts",
    "SessionStart",
]
