"""The backup worker: times of backups, and a disk that is full for a while."""

import logging
import sqlite3
import threading
from contextlib import closing
from itertools import count

import pytest

from companion.record import BackupWorker, Record, RecordError, backup_worker
from companion.record.backup import back_up, backup_of, connect
from companion.record.backup_worker import EVENTS_BETWEEN


@pytest.fixture
def record(tmp_path):
    with closing(Record.open(tmp_path / "record.db")) as record:
        yield record


def in_backup(record):
    if not backup_of(record.path).exists():
        return 0
    with closing(sqlite3.connect(backup_of(record.path))) as backup:
        return backup.execute("SELECT count(*) FROM events").fetchone()[0]


class Thread:
    """The worker's thread; leaving waits for its end."""

    def __init__(self, keeper):
        self._keeper, self._thread = keeper, threading.Thread(target=keeper.run)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._keeper.stop()
        self._thread.join(30)
        assert not self._thread.is_alive()


def test_appended_events_are_backed_up_at_the_latest_when_the_table_closes(record):
    keeper = BackupWorker(record, lambda: None)
    with Thread(keeper):
        for n in range(3):
            keeper.append_all([({"event": "Rolled", "n": n}, float(n))])
    assert in_backup(record) == 3


def test_events_during_a_pause_of_the_worker_are_backed_up_when_the_table_closes(record):
    hours = count(0, 3600)
    rested = threading.Event()

    def clock():
        second = next(hours)
        if second == 3600:
            rested.set()  # the first backup is done and took an hour: the rest is long
        return float(second)

    keeper = BackupWorker(record, lambda: None, clock)
    with Thread(keeper):
        keeper.append_all([({"event": "Ended"}, 1.0)])
        assert rested.wait(60)
        keeper.append_all([({"event": "Started"}, 2.0)])
    assert in_backup(record) == 2


@pytest.mark.parametrize("last", ["Ended", "Resigned", "Passed", "Drawn"])
def test_every_game_that_ends_is_backed_up(record, last):
    keeper = BackupWorker(record, lambda: None, count().__next__)
    keeper.append_all([({"event": "Rolled"}, 1.0)])
    assert not keeper.due
    keeper.append_all([({"event": last}, 2.0)])
    assert keeper.due


def test_a_long_game_is_backed_up_before_its_end(record):
    keeper = BackupWorker(record, lambda: None)
    for n in range(EVENTS_BETWEEN):
        assert not keeper.due
        keeper.append_all([({"event": "Rolled"}, float(n))])
    assert keeper.due


def test_after_a_long_backup_there_is_a_long_pause(record):
    seconds = iter([100.0, 101.5])
    keeper = BackupWorker(record, lambda: None, lambda: next(seconds))
    keeper.append_all([({"event": "Ended"}, 1.0)])
    assert keeper.back_up() == 30.0
    assert keeper.back_up() == 0.0  # nothing new


@pytest.fixture
def in_the_way(record):
    """A folder that makes every backup fail."""
    folder = backup_of(record.path).with_name("record.db.backup.new")
    folder.mkdir()
    return folder


@pytest.mark.usefixtures("in_the_way")
def test_a_failing_backup_is_logged_once_and_the_game_continues(record, caplog):
    keeper = BackupWorker(record, lambda: None, lambda: 0.0, retry_s=0.25)
    keeper.append_all([({"event": "Ended"}, 1.0)])
    with caplog.at_level(logging.WARNING):
        assert [keeper.back_up(), keeper.back_up()] == [0.25, 0.25]
    assert caplog.text.count("continues without a new backup") == 1
    assert keeper.append_all([({"event": "Ended"}, 2.0)]) == 2


@pytest.mark.usefixtures("in_the_way")
def test_after_a_long_failed_attempt_there_is_a_long_pause_too(record, caplog):
    seconds = iter([100.0, 101.5])
    keeper = BackupWorker(record, lambda: None, lambda: next(seconds))
    keeper.append_all([({"event": "Ended"}, 1.0)])
    assert keeper.back_up() == 30.0
    assert "continues without a new backup" in caplog.text


def test_a_backup_that_fails_is_tried_again_without_another_event(record, in_the_way, monkeypatch):
    attempts, saved = [], threading.Event()

    def counted(path):
        attempts.append(path)
        if len(attempts) == 3:
            in_the_way.rmdir()
        last = back_up(path)
        saved.set()
        return last

    monkeypatch.setattr(backup_worker, "back_up", counted)
    keeper = BackupWorker(record, lambda: None, retry_s=0.001)
    with Thread(keeper):
        keeper.append_all([({"event": "Ended"}, 1.0)])
        assert saved.wait(60)
        assert in_backup(record) == 1
    assert len(attempts) == 3


def test_while_nothing_can_be_written_the_session_is_asked_to_try_again(tmp_path, monkeypatch):
    connection = connect(tmp_path / "record.db", "rwc")
    monkeypatch.setattr("companion.record.store.connect", lambda *_: connection)
    record = Record.open(tmp_path / "record.db")
    tried = threading.Event()
    keeper = BackupWorker(record, tried.set, retry_s=0.001)
    connection.execute("PRAGMA query_only = 1")
    with pytest.raises(RecordError, match="readonly"):
        keeper.append_all([({"event": "Rolled"}, 1.0)])
    with Thread(keeper):
        assert tried.wait(60)
        with pytest.raises(RecordError):
            keeper.try_writing()
        connection.execute("PRAGMA query_only = 0")
        keeper.try_writing()
    assert keeper.append_all([({"event": "Rolled"}, 2.0)]) == 1
    record.close()
