"""After a power cut the clock has at most the time of the current turn more than before."""

from dataclasses import replace

import pytest

from companion.app.table import Table, TableClock
from companion.clock import ClockFile, ClockSetting
from companion.core import Side
from companion.game import Match, Phase, Turn
from companion.interface import Light, Snapshot

SETTING = ClockSetting(2.0, 12.0)
TO_MOVE = Snapshot(
    1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard", on_roll=Side.WHITE, match=Match(score=(0, 2))
)
TO_ROLL = replace(TO_MOVE, phase=Phase.TO_ROLL, on_roll=Side.BLACK, history=(Turn(Side.WHITE, None, "8/5 6/5"),))


class TimedEvening:
    """A table whose process is restarted with the same file, and the wall-clock time."""

    def __init__(self, path):
        self.path, self.now = path, 0.0
        self.starts()

    def starts(self, setting=SETTING):
        self.table = Table("backgammon", "standard", clock=TableClock(setting, lambda: self.now, ClockFile(self.path)))

    def shows(self, snapshot, at_s):
        self.now = at_s
        self.table.publish(snapshot)
        self.table.tick()
        return self.table.snapshot().clock


@pytest.fixture
def evening(tmp_path):
    evening = TimedEvening(tmp_path / "clock.json")
    evening.shows(TO_MOVE, 0.0)
    evening.shows(TO_ROLL, 30.0)  # White took 18 seconds more than the delay
    return evening


def test_after_a_restart_the_clock_has_the_state_at_the_beginning_of_the_turn(evening):
    evening.now = 70.0
    evening.starts()
    shown = evening.shows(TO_ROLL, 1000.0)
    assert shown.reserve_s == (102.0, 120.0)
    assert (shown.running, shown.delay_s[1]) == ("black", 12.0)


def test_a_clock_stored_one_play_earlier_belongs_to_the_same_game(evening):
    evening.starts()
    after = replace(TO_ROLL, on_roll=Side.WHITE, history=(*TO_ROLL.history, Turn(Side.BLACK, None, "24/20")))
    assert evening.shows(after, 50.0).reserve_s[0] == 102.0


@pytest.mark.parametrize(
    "other",
    [replace(TO_MOVE, match=Match()), replace(TO_ROLL, history=4 * TO_ROLL.history)],
    ids=["another score", "other plays"],
)
def test_the_clock_of_another_game_is_not_resumed(evening, other):
    evening.starts()
    assert evening.shows(other, 50.0).reserve_s == (120.0, 120.0)


def test_another_clock_setting_starts_with_full_reserves(evening):
    evening.starts(ClockSetting(5.0))
    assert evening.shows(TO_ROLL, 50.0).reserve_s[0] == 300.0


def test_a_stopped_clock_is_still_stopped_after_a_restart(evening):
    evening.table.pause_clock()
    evening.table.tick()
    evening.starts()
    shown = evening.shows(TO_ROLL, 500.0)
    assert (shown.paused, shown.running) == (True, None)


WHOLE = b'{"setting": "2+12", "reserve_s": {"white": 1, "black": 1}, "turn": %b, "score": {}, "paused": false}'


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"setting": "2+12"}',
        b"\xff",
        b'{"reserve_s": {"white": NaN}}',
        WHOLE % b"1e999",
        b"[" * 9000,
    ],
)
def test_a_damaged_file_is_reported_and_the_clock_starts_with_full_reserves(evening, content, caplog):
    evening.path.write_bytes(content)
    evening.starts()
    assert evening.shows(TO_ROLL, 50.0).reserve_s[0] == 120.0
    assert "the chess clock starts with full reserves" in caplog.text


def test_a_clock_that_cannot_be_stored_is_reported_once_and_runs_on(tmp_path, caplog):
    evening = TimedEvening(tmp_path / "gone" / "clock.json")
    evening.shows(TO_MOVE, 0.0)
    shown = evening.shows(TO_ROLL, 30.0)
    assert shown.reserve_s[0] == 102.0
    assert caplog.text.count("the chess clock is not saved") == 1


def test_a_clock_that_could_not_be_stored_is_stored_as_soon_as_possible(tmp_path):
    evening = TimedEvening(tmp_path / "full" / "clock.json")
    evening.shows(TO_MOVE, 0.0)
    evening.shows(TO_ROLL, 30.0)
    evening.path.parent.mkdir()
    evening.table.tick()
    evening.starts()
    assert evening.shows(TO_ROLL, 1000.0).reserve_s == (102.0, 120.0)


def test_the_file_is_written_once_per_turn(evening):
    before = evening.path.stat().st_mtime_ns, evening.path.stat().st_ino
    for at_s in (31.0, 32.0, 55.0):
        evening.shows(TO_ROLL, at_s)
    assert (evening.path.stat().st_mtime_ns, evening.path.stat().st_ino) == before


def test_a_setting_is_written_as_it_is_read():
    for setting in (SETTING, ClockSetting(0.1, 3.3), ClockSetting(600.0)):
        assert ClockSetting.parse(str(setting)) == setting


def test_the_running_player_after_a_restart_comes_from_the_game(evening):
    evening.starts()
    assert evening.shows(replace(TO_ROLL, on_roll=Side.WHITE), 50.0).running is Side.WHITE
