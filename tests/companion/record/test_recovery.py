"""A damaged, truncated, lost or outdated record: it is kept, and the last good state is restored."""

import os
import sqlite3
from contextlib import closing

import pytest
from places import RECORDS
from recorded import PICTURE, appended, opened

from companion.record import Record, RecordError, picture_name, recovery
from companion.record.backup import back_up, backup_of

EVENTS = [{"event": "Rolled", "n": 100 + n, "long": "x" * 1400} for n in range(30)]
"""Long ones, so that they fill some fifteen pages of the file."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "record.db"


def damage(path, offset, content=b"\xa5" * 4096):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(content)


def test_an_intact_record_is_not_changed(path):
    appended(path, EVENTS)
    back_up(path)
    assert opened(path) == (EVENTS, None)


def test_the_damaged_file_is_kept_and_the_backup_is_restored(path):
    appended(path, EVENTS)
    assert back_up(path) == len(EVENTS)
    path.write_bytes(b"not a database at all" * 100)
    events, rescue = opened(path)
    assert events == EVENTS
    assert rescue.set_aside.read_bytes() == b"not a database at all" * 100
    assert (rescue.events, rescue.until_s) == (30, 1029.5)
    assert "All 30 events until" in rescue.words
    assert str(rescue.set_aside) in rescue.words


@pytest.mark.parametrize("page", range(1, 8))
def test_events_after_the_backup_are_recovered_from_the_intact_part_of_the_damaged_file(path, page):
    appended(path, EVENTS[:10])
    back_up(path)
    appended(path, EVENTS[10:], first=10)
    damage(path, 4096 * page)
    events, rescue = opened(path)
    assert events == EVENTS[: len(events)]
    assert len(events) >= 10
    assert rescue is not None


def test_a_flipped_letter_that_sqlite_does_not_detect_is_found(path):
    appended(path, EVENTS)
    back_up(path)
    content = bytearray(path.read_bytes())
    where = content.index(b'"n":120')
    content[where + 4 : where + 7] = b"900"
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    events, rescue = opened(path)
    assert events == EVENTS
    assert rescue.set_aside.exists()


def test_an_event_removed_from_the_middle_is_detected(path):
    appended(path, EVENTS)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DELETE FROM events WHERE number = 15")
    events, rescue = opened(path)
    assert events == EVENTS[:14]
    assert rescue.events == 14


@pytest.mark.parametrize("left", [0, 1, 100, 4096, 5000, 20_480])
def test_a_truncated_file_is_restored_from_its_backup(path, left):
    appended(path, EVENTS)
    back_up(path)
    with path.open("r+b") as file:
        file.truncate(left)
    events, rescue = opened(path)
    assert events == EVENTS
    assert rescue.set_aside.stat().st_size == left


def test_a_missing_file_is_restored_from_its_backup(path):
    appended(path, EVENTS)
    back_up(path)
    path.unlink()
    events, rescue = opened(path)
    assert events == EVENTS
    assert "was gone" in rescue.words


def test_a_file_older_than_its_backup_is_not_trusted(path):
    """As after a file system check that brought an older state back."""
    appended(path, EVENTS[:10])
    old = path.read_bytes()
    appended(path, EVENTS[10:20], first=10)
    back_up(path)
    path.write_bytes(old)
    events, rescue = opened(path)
    assert events == EVENTS[:20]
    assert rescue.set_aside.read_bytes() == old


def test_without_a_backup_a_new_record_begins_with_a_message(path):
    path.parent.mkdir()
    path.write_bytes(b"rubbish" * 300)
    events, rescue = opened(path)
    assert events == []
    assert rescue.words == f"The record was damaged: it is kept as {rescue.set_aside}. A new one begins."
    appended(path, EVENTS[:1])
    assert opened(path) == (EVENTS[:1], None)


def test_pictures_are_restored_too(path):
    appended(path, EVENTS)
    back_up(path)
    path.write_bytes(b"rubbish" * 300)
    with closing(Record.open(path)) as record:
        assert record.picture(picture_name(PICTURE)) == PICTURE


def test_a_damaged_picture_is_not_used_as_evidence(path):
    appended(path, EVENTS[:1])
    path.write_bytes(path.read_bytes().replace(b"jpegjpegjpeg", b"jpegJPEGjpeg", 1))
    with closing(Record.open(path)) as record:
        assert record.rescue is None
        assert record.picture(picture_name(PICTURE)) is None


def test_a_damaged_backup_is_not_used_and_changes_nothing(path):
    appended(path, EVENTS)
    back_up(path)
    damage(backup_of(path), 4096)
    assert opened(path) == (EVENTS, None)
    damage(path, 8192)
    events, rescue = opened(path)
    assert events == EVENTS[: len(events)]
    assert rescue.set_aside.exists()


def test_files_put_aside_never_overwrite_each_other(path):
    path.parent.mkdir(parents=True)
    names = []
    for n in range(3):
        path.write_bytes(b"rubbish %d " % n * 300)
        names.append(opened(path)[1].set_aside.name)
    assert names == ["record.db.damaged-1", "record.db.damaged-2", "record.db.damaged-3"]


def test_a_restart_between_putting_aside_and_restoring_continues(path, monkeypatch):
    appended(path, EVENTS)
    back_up(path)
    appended(path, [{"event": "later"}], first=30)
    damage(path, 4096 * 3)
    replace = os.replace

    def power_cut(source, target):
        if target == path:
            raise OSError("the power went")
        replace(source, target)

    monkeypatch.setattr(os, "replace", power_cut)
    with pytest.raises(RecordError, match="the power went"):
        Record.open(path)
    monkeypatch.undo()
    assert not path.exists()
    events, _ = opened(path)
    assert events[:30] == EVENTS
    assert opened(path)[1] is None


@pytest.mark.parametrize("step", ["copyfile", "_salvage"])
def test_a_power_cut_while_a_missing_record_is_restored_loses_nothing(path, monkeypatch, step):
    with closing(Record.open(path)) as record:
        for n, event in enumerate(EVENTS):
            record.append(event, 1000.5 + n)
            if n == 9:
                back_up(path)
        log = path.with_name("record.db-wal")
        logged = log.read_bytes()
    path.unlink()
    log.write_bytes(logged)

    def half_copied(source, target):
        target.write_bytes(source.read_bytes()[:5000])
        raise OSError("the power went")

    def not_salvaged(*_):
        raise OSError("the power went")

    if step == "copyfile":
        monkeypatch.setattr(recovery.shutil, "copyfile", half_copied)
    else:
        monkeypatch.setattr(recovery, "_salvage", not_salvaged)
    with pytest.raises(RecordError, match="the power went"):
        Record.open(path)
    monkeypatch.undo()
    events, rescue = opened(path)
    assert events == EVENTS
    assert rescue.events == 30
    assert sorted(file.name for file in path.parent.iterdir()) == ["record.db", "record.db.backup"]


def test_a_damaged_record_never_replaces_a_good_backup(path):
    appended(path, EVENTS)
    back_up(path)
    good = backup_of(path).read_bytes()
    damage(path, 4096 * 2)
    with pytest.raises(RecordError, match=r"back up.*(damaged|malformed)"):
        back_up(path)
    assert backup_of(path).read_bytes() == good


def test_a_backup_that_cannot_be_written_keeps_the_old_one(path, monkeypatch):
    appended(path, EVENTS[:5])
    back_up(path)
    good = backup_of(path).read_bytes()
    appended(path, EVENTS[5:9], first=5)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordError, match="No space left"):
        back_up(path)
    assert backup_of(path).read_bytes() == good
    assert [p.name for p in path.parent.iterdir() if "new" in p.name] == []


def test_a_record_in_use_can_be_backed_up(path):
    with closing(Record.open(path)) as record:
        for n, event in enumerate(EVENTS[:20]):
            record.append(event, float(n))
        assert back_up(path) == 20
        record.append(EVENTS[20], 20.0)
    with closing(sqlite3.connect(f"{backup_of(path).as_uri()}?mode=ro&immutable=1", uri=True)) as backup:
        assert backup.execute("SELECT count(*) FROM events").fetchone() == (20,)


VERSION_1 = RECORDS / "version-1.db"
"""A record that the first version wrote: a match with a dispute, a resignation and a second game under way."""


@pytest.fixture
def version_1(path):
    path.parent.mkdir()
    path.write_bytes(VERSION_1.read_bytes())
    return path


def test_a_record_of_version_1_is_migrated_with_every_event_and_picture(version_1):
    with closing(sqlite3.connect(VERSION_1)) as old:
        rows = old.execute("SELECT number, at_s, event FROM events ORDER BY number").fetchall()
        pictures = old.execute("SELECT name, jpeg FROM pictures").fetchall()
    assert len(rows) == 14
    assert opened(version_1)[1] is None
    with closing(sqlite3.connect(version_1)) as new:
        assert new.execute("SELECT number, at_s, event FROM events ORDER BY number").fetchall() == rows
        assert new.execute("SELECT name, jpeg FROM pictures").fetchall() == pictures
        assert new.execute("PRAGMA user_version").fetchone() == (2,)


def test_the_original_record_of_version_1_is_kept(version_1):
    opened(version_1)
    with closing(sqlite3.connect(version_1.with_name("record.db.version-1"))) as kept:
        assert kept.execute("PRAGMA user_version").fetchone() == (1,)
        assert kept.execute("SELECT count(*) FROM events").fetchone() == (14,)


def test_a_migrated_record_continues_and_is_protected_like_a_new_one(version_1):
    appended(version_1, [{"event": "Ruled", "number": 1, "after": None}], first=14)
    events, rescue = opened(version_1)
    assert (len(events), rescue) == (15, None)
    with closing(sqlite3.connect(version_1)) as other, other:
        other.execute("UPDATE events SET event = replace(event, '[5,3]', '[6,6]') WHERE number = 5")
    events, rescue = opened(version_1)
    assert (len(events), rescue.events) == (4, 4)


def test_an_interrupted_migration_leaves_version_1(version_1, monkeypatch):
    from companion.record import schema as record_schema

    migrate = record_schema.MIGRATIONS[1]

    def fails(connection):
        migrate(connection)
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setitem(record_schema.MIGRATIONS, 1, fails)
    with pytest.raises(RecordError, match=r"disk is full.*Free some space"):
        Record.open(version_1)
    monkeypatch.undo()
    assert len(opened(version_1)[0]) == 14
