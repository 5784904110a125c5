import re

import pytest

from hardware.pins import Pins, PinsError, load_pins


def test_the_default_pins_do_not_clash():
    numbers = [pin for pin, _ in Pins().uses()]
    assert len(numbers) == len(set(numbers)) == 15


def test_two_things_on_one_pin_are_named_both():
    with pytest.raises(PinsError, match=r"pin 17 is given to both roll and hint"):
        Pins(hint=17)


def test_a_group_of_a_die_is_named_by_its_place():
    with pytest.raises(PinsError, match=re.escape("pin 23 is given to both white_die (middle pair) and light (red)")):
        Pins(white_die=(5, 6, 13, 23))


@pytest.mark.parametrize(("pin", "says"), [(28, "0 to 27"), (-1, "0 to 27"), (14, "serial console"), (0, "EEPROM")])
def test_a_pin_that_cannot_be_used_is_refused(pin, says):
    with pytest.raises(PinsError, match=says):
        Pins(roll=pin)


def test_a_file_changes_what_it_names(tmp_path):
    path = tmp_path / "boardside.toml"
    path.write_text("[pins]\nroll = 4\nlight = [26, 24, 25]\n")
    assert load_pins(path) == Pins(roll=4, light=(26, 24, 25))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[pins]\nrol = 4", "unknown key 'rol'; known are roll"),
        ("[pins]\nroll = 'four'", "roll = 'four': expected a pin"),
        ("[pins]\nroll = true", "roll = True"),
        ("[pins]\nlight = [1, 2]", "expected 3 pins"),
        ("[pins]\nroll = 27", "pin 27 is given to both"),
        ("pins = 3", "expected a table"),
        ("[pins", "is not TOML"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path, text, says):
    path = tmp_path / "boardside.toml"
    path.write_text(text)
    with pytest.raises(PinsError, match=says) as raised:
        load_pins(path)
    assert str(path) in str(raised.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PinsError, match="No such file"):
        load_pins(tmp_path / "none.toml")
