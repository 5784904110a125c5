import pytest

from companion.interface import Light
from hardware.factory import mock_pins
from hardware.status_light import COLOURS, StatusLight, colour_of

PINS = (23, 24, 25)


@pytest.mark.parametrize("dims", [True, False])
def test_no_two_lights_look_alike(dims):
    assert len({colour_of(light, 0.5, dims=dims) for light in Light}) == len(Light)


def test_a_light_that_cannot_be_dimmed_is_on_or_off():
    assert colour_of(Light.AMBER, 0.1, dims=False) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("light", list(Light))
def test_with_a_common_anode_pins_pull_down_the_lit_leds(light):
    factory = mock_pins()
    status = StatusLight(PINS, factory, common_anode=True)
    status.show(light)
    assert tuple(round(1 - factory.pin(pin).state, 2) for pin in PINS) == COLOURS[light]
    status.close()
    factory.reset()
