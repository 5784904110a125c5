"""Which camera films the table: the one asked for, the one this machine has, or that of a simulated table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.camera import CameraLost
from vision.open_camera import open_camera
from vision.simulated import SimulatedTable
from vision.simulated_camera import SimulatedCamera

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera import Camera


@dataclass(frozen=True)
class CameraSource:
    """A camera that can be opened, and opened again when it was lost.

    Attributes:
        name: what it is called; what is learned of the board is kept under this name.
        open: opens it. Raises CameraLost.
        simulated: the table it films, where that is a simulated one.
    """

    name: str
    open: Callable[[], Camera]
    simulated: SimulatedTable | None = None


def camera_source(spec: str, clock: Callable[[], float], game: str = "backgammon") -> CameraSource:
    """The camera `spec` names: "simulated", or as `vision.open_camera` has it; "auto" without a camera is simulated.

    `game` says which board lies on a simulated table.

    Raises CameraLost or UnknownCameraError where the camera asked for cannot be had.
    """
    found = None if spec == "simulated" else open_camera(spec, clock)
    if found is None:
        table = SimulatedTable(game=game, clock=clock)
        return CameraSource("simulated table", lambda: SimulatedCamera(table, clock=clock), table)
    first = [found]

    def reopen() -> Camera:
        camera = first.pop() if first else open_camera(spec, clock)
        if camera is None:
            raise CameraLost("No camera is there any more: plug it in again.")
        return camera

    return CameraSource(found.name, reopen)
