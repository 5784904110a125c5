"""The Raspberry Pi's ribbon-cable (CSI) camera, through picamera2."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.camera import CameraLost

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera import Picture

WIDTH_PX, HEIGHT_PX = 1280, 960
FRAMES_PER_S = 10
SETTLE_S = 2.0
"""The automatic exposure gets so long to settle before it is locked (it says itself when it is done earlier)."""
MAINS_HALF_WAVE_US = 10_000
"""Lamps on 50 Hz mains flicker at 100 Hz: only exposures of whole flickers give pictures of one brightness."""


class CsiDevice:
    """The first CSI camera; exposure, gain and colour gains are locked once they have settled."""

    def __init__(self, clock: Callable[[], float], library: Any | None = None) -> None:
        """Open it. Raises CameraLost where there is no picamera2, no camera, or another program has it.

        Args:
            clock: seconds.
            library: the module picamera2; by default it is imported, which only works on a Pi.
        """
        picamera2 = library or _load()
        cameras = [number for number, info in enumerate(picamera2.Picamera2.global_camera_info()) if _is_csi(info)]
        if not cameras:
            raise CameraLost("no CSI camera is connected: switch the Pi off, check the ribbon cable at both ends")
        try:
            self._camera = picamera2.Picamera2(cameras[0])
            # picamera2 calls it RGB888 after the order in a 24-bit word; in memory that is B, G, R as OpenCV has it.
            main = {"size": (WIDTH_PX, HEIGHT_PX), "format": "RGB888"}
            controls = {"FrameRate": FRAMES_PER_S}
            self._camera.configure(self._camera.create_video_configuration(main=main, controls=controls))
            self._camera.start()
        except (RuntimeError, OSError) as error:
            raise CameraLost(f"the CSI camera does not start ({error}): see that no other program uses it") from error
        self._clock = clock
        self._settled = False

    def grab(self) -> Picture:
        """The next picture, BGR. Raises CameraLost."""
        try:
            if not self._settled:
                self._settle()
            return np.asarray(self._camera.capture_array("main"), np.uint8)
        except (RuntimeError, OSError) as error:
            raise CameraLost(
                f"the CSI camera stopped ({error}): check the ribbon cable, start Boardside again"
            ) from error

    def _settle(self) -> None:
        """Wait for the automatic exposure, then hold what it found."""
        until_s = self._clock() + SETTLE_S
        found = self._camera.capture_metadata()
        while not found.get("AeLocked") and self._clock() < until_s:
            found = self._camera.capture_metadata()
        self._camera.set_controls(locked_controls(found))
        self._settled = True

    def close(self) -> None:
        """Release the camera."""
        self._camera.stop()
        self._camera.close()


def locked_controls(found: dict[str, Any]) -> dict[str, Any]:
    """The controls that hold what the automatic ones found, the exposure in whole flickers of the lamps.

    Args:
        found: a picture's metadata as picamera2 gives it: ExposureTime in microseconds, AnalogueGain, ColourGains.
    """
    exposure_us, gain = int(found["ExposureTime"]), float(found["AnalogueGain"])
    if exposure_us >= MAINS_HALF_WAVE_US:
        whole_us = round(exposure_us / MAINS_HALF_WAVE_US) * MAINS_HALF_WAVE_US
        exposure_us, gain = whole_us, max(gain * exposure_us / whole_us, 1.0)
    return {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": exposure_us,
        "AnalogueGain": gain,
        "ColourGains": tuple(found["ColourGains"]),
    }


def _is_csi(info: dict[str, Any]) -> bool:
    """Whether libcamera's description is of a ribbon-cable camera; USB cameras are listed too, by their bus."""
    return "usb" not in str(info.get("Id", "")).lower()


def _load() -> Any:
    try:
        return importlib.import_module("picamera2")
    except (ImportError, ValueError, AttributeError) as error:  # the last two: built for another numpy (Bookworm's)
        raise CameraLost(
            f"CSI cameras need picamera2, which cannot be loaded ({error}): apt install python3-picamera2 on "
            "Raspberry Pi OS Trixie, and a virtual environment with system site packages"
        ) from error
