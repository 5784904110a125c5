"""Finds wiring faults from the answers of the guided check (`hardware.guided_check`). Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.wiring import use_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.wiring import Circuit

LIGHT_GROUPS = {"white_die": "White's die", "black_die": "Black's die", "light": "the status light"}
"""Lights that share one common wire: name in the configuration, name in texts."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Results of the guided check; a circuit is identified by its `use`.

    Attributes:
        at_rest: lights that were on and buttons that were closed before the check switched anything.
        lit: for each light that was switched on alone, the lights that were seen.
        pressed: for each button that the user was asked to press, the contacts that closed.
        heard: whether the buzzer was heard; None: not asked.
    """

    at_rest: tuple[str, ...]
    lit: Mapping[str, tuple[str, ...]]
    pressed: Mapping[str, tuple[str, ...]]
    heard: bool | None = None


def diagnose(circuits: Sequence[Circuit], answers: Answers) -> list[str]:
    """One sentence for each wiring fault, with header pins and repair; empty when all is correct."""
    by_use = {circuit.use: circuit for circuit in circuits}
    always = set(answers.at_rest)  # a light that is always on gives no information in the later steps
    lit = {
        use: tuple(other for other in seen if other not in always)
        for use, seen in answers.lit.items()
        if use not in always
    }
    dark, faults = _dark_groups(lit)
    faults += _faults_at_rest(by_use, answers)
    for use, seen in (*lit.items(), *answers.pressed.items()):
        if use not in dark:
            faults += _circuit_faults(by_use, use, seen)
    if answers.heard is False:
        faults.append(_silent_buzzer_fault(by_use["buzzer"]))
    return faults


def _circuit_faults(by_use: Mapping[str, Circuit], use: str, seen: tuple[str, ...]) -> list[str]:
    """The fault of one circuit, given what was `seen` when it was tested; empty when it is correct."""
    circuit = by_use[use]
    if seen == (use,):
        return []
    if not seen:
        return [_no_reaction_fault(circuit)]
    others = [by_use[other] for other in seen if other != use]
    if use in seen or len(others) > 1:
        touching = ", ".join(f"{use_label(other.use)} (pin {other.place})" for other in others)
        return [f"With {_named(circuit)} comes {touching}: their wires touch, or share a pin. Part them."]
    other = others[0]
    if circuit.kind == "button":  # pressing Roll closed the contact on Hint's pin: Roll's wire is on Hint's pin
        circuit, other = other, circuit
    here, there = (f"pin {each.place} (GPIO {each.pin})" for each in (circuit, other))
    return [f"The wire of {use_label(other.use)} is on {here}; it belongs on {there}."]


def _no_reaction_fault(circuit: Circuit) -> str:
    if circuit.kind == "button":
        return (
            f"{_named(circuit)} is not felt: its wire must be on that pin and its other leg at ground, on the contacts "
            "that close when it is pressed (NO)."
        )
    leds = "its LEDs" if circuit.leds > 1 else "the LED"
    return (
        f"{_named(circuit)} stays dark: turn {leds} round (the long leg towards the pin), and look at the "
        f"{circuit.ohm} Ω resistor, the ground wire, and whether the wire is on that pin."
    )


def _silent_buzzer_fault(circuit: Circuit) -> str:
    if circuit.kind == "piezo":
        return f'{_named(circuit)} is not heard: one that sounds by itself wants buzzer = "active".'
    return (
        f"{_named(circuit)} is not heard: its + goes to 5 V (pin 2), its - to the transistor's collector, the emitter "
        'to ground; a buzzer without a tone of its own wants buzzer = "passive".'
    )


def _dark_groups(lit: Mapping[str, tuple[str, ...]]) -> tuple[set[str], list[str]]:
    """Lights of groups that are completely dark, and one fault for each such group: its common wire is missing."""
    dark: set[str] = set()
    faults = []
    for name, label in LIGHT_GROUPS.items():
        uses = [use for use in lit if use.startswith(f"{name} (")]
        if uses and not any(lit[use] for use in uses):
            dark.update(uses)
            common = " (or, with a common anode, common_anode = true and that leg at 3.3 V)" if name == "light" else ""
            faults.append(f"Nothing of {label} lights: its ground wire is missing{common}.")
    return dark, faults


def _faults_at_rest(by_use: Mapping[str, Circuit], answers: Answers) -> list[str]:
    faults = []
    light = {use for use in answers.lit if use.startswith("light (")}
    common_anode = bool(light) and light <= set(answers.at_rest)
    if common_anode:
        faults.append("The status light shines when it should be dark: it has a common anode; set common_anode = true.")
    for use in answers.at_rest:
        circuit = by_use[use]
        if circuit.kind == "button":
            faults.append(
                f"{_named(circuit)} is closed though nobody presses it: use the contacts that close when it is pressed "
                "(NO), or look for a wire that touches ground."
            )
        elif not (common_anode and use in light):
            faults.append(f"{_named(circuit)} shines when it should be dark: its wire is on a supply pin.")
    return faults


def _named(circuit: Circuit) -> str:
    label = use_label(circuit.use)
    return f"{label[0].upper()}{label[1:]} (GPIO {circuit.pin}, pin {circuit.place})"
