"""`boardside backup` and `restore`: a table in one file; no failure loses the old state."""

import hashlib
import json
import os
import resource
import stat
import zipfile
from contextlib import closing, suppress

import pytest
from places import RECORDS

from companion.cli import main
from companion.record import Record, StateDirectory
from companion.record.backup import back_up

EVENTS = [{"event": "Rolled", "n": n} for n in range(12)]
OTHER = [{"event": "Rolled", "n": 900}]
SHEET = b'base = "standard"\n'


def filled(state, events, secret=b"11" * 32):
    """A state directory with a record, a backup of it, a board, a sheet of its own, a clock and secrets."""
    with closing(Record.open(state / "record.db")) as record:
        record.append_all((event, 1000.0) for event in events)
    back_up(state / "record.db")
    (state / "sheets").mkdir()
    for name, content in {
        "calibration-usb-0.npz": b"board %d" % len(events),
        "sheets/our own.toml": SHEET,
        "clock.json": b"{}",
        "dice.secrets": secret,
        "seats.json": b"[]",
        "lock": b"",
    }.items():
        (state / name).write_bytes(content)
    return state


@pytest.fixture
def state(tmp_path):
    return filled(tmp_path / "state", EVENTS)


@pytest.fixture
def other(tmp_path):
    return filled(tmp_path / "other", OTHER, secret=b"22" * 32)


@pytest.fixture
def boardside(capsys):
    """Run a command; gives (status, what it printed and complained)."""

    def run(*arguments):
        status = main([*map(str, arguments)])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


@pytest.fixture
def backup(tmp_path, state, boardside):
    file = tmp_path / "backup.zip"
    assert boardside("backup", file, "--state", state)[0] == 0
    return file


