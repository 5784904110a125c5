"""Which sentence is spoken when, in which language."""

from __future__ import annotations

from companion.speech.announcer import Line, SpeechOutput
from companion.speech.language import Style

__all__ = [
    "Line",
    "SpeechOutput",
    "Style",
]
