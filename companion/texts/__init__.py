"""All words the players read or hear, in every language."""

from __future__ import annotations

from companion.texts.catalogue import ENGLISH, LANGUAGES, language_of, marked
from companion.texts.general import NUMBERS
from companion.texts.names import COLOURS
from companion.texts.rendering import (
    TEXTS,
    Renderer,
    capital,
    error_text,
    full_verdict_to_json,
    phrase,
    render,
    verdict_to_json,
)
from companion.texts.tiles import counted_forward
from companion.texts.verdicts import CAUSES, CORRECTIONS, REASONS

__all__ = [
    "CAUSES",
    "COLOURS",
    "CORRECTIONS",
    "ENGLISH",
    "LANGUAGES",
    "NUMBERS",
    "REASONS",
    "TEXTS",
    "Renderer",
    "capital",
    "counted_forward",
    "error_text",
    "full_verdict_to_json",
    "language_of",
    "marked",
    "phrase",
    "render",
    "verdict_to_json",
]
