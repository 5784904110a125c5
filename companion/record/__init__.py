"""Stores the events of a table on disk as a chain of hashes, backs them up, recovers a damaged file, and reads them."""

from __future__ import annotations

from companion.record.backup_worker import BackupWorker
from companion.record.event_codec import EventJson
from companion.record.faults import is_damage
from companion.record.journal import Journal, RecordJournal
from companion.record.reader import (
    ChapterError,
    chapters,
    check,
    events_in,
    events_of,
    open_commitments,
    recorded_entries,
    rolls_under_first_commitment,
    sheet_of_running_game,
    since_last_pause,
)
from companion.record.schema import RecordError, picture_name
from companion.record.state_archive import BackedUp, StateBackupError, unpack_backup, write_backup
from companion.record.state_directory import StateDirectory, default_path, record_in, sheets_in
from companion.record.state_restore import replace_state
from companion.record.store import Entry, Record

__all__ = [
    "BackedUp",
    "BackupWorker",
    "ChapterError",
    "Entry",
    "EventJson",
    "Journal",
    "Record",
    "RecordError",
    "RecordJournal",
    "StateBackupError",
    "StateDirectory",
    "chapters",
    "check",
    "default_path",
    "events_in",
    "events_of",
    "is_damage",
    "open_commitments",
    "picture_name",
    "record_in",
    "recorded_entries",
    "replace_state",
    "rolls_under_first_commitment",
    "sheet_of_running_game",
    "sheets_in",
    "since_last_pause",
    "unpack_backup",
    "write_backup",
]
