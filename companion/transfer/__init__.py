"""Exports recorded matches to files in the usual notations and imports such files; backs a table up and restores it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
    from companion.transfer.backup_commands import back_up_state, restore_state
    from companion.transfer.commands import export_match, import_match

__all__ = [
    "back_up_state",
    "export_match",
    "import_match",
    "restore_state",
]
__getattr__ = lazy_face(
    __name__,
    {
        "back_up_state": "backup_commands",
        "export_match": "commands",
        "import_match": "commands",
        "restore_state": "backup_commands",
    },
)
