"""The simulated table: a second source of frames."""

from __future__ import annotations

from vision.simulation.camera import SimulatedCamera
from vision.simulation.table import SimulatedTable

__all__ = [
    "SimulatedCamera",
    "SimulatedTable",
]
