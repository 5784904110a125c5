"""USB cameras, read with OpenCV's Video4Linux backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.cameras.base import FRAMES_PER_S, HEIGHT_PX, WIDTH_PX, CameraLost

if TYPE_CHECKING:
    from vision.arrays import Picture


SMALLEST_WIDTH_PX = 640
"""Smallest accepted picture width. Counting needs checkers at least about 20 pixels wide; in smaller pictures a board
that fills the picture has narrower checkers."""
SETTLING_FRAMES = 20
"""Frames until the automatic exposure is locked: two seconds."""
AUTO_EXPOSURE_ON, AUTO_EXPOSURE_OFF = 3, 1
"""V4L2_EXPOSURE_APERTURE_PRIORITY and V4L2_EXPOSURE_MANUAL of Video4Linux."""
MOST_CHANGE = 0.1
"""Largest relative change of a colour channel's mean after the lock; a larger change means that the driver reported a
wrong exposure or white balance."""


class UsbDevice:
    """The USB camera /dev/videoN, in MJPG; locks exposure and white balance once settled, if the driver supports it."""

    def __init__(self, number: int, capture: cv2.VideoCapture | None = None) -> None:
        """Open /dev/videoN. Raises CameraLost if it is missing, in use or its pictures are too small.

        `capture`: an opened capture to read instead of the device.
        """
        self._number = number
        self._capture = capture or _open_quietly(number)
        if not self._capture.isOpened():
            raise CameraLost(
                f"no camera answers at /dev/video{number}: plug it in, check that no other program uses it, "
                "and that the user is in the group 'video'"
            )
        self._request_size()
        self._frames = 0
        self._means_before = np.zeros(3)

    def _request_size(self) -> None:
        """Request MJPG and the picture size, then check the size. Uncompressed, USB 2 is too slow for ten frames/s."""
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH_PX)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT_PX)
        self._capture.set(cv2.CAP_PROP_FPS, FRAMES_PER_S)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        width = self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)
        if 0 < width < SMALLEST_WIDTH_PX:
            self._capture.release()
            raise CameraLost(
                f"the camera at /dev/video{self._number} gives pictures only {width:.0f} pixels wide, expected "
                f"{SMALLEST_WIDTH_PX} or more: use another camera"
            )

    def grab(self) -> Picture:
        """Return the next picture (BGR). Raises CameraLost when the camera is unplugged."""
        try:
            read, image = self._capture.read()
        except cv2.error as error:  # a frame that was cut off
            raise CameraLost(
                f"the camera at /dev/video{self._number} gives damaged pictures: try another cable or socket"
            ) from error
        if not read or image is None:
            raise CameraLost(f"the camera at /dev/video{self._number} is gone: plug it in again")
        self._frames += 1
        self._settle(np.asarray(image, np.uint8))
        return np.asarray(image, np.uint8)

    def _settle(self, image: Picture) -> None:
        """Lock exposure and white balance after the settling time; unlock both if that changed the picture."""
        if self._frames == SETTLING_FRAMES:
            self._means_before = image.mean(axis=(0, 1))
            exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
            temperature = self._capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE_OFF)
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, temperature)
        elif self._frames == SETTLING_FRAMES + FRAMES_PER_S:
            change = image.mean(axis=(0, 1)) / np.maximum(self._means_before, 1.0)
            if np.abs(change - 1).max() > MOST_CHANGE:
                self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE_ON)
                self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)

    def close(self) -> None:
        """Release the device."""
        self._capture.release()


def _open_quietly(number: int) -> cv2.VideoCapture:
    """Open /dev/videoN without OpenCV's own warning about a missing device."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(number, cv2.CAP_V4L2)
    finally:
        cv2.utils.logging.setLogLevel(level)
