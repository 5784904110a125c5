"""The camera protocol, the frame type and the error of a lost camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.core import BoardsideError

if TYPE_CHECKING:
    from vision.arrays import Picture


class CameraLost(BoardsideError):
    """The camera delivers no pictures any more; the text names the camera and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a camera.

    Attributes:
        image: height x width x 3, uint8, BGR.
        at_s: time on the camera's clock in seconds.
        number: rises by one with each frame of the camera.
    """

    image: Picture
    at_s: float
    number: int


class Camera(Protocol):
    """A source of frames: a CSI or USB camera, a folder of pictures, a video or the simulated table."""

    name: str

    def read(self) -> Frame | None:
        """Return the newest frame, or None at the end of a film. Raises CameraLost."""

    def close(self) -> None:
        """Release the device."""
