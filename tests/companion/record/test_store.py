import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.record import Entry, Record, RecordError, picture_name
from companion.record.backup import connect
from companion.record.faults import as_record_error

EVENTS = [{"event": "Rolled", "n": n} for n in range(3)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "record.db"


@pytest.fixture
def connections(monkeypatch):
    """The connections that records write through: SQLite keeps these settings for a connection, not in the file."""
    made = []

    def noted(*how):
        made.append(connect(*how))
        return made[-1]

    monkeypatch.setattr("companion.record.store.connect", noted)
    return made


def filled(path, events=EVENTS):
    with closing(Record.open(path)) as record:
        for n, event in enumerate(events):
            record.append(event, 1000.0 + n)


def events_at(path):
    with closing(Record.open(path)) as record:
        return [entry.event for entry in record.entries()]


def test_appended_events_are_read_in_order_after_reopening(path):
    filled(path)
    with closing(Record.open(path)) as record:
        entries = record.entries()
    assert [(entry.number, entry.at_s, entry.event) for entry in entries] == [
        (n + 1, 1000.0 + n, event) for n, event in enumerate(EVENTS)
    ]


def test_several_events_are_written_all_or_none(path, connections):
    with closing(Record.open(path)) as record:
        assert record.append_all((event, 1000.0) for event in EVENTS[:2]) == 2
        connections[-1].execute("PRAGMA max_page_count = 20")
        with pytest.raises(RecordError, match="full"):
            record.append_all(({"event": "Rolled", "more": "x" * 4000}, 1001.0) for _ in range(50))
        assert record.append(EVENTS[2], 1002.0) == 3
    assert events_at(path) == EVENTS


def test_the_outline_leaves_out_rolls_and_plays(path):
    kinds = ["Started", "OpeningRolled", "Played", "Rolled", "Ruled", "RollVoided", "Ended", "DiceSealed"]
    filled(path, [{"event": kind} for kind in kinds])
    with closing(Record.open(path)) as record:
        outline = record.outline()
        assert [entry.number for entry in record.entries(6)] == [6, 7, 8]
    assert [(e.number, e.event["event"]) for e in outline] == [
        (1, "Started"),
        (5, "Ruled"),
        (6, "RollVoided"),
        (7, "Ended"),
        (8, "DiceSealed"),
    ]


def test_every_event_is_on_the_disk_before_append_returns(path, connections):
    with closing(Record.open(path)) as record:
        record.append(EVENTS[0], 1.0)
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT count(*) FROM events").fetchone() == (1,)
        assert connections[0].execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connections[0].execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_an_entry_is_read_back_from_its_line():
    entry = Entry(7, 1000.5, {"event": "Rolled", "n": 1})
    assert Entry.from_json(entry.to_json()) == entry
    assert Entry.from_json(entry.event, 7, 1000.5) == entry


@pytest.mark.parametrize("changed", [{"event": 1}, {"entry": 1.5}, {"entry": None}, {"at_s": "now"}, {"at_s": -1.0}])
def test_an_invalid_entry_is_refused_with_an_example(changed):
    for line in ({"entry": 7, "at_s": 1000.5, "event": "Rolled", **changed}, [changed]):
        with pytest.raises(RecordError, match=r'^expected events such as \{"entry": .*, not '):
            Entry.from_json(line)


def test_evidence_pictures_are_kept_once_and_found_by_name(path):
    with closing(Record.open(path)) as record:
        record.append({"event": "Disputed"}, 1.0, (b"before", b"after"))
        record.append({"event": "Disputed"}, 2.0, (b"after",))
        assert record.picture(picture_name(b"before")) == b"before"
        assert record.picture("no such picture") is None
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT count(*) FROM pictures").fetchone() == (2,)


def test_on_a_full_disk_the_error_says_so_and_nothing_is_partly_written(path, connections):
    with closing(Record.open(path)) as record:
        record.append(EVENTS[0], 1.0)
        pages = connections[0].execute("PRAGMA page_count").fetchone()[0]
        connections[0].execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(RecordError, match=r"record\.db.*full.*Free some space"):
            record.append({"event": "Rolled", "long": "x" * 100_000}, 2.0)
        connections[0].execute("PRAGMA max_page_count = 1000000")
        record.append(EVENTS[1], 3.0)
    assert events_at(path) == EVENTS[:2]


def test_an_error_of_a_nearly_full_disk_names_that_cause_too(path):
    error = sqlite3.OperationalError("disk I/O error")  # what SQLite says where its shared memory finds no space
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    with pytest.raises(RecordError, match="that its disk has free space"), as_record_error(path, "open"):
        raise error


def test_a_place_that_cannot_be_written_is_named():
    with pytest.raises(RecordError, match=r"cannot open the record '/proc/boardside/record\.db'.*--state"):
        Record.open(Path("/proc/boardside/record.db"))


def test_a_directory_in_place_of_the_record_is_named(tmp_path):
    with pytest.raises(RecordError, match="is a directory"):
        Record.open(tmp_path)


def test_the_database_of_another_program_is_not_changed(path):
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(RecordError, match="not a Boardside record"):
        Record.open(path)
    assert path.read_bytes() == before


def test_a_record_of_a_newer_version_is_not_changed(path):
    filled(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(RecordError, match=r"version 99.*update Boardside"):
        Record.open(path)


WRITER = """
import sys
from pathlib import Path
from companion.record import Record
record = Record.open(Path(sys.argv[1]))
n = 0
while True:
    record.append({"n": n}, float(n), (b"picture %d" % n * 500,))
    print(n, flush=True)
    n += 1
"""


@pytest.mark.parametrize("acknowledged", [1, 40])
def test_acknowledged_events_survive_a_kill_during_appends(path, acknowledged):
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    seen = -1
    while seen < acknowledged:
        seen = int(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().split()
    child.wait()
    child.stdout.close()
    last = int(rest[-1]) if rest else seen
    found = [event["n"] for event in events_at(path)]
    assert found == list(range(len(found)))
    assert last + 1 <= len(found) <= last + 2  # one more may be on the disk, not yet acknowledged
