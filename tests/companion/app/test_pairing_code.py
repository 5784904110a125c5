"""A pairing code is shown at the table: on the dice, aloud and on the console; never on the page."""

import re

import pytest
from cleared_when_read import ClearedWhenRead

from companion.app.pairing_code import seat_desk
from companion.seats import PairingRefusal, PairingRefusedError, Seat
from companion.speech import SpeechOutput, Style
from hardware.configuration import Configuration
from hardware.factory import mock_pins
from hardware.panel import Panel

PINS = Configuration().pins


class Heard:
    """A loudspeaker that records its lines."""

    def __init__(self):
        self.lines = []

    def say(self, lines):
        self.lines += [line.text for line in lines]


class RoomWithCode:
    """A panel on mock pins, a loudspeaker and a desk."""

    def __init__(self, path):
        self.factory = mock_pins()
        self.panel = Panel(Configuration(), self.factory, lambda _: None)
        self.heard = Heard()
        self.speech = SpeechOutput("en", Style.TERSE, self.heard)
        self.playing = False
        self.desk = seat_desk(path, self.panel, self.speech, 8000, lambda: not self.playing)

    def lit(self):
        return sum(bool(self.factory.pin(pin).state) for pin in (*PINS.white_die, *PINS.black_die))


@pytest.fixture
def room(tmp_path):
    room = RoomWithCode(tmp_path / "seats.json")
    yield room
    room.panel.close()
    room.factory.reset()


def numbers_in(text):
    return tuple(map(int, re.search(r"Pairing code: (\d) (\d) (\d) (\d)\.", text).groups()))


class Silenced(SpeechOutput):
    """Speech whose loudspeaker is removed as soon as it has been read once."""

    _voice = ClearedWhenRead()


def test_a_code_during_a_change_of_voice_raises_no_error():
    heard = Heard()
    speech = Silenced("en", Style.TERSE, heard)
    speech.say_pairing_code((1, 2, 3, 4))
    speech.say_pairing_code((5, 6, 1, 2))
    assert len(heard.lines) == 1


def test_a_code_is_shown_and_spoken_and_printed_and_gives_a_seat(room, capsys):
    room.desk.show_code()
    printed = capsys.readouterr().out
    code = numbers_in(printed)
    assert "/seat" in printed
    assert "█" in printed, "a QR code"
    assert room.lit() == 8
    assert len(room.heard.lines) == 1
    assert room.heard.lines[0].startswith("The pairing code is ")
    assert room.desk.device_of(room.desk.take(code, Seat.WHITE, "phone", "10.0.0.2")).seat is Seat.WHITE
    assert room.lit() == 0, "the dice of the game again: none"
    assert capsys.readouterr().out == ""


def test_the_qr_code_is_an_invitation(room, capsys, monkeypatch):
    drawn = []
    monkeypatch.setattr("companion.app.pairing_code.qr_code", lambda text: drawn.append(text) or "")
    room.desk.show_code()
    address, invitation = drawn[0].split("#")
    assert address.endswith(":8000/seat")
    assert room.desk.accept(invitation, Seat.BOTH, "tablet")
    assert invitation not in capsys.readouterr().out.replace(drawn[0], "")


def test_with_mock_pins_a_visitor_may_request_a_code_during_a_game(room, monkeypatch):
    room.playing = True
    room.desk.ask_for_code()
    monkeypatch.setattr(Panel, "on_mock_pins", property(lambda _: False))
    with pytest.raises(PairingRefusedError) as refused:
        room.desk.ask_for_code()
    assert refused.value.refusal is PairingRefusal.HOLD_ROLL
