"""Exports recorded matches to files in the usual notations and imports such files; backs a table up and restores it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
    from companion.transfer.backup_commands import back_up_state, restore_state
    from companion.transfer.commands import export_match, import_match
    from companion.transfer.exporter import TranscriptError, transcribe

__all__ = ["TranscriptError", "back_up_state", "export_match", "import_match", "restore_state", "transcribe"]
__getattr__ = lazy_face(
    __name__,
    {
        "TranscriptError": "exporter",
        "back_up_state": "backup_commands",
        "export_match": "commands",
        "import_match": "commands",
        "restore_state": "backup_commands",
        "transcribe": "exporter",
    },
)
