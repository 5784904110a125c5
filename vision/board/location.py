"""Finds a board by its starting position in a picture: the common part for all kinds of boards, and the error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import BoardsideError
from vision.imaging import black_level, likely_cause, stretched

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Floats, Picture
    from vision.geometry import LensDistortion

SEARCH_WIDTH_PX = 640
"""Width of the reduced picture for the search; the refinement uses the full size."""
LEAST_CONFIDENCE = 0.82
"""Least confidence of an accepted board: starting positions, in many kinds of pictures, had 0.95 or more, and 0.83 with
a stack of five in a lamp's reflection; boards after a few plays at most 0.8. Calibrating checks every checker again."""
_USUAL_BLACK = 20.0
"""Largest usual black level: in nine of ten pictures of 74 boards it is at most 16. Where it is more, haze or stray
light in the lens is removed."""
WELL_EXPOSED = 200.0
"""98th percentile of the grey levels (largest channel, of 255) of a well exposed picture."""


class LocateError(BoardsideError):
    """No starting position was found in the picture; the text says what to do.

    Attributes:
        guess: corners (see `Located`) of the best candidate, which was not confident enough; None if there was none.
        lens: distortion that was removed from the picture before the search; None if none was.
    """

    def __init__(self, message: str, guess: Floats | None = None, lens: LensDistortion | None = None) -> None:
        super().__init__(message)
        self.guess = guess
        self.lens = lens


@dataclass(frozen=True, slots=True)
class Located:
    """A board found in a picture.

    Attributes:
        corners: of the playing area on the bed, 4 x 2 pixels: bottom-left, bottom-right, top-right, top-left as White
            sits. The playing area is, in backgammon, the inside of the frame, the bar included; with tiles, the row
            and two tiles' width on either side of it; in checkers, the 64 squares. In checkers White may sit at the
            bottom or at the top, as the starting position does not show it.
        confidence: 0 to 1, the share of the board that matches the starting position.
    """

    corners: Floats
    confidence: float


def locate_start(
    picture: Picture, game: str, pieces: str, find: Callable[[Picture], Located | None], least: float = LEAST_CONFIDENCE
) -> Located:
    """Find the playing area in a picture of a starting position.

    `game` and `pieces`, what that position consists of, are for the error's text. `find` gets the picture brightened,
    and returns its best candidate, which is accepted from the confidence `least` on. Raises LocateError if nothing
    looks like the starting position of that game.
    """
    found = find(brighten(picture))
    if found is None or found.confidence < least:
        share = f" (the best match has {found.confidence:.0%})" if found is not None else ""
        raise LocateError(
            f"no starting position of {game} was found in the picture{share}: set up all {pieces}, make sure "
            f"that the whole board is in the picture, and keep hands away{likely_cause(picture)}",
            None if found is None else found.corners,
        )
    return found


def brighten(image: Picture) -> Picture:
    """Bring a dark or hazy picture to the contrast of a well exposed one, so that edge thresholds apply equally."""
    few = image[::8, ::8]
    darkest = black_level(few)
    black = darkest if darkest > _USUAL_BLACK else 0.0
    contrast = float(np.percentile(few.max(axis=2), 98)) - black
    if not 0 < contrast < WELL_EXPOSED:
        return image
    return stretched(image, black, WELL_EXPOSED / contrast)


def shrink(image: Picture) -> tuple[Picture, float]:
    """The picture reduced to `SEARCH_WIDTH_PX`, and the factor of its original size."""
    factor = max(image.shape[1] / SEARCH_WIDTH_PX, 1.0)
    small = cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), factor
