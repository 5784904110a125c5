"""A record on a read-only medium: it is read, or refused with the reason."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import closing

import pytest
from fuzz_commands import command_line

from companion.core import BoardsideError
from companion.record import Record, RecordReader, recorded_entries

ROLLED = {"event": "Rolled", "side": "white", "dice": [3, 1], "source": "fair", "proof": None}


def mount(*arguments):
    return subprocess.run(["mount", *arguments], check=False, capture_output=True, text=True)


@pytest.fixture
def medium(tmp_path):
    """A separate file system and a function that makes it read-only; skipped if mounting is not allowed."""
    if os.geteuid() != 0 or mount("-t", "tmpfs", "boardside-test", str(tmp_path)).returncode:
        pytest.skip("mounting a file system is not allowed here")
    yield tmp_path, lambda: mount("-o", "remount,ro", str(tmp_path)).returncode
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def written(folder):
    """A record with one event, closed in order."""
    with closing(Record.open(folder / "record.db")) as record:
        record.append(ROLLED, 1000.0)


def test_a_record_on_a_read_only_medium_is_read(medium):
    folder, protect = medium
    written(folder)
    assert protect() == 0
    assert [entry["event"] for entry in recorded_entries(folder)] == ["Rolled"]
    assert [entry.event for entry in RecordReader(folder / "record.db").entries(1, 9)] == [ROLLED]
    status, printed, _ = command_line(["export", "-", "--state", str(folder)])
    assert (status, json.loads(printed)["event"]) == (0, "Rolled")


def test_unread_entries_in_the_log_are_reported(medium, tmp_path_factory):
    folder, protect = medium
    copied = tmp_path_factory.mktemp("copied")
    with closing(Record.open(copied / "record.db")) as record:
        record.append(ROLLED, 1000.0)
        for name in ("record.db", "record.db-wal"):  # as after a power cut, copied without the shared memory
            shutil.copy(copied / name, folder / name)
    assert (folder / "record.db-wal").stat().st_size > 0
    assert protect() == 0
    with pytest.raises(BoardsideError, match=r"in record\.db-wal .* copy both to where they can be written"):
        recorded_entries(folder)


def test_on_a_writable_medium_the_log_is_read(tmp_path):
    with closing(Record.open(tmp_path / "record.db")) as record:
        record.append(ROLLED, 1000.0)
        assert len(recorded_entries(tmp_path)) == 1


def test_a_table_is_not_opened_on_a_read_only_medium_and_advice_is_given(medium):
    folder, protect = medium
    written(folder)
    assert protect() == 0
    with pytest.raises(BoardsideError, match="Make the file and its directory writable"):
        Record.open(folder / "record.db")
