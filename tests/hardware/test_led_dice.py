import queue
import threading

import pytest

from hardware.led_dice import DARK, FLICKER_S, PATTERNS, SEVEN, LedDice, code_frames, faces, roll_frames
from hardware.light_worker import LightWorker
from hardware.pins import Pins

PINS = Pins()
PATIENCE_S = 60.0


@pytest.fixture
def dice(factory):
    dice = LedDice(PINS.white_die, PINS.black_die, factory)
    yield dice
    dice.close()


def lit(factory, pins):
    return "".join("x" if factory.pin(pin).state else "." for pin in pins)


@pytest.mark.parametrize(
    ("number", "groups"), [(1, "x..."), (2, ".x.."), (3, "xx.."), (4, ".xx."), (5, "xxx."), (6, ".xxx")]
)
def test_each_number_lights_its_groups(dice, factory, number, groups):
    dice.show((number, 7 - number))
    assert lit(factory, PINS.white_die) == groups
    dice.show((7 - number, number))
    assert lit(factory, PINS.black_die) == groups


def test_the_lit_pips_add_up_to_the_number():
    for number in range(1, 7):
        assert sum(pips for pips, group in zip((1, 2, 2, 2), PATTERNS[number], strict=True) if group) == number


def test_a_single_die_leaves_the_other_off(dice, factory):
    dice.show((6, 6))
    dice.show((3,))
    assert lit(factory, PINS.black_die) == "...."
    dice.show(None)
    assert lit(factory, PINS.white_die) == "...."


@pytest.mark.parametrize("numbers", [(1,), (3, 1), (6, 6)])
def test_no_frame_of_a_roll_but_the_last_can_be_taken_for_a_number(numbers):
    *flickers, (result, _) = roll_frames(numbers, 0.36)
    results = {PATTERNS[number] for number in range(1, 7)}
    assert len(flickers) == 6
    for shown, for_s in flickers:
        assert sorted(shown) == sorted((SEVEN, DARK))
        assert not results & set(shown)
        assert for_s == FLICKER_S
    assert result == faces(numbers)


def test_a_roll_of_no_duration_shows_the_result():
    assert roll_frames((5, 2), 0.0) == [(faces((5, 2)), 0.0)]


def test_the_first_leds_of_a_roll_light_at_once(factory):
    dice = LedDice(PINS.white_die, PINS.black_die, factory, roll_s=2.0)
    dice.roll((3, 1))
    assert (lit(factory, PINS.white_die), lit(factory, PINS.black_die)) == ("xxxx", "....")
    dice.close()


def test_dimmed_dice_show_the_same_with_less_light(factory):
    dice = LedDice(PINS.white_die, PINS.black_die, factory, brightness=0.25)
    dice.show((6, 1))
    assert [factory.pin(pin).state for pin in PINS.white_die] == [0.0, 0.25, 0.25, 0.25]
    dice.close()


class Screen:
    """Records what was shown, and signals when `last` was."""

    def __init__(self, last):
        self.shown, self._last, self.done = [], last, threading.Event()

    def show(self, frame):
        self.shown.append(frame)
        if frame == self._last:
            self.done.set()


def test_frames_follow_one_another():
    screen = Screen("c")
    performer = LightWorker("test", screen.show)
    performer.play([("a", 0.0), ("b", 0.0), ("c", 0.0)])
    assert screen.done.wait(PATIENCE_S)
    performer.close()
    assert screen.shown == ["a", "b", "c"]


def test_a_new_line_interrupts_older_ones():
    screen = Screen("d")
    performer = LightWorker("test", screen.show)
    performer.play([("a", 1e6), ("b", 0.0)])
    performer.play([("c", 0.0), ("d", 0.0)])
    assert screen.done.wait(PATIENCE_S)
    performer.close()
    assert screen.shown == ["a", "c", "d"]


def test_a_frame_at_which_the_device_fails_does_not_keep_the_next_ones_from_being_shown(monkeypatch):
    screen, errors = Screen("d"), queue.SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", errors.put)

    def show(frame):
        if frame == "fails":
            raise OSError("the pin does not answer")
        screen.show(frame)

    performer = LightWorker("test", show)
    performer.play([("a", 0.0), ("fails", 0.0), ("b", 0.0), ("fails", 0.0), ("c", 0.0), ("d", 0.0)])
    assert screen.done.wait(PATIENCE_S)
    screen.done.clear()
    performer.play([("e", 0.0), ("fails", 0.0), ("d", 0.0)])
    assert screen.done.wait(PATIENCE_S)
    performer.close()
    assert screen.shown == ["a", "b", "c", "d", "e", "d"]
    assert [errors.get(timeout=PATIENCE_S).exc_type for _ in range(3)] == [OSError] * 3


def test_closed_dice_show_nothing_more():
    screen = Screen("a")
    performer = LightWorker("test", screen.show)
    performer.play([])
    performer.close()
    performer.play([("a", 0.0)])
    assert screen.shown == []


def test_a_pairing_code_is_shown_two_numbers_at_a_time_unlike_a_roll():
    frames = [pattern for pattern, _ in code_frames((3, 1, 6, 2), 120.0)]
    one_round = [(SEVEN, SEVEN), (DARK, DARK), faces((3, 1)), (DARK, DARK), faces((6, 2)), (DARK, DARK)]
    assert frames[:6] == one_round
    assert frames == one_round * (len(frames) // 6)
    assert 110 < sum(seconds for _, seconds in code_frames((3, 1, 6, 2), 120.0)) < 125
