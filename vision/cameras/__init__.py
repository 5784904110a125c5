"""Sources of frames: CSI and USB cameras, folders and videos.

It offers one `Camera` protocol, `open_camera`, and the motion gate, which decides when a picture is still enough to
read.
"""

from __future__ import annotations

from vision.arrays import Picture
from vision.cameras.base import Camera, CameraLost, Frame
from vision.cameras.files import Film, PictureError, load_picture
from vision.cameras.motion_gate import MotionGate
from vision.cameras.opening import open_camera

__all__ = [
    "Camera",
    "CameraLost",
    "Film",
    "Frame",
    "MotionGate",
    "Picture",
    "PictureError",
    "load_picture",
    "open_camera",
]
