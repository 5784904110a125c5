"""All words the players read or hear, in every language."""

from __future__ import annotations

from companion.texts.catalogue import ENGLISH, LANGUAGES, language_of, marked, translations
from companion.texts.causes import CAUSES
from companion.texts.endings import AGREED_DRAW, DRAWN
from companion.texts.general import PLAYERS
from companion.texts.reasons import MENDS
from companion.texts.reasons import TITLES as REASONS
from companion.texts.remedies import AGREED, PROPOSED
from companion.texts.rendering import phrase, render
from companion.texts.verdict_json import full_verdict_to_json, verdict_to_json

__all__ = [
    "AGREED",
    "AGREED_DRAW",
    "CAUSES",
    "DRAWN",
    "ENGLISH",
    "LANGUAGES",
    "MENDS",
    "PLAYERS",
    "PROPOSED",
    "REASONS",
    "full_verdict_to_json",
    "language_of",
    "marked",
    "phrase",
    "render",
    "translations",
    "verdict_to_json",
]
