from dataclasses import replace

import pytest
from gpiozero import LED

from companion.inbox import Button
from companion.snapshot import Light, Phase, Snapshot
from hardware.factory import GpioError, claiming, mock_pins, open_factory
from hardware.led_dice import LedDice
from hardware.panel import COLOURS, Panel, beeps
from hardware.pins import Pins

PINS = Pins()
QUIET = Snapshot(1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard")


@pytest.fixture
def factory():
    factory = mock_pins()
    yield factory
    factory.reset()


@pytest.fixture
def taps():
    return []


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def panel(factory, taps, now):
    panel = Panel(PINS, factory, lambda button, at_s: taps.append((button, at_s)), lambda: now[0])
    yield panel
    panel.close()


def lit(factory, pins):
    return "".join("x" if factory.pin(pin).state else "." for pin in pins)


@pytest.mark.parametrize(
    ("number", "groups"), [(1, "x..."), (2, ".x.."), (3, "xx.."), (4, ".xx."), (5, "xxx."), (6, ".xxx")]
)
def test_each_number_lights_its_groups(factory, number, groups):
    dice = LedDice(PINS.white_die, PINS.black_die, factory)
    dice.show((number, 7 - number))
    assert lit(factory, PINS.white_die) == groups
    dice.show((7 - number, number))
    assert lit(factory, PINS.black_die) == groups
    dice.close()


def test_the_pips_lit_add_up_to_the_number(factory):
    dice = LedDice(PINS.white_die, PINS.black_die, factory)
    for number in range(1, 7):
        dice.show((number,))
        pips = sum(n for n, pin in zip((1, 2, 2, 2), PINS.white_die, strict=True) if factory.pin(pin).state)
        assert pips == number
    dice.close()


def test_a_single_die_leaves_the_other_dark(factory):
    dice = LedDice(PINS.white_die, PINS.black_die, factory)
    dice.show((6, 6))
    dice.show((3,))
    assert lit(factory, PINS.black_die) == "...."
    dice.show(None)
    assert lit(factory, PINS.white_die) == "...."
    dice.close()


@pytest.mark.parametrize("light", list(Light))
def test_the_light_follows_the_snapshot(panel, factory, light):
    panel.show(replace(QUIET, light=light))
    assert tuple(round(factory.pin(pin).state, 2) for pin in PINS.light) == COLOURS[light]


def test_the_dice_follow_the_snapshot(panel, factory):
    panel.show(replace(QUIET, dice=(6, 1)))
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == (".xxx", "x...")


@pytest.mark.parametrize("button", list(Button))
def test_pressing_a_button_reports_one_tap_with_its_time(panel, taps, now, button):
    now[0] = 12.5
    panel.press(button)
    assert taps == [(button, 12.5)]


@pytest.mark.usefixtures("panel")
def test_a_bouncing_button_is_one_tap(factory, taps, now):
    pin = factory.pin(PINS.roll)
    for n in range(6):
        now[0] = 1.0 + n * 0.002
        pin.drive_low()
        pin.drive_high()
    assert taps == [(Button.ROLL, 1.0)]


def test_a_pin_in_use_is_named_with_the_mend(factory):
    other = LED(PINS.light[1], pin_factory=factory)
    with pytest.raises(GpioError, match=r"status light: pin GPIO24 is already in use by .*another pin in the \[pins\]"):
        Panel(PINS, factory, lambda *_: None)
    other.close()
    Panel(PINS, factory, lambda *_: None).close()  # what had been claimed before the failure was let go


def test_a_busy_pin_is_named_with_the_mend():
    with pytest.raises(GpioError, match=r"button roll on GPIO 17: .*busy.*--gpio mock"), claiming("button roll", 17):
        raise OSError("GPIO busy")


def test_without_a_gpio_chip_the_pins_are_mock_pins(tmp_path):
    panel = Panel(PINS, open_factory("auto", devices=tmp_path), lambda *_: None)
    assert panel.on_mock_pins
    panel.close()


def test_an_unknown_choice_of_pins_is_named():
    with pytest.raises(GpioError, match="unknown pins 'real': expected one of auto, mock"):
        open_factory("real")


def test_beeps_tell_a_roll_a_fault_and_the_end_apart():
    rolled = replace(QUIET, dice=(3, 1))
    assert beeps(None, rolled) == 0
    assert beeps(QUIET, rolled) == 1
    assert beeps(rolled, rolled) == 0
    assert beeps(rolled, replace(rolled, light=Light.RED)) == 2
    assert beeps(rolled, replace(rolled, phase=Phase.OVER, light=Light.GREEN)) == 3


def test_the_buzzer_sounds_for_a_roll(panel, factory):
    panel.show(QUIET)
    panel.show(replace(QUIET, dice=(3, 1)))
    panel.close()
    assert 1 in [state.state for state in factory.pin(PINS.buzzer).states]
