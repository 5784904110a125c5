"""The pins of this machine, or mock pins where it has none; and what to say when a pin cannot be had."""

from __future__ import annotations

import importlib
import importlib.util
import os
import tempfile
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpiozero import BadPinFactory, Device, GPIOPinInUse, GPIOZeroError, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.native import NativeFactory

from companion.model import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from gpiozero.pins import Factory

    from hardware.configuration import Configuration

GPIOCHIPS = Path("/dev")
MODEL = Path("/proc/device-tree/model")
ONLY_LGPIO = ("Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5")
"""Boards whose pins hang on the RP1 chip: of gpiozero's libraries only lgpio speaks to that one."""
GET_LGPIO = "sudo apt install python3-lgpio, and leave GPIOZERO_PIN_FACTORY unset (or set it to lgpio)"
CHOICES = ("auto", "mock")
REMEMBERED = 64


class GpioError(BoardsideError):
    """The pins cannot be used; the text names the pin and the mend."""


@dataclass(frozen=True)
class Opened:
    """Pins to use, and what is the matter where they are mock pins though the machine has real ones."""

    factory: Factory
    trouble: str | None = None

    @property
    def mocked(self) -> bool:
        """Whether these pins lead nowhere."""
        return isinstance(self.factory, MockFactory)


class ForgetfulPin(MockPWMPin):  # type: ignore[misc]
    """A pin that leads nowhere and remembers its last changes; gpiozero's own remembers all, be it for days."""

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        del self.states[:-REMEMBERED]
        return changed


def mock_pins() -> MockFactory:
    """Pins that lead nowhere, dimmable as real ones."""
    return MockFactory(pin_class=ForgetfulPin)


def open_factory(
    choice: str = "auto",
    devices: Path = GPIOCHIPS,
    model: Path = MODEL,
    environment: MutableMapping[str, str] = os.environ,
) -> Opened:
    """Real pins where this machine has a GPIO chip and a library that drives it; mock pins otherwise or if asked for.

    `devices` is where the chips' device files are, `model` the file that names the board. Raises GpioError for another
    choice than CHOICES.
    """
    if choice not in CHOICES:
        raise GpioError(f"unknown pins {choice!r}: expected one of {', '.join(CHOICES)}")
    if choice == "mock" or not any(devices.glob("gpiochip*")):
        return Opened(mock_pins())
    # lgpio leaves its pipes in the working directory otherwise, which may be the clone or not be writable at all
    environment.setdefault("LG_WD", environment.get("RUNTIME_DIRECTORY") or tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PinFactoryFallback)
        try:
            Device.ensure_pin_factory()
        except BadPinFactory:
            return Opened(
                mock_pins(), f"This machine has pins, but no library drives them: {GET_LGPIO}. Buttons are on the page."
            )
    trouble = wrong_library(type(Device.pin_factory).__name__, _text(model))
    return Opened(mock_pins(), trouble) if trouble else Opened(Device.pin_factory)


def wrong_library(factory: str, model: str) -> str | None:
    """What to say of a pin factory (its class's name) that cannot drive the pins of the board `model`."""
    if factory == "LGPIOFactory" or not model.startswith(ONLY_LGPIO):
        return None
    return f"On a {model} only lgpio drives the pins, and {factory} was loaded: {GET_LGPIO}. Buttons are on the page."


def dims(factory: Factory) -> bool:
    """Whether these pins can be dimmed (PWM): all libraries can but gpiozero's own, "native"."""
    if isinstance(factory, MockFactory):
        return issubclass(factory.pin_class, MockPWMPin)
    return not isinstance(factory, NativeFactory)


def refuse_undimmable(configuration: Configuration, factory: Factory) -> None:
    """Raises GpioError where `configuration` wants what pins without PWM cannot do."""
    wants = [key for key in ("dice_brightness", "light_brightness") if getattr(configuration, key) < 1]
    wants += ["buzzer = 'passive'"] if configuration.buzzer == "passive" else []
    if wants and not dims(factory):
        raise GpioError(
            f"{type(factory).__name__} cannot dim pins or make tones, and the configuration wants {', '.join(wants)}: "
            f"{GET_LGPIO}, or take that out"
        )


def _text(path: Path) -> str:
    """What a file of the device tree says; empty where there is none."""
    try:
        return path.read_text(encoding="utf-8").rstrip("\0\n")
    except OSError:
        return ""


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
