import re

import pytest

from hardware.pins import BUSES, Pins, PinsError, refuse_busy


def test_the_default_pins_do_not_clash():
    numbers = [pin for pin, _ in Pins().uses()]
    assert len(numbers) == len(set(numbers)) == 15


def test_two_uses_of_one_pin_are_both_named():
    with pytest.raises(PinsError, match=r"pin 17 is given to both roll and hint"):
        Pins(hint=17)


def test_a_group_of_a_die_is_named_by_its_place():
    with pytest.raises(PinsError, match=re.escape("pin 23 is given to both white_die (middle pair) and light (red)")):
        Pins(white_die=(5, 6, 13, 23))


@pytest.mark.parametrize(("pin", "says"), [(28, "0 to 27"), (-1, "0 to 27"), (0, "HAT"), (1, "HAT")])
def test_a_pin_that_cannot_be_used_is_refused(pin, says):
    with pytest.raises(PinsError, match=says):
        Pins(roll=pin)


def test_roll_buttons_of_the_players_are_wired_only_if_configured():
    assert "white_roll" not in {use for _, use in Pins().uses()}
    assert (26, "white_roll") in Pins(white_roll=26).uses()
    with pytest.raises(PinsError, match="pin 17 is given to both roll and white_roll"):
        Pins(white_roll=17)


@pytest.mark.parametrize("bus", BUSES, ids=lambda bus: bus.name)
def test_a_pin_of_a_bus_is_refused_where_the_bus_is_on(bus, tmp_path):
    pins = Pins(roll=bus.pins[0])
    refuse_busy(pins, tmp_path)  # the bus is off
    (tmp_path / bus.device.replace("*", "0")).touch()
    with pytest.raises(PinsError, match=re.escape(f"roll = {bus.pins[0]}: on this machine {bus.name} uses that pin")):
        refuse_busy(pins, tmp_path)
    refuse_busy(Pins(), tmp_path)
