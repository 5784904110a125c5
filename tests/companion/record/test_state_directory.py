from contextlib import closing
from pathlib import Path

import pytest

from companion.record import StateDirectory, default_path
from companion.record.state_directory import StateError


def test_the_directory_is_created_for_the_record_and_a_calibration_per_camera(tmp_path):
    with closing(StateDirectory.open(tmp_path / "a" / "b")) as state:
        assert state.record == tmp_path / "a" / "b" / "record.db"
        assert state.calibration("USB camera 0") == tmp_path / "a" / "b" / "calibration-usb-camera-0.npz"
        assert state.path.is_dir()


def test_only_one_boardside_may_use_it_at_a_time(tmp_path):
    with (
        closing(StateDirectory.open(tmp_path)),
        pytest.raises(StateError, match="another Boardside uses the state directory"),
    ):
        StateDirectory.open(tmp_path)
    StateDirectory.open(tmp_path).close()


def test_a_start_that_is_refused_renames_nothing(tmp_path):
    """The entries belong to the running Boardside."""
    with closing(StateDirectory.open(tmp_path)):
        (tmp_path / "clock.json").mkdir()
        with pytest.raises(StateError, match="another Boardside"):
            StateDirectory.open(tmp_path)
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["clock.json", "lock"]
    with closing(StateDirectory.open(tmp_path)) as state:
        assert state.set_aside == {tmp_path / "clock.json": tmp_path / "clock.json.damaged-1"}


def test_the_lock_is_released_if_an_entry_cannot_be_renamed(tmp_path, monkeypatch):
    (tmp_path / "clock.json").mkdir()

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(StateError, match="Permission denied"):
        StateDirectory.open(tmp_path)
    monkeypatch.undo()
    StateDirectory.open(tmp_path).close()


def test_a_place_that_cannot_be_written_is_named():
    with pytest.raises(StateError, match=r"'/proc/boardside'.*--state"):
        StateDirectory.open(Path("/proc/boardside"))


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"STATE_DIRECTORY": "/var/lib/boardside", "XDG_STATE_HOME": "/x"}, Path("/var/lib/boardside")),
        ({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}, Path("/var/lib/a")),
        ({"XDG_STATE_HOME": "/x"}, Path("/x/boardside")),
        ({}, Path.home() / ".local/state/boardside"),
    ],
)
def test_the_default_place_of_the_directory_follows_the_environment(environment, path):
    assert default_path(environment) == path
