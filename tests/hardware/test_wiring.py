"""What hangs on the pins, what flows through them, and the drawing of it."""

import re
import tomllib
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from places import DOCUMENTATION

from hardware.button_actions import ButtonAction
from hardware.configuration import Configuration, configuration_of
from hardware.pins import Pins
from hardware.schematic import draw
from hardware.wiring import ALL_PINS_MA, GROUND, HEADER, SUPPLY, circuits, largest_current_ma, use_label

PIN_MA = 8.0
"""Current of a pin at its default drive strength (BCM2835 peripherals, pads control: 8 mA; 16 mA at most)."""

DEFAULT = Configuration()
OTHER = Configuration(pins=Pins(white_roll=26, black_roll=4), buzzer="passive", common_anode=True)
BOTH = pytest.mark.parametrize("configuration", [DEFAULT, OTHER], ids=["default", "other"])


def parts(configuration: Configuration) -> Counter[str]:
    """The shopping list: parts and their numbers."""
    found: Counter[str] = Counter({"Raspberry Pi 3, 4, 5 or Zero 2 W with a 40-pin header": 1})
    for circuit in circuits(configuration):
        match circuit.kind:
            case "button":
                found["push button, normally open (an arcade button, or a tactile switch)"] += 1
            case "leds" if circuit.use.startswith("light"):
                found[f"resistor {circuit.ohm} Ω, 1/4 W"] += 1
            case "leds":
                found["red LED, 5 mm (or any LED of at most 2.2 V)"] += circuit.leds
                found[f"resistor {circuit.ohm} Ω, 1/4 W"] += circuit.leds
            case "transistor":
                found["active buzzer, 5 V (sounds by itself)"] += 1
                found["NPN transistor, BC547 or 2N3904"] += 1
                found[f"resistor {circuit.ohm // 1000} kΩ, 1/4 W"] += 1
            case _:
                found["passive piezo disc"] += 1
                found[f"resistor {circuit.ohm // 1000} kΩ, 1/4 W"] += 1
    leg = "anode" if configuration.common_anode else "cathode"
    found[f"RGB LED, 5 mm, common {leg}"] = 1
    return found


def test_every_pin_of_the_header_has_one_use():
    places = [*HEADER.values(), *GROUND, *SUPPLY]
    assert sorted(places) == list(range(1, 41))
    assert (HEADER[2], HEADER[17], HEADER[18], HEADER[21], HEADER[27]) == (3, 11, 12, 40, 13)  # pinout.xyz


@BOTH
def test_no_pin_exceeds_its_current(configuration):
    assert max(circuit.pin_ma for circuit in circuits(configuration)) <= PIN_MA
    assert largest_current_ma(configuration) <= ALL_PINS_MA


def test_the_most_flows_with_double_six_an_amber_light_and_a_tone():
    by_use = {circuit.use: circuit.pin_ma for circuit in circuits(DEFAULT)}
    six = sum(by_use[f"white_die ({part})"] for part in ("diagonal", "other diagonal", "middle pair"))
    light = by_use["light (red)"] + by_use["light (green)"]
    assert largest_current_ma(DEFAULT) == pytest.approx(2 * six + light + by_use["buzzer"])


def test_every_led_has_a_resistor():
    found = parts(DEFAULT)
    assert found["resistor 560 Ω, 1/4 W"] == 14 + 1
    assert found["resistor 150 Ω, 1/4 W"] == 2
    assert found["red LED, 5 mm (or any LED of at most 2.2 V)"] == 14
    assert parts(OTHER)["RGB LED, 5 mm, common anode"] == 1


@BOTH
def test_the_drawing_shows_every_pin_with_its_use(configuration):
    texts = [text.text for text in ET.fromstring(draw(configuration)).iter("{http://www.w3.org/2000/svg}text")]
    for circuit in circuits(configuration):
        assert texts.count(f"GPIO {circuit.pin} · pin {circuit.place}") == 1
        assert use_label(circuit.use) in texts


@BOTH
def test_every_led_of_the_drawing_has_its_resistor(configuration):
    drawn = draw(configuration)
    leds = sum(circuit.leds for circuit in circuits(configuration))
    assert len(re.findall(r">\d+ Ω<", drawn)) == leds == 17


def test_the_drawing_in_the_guide_is_that_of_the_default_pins():
    """Redraw it with: boardside panel wiring -o docs/wiring.svg."""
    assert (DOCUMENTATION / "wiring.svg").read_text(encoding="utf-8") == draw(DEFAULT)


def test_the_guide_lists_the_pins_and_parts_there_are():
    guide = (DOCUMENTATION / "wiring.md").read_text(encoding="utf-8")
    for circuit in circuits(DEFAULT):
        assert f"| {use_label(circuit.use)} | {circuit.pin} | {circuit.place} |" in guide
    for part, count in parts(DEFAULT).items():
        assert f"| {count} | {part} |" in guide
    assert f"{largest_current_ma(DEFAULT):.0f} mA" in guide


def test_another_configuration_is_drawn_differently():
    assert draw(replace(DEFAULT, pins=Pins(roll=4))) != draw(DEFAULT)


def test_the_configuration_in_the_guide_is_the_default_one():
    guide = (DOCUMENTATION / "wiring.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", guide, flags=re.DOTALL)
    assert configuration_of(tomllib.loads(toml)) == DEFAULT
    with_all = re.sub(r"^# (?=[\w\[])", "", toml, flags=re.MULTILINE)
    configuration = configuration_of(tomllib.loads(with_all))
    assert (configuration.pins.white_roll, configuration.clock.minutes) == (26, 14)


@pytest.mark.parametrize("action", list(ButtonAction))
def test_the_guide_lists_the_actions_of_gestures(action):
    assert f"`{action}`" in (DOCUMENTATION / "wiring.md").read_text(encoding="utf-8")
