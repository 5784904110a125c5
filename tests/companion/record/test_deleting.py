"""Deleting pictures for good: their bytes are in no file any more, or the message says that they still are."""

from __future__ import annotations

import random
import threading
from contextlib import ExitStack, closing, contextmanager

import pytest
from impatient import delete_impatiently

from companion.record import (
    BackupWorker,
    NotYetDeletedError,
    Record,
    RecordError,
    RecordReader,
    backup_worker,
    delete_pictures,
    deleting,
    picture_name,
)
from companion.record.backup import back_up, backup_of, connect

PICTURE = random.Random(3).randbytes(20_000)
NAME = picture_name(PICTURE)


@pytest.fixture
def record(tmp_path):
    with closing(Record.open(tmp_path / "record.db")) as record:
        record.append({"event": "Disputed"}, 1.0, (PICTURE,))
        back_up(record.path)
        record.append({"event": "Declined"}, 2.0)
        yield record


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    delete_impatiently(monkeypatch)


def is_on_disk(record):
    return any(PICTURE[1000:1100] in path.read_bytes() for path in record.path.parent.iterdir())


def reading(record):
    """A reader in the middle of the events."""
    events = RecordReader(record.path).each(1, 2)
    next(events)
    return closing(events)


def test_no_byte_of_a_deleted_picture_is_left(record):
    interrupted = record.path.with_name("record.db.backup.new")
    interrupted.write_bytes(backup_of(record.path).read_bytes())
    assert is_on_disk(record)
    assert delete_pictures(record.path, [NAME]) == 1
    assert not is_on_disk(record)
    assert record.picture(NAME) is None


def test_deletion_during_a_read_is_reported_as_unfinished_and_finished_afterwards(record):
    keeper = BackupWorker(record, lambda: None, retry_s=0.25)
    assert keeper.finish_deleting() == 0.0
    with reading(record):
        with pytest.raises(NotYetDeletedError, match="being read"):
            keeper.delete_pictures([NAME])
        assert keeper.due
        assert record.picture(NAME) is None
        assert is_on_disk(record)
        assert keeper.finish_deleting() == 0.25
    assert keeper.finish_deleting() == 0.0
    assert not is_on_disk(record)


class Attempts:
    """Attempts to finish a deletion: a permit for each, and whether one did."""

    def __init__(self):
        self.made, self.done = threading.Semaphore(0), threading.Event()

    def make(self, path):
        if emptied := deleting.empty_log(path):
            self.done.set()
        self.made.release()
        return emptied


@pytest.fixture
def attempts(monkeypatch):
    attempts = Attempts()
    monkeypatch.setattr(backup_worker, "empty_log", attempts.make)
    return attempts


@contextmanager
def running(keeper):
    thread = threading.Thread(target=keeper.run)
    thread.start()
    try:
        yield
    finally:
        keeper.stop()
        thread.join(60)


def test_the_thread_finishes_an_unfinished_deletion(record, attempts):
    keeper = BackupWorker(record, lambda: None, retry_s=0.001)
    with ExitStack() as stack:
        with reading(record):
            with pytest.raises(NotYetDeletedError):
                keeper.delete_pictures([NAME])
            stack.enter_context(running(keeper))
            for _ in range(3):
                assert attempts.made.acquire(timeout=60)
            assert not attempts.done.is_set()
        assert attempts.done.wait(60)
    assert not is_on_disk(record)


def test_the_next_start_finishes_a_deletion_interrupted_by_a_power_cut(record, tmp_path, attempts):
    with reading(record), pytest.raises(NotYetDeletedError):
        delete_pictures(record.path, [NAME])
    after = tmp_path / "after"
    after.mkdir()
    for name in ("record.db", "record.db-wal", "record.db.backup"):
        (after / name).write_bytes((record.path.parent / name).read_bytes())
    with closing(Record.open(after / "record.db")) as again:
        assert is_on_disk(again)
        with running(BackupWorker(again, lambda: None)):
            assert attempts.done.wait(60)
        assert not is_on_disk(again)
        assert len(again.entries()) == 2


def test_after_a_failure_in_the_record_no_picture_remains_only_in_the_backup(record):
    """The next backup would take it from there."""
    with closing(connect(record.path, "rw")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError, match="locked"):
            delete_pictures(record.path, [NAME])
    assert record.picture(NAME) == PICTURE
    assert delete_pictures(record.path, [NAME]) == 1
    back_up(record.path)
    assert not is_on_disk(record)
