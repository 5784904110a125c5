"""Chooses the camera: the one asked for, one of this machine, or that of a simulated table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import USUAL_LAYOUT
from vision.cameras import CameraLost, open_camera
from vision.simulation import SimulatedCamera, SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import BoardLayout
    from vision.cameras import Camera


@dataclass(frozen=True)
class CameraSource:
    """A camera that can be opened again after it was lost.

    Attributes:
        name: its name; the calibration is stored under this name.
        open: opens the camera. Raises CameraLost.
        simulated: the simulated table that it shows; None: a real camera.
    """

    name: str
    open: Callable[[], Camera]
    simulated: SimulatedTable | None = None


def camera_source(
    spec: str, clock: Callable[[], float], game: str = "backgammon", layout: BoardLayout = USUAL_LAYOUT
) -> CameraSource:
    """The camera that `spec` names: "simulated" or a name for `vision.cameras.opening`.

    "auto" without a camera gives the simulated table, with the board of `game` as `layout` says.

    Raises CameraLost or UnknownCameraError if the camera is not available.
    """
    found = None if spec == "simulated" else open_camera(spec, clock)
    if found is None:
        table = SimulatedTable(game=game, layout=layout, clock=clock)
        return CameraSource("simulated table", lambda: SimulatedCamera(table, clock=clock), table)
    first = [found]

    def reopen() -> Camera:
        camera = first.pop() if first else open_camera(spec, clock)
        if camera is None:
            raise CameraLost("No camera is there any more: plug it in again.")
        return camera

    return CameraSource(found.name, reopen)
