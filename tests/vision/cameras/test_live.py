"""The camera thread, over a scripted device."""

from __future__ import annotations

import queue
import threading

import numpy as np
import pytest

from vision.cameras import CameraLost
from vision.cameras.live import LiveCamera

READ_TIMEOUT_S = 10.0  # never waited for, except where a test says so


class ScriptedDevice:
    """Returns what the test puts into it: brightnesses of pictures, or an error."""

    def __init__(self):
        self.coming: queue.Queue[int | CameraLost] = queue.Queue()
        self.asked = threading.Semaphore(0)
        self.closed = threading.Event()

    def grab(self):
        self.asked.release()
        item = self.coming.get()
        if isinstance(item, CameraLost):
            raise item
        return np.full((4, 6, 3), item, np.uint8)

    def close(self):
        self.closed.set()


@pytest.fixture
def device():
    return ScriptedDevice()


@pytest.fixture
def camera(device):
    ticks = iter(range(100))
    camera = LiveCamera("test camera", device, lambda: float(next(ticks)), timeout_s=READ_TIMEOUT_S)
    yield camera
    device.coming.put(CameraLost("the test is over"))
    camera.close()


def brightness(frame):
    return int(frame.image[0, 0, 0])


def test_a_frame_is_delivered_once(device, camera):
    device.coming.put(10)
    first = camera.read()
    device.coming.put(20)
    second = camera.read()
    assert (brightness(first), brightness(second)) == (10, 20)
    assert first.number < second.number


def test_frames_have_the_time_of_their_arrival(device, camera):
    device.coming.put(10)
    assert camera.read().at_s == 0.0
    device.coming.put(20)
    assert camera.read().at_s == 1.0


def test_only_the_newest_frame_is_kept(device, camera):
    for value in (1, 2, 3):
        device.coming.put(value)
    for _ in range(4):  # asked for a fourth, the third has been kept
        assert device.asked.acquire(timeout=READ_TIMEOUT_S)
    assert brightness(camera.read()) == 3


def test_an_unplugged_camera_is_reported_with_advice(device, camera):
    device.coming.put(CameraLost("the camera is gone: plug it in again"))
    with pytest.raises(CameraLost, match="plug it in again"):
        camera.read()


@pytest.mark.usefixtures("camera")
def test_a_lost_device_is_released(device):
    device.coming.put(CameraLost("gone"))
    assert device.closed.wait(READ_TIMEOUT_S)


def test_a_camera_that_gives_no_more_frames_raises_camera_lost(device):
    camera = LiveCamera("test camera", device, lambda: 0.0, timeout_s=0.0)
    with pytest.raises(CameraLost, match="gave no picture for 0 s"):
        camera.read()
    device.coming.put(CameraLost("the test is over"))
    camera.close()


class SteadyDevice(ScriptedDevice):
    """Has a picture whenever it is asked."""

    def grab(self):
        return np.zeros((4, 6, 3), np.uint8)


def test_a_closed_camera_is_reported():
    device = SteadyDevice()
    camera = LiveCamera("test camera", device, lambda: 0.0)
    camera.close()
    with pytest.raises(CameraLost, match="has been closed"):
        camera.read()
    assert device.closed.wait(READ_TIMEOUT_S)
