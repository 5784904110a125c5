"""The whole panel on mock pins: presses are posted, snapshots are shown."""

from dataclasses import replace

import pytest
from cleared_when_read import ClearedWhenRead
from gpiozero import LED
from pressed import press

from companion.clock import ClockPaused
from companion.core import Side
from companion.game import Phase, Remedy
from companion.interface import (
    Button,
    CubeActed,
    CubeAction,
    Draws,
    HintsHidden,
    Light,
    PanelPart,
    Press,
    Proposes,
    Resigns,
    Snapshot,
    Tapped,
)
from companion.seats import CodeAsked
from hardware.button_actions import ButtonAction, Gestures
from hardware.configuration import Configuration
from hardware.factory import GpioError
from hardware.gestures import Gesture
from hardware.panel import Panel
from hardware.pins import Pins
from hardware.status_light import COLOURS

PINS = Pins(white_roll=26, black_roll=4)
AT_ONCE = Configuration(pins=PINS, roll_s=0.0)
QUIET = Snapshot(1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard")


@pytest.fixture
def posted():
    return []


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def panel(factory, posted, now):
    panel = Panel(AT_ONCE, factory, posted.append, lambda: now[0])
    yield panel
    panel.close()


def lit(factory, pins):
    return "".join("x" if factory.pin(pin).state else "." for pin in pins)


@pytest.mark.parametrize("light", list(Light))
def test_the_light_follows_the_snapshot(panel, factory, light):
    panel.show(replace(QUIET, light=light))
    assert tuple(round(factory.pin(pin).state, 2) for pin in PINS.light) == COLOURS[light]


def test_the_dice_follow_the_snapshot(panel, factory):
    panel.show(replace(QUIET, dice=(6, 1)))
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == (".xxx", "x...")
    panel.show(QUIET)
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == ("....", "....")


def test_a_new_roll_flickers_and_one_that_lay_there_at_the_start_does_not(factory, posted):
    panel = Panel(replace(AT_ONCE, roll_s=2.0), factory, posted.append)
    panel.show(replace(QUIET, dice=(6, 1)))
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == (".xxx", "x...")
    panel.show(replace(QUIET, dice=(2, 1)))
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == ("xxxx", "....")
    panel.show(replace(QUIET, dice=(2, 1), light=Light.GREEN))  # the roll goes on
    assert lit(factory, PINS.white_die) == "xxxx"
    panel.show(replace(QUIET, dice=None))
    assert lit(factory, PINS.white_die) == "...."
    panel.close()


@pytest.mark.usefixtures("panel")
def test_roll_is_posted_as_the_contact_closes(factory, posted, now):
    now[0] = 12.5
    factory.pin(PINS.roll).drive_low()
    assert posted == [Tapped(Button.ROLL, 12.5)]


@pytest.mark.parametrize(("pin", "player"), [(PINS.white_roll, Side.WHITE), (PINS.black_roll, Side.BLACK)])
@pytest.mark.usefixtures("panel")
def test_a_player_has_a_roll_button_of_their_own(factory, posted, pin, player):
    factory.pin(pin).drive_low()
    assert posted == [Tapped(Button.ROLL, 0.0, player)]


@pytest.mark.usefixtures("panel")
def test_a_bouncing_button_is_one_tap(factory, posted, now):
    pin = factory.pin(PINS.roll)
    for n in range(6):
        now[0] = 1.0 + n * 0.002
        pin.drive_low()
        pin.drive_high()
    assert posted == [Tapped(Button.ROLL, 1.0)]


def test_every_button_is_heard(factory, posted):
    """Hint and Referee have a long press, so their tap is reported on release."""
    now = [0.0]
    panel = Panel(replace(AT_ONCE, gestures=Gestures(more={})), factory, posted.append, lambda: now[0])
    for button in Button:
        press(factory, PINS, button)
    assert posted == [Tapped(button, 0.0) for button in Button]
    press(factory, PINS, Button.ROLL, Side.BLACK)
    assert posted[-1] == Tapped(Button.ROLL, 0.0, Side.BLACK)
    panel.close()


@pytest.mark.parametrize(
    ("action", "item"),
    [
        (ButtonAction.HIDE_HINTS, HintsHidden(2.0)),
        (ButtonAction.DOUBLE, CubeActed(CubeAction.DOUBLE, 2.0)),
        (ButtonAction.TAKE_BACK, Proposes(Remedy.TAKEBACK, 2.0)),
        (ButtonAction.RESIGN, Resigns(None, "", 2.0)),
        (ButtonAction.OFFER_DRAW, Draws(claimed=False, at_s=2.0)),
        (ButtonAction.PAUSE_CLOCK, ClockPaused()),
        (ButtonAction.SHOW_CODE, CodeAsked()),
        (ButtonAction.REFEREE, Tapped(Button.REFEREE, 2.0)),
    ],
)
def test_a_double_press_does_what_it_is_configured_for(factory, posted, action, item):
    now, gestures = [1.8], Gestures(more={Button.ROLL: {Gesture.DOUBLE: action}})
    panel = Panel(replace(AT_ONCE, gestures=gestures), factory, posted.append, lambda: now[0])
    for now[0] in (1.8, 2.0):
        factory.pin(PINS.roll).drive_low()
        now[0] += 0.1
        factory.pin(PINS.roll).drive_high()
    assert posted == [item]
    panel.close()


def test_a_pin_in_use_is_named_with_the_mend(factory):
    other = LED(PINS.light[1], pin_factory=factory)
    with pytest.raises(GpioError, match=r"status light: pin GPIO24 is already in use by .*another pin in the \[pins\]"):
        Panel(AT_ONCE, factory, print)
    other.close()
    Panel(AT_ONCE, factory, print).close()  # what had been claimed before the failure was let go


def test_the_buzzer_sounds_for_a_roll(panel, factory):
    panel.show(QUIET)
    panel.show(replace(QUIET, dice=(3, 1)))
    assert 1 in [state.state for state in factory.pin(PINS.buzzer).states]


def test_the_mock_pins_are_dimmable_and_tunable(factory, posted):
    dim = replace(AT_ONCE, dice_brightness=0.3, light_brightness=0.5, buzzer="passive")
    panel = Panel(dim, factory, posted.append)
    panel.show(replace(QUIET, dice=(6, 1), light=Light.RED))
    assert round(factory.pin(PINS.black_die[0]).state, 2) == 0.3
    assert round(factory.pin(PINS.light[0]).state, 2) == 0.5
    panel.close()


def test_a_pairing_code_is_replaced_by_a_roll_and_by_the_dice_of_the_game(panel, factory):
    dice = (*PINS.white_die, *PINS.black_die)
    panel.show(replace(QUIET, dice=(5, 2)))
    of_the_game = lit(factory, dice)
    panel.show_code((3, 1, 6, 2))
    assert lit(factory, dice) == "xxxxxxxx"
    panel.show_code(None)
    assert lit(factory, dice) == of_the_game
    panel.show_code((3, 1, 6, 2))
    panel.show(replace(QUIET, dice=(4, 4)))
    assert lit(factory, dice) != "xxxxxxxx"


def test_a_closed_panel_ignores_snapshots_and_presses(factory, posted):
    panel = Panel(AT_ONCE, factory, posted.append)
    panel.show(QUIET)
    panel.close()
    panel.show(replace(QUIET, dice=(6, 1), light=Light.RED))
    press(factory, PINS, Button.ROLL)
    assert posted == []
    assert lit(factory, PINS.light) == "..."
    panel.close()


def test_a_tested_part_lights_alone_and_then_the_game_is_shown_again(panel, factory, now):
    panel.show(replace(QUIET, dice=(1, 1)))
    panel.check(PanelPart.WHITE_DIE)
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == ("xxxx", "....")
    panel.check(PanelPart.BLACK_DIE)
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == ("....", "xxxx")
    panel.tick()
    assert lit(factory, PINS.black_die) == "xxxx"
    now[0] = 3.0
    panel.tick()
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == ("x...", "x...")


def test_during_the_test_a_press_is_only_reported(panel, factory, posted, now):
    panel.check(PanelPart.BUTTONS)
    assert panel.heard() is None
    press(factory, PINS, Button.ROLL, Side.WHITE)
    press(factory, PINS, Button.ROLL, Side.BLACK)
    assert (panel.heard(), posted) == (Press(Button.ROLL, Side.BLACK, 2), [])
    now[0] = 5.0
    assert panel.heard() is not None
    now[0] = 12.0
    press(factory, PINS, Button.ROLL)
    assert [item.button for item in posted] == [Button.ROLL]
    assert panel.heard() is None


class ForgetfulPanel(Panel):
    """A panel whose last press is cleared by another thread as soon as it has been read once."""

    _heard = ClearedWhenRead()


def test_a_press_is_reported_even_if_the_one_before_is_cleared_at_that_moment(factory, posted):
    panel = ForgetfulPanel(AT_ONCE, factory, posted.append, lambda: 0.0)
    panel.check(PanelPart.BUTTONS)
    press(factory, PINS, Button.ROLL, Side.WHITE)
    press(factory, PINS, Button.ROLL, Side.BLACK)
    assert panel.heard() == Press(Button.ROLL, Side.BLACK, 2)
    panel.close()


def test_a_new_test_does_not_report_an_old_press(panel, factory, now):
    panel.check(PanelPart.BUTTONS)
    press(factory, PINS, Button.ROLL, Side.WHITE)
    now[0] = 1.0
    panel.check(PanelPart.WHITE_DIE)
    assert panel.heard() == Press(Button.ROLL, Side.WHITE, 1)
    now[0] = 20.0
    panel.check(PanelPart.WHITE_DIE)
    assert panel.heard() is None
    press(factory, PINS, Button.ROLL, Side.BLACK)
    assert panel.heard() == Press(Button.ROLL, Side.BLACK, 1)
