"""A file that is written whole: a reader of it meets the old content or the new."""

import errno
import os

import pytest

from companion.core import written_whole


@pytest.fixture
def path(tmp_path):
    """A file that was written before."""
    path = tmp_path / "clock.json"
    path.write_bytes(b"old")
    return path


def beside(path):
    return sorted(one.name for one in path.parent.iterdir())


def test_a_file_is_replaced_once_its_new_content_is_complete(path):
    with written_whole(path) as file:
        file.write(b"new, and longer")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new, and longer"
    assert beside(path) == ["clock.json"]


def test_a_missing_file_is_created(tmp_path):
    with written_whole(tmp_path / "first") as file:
        file.write(b"new")
    assert (tmp_path / "first").read_bytes() == b"new"


def stopped(file, error):
    file.write(b"hal")
    raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(path, error):
    with pytest.raises(error), written_whole(path) as file:
        stopped(file, error)
    assert path.read_bytes() == b"old"
    assert beside(path) == ["clock.json"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(path, step, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left"), written_whole(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"old"
    assert beside(path) == ["clock.json"]


def test_the_content_is_on_the_disk_before_the_rename(path, monkeypatch):
    fsync, on_disk = os.fsync, []

    def noted(file):
        fsync(file)
        on_disk.append((os.fstat(file).st_size, path.read_bytes()))

    monkeypatch.setattr(os, "fsync", noted)
    with written_whole(path) as file:
        file.write(b"new")
    assert on_disk == [(3, b"old")]


def test_a_partial_file_from_a_power_cut_is_overwritten(path):
    path.with_name("clock.json.new").write_bytes(b"a try that was cut off")
    with written_whole(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert beside(path) == ["clock.json"]


def test_if_no_file_can_be_created_the_cause_is_reported(tmp_path):
    with pytest.raises(FileNotFoundError), written_whole(tmp_path / "gone" / "clock.json"):
        pytest.fail("there is nothing to write to")
