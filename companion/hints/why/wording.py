"""Keys of texts in the singular or plural."""

from __future__ import annotations


def number_suffix(number: int) -> str:
    """The end of a text's key for `number`: ".one" for the singular, else empty."""
    return ".one" if number == 1 else ""
