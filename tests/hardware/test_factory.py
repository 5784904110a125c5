import sys
from unittest.mock import MagicMock

import pytest
from gpiozero import Device
from gpiozero.pins.local import LocalPiFactory
from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.native import NativeFactory

from hardware.configuration import Configuration
from hardware.factory import (
    REMEMBERED,
    GpioError,
    claiming,
    dims,
    mock_pins,
    open_factory,
    refuse_undimmable,
    wrong_library,
)

PI_5, PI_4 = "Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 4 Model B Rev 1.5"


def test_without_a_gpio_chip_the_pins_are_mock_pins(tmp_path):
    opened = open_factory("auto", devices=tmp_path)
    assert (opened.mocked, opened.trouble) == (True, None)


def test_an_unsupported_chip_is_reported_with_the_fix(tmp_path, monkeypatch):
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "")
    environment = {"RUNTIME_DIRECTORY": "/run/boardside"}
    opened = open_factory("auto", devices=tmp_path, device_tree=tmp_path / "none", environment=environment)
    assert opened.mocked
    assert "sudo apt install python3-lgpio" in opened.trouble
    assert environment["LG_WD"] == "/run/boardside"


def test_the_folder_of_pipes_of_lgpio_can_be_chosen(tmp_path):
    (tmp_path / "gpiochip0").touch()
    environment = {"LG_WD": "/tmp/here", "RUNTIME_DIRECTORY": "/run/boardside"}
    open_factory("auto", devices=tmp_path, device_tree=tmp_path / "none", environment=environment)
    assert environment["LG_WD"] == "/tmp/here"


def test_the_model_of_the_pi_is_found_without_proc(tmp_path, monkeypatch):
    """The service sees only processes there (ProcSubset=pid); lgpio must know the board to open the right chip."""
    library = MagicMock()
    monkeypatch.setitem(sys.modules, "lgpio", library)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(LocalPiFactory, "_get_revision", None)  # undone afterwards
    (tmp_path / "gpiochip0").touch()
    (tmp_path / "model").write_bytes(PI_4.encode() + b"\0")
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "linux,revision").write_bytes(bytes.fromhex("00c03115"))
    opened = open_factory("auto", devices=tmp_path, device_tree=tmp_path, environment={})
    assert type(opened.factory).__name__ == "LGPIOFactory"
    library.gpiochip_open.assert_called_once_with(0)
    assert opened.factory.board_info.model == "4B"


@pytest.mark.parametrize("factory", ["RPiGPIOFactory", "PiGPIOFactory", "NativeFactory"])
def test_on_a_pi_5_another_library_than_lgpio_is_reported(factory):
    trouble = wrong_library(factory, PI_5)
    assert f"only lgpio drives the pins, and {factory} was loaded" in trouble
    assert "GPIOZERO_PIN_FACTORY" in trouble


def test_lgpio_drives_every_board_and_other_libraries_older_ones():
    assert wrong_library("LGPIOFactory", PI_5) is None
    assert wrong_library("RPiGPIOFactory", PI_4) is None


def test_the_log_of_a_mock_pin_is_bounded():
    pin = mock_pins().pin(17)
    pin.function = "output"
    for n in range(1000):
        pin.state = n % 2
    assert len(pin.states) == REMEMBERED
    assert pin.states[-1].state == 1


def test_an_unknown_choice_of_pins_is_named():
    with pytest.raises(GpioError, match="unknown pins 'real': expected one of auto, mock"):
        open_factory("real")


def test_a_busy_pin_is_named_with_the_fix():
    with pytest.raises(GpioError, match=r"button roll on GPIO 17: .*busy.*--gpio mock"), claiming("button roll", 17):
        raise OSError("GPIO busy")


def test_native_pins_and_plain_mock_pins_cannot_be_dimmed():
    native = NativeFactory.__new__(NativeFactory)  # its own start wants a Pi's registers
    assert dims(mock_pins())
    assert not dims(MockFactory(pin_class=MockPin))
    assert not dims(native)
    native.close = lambda: None


@pytest.mark.parametrize("wish", [{"dice_brightness": 0.5}, {"light_brightness": 0.5}, {"buzzer": "passive"}])
def test_impossible_uses_of_pins_are_refused_by_name(wish):
    plain = MockFactory(pin_class=MockPin)
    with pytest.raises(GpioError, match=f"cannot dim pins or make tones.*{next(iter(wish))}"):
        refuse_undimmable(Configuration(**wish), plain)
    refuse_undimmable(Configuration(**wish), mock_pins())
    refuse_undimmable(Configuration(), plain)