def content(directory):
    """What every file below `directory` holds, except locks and SQLite's own files."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name != "lock" and not path.name.endswith(("-wal", "-shm"))
    }


def events_in(state):
    with closing(Record.open(state / "record.db")) as record:
        assert record.rescue is None
        return [entry.event for entry in record.entries()]


def test_a_backup_lists_its_content_and_only_its_owner_can_read_it(tmp_path, state, boardside):
    status, said = boardside("backup", tmp_path / "b.zip", "--state", state)
    assert (status, said.count("\n")) == (0, 1)
    assert "12 events, 1 learned board, 1 sheet, without secrets" in said
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        names = set(archive.namelist())
    assert names == {"backup.json", "record.db", "calibration-usb-0.npz", "clock.json", "sheets/our own.toml"}


def test_restoring_gives_the_backed_up_state_and_puts_the_old_one_aside(backup, other, boardside):
    before = content(other)
    status, said = boardside("restore", backup, "--state", other)
    assert (status, said.count("\n")) == (0, 1)
    assert "12 events, 1 learned board" in said
    assert str(other / "before-restore-1") in said
    aside = content(other / "before-restore-1")
    assert aside == {name: before[name] for name in aside}
    assert set(before) - set(aside) == {"dice.secrets", "seats.json"}
    assert events_in(other) == EVENTS
    assert (other / "calibration-usb-0.npz").read_bytes() == b"board 12"
    assert (other / "sheets/our own.toml").read_bytes() == SHEET
    assert (other / "dice.secrets").read_bytes() == b"22" * 32


def test_a_backup_contains_secrets_only_on_request(tmp_path, state, other, boardside):
    file = tmp_path / "with secrets.zip"
    assert "with dice.secrets and seats.json" in boardside("backup", file, "--secrets", "--state", state)[1]
    assert boardside("restore", file, "--state", other)[0] == 0
    assert (other / "dice.secrets").read_bytes() == b"11" * 32
    assert (other / "before-restore-1/dice.secrets").read_bytes() == b"22" * 32
    assert stat.S_IMODE((other / "dice.secrets").stat().st_mode) == 0o600


def test_a_running_table_can_be_backed_up_but_not_restored(tmp_path, state, boardside):
    with closing(StateDirectory.open(state)), closing(Record.open(state / "record.db")) as record:
        record.append({"event": "Rolled", "n": 12}, 1.0)
        assert "13 events" in boardside("backup", tmp_path / "b.zip", "--state", state)[1]
        before = content(state)
        status, said = boardside("restore", tmp_path / "b.zip", "--state", state)
        assert content(state) == before
    assert (status, said.count("\n")) == (1, 1)
    assert "another Boardside uses the state directory" in said


def test_a_backup_can_be_restored_on_a_new_machine(tmp_path, backup, boardside):
    assert boardside("restore", backup, "--state", tmp_path / "new")[0] == 0
    assert events_in(tmp_path / "new") == EVENTS


def test_a_record_of_version_1_is_backed_up_and_restored(tmp_path, boardside):
    old = tmp_path / "old"
    old.mkdir()
    (old / "record.db").write_bytes((RECORDS / "version-1.db").read_bytes())
    assert "14 events" in boardside("backup", tmp_path / "b.zip", "--state", old)[1]
    assert boardside("restore", tmp_path / "b.zip", "--state", tmp_path / "new")[0] == 0
    assert len(events_in(tmp_path / "new")) == 14


def test_an_empty_directory_has_an_empty_backup(tmp_path, boardside):
    (tmp_path / "empty").mkdir()
    assert "0 events" in boardside("backup", tmp_path / "b.zip", "--state", tmp_path / "empty")[1]
    assert boardside("restore", tmp_path / "b.zip", "--state", tmp_path / "empty")[0] == 0


def test_a_backup_that_cannot_be_made_is_refused_with_the_reason(tmp_path, state, boardside):
    assert "no directory" in boardside("backup", tmp_path / "b.zip", "--state", tmp_path / "none")[1]
    (tmp_path / "there").write_bytes(b"mine")
    assert "it exists" in boardside("backup", tmp_path / "there", "--state", state)[1]
    assert boardside("backup", tmp_path / "no/such/b.zip", "--state", state)[0] == 1
    content = bytearray((state / "record.db").read_bytes())
    where = content.index(b'"n":7')
    content[where : where + 5] = b'"n":8'
    (state / "record.db").write_bytes(content)
    status, said = boardside("backup", tmp_path / "b.zip", "--state", state)
    assert (status, said.count("\n")) == (1, 1)
    assert "damaged" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state", "there"]


def test_a_link_is_not_followed(tmp_path, state, boardside):
    (tmp_path / "of others").write_bytes(b"secret")
    (state / "calibration-link.npz").symlink_to(tmp_path / "of others")
    boardside("backup", tmp_path / "b.zip", "--state", state)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert "calibration-link.npz" not in archive.namelist()


def rewritten(backup, added, **changes):
    """Write the backup again with files added and its list changed; digests are right."""
    with zipfile.ZipFile(backup) as archive:
        whole = {name: archive.read(name) for name in archive.namelist()}
    listed = json.loads(whole.pop("backup.json"))
    whole |= added
    listed["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in whole.items()}
    listed |= changes
    with zipfile.ZipFile(backup, "w") as archive:
        for name, data in whole.items():
            archive.writestr(name, data)
        archive.writestr("backup.json", json.dumps(listed))


def flipped(backup):
    data = bytearray(backup.read_bytes())
    data[len(data) // 3] ^= 4
    backup.write_bytes(data)


def bomb(backup):
    """State a size of 2 GiB for the first member in the archive's directory."""
    data = bytearray(backup.read_bytes())
    size_at = data.index(b"PK\x01\x02") + 24
    data[size_at : size_at + 4] = b"\xff\xff\xff\x7f"
    backup.write_bytes(data)


