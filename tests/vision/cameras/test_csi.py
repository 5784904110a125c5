"""The ribbon-cable camera with a substitute for picamera2 that behaves as described in its manual."""

from __future__ import annotations

from itertools import chain, repeat

import numpy as np
import pytest

from vision.cameras import CameraLost
from vision.cameras.csi import CsiDevice, locked_controls

CSI = {"Model": "imx219", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux/i2c@1/imx219@10", "Num": 0}
USB = {"Model": "HD Webcam", "Id": "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825", "Num": 0}


def metadata(*, locked, exposure_us=23_400, gain=2.0):
    return {
        "AeLocked": locked,
        "ExposureTime": exposure_us,
        "AnalogueGain": gain,
        "ColourGains": (1.6, 2.1),
        "Lux": 120.0,
    }


class Library:
    """The part of the module picamera2 that is used."""

    def __init__(self, cameras=(CSI,), answers=None, fails_at=None):  # noqa: C901 - one small method a call
        library = self
        self.calls = []
        self.answers = iter(answers or chain([metadata(locked=False)] * 3, repeat(metadata(locked=True))))

        class Picamera2:
            def __init__(self, number=0):
                library.note("open", number)

            @staticmethod
            def global_camera_info():
                return list(cameras)

            def create_video_configuration(self, main, controls):
                return {"main": main, "controls": controls}

            def configure(self, configuration):
                library.note("configure", configuration)

            def start(self):
                library.note("start", None)

            def capture_metadata(self):
                return next(library.answers)

            def set_controls(self, controls):
                library.note("set_controls", controls)

            def capture_array(self, name):
                library.note("capture", name)
                return np.zeros((960, 1280, 3), np.uint8)

            def stop(self):
                library.note("stop", None)

            def close(self):
                library.note("close", None)

        self.Picamera2 = Picamera2
        self.fails_at = fails_at

    def note(self, call, value):
        if call == self.fails_at:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.calls.append((call, value))

    def told(self, call):
        return next(value for name, value in self.calls if name == call)


def test_pictures_are_bgr_at_the_requested_size():
    library = Library()
    image = CsiDevice(lambda: 0.0, library).grab()
    assert library.told("configure")["main"] == {"size": (1280, 960), "format": "RGB888"}
    assert image.shape == (960, 1280, 3)


def test_exposure_gain_and_colour_are_locked_once_after_settling():
    library = Library()
    device = CsiDevice(lambda: 0.0, library)
    device.grab()
    device.grab()
    assert [name for name, _ in library.calls].count("set_controls") == 1
    held = library.told("set_controls")
    assert (held["AeEnable"], held["AwbEnable"], held["ColourGains"]) == (False, False, (1.6, 2.1))


def test_an_exposure_that_does_not_settle_is_locked_after_the_settling_time():
    clock = iter(np.arange(0.0, 100.0, 0.5))
    library = Library(answers=repeat(metadata(locked=False)))
    CsiDevice(lambda: float(next(clock)), library).grab()
    assert library.told("set_controls")["AeEnable"] is False


@pytest.mark.parametrize(
    ("exposure_us", "gain", "held_us", "held_gain"),
    [(23_400, 2.0, 20_000, 2.34), (10_000, 1.0, 10_000, 1.0), (4_000, 1.5, 4_000, 1.5), (16_000, 1.0, 20_000, 1.0)],
)
def test_the_locked_exposure_is_a_multiple_of_the_lamps_flicker_period(exposure_us, gain, held_us, held_gain):
    held = locked_controls(metadata(locked=True, exposure_us=exposure_us, gain=gain))
    assert held["ExposureTime"] == held_us
    assert held["AnalogueGain"] == pytest.approx(held_gain)


def test_a_sensor_without_colours_is_locked_without_colour_gains():
    without = {name: value for name, value in metadata(locked=True).items() if name != "ColourGains"}
    library = Library(answers=repeat(without))
    CsiDevice(lambda: 0.0, library).grab()
    assert set(library.told("set_controls")) == {"AeEnable", "ExposureTime", "AnalogueGain"}


def test_a_camera_that_does_not_start_is_released():
    library = Library(fails_at="start")
    with pytest.raises(CameraLost):
        CsiDevice(lambda: 0.0, library)
    assert [name for name, _ in library.calls] == ["open", "configure", "close"]


def test_a_usb_camera_in_the_list_is_not_taken_for_a_csi_camera():
    library = Library(cameras=(USB, CSI))
    CsiDevice(lambda: 0.0, library)
    assert library.told("open") == 1


def test_without_a_camera_in_the_list_the_message_says_to_check_the_cable():
    with pytest.raises(CameraLost, match="check the ribbon cable"):
        CsiDevice(lambda: 0.0, Library(cameras=(USB,)))


@pytest.mark.parametrize(("call", "mend"), [("open", "no other program"), ("start", "no other program")])
def test_a_camera_in_use_is_reported(call, mend):
    with pytest.raises(CameraLost, match=mend):
        CsiDevice(lambda: 0.0, Library(fails_at=call))


def test_a_camera_that_stops_raises_camera_lost():
    device = CsiDevice(lambda: 0.0, Library(fails_at="capture"))
    with pytest.raises(CameraLost, match="check the ribbon cable"):
        device.grab()


def test_without_picamera2_the_message_names_the_package():
    with pytest.raises(CameraLost, match="apt install python3-picamera2"):
        CsiDevice(lambda: 0.0)
