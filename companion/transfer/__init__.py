"""Exports recorded matches to files in the usual notations, and imports such files into the record."""

from __future__ import annotations

from companion.transfer.commands import export_match, import_match

__all__ = [
    "export_match",
    "import_match",
]
