"""Colours as names of players, and how French puts a name after "de" and "que"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.texts.catalogue import marked

if TYPE_CHECKING:
    from companion.core import Names

COLOURS = {
    "white": marked("White"),
    "black": marked("Black"),
    "red": marked("Red"),
    "blue": marked("Blue"),
    "green": marked("Green"),
    "yellow": marked("Yellow"),
    "orange": marked("Orange"),
    "brown": marked("Brown"),
    "grey": marked("Grey"),
    "beige": marked("Beige"),
    "purple": marked("Purple"),
    "pink": marked("Pink"),
}
"""The name of a player with that colour and no other name, by the word in sheets and options."""

_VOWEL = re.compile("[aeiouâàéèêëîïôœ]", re.IGNORECASE)


def elided(text: str, names: Names) -> str:
    """French: "d'Anna" in place of "de Anna", before the players' own names."""
    for one in names:
        if _VOWEL.match(one.name):
            for word in ("d", "qu"):
                text = text.replace(f" {word}e {one.name}", f" {word}'{one.name}")
    return text
