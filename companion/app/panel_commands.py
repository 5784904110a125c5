"""`boardside panel`: check the wired panel, list or draw its wiring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import BoardsideError
from hardware.configuration import Configuration, load_configuration
from hardware.factory import GPIOCHIPS, open_factory
from hardware.guided_check import GuidedCheck, report
from hardware.pins import refuse_busy
from hardware.schematic import draw
from hardware.wiring import circuits, largest_current_ma, use_label

if TYPE_CHECKING:
    import argparse


class CheckInterruptedError(BoardsideError):
    """The input ended before the check was complete."""


class Console:
    """Standard input and output as a terminal (implements `hardware.guided_check.Terminal`)."""

    def say(self, text: str) -> None:
        """Print a text."""
        print(text, flush=True)

    def ask(self, question: str) -> str:
        """Print a question and read a line. Raises CheckInterruptedError at the end of the input."""
        try:
            return input(f"{question} ")
        except EOFError:
            raise CheckInterruptedError("the check was interrupted: no more input; run it at a terminal") from None


def test_panel(args: argparse.Namespace) -> int:
    """Run the guided check; returns 1 if there is a fault. Raises BoardsideError if a pin is not available."""
    configuration = _configuration(args)
    opened = open_factory(args.gpio)
    console = Console()
    if opened.mocked:
        console.say(opened.trouble or "These are mock pins: nothing lights, and no button press is detected.")
    else:
        refuse_busy(configuration.pins, GPIOCHIPS)
    faults = GuidedCheck(configuration, opened.factory, console).run()
    console.say(report(faults))
    return int(bool(faults))


def show_wiring(args: argparse.Namespace) -> int:
    """Draw the wiring into a file, or print a list of it."""
    configuration = _configuration(args)
    if args.output is not None:
        try:
            args.output.write_text(draw(configuration), encoding="utf-8")
        except OSError as error:
            raise BoardsideError(f"cannot write {str(args.output)!r}: {error.strerror}") from error
        return 0
    print(f"{'':32}{'GPIO':>5}{'pin':>5}{'resistor':>12}{'at most':>10}")
    for each in circuits(configuration):
        ohm = f"{each.leds or 1} x {each.ohm} Ω" if each.ohm else ""
        flows = f"{each.pin_ma:.1f} mA" if each.pin_ma else ""
        print(f"{use_label(each.use):32}{each.pin:5}{each.place:5}{ohm:>12}{flows:>10}")
    print(f"{'all pins together':32}{largest_current_ma(configuration):29.1f} mA")
    return 0


def _configuration(args: argparse.Namespace) -> Configuration:
    return Configuration() if args.config is None else load_configuration(args.config)