REFUSED = {
    "a flipped bit": (flipped, "no whole backup"),
    "cut off": (lambda backup: os.truncate(backup, backup.stat().st_size // 2), "no whole backup"),
    "empty": (lambda backup: os.truncate(backup, 0), "no whole backup"),
    "up and out": (lambda backup: rewritten(backup, {"../evil.toml": b""}), "does not belong"),
    "an absolute path": (lambda backup: rewritten(backup, {"/etc/evil.toml": b""}), "does not belong"),
    "out of the sheets": (lambda backup: rewritten(backup, {"sheets/../../evil.toml": b""}), "does not belong"),
    "a file of its own": (lambda backup: rewritten(backup, {"lock": b""}), "does not belong"),
    "a newer version": (lambda backup: rewritten(backup, {}, version=2), "update Boardside"),
    "another program's": (lambda backup: rewritten(backup, {}, format="tax returns"), "another program's"),
    "a list of nothing": (lambda backup: rewritten(backup, {}, files={}), "does not name"),
    "a list that is none": (lambda backup: rewritten(backup, {}, files=7), "no whole backup"),
    "a wrong digest": (lambda backup: relisted(backup), "checksum of record.db"),
    "no record": (lambda backup: rewritten(backup, {"record.db": b"rubbish" * 999}), "damaged"),
    "fewer events": (lambda backup: rewritten(backup, {}, events=99), "damaged"),
    "too large": (bomb, "more than"),
}


def relisted(backup):
    """Make the list name all that is in it, with digests of zeros."""
    with zipfile.ZipFile(backup) as archive:
        names = [name for name in archive.namelist() if name != "backup.json"]
    rewritten(backup, {}, files=dict.fromkeys(names, "0" * 64))


@pytest.mark.parametrize("what", REFUSED)
def test_an_incomplete_backup_is_refused_in_one_line_and_changes_nothing(backup, other, boardside, what):
    spoil, says = REFUSED[what]
    spoil(backup)
    before = content(other)
    status, said = boardside("restore", backup, "--state", other)
    assert (status, said.count("\n")) == (1, 1), said
    assert says in said
    assert len(said) < 600
    assert content(other) == before


def test_a_folder_or_a_fifo_in_place_of_the_backup_is_named(tmp_path, state, boardside):
    os.mkfifo(tmp_path / "fifo")
    for name in ("fifo", "state", "nothing"):
        status, said = boardside("restore", tmp_path / name, "--state", state)
        assert (status, "is no file" in said) == (1, True)


def test_a_backup_that_cannot_be_written_names_the_requested_file(tmp_path, state, boardside):
    target = tmp_path / "none" / "b.zip"
    status, said = boardside("backup", target, "--state", state)
    assert (status, f"{str(target)!r}: No such file or directory; name another file" in said) == (1, True), said


@pytest.fixture
def no_room():
    """After the call, no file can grow beyond 2 kB, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_backup_without_space_leaves_no_file(tmp_path, state, boardside, no_room):
    before = content(state)
    no_room()
    status, said = boardside("backup", tmp_path / "b.zip", "--state", state)
    assert (status, said.count("\n")) == (1, 1), said
    assert "cannot back up" in said
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert content(state) == before


def test_a_restore_without_space_changes_nothing(backup, other, boardside, no_room):
    before = content(other)
    no_room()
    status, said = boardside("restore", backup, "--state", other)
    assert (status, said.count("\n")) == (1, 1), said
    assert "cannot restore" in said
    assert content(other) == before


class Pulled(BaseException):
    """A power cut."""


@pytest.mark.parametrize("cut", range(1, 14))
def test_an_interrupted_restore_is_undone_or_finished_at_the_next_start(backup, other, monkeypatch, cut):
    before, replaced, left = content(other), os.replace, [cut]

    def power_cut(*names):
        left[0] -= 1
        if not left[0]:
            raise Pulled
        replaced(*names)

    monkeypatch.setattr(os, "replace", power_cut)
    with suppress(Pulled):
        main(["restore", str(backup), "--state", str(other)])
    monkeypatch.undo()
    StateDirectory.open(other).close()
    if cut == 1:
        assert content(other) == before
        return
    assert events_in(other) == EVENTS
    aside = content(other / "before-restore-1")
    assert {name: before[name] for name in aside} == aside
    assert len(aside) == 5
    assert not list(other.glob("restore.*"))
