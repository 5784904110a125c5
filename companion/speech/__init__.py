"""Chooses what is spoken, and in which words."""

from __future__ import annotations

from companion.speech.announcer import Line, SpeechOutput
from companion.speech.language import Style

__all__ = ["Line", "SpeechOutput", "Style"]
