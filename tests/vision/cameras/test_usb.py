"""The USB camera with a substitute for OpenCV's capture: the calls to it, and how answers are used."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras import CameraLost
from vision.cameras.usb import AUTO_EXPOSURE_OFF, AUTO_EXPOSURE_ON, SETTLING_FRAMES, UsbDevice


class Capture:
    """Behaves as observed with webcams: stores settings, and gives grey pictures until unplugged."""

    def __init__(self, *, width=1280, opened=True, exposure_read=156.0):
        self.told = {cv2.CAP_PROP_EXPOSURE: exposure_read, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}
        self.order = []
        self.width, self.opened, self.plugged, self.colour = width, opened, True, (100, 100, 100)
        self.released = False

    def isOpened(self):  # noqa: N802
        return self.opened

    def set(self, key, value):
        self.told[key] = value
        self.order.append(key)
        return True

    def get(self, key):
        return self.width if key == cv2.CAP_PROP_FRAME_WIDTH else self.told.get(key, 0.0)

    def read(self):
        return (True, np.full((9, 12, 3), self.colour, np.uint8)) if self.plugged else (False, None)

    def release(self):
        self.released = True


def test_motion_jpeg_is_requested_before_the_size():
    capture = Capture()
    UsbDevice(0, capture)
    assert capture.told[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert capture.order.index(cv2.CAP_PROP_FOURCC) < capture.order.index(cv2.CAP_PROP_FRAME_WIDTH)


def test_a_camera_whose_pictures_are_too_small_is_refused_and_released():
    capture = Capture(width=320)
    with pytest.raises(CameraLost, match="320 pixels wide, expected 640 or more"):
        UsbDevice(2, capture)
    assert capture.released


def test_a_missing_device_is_named_with_advice():
    with pytest.raises(CameraLost, match=r"/dev/video97: plug it in"):
        UsbDevice(97)


def test_an_unplugged_camera_raises_camera_lost():
    capture = Capture()
    device = UsbDevice(1, capture)
    device.grab()
    capture.plugged = False
    with pytest.raises(CameraLost, match=r"/dev/video1 is gone: plug it in again"):
        device.grab()


def test_exposure_and_white_balance_are_locked_once_settled():
    capture = Capture()
    device = UsbDevice(0, capture)
    for _ in range(SETTLING_FRAMES - 1):
        device.grab()
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in capture.told
    device.grab()
    assert capture.told[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO_EXPOSURE_OFF
    assert capture.told[cv2.CAP_PROP_EXPOSURE] == 156.0
    assert capture.told[cv2.CAP_PROP_AUTO_WB] == 0
    assert capture.told[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0


@pytest.mark.parametrize(
    ("colour_after", "exposure", "balance"),
    [
        ((104, 104, 104), AUTO_EXPOSURE_OFF, 0),
        ((160, 160, 160), AUTO_EXPOSURE_ON, 1),
        ((125, 98, 80), AUTO_EXPOSURE_ON, 1),
    ],
    ids=["as before", "brighter", "as bright, but blue"],
)
def test_a_lock_that_changes_the_picture_is_undone(colour_after, exposure, balance):
    capture = Capture()
    device = UsbDevice(0, capture)
    for _ in range(SETTLING_FRAMES):
        device.grab()
    capture.colour = colour_after
    for _ in range(10):
        device.grab()
    assert capture.told[cv2.CAP_PROP_AUTO_EXPOSURE] == exposure
    assert capture.told[cv2.CAP_PROP_AUTO_WB] == balance


def test_a_frame_that_the_decoder_refuses_is_a_lost_camera():
    capture = Capture()
    device = UsbDevice(1, capture)
    device.grab()
    capture.read = lambda: cv2.imdecode(np.zeros(0, np.uint8), cv2.IMREAD_COLOR)
    with pytest.raises(CameraLost, match=r"/dev/video1 gives damaged pictures: try another cable"):
        device.grab()
