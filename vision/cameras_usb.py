"""USB cameras, through OpenCV's Video4Linux backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.camera import CameraLost

if TYPE_CHECKING:
    from vision.camera import Picture

WIDTH_PX, HEIGHT_PX = 1280, 960
SMALLEST_WIDTH_PX = 640
"""A checker must be some 20 pixels wide to be counted; a board that fills a smaller picture has narrower ones."""
FRAMES_PER_S = 10
SETTLING_FRAMES = 20
"""Pictures that the automatic exposure gets to settle: two seconds."""
AUTO_EXPOSURE_ON, AUTO_EXPOSURE_OFF = 3, 1
"""Video4Linux: V4L2_EXPOSURE_APERTURE_PRIORITY and V4L2_EXPOSURE_MANUAL."""
SAME_LIGHT = 0.1
"""A locked exposure may change the mean brightness by this share; more means that the driver read it out wrongly."""


class UsbDevice:
    """The USB camera /dev/videoN: MJPG, exposure and white balance locked once they have settled, where it lets us."""

    def __init__(self, number: int, capture: cv2.VideoCapture | None = None) -> None:
        """Open it. Raises CameraLost where there is none, it is in use or its pictures are too small.

        Args:
            number: of /dev/videoN.
            capture: what to read, opened already; by default the device itself.
        """
        self._number = number
        self._capture = capture or _open_quietly(number)
        if not self._capture.isOpened():
            raise CameraLost(
                f"no camera answers at /dev/video{number}: plug it in, see that no other program uses it, "
                "and that the user is in the group 'video'"
            )
        self._ask_for_size()
        self._frames = 0
        self._bright_before = 0.0

    def _ask_for_size(self) -> None:
        """MJPG first: uncompressed, USB 2 carries few large pictures a second. What came is checked, not believed."""
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
        """The next picture, BGR. Raises CameraLost when it is unplugged."""
        read, image = self._capture.read()
        if not read or image is None:
            raise CameraLost(f"the camera at /dev/video{self._number} is gone: plug it in again")
        self._frames += 1
        self._settle(np.asarray(image, np.uint8))
        return np.asarray(image, np.uint8)

    def _settle(self, image: Picture) -> None:
        """After the settling time lock exposure and white balance; take the lock back where it changes the picture."""
        if self._frames == SETTLING_FRAMES:
            self._bright_before = float(image.mean())
            exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
            warmth = self._capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE_OFF)
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, warmth)
        elif self._frames == SETTLING_FRAMES + FRAMES_PER_S:
            change = float(image.mean()) / max(self._bright_before, 1.0)
            if abs(change - 1) > SAME_LIGHT:
                self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE_ON)

    def close(self) -> None:
        """Release the device."""
        self._capture.release()


def _open_quietly(number: int) -> cv2.VideoCapture:
    """Open /dev/videoN; OpenCV's warning about a missing one is ours to word."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(number, cv2.CAP_V4L2)
    finally:
        cv2.utils.logging.setLogLevel(level)
