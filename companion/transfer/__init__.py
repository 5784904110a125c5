"""Import and export of matches."""

from __future__ import annotations

from companion.transfer.commands import export_match, import_match

__all__ = [
    "export_match",
    "import_match",
]
