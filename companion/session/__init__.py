"""The one thread that owns the game: messages in, events and snapshots out."""

from __future__ import annotations

from companion.session.session import Session, SessionPorts, SessionStart

__all__ = [
    "Session",
    "SessionPorts",
    "SessionStart",
]
