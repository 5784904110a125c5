"""Opens the camera that a command-line argument names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import BoardsideError
from vision.cameras.base import CameraLost
from vision.cameras.csi import CsiDevice
from vision.cameras.files import FilmCamera, FolderCamera
from vision.cameras.live import LiveCamera
from vision.cameras.usb import UsbDevice

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras.base import Camera

KNOWN = "auto, simulated, usb:N, csi, folder:PATH or file:PATH"
VIDEO_DEVICES = Path("/dev")


class UnknownCameraError(BoardsideError):
    """The camera argument has no known form."""


def open_camera(spec: str, clock: Callable[[], float]) -> Camera | None:
    """Open the camera that `spec` names.

    Args:
        spec: "csi", "usb:N" (N as in /dev/videoN), "folder:PATH" with pictures, "file:PATH" of a video, or "auto": the
            CSI camera, else the first USB camera that delivers pictures.
        clock: time in seconds, for live frames. Frames from files have their own times, which start at 0.

    Returns:
        The camera; None for "auto" if there is no camera.

    Raises:
        CameraLost: the named camera cannot be opened.
        UnknownCameraError: `spec` is none of these.
    """
    kind, _, rest = spec.partition(":")
    if spec == "auto":
        return _first_available(clock)
    if spec == "csi":
        return LiveCamera("CSI camera", CsiDevice(clock), clock)
    if kind == "usb" and rest.isdecimal():
        return LiveCamera(f"USB camera {int(rest)}", UsbDevice(int(rest)), clock)
    if kind == "folder" and rest:
        return FolderCamera(Path(rest))
    if kind == "file" and rest:
        return FilmCamera(Path(rest))
    raise UnknownCameraError(f"{spec!r} is no camera: expected {KNOWN}")


def _first_available(clock: Callable[[], float]) -> Camera | None:
    """The CSI camera, else the first USB camera that delivers a picture, else None."""
    try:
        return LiveCamera("CSI camera", CsiDevice(clock), clock)
    except CameraLost:
        pass
    suffixes = (path.name.removeprefix("video") for path in VIDEO_DEVICES.glob("video*"))
    for number in sorted(int(suffix) for suffix in suffixes if suffix.isdecimal()):  # not every one is a camera
        try:
            device = UsbDevice(number)
            device.grab()
        except CameraLost:
            continue
        return LiveCamera(f"USB camera {number}", device, clock)
    return None
