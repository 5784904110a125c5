"""The guided check, with a simulated user who looks at a panel that may be wired wrongly and presses buttons."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.checkup import Answers, diagnose
from hardware.configuration import Configuration
from hardware.factory import mock_pins
from hardware.guided_check import GuidedCheck, report
from hardware.wiring import circuits, use_label

PLAIN = Configuration()
LIGHTS = [circuit for circuit in circuits(PLAIN) if circuit.kind == "leds"]
BUTTONS = [circuit for circuit in circuits(PLAIN) if circuit.kind == "button"]
NAMED = {use_label(circuit.use): circuit.use for circuit in circuits(PLAIN)}


class Somebody:
    """Looks at the lights, presses the buttons and answers; `wires` says on which pin each wire really is."""

    def __init__(self, factory, wires=None, *, broken=(), deaf=False, anode=False, closed=()):
        right = {circuit.use: circuit.pin for circuit in circuits(PLAIN)}
        self._factory, self._broken, self._deaf, self._anode = factory, broken, deaf, anode
        self._wires = {**right, **(wires or {})}
        self._asked = self._press = None
        self.said, self.now = [], 0.0
        self._closed = closed

    def say(self, text):
        self.said.append(text)
        wanted = re.match(r"Press (.*) and let go", text)
        if wanted:
            self._press = NAMED[wanted[1]]

    def ask(self, question):
        for use in self._closed:
            self._factory.pin(self._wires[use]).drive_low()
        if question.startswith("Do you hear"):
            return "n" if self._deaf else ""
        shining = [circuit.use for circuit in LIGHTS if self._shines(circuit.use)]
        if question.startswith("What lights?"):
            return ", ".join(str([c.use for c in LIGHTS].index(use) + 1) for use in shining)
        wanted = re.match(r"Does (.*) light, and nothing else", question)
        expected = [NAMED[wanted[1]]] if wanted else []
        return "" if shining == expected else "n"

    def sleep(self, seconds):
        self.now += seconds
        if self._press and self._press not in self._broken:
            pin = self._factory.pin(self._wires[self._press])
            (pin.drive_low if pin.state else pin.drive_high)()
            if pin.state:
                self._press = None

    def _shines(self, use):
        high = bool(self._factory.pin(self._wires[use]).state)
        return use not in self._broken and high != (self._anode and use.startswith("light"))


def check(**settings):
    factory = mock_pins()
    somebody = Somebody(factory, **settings)
    faults = GuidedCheck(PLAIN, factory, somebody, lambda: somebody.now, somebody.sleep).run()
    factory.reset()
    return faults


def test_a_panel_that_is_wired_well_has_no_faults():
    assert check() == []
    assert report([]) == "All is wired as configured."


def test_two_wires_that_changed_places_are_named_with_their_pins():
    faults = check(wires={"white_die (centre)": 6, "white_die (diagonal)": 5})
    assert faults == [
        "The wire of White's die, diagonal is on pin 29 (GPIO 5); it belongs on pin 31 (GPIO 6).",
        "The wire of White's die, centre is on pin 31 (GPIO 6); it belongs on pin 29 (GPIO 5).",
    ]
    assert report(faults).startswith("2 to put right:\n- The wire of")


def test_two_buttons_that_changed_places_are_named_with_their_pins():
    assert check(wires={"roll": 27, "hint": 17}) == [
        "The wire of Roll is on pin 13 (GPIO 27); it belongs on pin 11 (GPIO 17).",
        "The wire of Hint is on pin 11 (GPIO 17); it belongs on pin 13 (GPIO 27).",
    ]


@given(st.permutations(LIGHTS))
def test_for_any_permutation_of_lights_each_wire_gets_its_place(mixed):
    """Moving every wire as advised corrects all of them."""
    wires = {circuit.use: other.pin for circuit, other in zip(LIGHTS, mixed, strict=True)}
    told = [re.match(r"The wire of (.*) is on .*GPIO (\d+)\); .*GPIO (\d+)\)", fault) for fault in check(wires=wires)]
    assert {NAMED[each[1]]: (int(each[2]), int(each[3])) for each in told} == {
        circuit.use: (wires[circuit.use], circuit.pin) for circuit in LIGHTS if wires[circuit.use] != circuit.pin
    }


@pytest.mark.parametrize("circuit", LIGHTS, ids=lambda circuit: circuit.use)
def test_one_dark_group_is_reported_by_its_pin(circuit):
    (fault,) = check(broken=[circuit.use])
    assert f"(GPIO {circuit.pin}, pin {circuit.place}) stays dark" in fault
    assert f"{circuit.ohm} Ω" in fault


@pytest.mark.parametrize(("name", "said"), [("white_die", "White's die"), ("light", "the status light")])
def test_a_dark_die_is_reported_as_a_missing_ground_wire(name, said):
    (fault,) = check(broken=[circuit.use for circuit in LIGHTS if circuit.use.startswith(name)])
    assert fault.startswith(f"Nothing of {said} lights: its ground wire is missing")


def test_a_common_anode_is_reported_as_such():
    assert check(anode=True) == [
        "The status light shines when it should be dark: it has a common anode; set common_anode = true."
    ]


@pytest.mark.parametrize("circuit", BUTTONS, ids=lambda circuit: circuit.use)
def test_an_unnoticed_button_is_reported_by_its_pin(circuit):
    (fault,) = check(broken=[circuit.use])
    assert f"(GPIO {circuit.pin}, pin {circuit.place}) is not felt" in fault


def test_a_button_that_is_closed_at_rest_is_reported_and_not_waited_for():
    (fault,) = check(closed=["hint"])
    assert fault.startswith("Hint (GPIO 27, pin 13) is closed though nobody presses it")


def test_a_silent_buzzer_is_reported_with_its_wiring():
    (fault,) = check(deaf=True)
    assert fault.startswith("Buzzer (GPIO 18, pin 12) is not heard")
    piezo = circuits(Configuration(buzzer="passive"))
    (fault,) = diagnose(piezo, Answers((), {}, {}, heard=False))
    assert 'wants buzzer = "active"' in fault


def test_simultaneous_lights_are_reported_as_a_short_circuit():
    answers = Answers((), {"light (red)": ("light (red)", "light (green)")}, {})
    (fault,) = diagnose(circuits(PLAIN), answers)
    assert fault == (
        "With Status light, red (GPIO 23, pin 16) comes status light, green (pin 18): "
        "their wires touch, or share a pin. Part them."
    )


def test_a_light_that_shines_at_rest_is_wired_to_a_supply():
    answers = Answers(("white_die (centre)",), {"white_die (centre)": ("white_die (centre)",)}, {})
    (fault,) = diagnose(circuits(PLAIN), answers)
    assert "White's die, centre (GPIO 5, pin 29) shines when it should be dark" in fault


class Mumbler(Somebody):
    """Answers nonsense first."""

    def __init__(self, factory):
        super().__init__(factory, broken=["light (blue)"])
        self._nonsense = {"Every": "perhaps", "What ": "99"}

    def ask(self, question):
        return self._nonsense.pop(question[:5], None) or super().ask(question)


def test_an_invalid_answer_is_requested_again():
    factory = mock_pins()
    somebody = Mumbler(factory)
    assert len(GuidedCheck(PLAIN, factory, somebody, lambda: somebody.now, somebody.sleep).run()) == 1
    said = " ".join(somebody.said)
    assert "'perhaps' is neither: expected Enter, y or n." in said
    assert "'99' is none of them: expected numbers from 1 to 11" in said
    factory.reset()
