"""The Raspberry Pi's ribbon-cable (CSI) camera, read with picamera2."""

from __future__ import annotations

import importlib
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.cameras.base import FRAMES_PER_S, HEIGHT_PX, WIDTH_PX, CameraLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Picture


SETTLE_S = 2.0
"""Longest wait in seconds for the automatic exposure to settle before it is locked."""
MAINS_HALF_WAVE_US = 10_000
"""Period of the flicker of lamps on 50 Hz mains (100 Hz), in microseconds. Exposures of whole periods give pictures of
equal brightness."""


class CsiDevice:
    """The first CSI camera; locks exposure, gain and colour gains once they have settled."""

    def __init__(self, clock: Callable[[], float], library: Any | None = None) -> None:
        """Open the camera. Raises CameraLost if picamera2 or the camera is missing, or another program uses it.

        `clock`: seconds; `library`: the module picamera2; by default it is imported, which only works on a Pi.
        """
        picamera2 = library or _load()
        cameras = [number for number, info in enumerate(picamera2.Picamera2.global_camera_info()) if _is_csi(info)]
        if not cameras:
            raise CameraLost("no CSI camera is connected: switch the Pi off, check the ribbon cable at both ends")
        try:
            with ExitStack() as opened:
                self._camera = picamera2.Picamera2(cameras[0])
                opened.callback(self._camera.close)
                # picamera2's "RGB888" is B, G, R in memory, which is OpenCV's order.
                main = {"size": (WIDTH_PX, HEIGHT_PX), "format": "RGB888"}
                controls = {"FrameRate": FRAMES_PER_S}
                self._camera.configure(self._camera.create_video_configuration(main=main, controls=controls))
                self._camera.start()
                opened.pop_all()
        except (RuntimeError, OSError) as error:
            raise CameraLost(f"the CSI camera does not start ({error}): check that no other program uses it") from error
        self._clock = clock
        self._settled = False

    def grab(self) -> Picture:
        """Return the next picture (BGR). Raises CameraLost."""
        try:
            if not self._settled:
                self._settle()
            return np.asarray(self._camera.capture_array("main"), np.uint8)
        except (RuntimeError, OSError) as error:
            raise CameraLost(
                f"the CSI camera stopped ({error}): check the ribbon cable, start Boardside again"
            ) from error

    def _settle(self) -> None:
        """Wait for the automatic exposure, then lock its values."""
        until_s = self._clock() + SETTLE_S
        metadata = self._camera.capture_metadata()
        while not metadata.get("AeLocked") and self._clock() < until_s:
            metadata = self._camera.capture_metadata()
        self._camera.set_controls(locked_controls(metadata))
        self._settled = True

    def close(self) -> None:
        """Release the camera."""
        self._camera.stop()
        self._camera.close()


def locked_controls(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return fixed camera controls from automatic ones; the exposure is rounded to whole flicker periods of lamps.

    `metadata`: of a picture, from picamera2: ExposureTime in microseconds, AnalogueGain, and ColourGains, which sensors
    without colours do not have.
    """
    exposure_us, gain = int(metadata["ExposureTime"]), float(metadata["AnalogueGain"])
    if exposure_us >= MAINS_HALF_WAVE_US:
        whole_us = round(exposure_us / MAINS_HALF_WAVE_US) * MAINS_HALF_WAVE_US
        exposure_us, gain = whole_us, max(gain * exposure_us / whole_us, 1.0)
    held: dict[str, Any] = {"AeEnable": False, "ExposureTime": exposure_us, "AnalogueGain": gain}
    if "ColourGains" in metadata:
        held |= {"AwbEnable": False, "ColourGains": tuple(metadata["ColourGains"])}
    return held


def _is_csi(info: dict[str, Any]) -> bool:
    """Whether libcamera describes a ribbon-cable camera; it lists USB cameras too, with the bus in their id."""
    return "usb" not in str(info.get("Id", "")).lower()


def _load() -> Any:
    try:
        return importlib.import_module("picamera2")
    # ValueError and AttributeError come from a picamera2 built for another NumPy, as on Raspberry Pi OS Bookworm.
    except (ImportError, ValueError, AttributeError) as error:
        raise CameraLost(
            f"CSI cameras need picamera2, which cannot be loaded ({error}): apt install python3-picamera2 on "
            "Raspberry Pi OS Trixie, and a virtual environment with system site packages"
        ) from error
