"""Cameras: one Protocol over a CSI camera, a USB camera, a folder of pictures and the simulated table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.model import BoardsideError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]


class CameraLost(BoardsideError):
    """The camera gives no pictures any more; the text says which one and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image` is height x width x 3, uint8, BGR; `at_s` is the camera's clock in seconds."""

    image: Picture
    at_s: float
    number: int


class Camera(Protocol):
    """Anything that gives frames."""

    name: str

    def read(self) -> Frame | None:
        """The newest frame, or None where there is no further one (end of a film). Raises CameraLost."""

    def close(self) -> None:
        """Release the device."""
