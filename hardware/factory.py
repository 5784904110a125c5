"""Opens the GPIO pins of this machine, or mock pins where it has none, and explains pin errors."""

from __future__ import annotations

import importlib
import importlib.util
import os
import tempfile
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpiozero import BadPinFactory, Device, GPIOPinInUse, GPIOZeroError, PinFactoryFallback
from gpiozero.pins.local import LocalPiFactory
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.native import NativeFactory

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from gpiozero.pins import Factory

    from hardware.configuration import Configuration

GPIOCHIPS = Path("/dev")
DEVICE_TREE = Path("/sys/firmware/devicetree/base")
"""The kernel's description of the board. /proc/device-tree links to it, but is hidden from the service."""
ONLY_LGPIO = ("Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5")
"""Boards with an RP1 chip; of the libraries that gpiozero supports, only lgpio drives it."""
GET_LGPIO = "sudo apt install python3-lgpio, and leave GPIOZERO_PIN_FACTORY unset (or set it to lgpio)"
CHOICES = ("auto", "mock")
REMEMBERED = 64
"""Number of state changes that a mock pin keeps."""


class GpioError(BoardsideError):
    """Pins cannot be used; the text names the pin and the repair."""


@dataclass(frozen=True)
class Opened:
    """The pin factory to use; `trouble` says why it is a mock although the machine has GPIO pins."""

    factory: Factory
    trouble: str | None = None

    @property
    def mocked(self) -> bool:
        """Whether these are mock pins."""
        return isinstance(self.factory, MockFactory)


class BoundedMockPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that keeps its last REMEMBERED state changes; gpiozero's class keeps all of them."""

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        del self.states[:-REMEMBERED]
        return changed


def mock_pins() -> MockFactory:
    """A factory of mock pins with PWM."""
    return MockFactory(pin_class=BoundedMockPin)


def open_factory(
    choice: str = "auto",
    devices: Path = GPIOCHIPS,
    device_tree: Path = DEVICE_TREE,
    environment: MutableMapping[str, str] = os.environ,
) -> Opened:
    """Open real pins if this machine has a GPIO chip and a library for it, else mock pins; "mock" forces mock pins.

    `devices` is the folder of the device files. Raises GpioError if `choice` is not in CHOICES.
    """
    if choice not in CHOICES:
        raise GpioError(f"unknown pins {choice!r}: expected one of {', '.join(CHOICES)}")
    if choice == "mock" or not any(devices.glob("gpiochip*")):
        return Opened(mock_pins())
    # without LG_WD, lgpio writes its pipes into the working directory, which may be read-only
    environment.setdefault("LG_WD", environment.get("RUNTIME_DIRECTORY") or tempfile.gettempdir())
    _set_board_revision(device_tree / "system" / "linux,revision")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PinFactoryFallback)
        try:
            Device.ensure_pin_factory()
        except BadPinFactory:
            return Opened(
                mock_pins(), f"This machine has pins, but no library drives them: {GET_LGPIO}. Buttons are on the page."
            )
    trouble = wrong_library(type(Device.pin_factory).__name__, _text(device_tree / "model"))
    return Opened(mock_pins(), trouble) if trouble else Opened(Device.pin_factory)


def _set_board_revision(path: Path) -> None:
    """Pass the board's revision in `path` (32 bits, big-endian) to gpiozero, which reads it only from /proc."""
    with suppress(OSError):
        revision = int.from_bytes(path.read_bytes()[:4], "big")
        LocalPiFactory._get_revision = lambda _factory: revision  # noqa: SLF001


def wrong_library(factory: str, model: str) -> str | None:
    """The error text if a pin factory (its class name) cannot drive the pins of the board `model`, else None."""
    if factory == "LGPIOFactory" or not model.startswith(ONLY_LGPIO):
        return None
    return f"On a {model} only lgpio drives the pins, and {factory} was loaded: {GET_LGPIO}. Buttons are on the page."


def dims(factory: Factory) -> bool:
    """Whether these pins support PWM; all libraries except gpiozero's "native" do."""
    if isinstance(factory, MockFactory):
        return issubclass(factory.pin_class, MockPWMPin)
    return not isinstance(factory, NativeFactory)


def refuse_undimmable(configuration: Configuration, factory: Factory) -> None:
    """Raise GpioError if `configuration` needs PWM and `factory` has none."""
    needs = [key for key in ("dice_brightness", "light_brightness") if getattr(configuration, key) < 1]
    needs += ["buzzer = 'passive'"] if configuration.buzzer == "passive" else []
    if needs and not dims(factory):
        raise GpioError(
            f"{type(factory).__name__} cannot dim pins or make tones, and the configuration wants {', '.join(needs)}: "
            f"{GET_LGPIO}, or take that out"
        )


def _text(path: Path) -> str:
    """The text of a device-tree file; empty if it does not exist."""
    try:
        return path.read_text(encoding="utf-8").rstrip("\0\n")
    except OSError:
        return ""


@contextmanager
def claiming(use: str, *pins: int) -> Iterator[None]:
    """Turn pin errors inside the block into GpioError that names `use`, `pins` and the repair."""
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
    """Exceptions of the pin library: lgpio's class for "GPIO busy" derives from Exception only."""
    if importlib.util.find_spec("lgpio") is None:
        return ()
    lgpio_error: type[Exception] = importlib.import_module("lgpio").error
    return (lgpio_error,)
