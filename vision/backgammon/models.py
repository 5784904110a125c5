"""Models learned for pictures of one brightness; those for the calibration picture's brightness are saved."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.backgammon.contour_likelihood import FIGURES, RimModel, RimStatistics
from vision.backgammon.slot_model import CLASSES, SlotModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.imaging import Appearance

    Singles = NDArray[np.float32]
    Arrays = Mapping[str, NDArray[Any]]

_SLOTS, _RIMS = "slots.", "rims"
"""Prefix of the slot model's arrays, and name of the rim model's array, in the file."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """Models of a board for one brightness of the picture.

    Attributes:
        ceiling: grey level (B, G, R) at which the sensor saturates, after division by the gain.
        appearance: colour tables and empty board, clipped at `ceiling`.
        slots: distribution of each slot's features.
        gain: brightness (B, G, R) relative to the calibration picture, at most.
    """

    ceiling: Singles
    appearance: Appearance
    slots: SlotModel
    gain: Singles


SAVED_SHAPES = {
    f"?{_SLOTS}centre": "s c k f",
    f"?{_SLOTS}precision": "k f f",
    f"?{_SLOTS}log_norm": "k",
    f"?{_SLOTS}trust": "s c 2",
    f"?{_RIMS}": "2 2 2 n nan",
}
"""Of the arrays of `LearnedModels` (see `SavedCalibration.check`)."""


@dataclass(frozen=True, slots=True)
class LearnedModels:
    """The models that take longest to learn, for the brightness of the calibration picture.

    Attributes:
        slots: distribution of each slot's features.
        rims: contour model for places where checkers and board look alike; None if there are none.
    """

    slots: SlotModel
    rims: RimModel | None

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Arrays to write to a file, by name."""
        arrays: dict[str, NDArray[Any]] = {
            _SLOTS + one.name: getattr(self.slots, one.name) for one in fields(SlotModel)
        }
        if self.rims is not None:
            missing = np.full((2, 2, FIGURES), np.nan)
            arrays[_RIMS] = np.array(
                [missing if one is None else (one.centre, one.spread) for one in self.rims.statistics]
            )
        return arrays

    @classmethod
    def of(cls, arrays: Arrays) -> LearnedModels | None:
        """Load from a file's arrays; None for files of earlier versions, which have none, or others."""
        names = [one.name for one in fields(SlotModel)]
        if any(_SLOTS + name not in arrays for name in names) or len(arrays[_SLOTS + "log_norm"]) != CLASSES:
            return None
        slots = SlotModel(*(arrays[_SLOTS + name] for name in names))
        if _RIMS not in arrays:
            return cls(slots, None)
        white, black = (None if np.isnan(one).any() else RimStatistics(one[0], one[1]) for one in arrays[_RIMS])
        return cls(slots, RimModel((white, black)))
