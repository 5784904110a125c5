"""The pins of this machine, or mock pins where it has none; and what to say when a pin cannot be had."""

from __future__ import annotations

import importlib
import importlib.util
import os
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gpiozero import BadPinFactory, Device, GPIOPinInUse, GPIOZeroError, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.model import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpiozero.pins import Factory

GPIOCHIPS = Path("/dev")
CHOICES = ("auto", "mock")


class GpioError(BoardsideError):
    """The pins cannot be used; the text names the pin and the mend."""


def mock_pins() -> MockFactory:
    """Pins that lead nowhere, dimmable as real ones."""
    return MockFactory(pin_class=MockPWMPin)


def open_factory(choice: str = "auto", devices: Path = GPIOCHIPS) -> Factory:
    """Real pins where this machine has a GPIO chip and a library that drives it; mock pins otherwise or if asked for.

    `devices` is where the chips' device files are. Raises GpioError for another choice than CHOICES.
    """
    if choice not in CHOICES:
        raise GpioError(f"unknown pins {choice!r}: expected one of {', '.join(CHOICES)}")
    if choice == "mock" or not any(devices.glob("gpiochip*")):
        return mock_pins()
    os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio leaves its pipes in the working directory otherwise
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PinFactoryFallback)
        try:
            Device.ensure_pin_factory()
        except BadPinFactory:
            return mock_pins()
    return Device.pin_factory


@contextmanager
def claiming(use: str, *pins: int) -> Iterator[None]:
    """Say which pin is in use, and what to do, where one of `pins` cannot be had for `use`."""
    try:
        yield
    except GPIOPinInUse as error:
        raise GpioError(f"{use}: {error}; give one of the two another pin in the [pins] table") from error
    except (GPIOZeroError, OSError, *_library_errors()) as error:
        numbers = ", ".join(map(str, pins))
        raise GpioError(
            f"{use} on GPIO {numbers}: {error}. Is another program (or another Boardside) using that pin? "
            "Stop it, or name another pin in the [pins] table; --gpio mock plays without any."
        ) from error


def _library_errors() -> tuple[type[Exception], ...]:
    """What the pin library raises: lgpio's own class says "GPIO busy" and derives from no other."""
    if importlib.util.find_spec("lgpio") is None:
        return ()
    lgpio_error: type[Exception] = importlib.import_module("lgpio").error
    return (lgpio_error,)
