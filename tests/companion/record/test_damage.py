"""Damage is distinguished from disk trouble; everything that is intact in some file is recovered."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing, suppress

import pytest
from benchmark import run_benchmark
from places import RECORDS
from recorded import PICTURE, appended, opened
from sweeps import sampled

from companion.record import Record, RecordError, StateDirectory, is_damage, picture_name
from companion.record.backup import back_up, backup_of

EVENTS = [{"event": "Rolled", "n": 100 + n, "long": "x" * 900} for n in range(30)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "record.db"


def replaced(path, old, new):
    content = path.read_bytes()
    assert content.count(old) == 1
    path.write_bytes(content.replace(old, new))


def code(name):
    error = sqlite3.OperationalError("…")
    error.sqlite_errorcode = getattr(sqlite3, name)
    return error


@pytest.mark.parametrize(
    "name",
    [
        *("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR"),
        *("SQLITE_IOERR_WRITE", "SQLITE_READONLY_DIRECTORY", "SQLITE_BUSY_RECOVERY", "SQLITE_CANTOPEN_ISDIR"),
    ],
)
def test_busy_locked_full_read_only_cannot_open_and_io_errors_are_disk_trouble(name):
    assert not is_damage(code(name))


@pytest.mark.parametrize(
    "name", ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "SQLITE_CONSTRAINT", "SQLITE_TOOBIG"]
)
def test_all_other_errors_of_sqlite_are_damage(name):
    assert is_damage(code(name))


def test_errors_of_the_system_are_disk_trouble_and_errors_without_a_code_are_damage():
    assert not is_damage(OSError(errno.EIO, ""))
    assert is_damage(sqlite3.OperationalError("Could not decode to UTF-8 column 'event' with text '\xff'"))


@pytest.mark.parametrize("column", ["event", "chain"])
@pytest.mark.parametrize("has_backup", [True, False])
def test_an_invalid_byte_in_a_text_column_is_recovered(path, column, has_backup):
    appended(path, EVENTS)
    if has_backup:
        back_up(path)
    with closing(sqlite3.connect(path)) as reader:
        (link,) = reader.execute("SELECT chain FROM events WHERE number = 20").fetchone()
    old = link.encode() if column == "chain" else b'"n":119'
    replaced(path, old, b"\xff" + old[1:])
    events, rescue = opened(path)
    assert events == (EVENTS if has_backup else EVENTS[:19])
    assert rescue.set_aside.exists()


@pytest.mark.parametrize("value", [0, 3, 6, 0x02000002, 0xFF000002, 0x00000102])
def test_a_flipped_version_is_recovered_also_without_a_backup(path, value):
    appended(path, EVENTS)
    with path.open("r+b") as file:
        file.seek(60)
        file.write(value.to_bytes(4, "big"))
    events, rescue = opened(path)
    assert events == EVENTS
    assert rescue.set_aside.exists()
    assert opened(path) == (EVENTS, None)


@pytest.mark.parametrize("value", [99, 5])
def test_an_unknown_version_is_damage_if_the_backup_and_the_tables_show_our_record(path, value):
    appended(path, EVENTS)
    back_up(path)
    with path.open("r+b") as file:
        file.seek(60)
        file.write(value.to_bytes(4, "big"))
    assert opened(path)[0] == EVENTS


@pytest.mark.parametrize("offset", [18, 19, 56, 59, 68, 71])
@pytest.mark.parametrize("bit", [0, 1, 7])
def test_a_flipped_bit_in_the_header_is_recovered(path, offset, bit):
    appended(path, EVENTS)
    content = bytearray(path.read_bytes())
    content[offset] ^= 1 << bit
    path.write_bytes(content)
    events, _ = opened(path)
    assert events == EVENTS
    appended(path, [{"event": "later"}], first=30)
    assert opened(path) == ([*EVENTS, {"event": "later"}], None)


@pytest.mark.parametrize("at", [40, 5000, 60_000, 90_000])
def test_events_after_a_flipped_bit_in_the_log_are_recovered(path, at):
    """SQLite believes a write-ahead log up to the first wrong checksum."""
    with closing(Record.open(path)) as record:
        for n, event in enumerate(EVENTS):
            record.append(event, 1000.5 + n)
        shutil.copytree(path.parent, cut := path.parent.with_name("cut"))
    log = cut / "record.db-wal"
    content = bytearray(log.read_bytes())
    content[at] ^= 4
    log.write_bytes(content)
    events, rescue = opened(cut / "record.db")
    assert events == EVENTS
    assert rescue.events == 30


@pytest.mark.parametrize("old", [b"TABLE events", b"REAL NOT NULL, event", b"chain TEXT"])
def test_invalid_names_of_tables_are_recovered(path, old):
    appended(path, EVENTS)
    back_up(path)
    replaced(backup_of(path), old, old[:-4] + b'\xcf\xcf\xff"')
    assert opened(path) == (EVENTS, None)
    assert back_up(path) == 30
    replaced(path, old, old[:-4] + b'\xcf\xcf\xff"')
    events, rescue = opened(path)
    assert (events, rescue.events) == (EVENTS, 30)


def test_one_intact_record_is_recovered_from_two_damaged_files(path):
    appended(path, EVENTS)
    back_up(path)
    replaced(path, b'"n":110', b'"n":1\xff0')
    replaced(backup_of(path), b'"n":120', b'"n":1\xff0')
    assert opened(path)[0] == EVENTS


def test_a_missing_record_and_backup_are_recovered_from_the_log(path):
    with closing(Record.open(path)) as record:
        for n, event in enumerate(EVENTS):
            record.append(event, 1000.5 + n)
        log = (path.parent / "record.db-wal").read_bytes()
    path.unlink()
    (path.parent / "record.db-wal").write_bytes(log)
    assert opened(path)[0] == EVENTS


def test_a_record_damaged_while_open_is_recovered_and_writing_continues(path, caplog):
    with closing(Record.open(path)) as record:
        for n, event in enumerate(EVENTS[:20]):
            record.append(event, 1000.5 + n)
        back_up(path)
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            file.write(b"\xa5" * 4096)
        for n, event in enumerate(EVENTS[20:], start=20):
            record.append(event, 1000.5 + n)
    assert "The record was damaged" in caplog.text
    assert opened(path) == (EVENTS, None)


def test_no_event_is_written_after_a_gap(path):
    with closing(Record.open(path)) as record:
        for n, event in enumerate(EVENTS[:20]):
            record.append(event, 1000.5 + n)
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.write_bytes(b"\xa5" * path.stat().st_size)
        for _ in range(2):
            with pytest.raises(RecordError, match="Start Boardside again"):
                record.append(EVENTS[20], 1.0)
    assert opened(path) == ([], None)


def test_a_damaged_picture_is_taken_from_the_backup(path):
    appended(path, EVENTS[:1])
    back_up(path)
    path.write_bytes(path.read_bytes().replace(b"jpegjpegjpeg", b"jpegJPEGjpeg", 1))
    with closing(Record.open(path)) as record:
        assert record.picture(picture_name(PICTURE)) == PICTURE


def test_a_whole_picture_in_the_backup_is_not_replaced_by_a_damaged_one(path):
    appended(path, EVENTS[:1])
    back_up(path)
    path.write_bytes(path.read_bytes().replace(b"jpegjpegjpeg", b"jpegJPEGjpeg", 1))
    appended(path, EVENTS[1:2], first=1)
    assert back_up(path) == 2
    path.unlink()
    with closing(Record.open(path)) as record:
        assert record.picture(picture_name(PICTURE)) == PICTURE
        assert len(record.entries()) == 2


def test_a_record_older_than_a_damaged_backup_takes_its_intact_events(path):
    appended(path, EVENTS[:10])
    old = path.read_bytes()
    appended(path, EVENTS[10:], first=10)
    back_up(path)
    path.write_bytes(old)
    replaced(backup_of(path), b'"n":125', b'"n":12\xff')
    events, rescue = opened(path)
    assert (events, rescue.set_aside.read_bytes()) == (EVENTS[:25], old)


def test_an_event_too_long_for_a_page_is_recovered_beside_others(path):
    events = [EVENTS[0], {"event": "Disputed", "long": "y" * 9000}, *EVENTS[1:]]
    appended(path, events)
    replaced(path, b'"n":129', b'"n":12\xff')
    assert opened(path)[0] == events[:-1]


MISPLACED = (
    "record.db",
    "record.db-wal",
    "record.db-shm",
    "record.db.backup",
    "record.db.backup.new",
    "record.db.restored",
)
OTHERS = ("record.db.salvaging", "lock", "dice.secrets", "clock.json", "clock.json.new", "calibration-usb-0.npz")


@pytest.mark.parametrize("name", [*MISPLACED, *OTHERS])
@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_an_entry_that_is_not_a_file_is_put_aside(path, name, make):
    appended(path, EVENTS)
    back_up(path)
    wrong = path.parent / name
    with suppress(FileNotFoundError):
        wrong.unlink()
    make(wrong)
    with closing(StateDirectory.open(path.parent)) as state:
        assert state.set_aside == {wrong: path.parent / f"{name}.damaged-1"}
        assert opened(path)[0] == EVENTS
        assert back_up(path) == 30
    assert (path.parent / f"{name}.damaged-1").exists()


def test_a_file_in_the_place_of_the_sheets_is_put_aside(path):
    path.parent.mkdir()
    (path.parent / "sheets").write_bytes(b"")
    with closing(StateDirectory.open(path.parent)) as state:
        assert list(state.set_aside.values()) == [path.parent / "sheets.damaged-1"]


def test_a_damaged_record_of_version_1_is_kept_and_a_new_one_begins(path):
    path.parent.mkdir()
    content = bytearray((RECORDS / "version-1.db").read_bytes())
    content[4096:8192] = bytes(4096)
    path.write_bytes(content)
    _, rescue = opened(path)
    assert rescue.set_aside.read_bytes() == content


@pytest.mark.parametrize("starts", sampled((2, 4), (2,)))
def test_a_sample_of_damaged_starts_leads_to_play_without_loss(tmp_path, starts):
    said = run_benchmark("damaged", "--starts", starts, "--processes", 0, folder=tmp_path)
    assert "something wrong at 0 starts" in said


@pytest.mark.slow
def test_damaged_starts_lead_to_play_without_loss(tmp_path):
    said = run_benchmark("damaged", "--starts", 300, "--processes", 4, folder=tmp_path)
    assert "something wrong at 0 starts" in said
