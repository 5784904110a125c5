"""Find a board in a picture of its starting position, without markers and whatever its make, colours and side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import BoardsideError
from vision.geometry import project
from vision.start_fit import first_fit
from vision.start_places import start_places
from vision.start_refine import refine
from vision.start_search import at_full_size, find_start

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture

SEARCH_WIDTH_PX = 640
"""Width of the picture that is searched; measuring is done at full size."""


class LocateError(BoardsideError):
    """No board in its starting position is in the picture; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Located:
    """Where the board is.

    Attributes:
        corners: 4 x 2 pixels of the playing area at the bed's level: bottom-left, bottom-right, top-right, top-left as
            White sits. The playing area is what the frame encloses, the bar included.
        confidence: 0 to 1, which part of what a starting position looks like was seen.
    """

    corners: NDArray[np.float64]
    confidence: float


def locate(image: Picture, game: str = "backgammon", mirror: bool = False) -> Located:
    """Find the playing area in a picture (BGR) of the starting position.

    Args:
        image: height x width x 3, uint8, BGR.
        game: "backgammon" or "checkers".
        mirror: backgammon with White's home at the left.

    Raises:
        LocateError: nothing in the picture looks like the starting position of that game.
    """
    if game != "backgammon":
        raise LocateError(f"the game {game!r} is not one whose board can be found; known: backgammon")
    return _locate_backgammon(image, mirror)


def _locate_backgammon(image: Picture, mirror: bool) -> Located:
    height, width = image.shape[:2]
    factor = max(width / SEARCH_WIDTH_PX, 1.0)
    small = np.asarray(cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA), np.uint8)
    sighting = find_start(small, mirror)
    if sighting is None:
        raise LocateError(
            "no starting position of backgammon is in the picture: set up all thirty checkers, let the camera see the "
            "whole board, and keep hands away"
        )
    places = start_places(mirror)
    refined = refine(image, first_fit(at_full_size(sighting, factor), (width, height)), places)
    corners = project(refined.fit.plane(0.0), refined.fit.corners)
    return Located(corners, round(float(refined.roundness.mean()), 3))
