"""Keys of texts in the singular or plural."""

from __future__ import annotations


def one(number: int) -> str:
    """The end of a text's key for the singular."""
    return ".one" if number == 1 else ""
