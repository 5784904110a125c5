"""A simulated table, rendered as camera pictures for use without a camera.

It offers the table and its camera.
"""

from __future__ import annotations

from vision.simulation.camera import SimulatedCamera
from vision.simulation.table import SimulatedTable

__all__ = [
    "SimulatedCamera",
    "SimulatedTable",
]
