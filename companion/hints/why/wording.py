"""Keys of texts that speak of one or of many."""

from __future__ import annotations


def one(number: int) -> str:
    """The end of a text's key where it is about one."""
    return ".one" if number == 1 else ""
