"""Stores the events of a table on disk as a chain of hashes, backs them up, recovers a damaged file, and reads them."""

from __future__ import annotations

from companion.record.archives import read_archive
from companion.record.backup_worker import BackupWorker
from companion.record.chapter_list import ChapterList, GrowingChapters
from companion.record.deleting import NotYetDeletedError, delete_pictures, pictures_named
from companion.record.event_codec import WITHOUT_POSITIONS, EventJson
from companion.record.faults import RecordError, is_damage
from companion.record.journal import Journal, RecordJournal
from companion.record.kept_files import damaged_name
from companion.record.kept_pictures import Keep, KeptPictures
from companion.record.partial_reader import Link, RecordReader
from companion.record.reader import (
    MOST_BYTES_OF_RECORD,
    OF_DICE,
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
from companion.record.schema import chain_hash, picture_name
from companion.record.state_archive import BackedUp, StateBackupError, unpack_backup, write_backup
from companion.record.state_directory import StateDirectory, default_path, record_in, sheets_in
from companion.record.state_restore import replace_state
from companion.record.store import LAST_S, Entry, Record, exported

__all__ = [
    "LAST_S",
    "MOST_BYTES_OF_RECORD",
    "OF_DICE",
    "WITHOUT_POSITIONS",
    "BackedUp",
    "BackupWorker",
    "ChapterError",
    "ChapterList",
    "Entry",
    "EventJson",
    "GrowingChapters",
    "Journal",
    "Keep",
    "KeptPictures",
    "Link",
    "NotYetDeletedError",
    "Record",
    "RecordError",
    "RecordJournal",
    "RecordReader",
    "StateBackupError",
    "StateDirectory",
    "chain_hash",
    "chapters",
    "check",
    "damaged_name",
    "default_path",
    "delete_pictures",
    "events_in",
    "events_of",
    "exported",
    "is_damage",
    "open_commitments",
    "picture_name",
    "pictures_named",
    "read_archive",
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
