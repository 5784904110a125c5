"""The eye: a learned board, and what any later picture of it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.observation import Observation
from vision.read_backgammon import cells, read_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.calibration import Calibration

    Picture = NDArray[np.uint8]


class Eye:
    """Reads pictures of one board."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration

    def look(self, picture: Picture) -> Observation:
        """What a picture (BGR, of the size calibrated for) shows."""
        learned = self.calibration
        view = learned.top.straighten(picture)
        evidence = learned.appearance.evidence(learned.appearance.level(view))
        rows = read_rows(evidence, learned.rows, learned.slots)
        return Observation(cells(rows, learned.rows))
