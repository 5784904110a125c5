"""Models learned for pictures of one brightness; those for the calibration picture's brightness are saved."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from vision.backgammon.slot_model import CLASSES, SlotModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.arrays import Singles
    from vision.imaging import Appearance


_SLOTS = "slots."
"""Prefix of the slot model's arrays in the file."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """Models of a board for one brightness of the picture.

    Attributes:
        ceiling: grey level (B, G, R) at which the sensor saturates, after division by the gain.
        appearance: colour tables and empty board, clipped at `ceiling`.
        slots: distribution of each slot's features.
    """

    ceiling: Singles
    appearance: Appearance
    slots: SlotModel


SAVED_SHAPES = {
    f"{_SLOTS}centre": f"s c {CLASSES} f",
    f"{_SLOTS}precision": f"{CLASSES} f f",
    f"{_SLOTS}log_norm": f"{CLASSES}",
    f"{_SLOTS}trust": "s c 2",
}
"""Of the arrays of `saved_arrays` (see `SavedCalibration.check`)."""


def saved_arrays(slots: SlotModel) -> dict[str, NDArray[Any]]:
    """Arrays to write to a file, by name."""
    return {_SLOTS + one.name: getattr(slots, one.name) for one in fields(SlotModel)}


def saved_slots(arrays: Mapping[str, NDArray[Any]]) -> SlotModel:
    """The model from a file's arrays."""
    return SlotModel(*(arrays[_SLOTS + one.name] for one in fields(SlotModel)))
