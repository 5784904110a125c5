"""What was learned of a board for pictures of one brightness; that of the learned picture's own is kept in its file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.rims import FIGURES, Look, RimModel
from vision.slots import SlotModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.appearance import Appearance

    Singles = NDArray[np.float32]
    Arrays = Mapping[str, NDArray[Any]]

_SLOTS, _RIMS = "slots.", "rims"
"""What the arrays of a file are called that hold them."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A learned board under one brightness of pictures.

    Attributes:
        ceiling: grey level (B, G, R), after levelling, above which the sensor tells nothing apart.
        appearance: colours and empty board, cut off there.
        slots: what each slot's figures are.
        gain: how much brighter (B, G, R) those pictures are, at most.
    """

    ceiling: Singles
    appearance: Appearance
    slots: SlotModel
    gain: Singles


@dataclass(frozen=True, slots=True)
class LearnedModels:
    """What takes longest to learn, for pictures as bright as the one that the board was learned from.

    Attributes:
        slots: what each slot's figures are.
        rims: tells checkers from board where both look alike; None where they do nowhere.
    """

    slots: SlotModel
    rims: RimModel | None

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """To be kept in a file, by name."""
        kept: dict[str, NDArray[Any]] = {_SLOTS + one.name: getattr(self.slots, one.name) for one in fields(SlotModel)}
        if self.rims is not None:
            untold = np.full((2, 2, FIGURES), np.nan)
            kept[_RIMS] = np.array([untold if one is None else (one.centre, one.spread) for one in self.rims.looks])
        return kept

    @classmethod
    def of(cls, arrays: Arrays) -> LearnedModels | None:
        """From a file's arrays; None where it has none, as those written by earlier versions."""
        names = [one.name for one in fields(SlotModel)]
        if any(_SLOTS + name not in arrays for name in names):
            return None
        slots = SlotModel(*(arrays[_SLOTS + name] for name in names))
        if _RIMS not in arrays:
            return cls(slots, None)
        white, black = (None if np.isnan(one).any() else Look(one[0], one[1]) for one in arrays[_RIMS])
        return cls(slots, RimModel((white, black)))
