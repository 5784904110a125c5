import re
import tomllib

import pytest

from companion.clock import ClockSetting
from companion.interface import Button
from companion.speech import Style
from hardware.button_actions import HOLD_S, ButtonAction
from hardware.configuration import Configuration, ConfigurationError, configuration_of, load_configuration
from hardware.gestures import EnabledGestures, Gesture
from hardware.pins import Pins

EVERYTHING = """
[pins]
roll = 4
white_roll = 26
light = [7, 24, 25]

[panel]
dice_brightness = 0.4
light_brightness = 1
common_anode = true
buzzer = "passive"
roll_s = 0

[gestures]
long_s = 1.0
hint = {}
roll = { double = "offer a double" }

[clock]
minutes = 14
delay_s = 12
"""


@pytest.fixture
def load(tmp_path):
    def loaded(text):
        path = tmp_path / "boardside.toml"
        path.write_text(text)
        return load_configuration(path)

    return loaded


def test_an_empty_file_changes_nothing(load):
    assert load("") == Configuration()


def test_a_configuration_file_changes_only_what_it_names(load):
    loaded = load(EVERYTHING)
    assert loaded.pins == Pins(roll=4, white_roll=26, light=(7, 24, 25))
    assert (loaded.dice_brightness, loaded.light_brightness, loaded.roll_s) == (0.4, 1.0, 0.0)
    assert (loaded.common_anode, loaded.buzzer) == (True, "passive")
    assert loaded.clock == ClockSetting(14, 12)


def test_the_configuration_may_name_the_source_of_dice(load):
    assert load("").dice == "fair"
    assert load('dice = "camera"').dice == "camera"
    with pytest.raises(ConfigurationError, match="dice = 'loaded': expected one of fair, hand, camera"):
        load('dice = "loaded"')


def test_gestures_are_given_and_taken_away_button_by_button(load):
    gestures = load(EVERYTHING).gestures
    assert gestures.enabled(Button.ROLL) == EnabledGestures(double=True, long_s=1.0)
    assert gestures.enabled(Button.HINT) == EnabledGestures(long_s=1.0)
    assert gestures.enabled(Button.REFEREE) == EnabledGestures(long=True, long_s=1.0)
    assert gestures.action(Button.ROLL, Gesture.DOUBLE) is ButtonAction.DOUBLE
    assert gestures.action(Button.ROLL, Gesture.TAP) is ButtonAction.ROLL


def test_roll_taps_at_once_by_default_and_is_held_for_a_pairing_code():
    enabled = Configuration().gestures.enabled(Button.ROLL)
    assert enabled == EnabledGestures(long=True, long_s=HOLD_S, tap_at_once=True)


def test_a_roll_button_with_other_gestures_waits_to_distinguish_them():
    text = '[gestures]\nroll = { long = "show a pairing code", double = "offer a double" }'
    assert not configuration_of(tomllib.loads(text)).gestures.enabled(Button.ROLL).tap_at_once


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[pin]", "table: unknown key 'pin'; known are pins, panel, gestures, clock"),
        ("pins = 3", "pins = 3: expected a table [pins]"),
        ("[pins]\nrol = 4", "[pins]: unknown key 'rol'; known are roll"),
        ("[pins]\nroll = 'four'", "roll = 'four': expected a pin"),
        ("[pins]\nroll = true", "roll = True"),
        ("[pins]\nlight = [1, 2]", "light = [1, 2]: expected 3 pins"),
        ("[pins]\nlight = 4", "light = 4: expected 3 pins"),
        ("[pins]\nroll = [4]", "roll = [4]: expected a pin"),
        ("[pins]\nroll = 27", "pin 27 is given to both"),
        ("[panel]\nbrightness = 1", "[panel]: unknown key 'brightness'"),
        ("[panel]\ndice_brightness = 0", "dice_brightness = 0: expected 0.02 to 1"),
        ("[panel]\nlight_brightness = 'full'", "light_brightness = 'full': expected something like 1.0"),
        ("[panel]\ncommon_anode = 1", "common_anode = 1: expected something like False"),
        ("[panel]\nbuzzer = 'loud'", "buzzer = 'loud': expected one of active, passive"),
        ("[panel]\nroll_s = 60", "roll_s = 60: expected 0 to 2"),
        ("[gestures]\nlong_s = 0.01", "long_s = 0.01: expected 0.15 to 5"),
        ("[gestures]\nroll = 'fast'", "[gestures] roll = 'fast': expected a table"),
        ("[gestures]\nroll = {triple = 'roll'}", "unknown key 'triple'; known are long, double"),
        ("[gestures]\nroll = {long = 'dance'}", "roll.long = 'dance': expected one of roll, hint"),
        ("[gestures]\nroll = {tap = 'hint'}", "unknown key 'tap'"),
        ("[gestures]\nrol = {}", "unknown key 'rol'"),
        ("[clock]\ndelay_s = 12", "a clock of 0 minutes"),
        ("[clock]\nminutes = 'many'", "[clock] minutes = 'many'"),
        ("[pins", "is not TOML"),
    ],
)
def test_an_invalid_file_is_named_with_its_error(load, text, says):
    with pytest.raises(ConfigurationError, match=re.escape(says)) as raised:
        load(text)
    assert "boardside.toml" in str(raised.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="No such file"):
        load_configuration(tmp_path / "none.toml")


def test_language_and_speech_are_the_systems_and_the_tables_unless_named(load):
    assert (load("").language, load("").speech) == (None, None)
    loaded = load('language = "fr"\nspeech = "friendly"')
    assert (loaded.language, loaded.speech) == ("fr", Style.FRIENDLY)
    with pytest.raises(ConfigurationError, match="language = 'nl': expected one of en, de, fr, es"):
        load('language = "nl"')
    with pytest.raises(ConfigurationError, match="speech = 'loud': expected one of off, terse, friendly"):
        load('speech = "loud"')
