"""The camera protocol, the frame type and the error of a lost camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.core import BoardsideError

if TYPE_CHECKING:
    from vision.arrays import Picture


WIDTH_PX, HEIGHT_PX, FRAMES_PER_S = 1280, 960, 10
"""Picture size and frame rate requested from live cameras."""


class CameraLost(BoardsideError):
    """The camera delivers no pictures any more; the text names the camera and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture (BGR) of a camera, seconds on its clock, and a number that rises by one with each frame."""

    image: Picture
    at_s: float
    number: int


class Camera(Protocol):
    """A source of frames: a CSI or USB camera, a folder of pictures, a video or the simulated table."""

    name: str

    def read(self) -> Frame | None:
        """Return the newest frame (a film's next), or None at the end of a film. Raises CameraLost."""

    def close(self) -> None:
        """Release the device."""
