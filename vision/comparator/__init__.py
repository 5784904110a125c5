"""A small network that classifies a place of any board by comparison with reference looks at the same board."""

from __future__ import annotations

from vision.comparator.cells import (
    CELL_PX,
    PATCH_PX,
    CellGrid,
    LearnedLight,
    brightness_factor,
    log_colours,
    patches_at,
)
from vision.comparator.network import (
    BLACK,
    CLASSES,
    EMPTY,
    OTHER,
    WHITE,
    encoded,
    judged,
    load_weights,
    shares_by_distance,
)
from vision.comparator.reference import UNCHANGED_NATS, ReferenceLook, compare_changes, turned

__all__ = [
    "BLACK",
    "CELL_PX",
    "CLASSES",
    "EMPTY",
    "OTHER",
    "PATCH_PX",
    "UNCHANGED_NATS",
    "WHITE",
    "CellGrid",
    "LearnedLight",
    "ReferenceLook",
    "brightness_factor",
    "compare_changes",
    "encoded",
    "judged",
    "load_weights",
    "log_colours",
    "patches_at",
    "shares_by_distance",
    "turned",
]
