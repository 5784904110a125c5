"""The voice: a real process for every line, one at a time, cut short where it is out of date."""

from __future__ import annotations

import os
import shutil
import wave
from typing import TYPE_CHECKING

import pytest

from companion.speech import Line, Style
from companion.speech.announcer import Topic
from hardware.speech import PROGRAM, Voice, style_of

if TYPE_CHECKING:
    from pathlib import Path

SOON_S = 20.0
STAND_IN = """#!/bin/sh
text=$(cat)
echo "$2 $text" >> {log}
echo "$text" > {begun}
read go < {go}
echo "done $text" >> {log}
"""


class StandIn:
    """A program in place of espeak-ng, which reports the beginning of a line and waits for a signal to end it."""

    def __init__(self, folder: Path) -> None:
        self.log, self.begun, self.go = folder / "log", folder / "begun", folder / "go"
        for pipe in (self.begun, self.go):
            os.mkfifo(pipe)
        self.program = program = folder / PROGRAM
        program.write_text(STAND_IN.format(log=self.log, begun=self.begun, go=self.go))
        program.chmod(0o755)

    def begins(self) -> str:
        """Wait until a line is begun."""
        return self.begun.read_text().strip()

    def ends(self) -> None:
        """Let the present line end."""
        self.go.write_text("go\n")

    def told(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    program = StandIn(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return program


@pytest.fixture
def voice(stand_in):
    assert shutil.which(PROGRAM) == str(stand_in.program)
    voice = Voice("de")
    yield voice
    voice.close()


def verdict(text: str, turn: int = 1) -> Line:
    return Line(text, Topic.VERDICT, turn)


def event(text: str, turn: int = 1) -> Line:
    return Line(text, Topic.EVENT, turn)


def test_lines_are_spoken_one_after_the_other_in_the_language(stand_in, voice):
    voice.say([event("eins"), event("zwei")])
    for text in ("eins", "zwei"):
        assert stand_in.begins() == text
        stand_in.ends()
    assert voice.silent(SOON_S)
    assert stand_in.told() == ["de eins", "done eins", "de zwei", "done zwei"]


def test_speaking_a_line_does_not_block_the_caller(stand_in, voice):
    voice.say([event("eins")])
    assert stand_in.begins() == "eins"
    assert not voice.silent(0.0)
    stand_in.ends()
    assert voice.silent(SOON_S)


def test_a_newer_verdict_of_the_turn_interrupts_the_older_one(stand_in, voice):
    voice.say([verdict("nicht erlaubt")])
    assert stand_in.begins() == "nicht erlaubt"
    voice.say([verdict("erlaubt")])
    assert stand_in.begins() == "erlaubt"
    stand_in.ends()
    assert voice.silent(SOON_S)
    assert stand_in.told() == ["de nicht erlaubt", "de erlaubt", "done erlaubt"]


def test_a_verdict_that_waits_is_dropped_with_its_turn_and_an_event_is_not(stand_in, voice):
    voice.say([event("Wurf"), verdict("alt"), event("Ergebnis")])
    assert stand_in.begins() == "Wurf"
    voice.say([event("neuer Wurf", turn=2)])
    stand_in.ends()
    for text in ("Ergebnis", "neuer Wurf"):
        assert stand_in.begins() == text
        stand_in.ends()
    assert voice.silent(SOON_S)
    assert "de alt" not in stand_in.told()


def test_lines_spoken_together_do_not_replace_each_other(stand_in, voice):
    voice.say([Line("Brett", Topic.STATE, 1), Line("Zug", Topic.STATE, 1)])
    for text in ("Brett", "Zug"):
        assert stand_in.begins() == text
        stand_in.ends()
    assert voice.silent(SOON_S)


def test_closing_stops_the_voice(stand_in, voice):
    voice.say([event("eins"), event("zwei")])
    assert stand_in.begins() == "eins"
    voice.close()
    voice.say([event("drei")])
    assert stand_in.told() == ["de eins"]


def test_without_the_program_the_voice_is_off_and_the_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    voice = Voice("en")
    voice.say([event("one")])
    assert voice.silent(0.0)
    assert voice.trouble == "Nothing is said without espeak-ng: sudo apt install espeak-ng"
    voice.close()


@pytest.mark.parametrize("script", ["#!/no/such/interpreter\n", "#!/bin/sh\nexec /no/such/program\n"])
def test_a_program_that_cannot_be_started_silences_the_voice_and_not_the_game(script, tmp_path, monkeypatch, caplog):
    program = tmp_path / PROGRAM
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    voice = Voice("en")
    voice.say([event("one"), event("two")])
    assert voice.silent(SOON_S)
    assert caplog.text.count("Nothing is said any more") == 1
    voice.close()


def test_a_real_table_with_a_voice_speaks_tersely_and_a_simulated_one_only_when_asked(stand_in, monkeypatch, tmp_path):
    assert shutil.which(PROGRAM) == str(stand_in.program)
    assert style_of(None, simulated=False) is Style.TERSE
    assert style_of(None, simulated=True) is Style.OFF
    assert style_of(Style.FRIENDLY, simulated=True) is Style.FRIENDLY
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert style_of(None, simulated=False) is Style.OFF


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_real_program_makes_sound_of_a_line(language, tmp_path):
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"{PROGRAM} is not installed")
    sound = tmp_path / "line.wav"
    voice = Voice(language, ["-w", str(sound)])
    voice.say([event("24, 18, 13")])
    assert voice.silent(SOON_S)
    voice.close()
    with wave.open(str(sound)) as heard:
        assert heard.getnframes() > heard.getframerate() / 2
