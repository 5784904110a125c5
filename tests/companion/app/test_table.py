import threading
from dataclasses import replace

import pytest

from companion.app.table import Table, TableClock
from companion.clock import ClockSetting, NoClockError
from companion.core import Side
from companion.game import Phase
from companion.interface import Button, HintsHidden, Light, Snapshot, SpokenLine, Tapped
from companion.record import Record, picture_name
from companion.speech import SpeechOutput, Style
from hardware.configuration import Configuration
from hardware.factory import mock_pins
from hardware.panel import Panel
from hardware.pins import Pins

SNAPSHOT = Snapshot(7, Phase.TO_MOVE, Light.GREEN, "backgammon", "standard", dice=(3, 1))


class Inbox:
    def __init__(self):
        self.items = []

    def post(self, item):
        self.items.append(item)


@pytest.fixture
def table():
    return Table("backgammon", "standard")


def test_the_version_rises_with_every_snapshot_and_picture(table):
    versions = [table.snapshot().version]
    table.publish(SNAPSHOT)
    versions.append(table.snapshot().version)
    table.show_picture(b"jpeg")
    versions.append(table.snapshot().version)
    assert versions == [1, 2, 3]
    assert (table.snapshot().picture, table.picture()) == (1, (1, b"jpeg"))
    assert table.snapshot() == replace(SNAPSHOT, version=3, picture=1)


def test_waiting_ends_with_something_new_or_with_nothing(table):
    assert table.wait(1, 0.0) is None
    assert table.wait(0, 0.0) == table.snapshot()
    waiter = threading.Timer(0.0, table.publish, [SNAPSHOT])
    waiter.start()
    assert table.wait(1, 30.0).dice == (3, 1)
    waiter.join()


def test_a_game_is_on_from_its_first_roll(table):
    ready = replace(SNAPSHOT, phase=Phase.OPENING, dice=None)
    for shown, before in ((ready, True), (replace(ready, dice=(2, 2)), False), (SNAPSHOT, False)):
        table.publish(shown)
        assert table.before_first_roll() == before


def test_a_tap_on_the_page_is_marked_as_such_also_with_mock_pins(table):
    """The page has buttons of its own that answer a double, so that its Roll and Hint do not, as the panel's would."""
    inbox, factory = Inbox(), mock_pins()
    panel = Panel(Configuration(), factory, inbox.post, lambda: 5.0)
    table.attach(inbox, panel=panel)
    items = [Tapped(Button.ROLL, 1.0, on_page=True), Tapped(Button.HINT, 1.0, Side.WHITE), HintsHidden(2.0)]
    for item in items:
        table.post(item)
    assert inbox.items == items
    panel.close()


def test_a_snapshot_lights_the_panel(table):
    factory = mock_pins()
    panel = Panel(Configuration(), factory, print, lambda: 5.0)
    table.attach(Inbox(), panel=panel)
    table.publish(SNAPSHOT)
    assert factory.pin(Pins().light[1]).state == 1
    panel.close()


def test_evidence_comes_from_the_record(table, tmp_path):
    assert table.evidence("x") is None
    record = Record.open(tmp_path / "record.db")
    record.append({}, 0.0, (b"jpeg",))
    table.attach(Inbox(), record=record)
    assert table.evidence(picture_name(b"jpeg")) == b"jpeg"
    record.close()


def test_a_fallen_flag_is_reported_once_and_the_game_goes_on():
    now = [0.0]
    table = Table("backgammon", "standard", clock=TableClock(ClockSetting(1), lambda: now[0]))
    table.publish(replace(SNAPSHOT, on_roll=Side.WHITE, light=Light.AMBER))
    version = table.snapshot().version
    now[0] = 59.9
    table.tick()
    assert (table.snapshot().version, table.snapshot().clock.fallen) == (version, ())
    now[0] = 60.5
    table.tick()
    table.tick()
    assert (table.snapshot().version, table.snapshot().clock.fallen) == (version + 1, (Side.WHITE,))
    assert table.snapshot().phase is Phase.TO_MOVE


def test_pausing_the_clock_is_shown_at_once():
    table = Table("backgammon", "standard", clock=TableClock(ClockSetting(1), lambda: 5.0))
    table.publish(replace(SNAPSHOT, on_roll=Side.WHITE))
    version = table.snapshot().version
    table.pause_clock()
    assert table.snapshot().version == version + 1
    assert table.snapshot().clock.paused


def test_a_table_without_a_clock_has_none_to_pause(table):
    assert table.snapshot().clock is None
    with pytest.raises(NoClockError):
        table.pause_clock()


def test_spoken_lines_go_to_the_voice_and_with_the_next_snapshot_to_the_page():
    class HeardVoice:
        def __init__(self):
            self.said = []

        def say(self, lines):
            self.said += [line.text for line in lines]

    voice = HeardVoice()
    table = Table("backgammon", "standard", speech=SpeechOutput("de", Style.TERSE, voice))
    start = table.snapshot()
    table.publish(replace(start, phase=Phase.OPENING))
    table.publish(replace(start, phase=Phase.TO_MOVE, on_roll=Side.BLACK, dice=(3, 1)))
    assert voice.said == ["Tippt auf Roll.", "Schwarz beginnt: drei und eins."]
    assert table.snapshot().spoken == (
        SpokenLine(1, "Tippt auf Roll.", "de"),
        SpokenLine(2, "Schwarz beginnt: drei und eins.", "de"),
    )
