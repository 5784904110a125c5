"""A double is taken or passed by the buttons of the panel, on mock pins, for players who have no page."""

import pytest
from pressed import press

from companion.core import Side
from companion.game import Doubled, Match, Passed, Phase, Taken
from companion.interface import Button, CubeActed, CubeAction, Light, Tapped
from companion.texts import render
from hardware.button_actions import Gestures
from hardware.configuration import Configuration
from hardware.factory import mock_pins
from hardware.panel import Panel
from hardware.pins import Pins

WHITE, BLACK = Side.WHITE, Side.BLACK
OWN = Pins(white_roll=26, black_roll=4)


@pytest.fixture(params=[Pins(), OWN], ids=["shared", "own"])
def table(sit_down, request):
    """White has played, and Black is about to roll; each press of `press` is half a minute after the last."""
    return at_the_panel(sit_down, request, request.param, Match(7))


@pytest.fixture
def stakes(sit_down, request):
    return at_the_panel(sit_down, request, Pins(), Match(stake=1.0, beavers=True))


def at_the_panel(sit_down, request, pins, terms):
    table = sit_down(dice=[6, 1, 5, 3], terms=terms)
    table.sets()
    table.taps()
    table.plays("13/7 8/7")
    factory, now = mock_pins(), [10.0]
    taps_only = Gestures(more={})  # a long press is told by a timer, in real time
    panel = Panel(
        Configuration(pins=pins, roll_s=0.0, gestures=taps_only), factory, table.session.handle, lambda: now[0]
    )
    request.addfinalizer(factory.reset)
    request.addfinalizer(panel.close)

    def pressed(button, after_s=5.0, player=None):
        now[0] += after_s
        press(factory, pins, button, player)
        return table.snapshot

    table.press = pressed
    table.doubles_now = lambda: table.does(CubeActed(CubeAction.DOUBLE, now[0], BLACK))
    return table


def test_a_tap_on_roll_takes_the_double(table):
    assert "On the panel, tap Roll to take, or Hint twice to pass." in render(table.doubles_now().notice)
    assert table.snapshot.light is Light.AMBER
    table.press(Button.ROLL)
    assert table.events[-2:] == [Doubled(BLACK), Taken(WHITE)]
    assert table.press(Button.ROLL).dice == (5, 3)


def test_two_taps_on_hint_pass_the_double(table):
    table.doubles_now()
    shown = table.press(Button.HINT)
    assert render(shown.notice) == "To pass, White taps Hint on the panel once more; to take, Roll."
    assert shown.match.offered_by is BLACK
    assert table.press(Button.HINT).phase is Phase.OVER
    assert table.events[-1] == Passed(WHITE)


def test_roll_takes_the_double_also_after_one_tap_on_hint(table):
    table.doubles_now()
    table.press(Button.HINT)
    table.press(Button.ROLL)
    assert table.events[-1] == Taken(WHITE)


def test_two_taps_on_hint_far_apart_do_not_pass(table):
    table.doubles_now()
    table.press(Button.HINT)
    shown = table.press(Button.HINT, after_s=30.0)
    assert "once more" in render(shown.notice)
    assert shown.match.offered_by is BLACK


def test_a_tap_on_roll_at_the_same_time_as_the_double_does_not_take_it(table):
    table.doubles_now()
    assert table.press(Button.ROLL, after_s=0.4).match.offered_by is BLACK
    assert table.press(Button.ROLL).match.offered_by is None


def test_a_tap_on_hint_for_an_earlier_double_does_not_count(table):
    table.press(Button.HINT)
    table.doubles_now()
    assert table.press(Button.HINT).match.offered_by is BLACK


def test_the_doubler_cannot_take_with_their_own_button(sit_down, request):
    table = at_the_panel(sit_down, request, OWN, Match(7))
    table.doubles_now()
    assert "It is White who takes or passes" in render(table.press(Button.ROLL, player=BLACK).notice)
    table.press(Button.ROLL, player=WHITE)
    assert table.events[-1] == Taken(WHITE)


def test_hint_still_gives_advice_on_the_double(stakes):
    stakes.doubles_now()
    shown = stakes.press(Button.HINT)
    assert stakes.asked[-1].cube.side is BLACK
    assert "once more" in render(shown.notice)
    stakes.press(Button.HINT)
    assert stakes.events[-1] == Passed(WHITE)


def test_a_beaver_is_answered_in_the_same_way_by_the_doubler(stakes):
    stakes.doubles_now()
    stakes.does(CubeActed(CubeAction.BEAVER, 11.0, WHITE))
    stakes.press(Button.HINT)
    stakes.press(Button.HINT)
    assert stakes.events[-1] == Passed(BLACK)


def test_on_the_page_hint_does_not_pass(stakes):
    stakes.doubles_now()
    for at_s in (20.0, 21.0, 22.0):
        stakes.does(Tapped(Button.HINT, at_s, on_page=True))
    assert stakes.game.match.offered_by is BLACK


def test_in_a_dispute_two_taps_on_hint_do_not_pass_the_double(table):
    table.doubles_now()
    table.press(Button.REFEREE)
    table.press(Button.HINT)
    table.press(Button.HINT)
    assert table.game.match.offered_by is BLACK
