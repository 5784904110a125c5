"""Which sentence is spoken when, in which language."""

from __future__ import annotations

from companion.speech.announcer import Crier, Line
from companion.speech.language import Style

__all__ = [
    "Crier",
    "Line",
    "Style",
]
