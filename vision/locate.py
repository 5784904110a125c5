"""Find a board in a picture of its starting position, without markers and whatever its make, colours and side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import BoardsideError
from vision.chequered import find_chequers
from vision.chequered_start import sharpen, turn_to_start
from vision.geometry import project
from vision.picture_quality import likely_cause
from vision.start_check import agreement
from vision.start_edges import seen_edges
from vision.start_fit import first_fit
from vision.start_places import start_places
from vision.start_refine import refine
from vision.start_search import at_full_size, find_start
from vision.tile_fit import fit_tiles
from vision.tile_fit import turn_to_start as turn_tiles
from vision.tile_row import find_tile_row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture
    from vision.lens import LensDistortion

SEARCH_WIDTH_PX = 640
"""Width of the picture that is searched; measuring is done at full size."""
LEAST_CONFIDENCE = 0.85
"""Below it something else is in the picture: true starting positions, filmed in many ways, had 0.95 or more, boards
a few plays on at most 0.8."""
WELL_EXPOSED = 200.0
"""What the brightest fiftieth of a picture has at least (of 255) when a camera's automatic exposure is content."""
BACKGAMMON, CHECKERS, TILES = "backgammon", "checkers", "tiles"
PIECES = {
    BACKGAMMON: "thirty checkers",
    CHECKERS: "twenty-four checkers",
    TILES: "thirty cubes beside the twelve tiles",
}


class LocateError(BoardsideError):
    """No board in its starting position is in the picture; the text says what to do.

    Attributes:
        guess: corners (see `Located`) of what was most like one; None where nothing was.
        lens: that the picture was straightened for; None where it was taken as it is.
    """

    def __init__(
        self, message: str, guess: NDArray[np.float64] | None = None, lens: LensDistortion | None = None
    ) -> None:
        super().__init__(message)
        self.guess = guess
        self.lens = lens


@dataclass(frozen=True, slots=True)
class Located:
    """Where the board is.

    Attributes:
        corners: 4 x 2 pixels of the playing area at the bed's level: bottom-left, bottom-right, top-right, top-left as
            White sits. In backgammon it is what the frame encloses, the bar included; with tiles the row and two tiles'
            width on either side of it; in checkers the 64 squares, and White may sit at the bottom or at the top: the
            starting position does not tell.
        confidence: 0 to 1, which share of the board is as a starting position has it.
    """

    corners: NDArray[np.float64]
    confidence: float


def locate(image: Picture, game: str = BACKGAMMON, mirror: bool = False) -> Located:
    """Find the playing area in a picture of the starting position.

    Args:
        image: height x width x 3, uint8, BGR.
        game: "backgammon", "checkers", or "tiles" for backgammon on twelve tiles in a line.
        mirror: backgammon with White's home at the left.

    Raises:
        LocateError: nothing in the picture looks like the starting position of that game.
    """
    if game not in PIECES:
        raise LocateError(f"no board of {game!r} can be found: expected one of {', '.join(map(repr, PIECES))}")
    as_taken, image = image, _brighten(image)
    found = _checkers(image) if game == CHECKERS else (_tiles if game == TILES else _backgammon)(image, mirror)
    if found is None or found.confidence < LEAST_CONFIDENCE:
        share = f" (at best {found.confidence:.0%} of one)" if found is not None else ""
        raise LocateError(
            f"no starting position of {game} is in the picture{share}: set up all {PIECES[game]}, let the camera "
            f"see the whole board, and keep hands away{likely_cause(as_taken)}",
            None if found is None else found.corners,
        )
    return found


def which_game(image: Picture) -> str | None:
    """Which game's starting position is in the picture: "backgammon", "checkers", or None where it is neither."""
    image = _brighten(image)
    for game, found in ((CHECKERS, _checkers(image)), (BACKGAMMON, _backgammon(image, mirror=False))):
        if found is not None and found.confidence >= LEAST_CONFIDENCE:
            return game
    return None


def _brighten(image: Picture) -> Picture:
    """A dark picture made as bright as a well exposed one, so that faint edges count alike."""
    brightest = float(np.percentile(image[::8, ::8].max(axis=2), 98))
    if not 0 < brightest < WELL_EXPOSED:
        return image
    return np.asarray(cv2.convertScaleAbs(image, alpha=WELL_EXPOSED / brightest), np.uint8)


def _shrink(image: Picture) -> tuple[Picture, float]:
    """The picture at the width that is searched, and how many times larger it was."""
    factor = max(image.shape[1] / SEARCH_WIDTH_PX, 1.0)
    small = cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), factor


def _backgammon(image: Picture, mirror: bool) -> Located | None:
    small, factor = _shrink(image)
    sighting = find_start(small, mirror)
    if sighting is None:
        return None
    places = start_places(mirror)
    size = image.shape[1], image.shape[0]
    fit = refine(image, first_fit(at_full_size(sighting, factor), size), places).fit
    near, far = seen_edges(image, fit)
    playing_area = np.array([[0.0, near], [fit.width, near], [fit.width, far], [0.0, far]])
    return Located(project(fit.plane(0.0), playing_area), round(agreement(image, fit, places), 3))


def _checkers(image: Picture) -> Located | None:
    small, factor = _shrink(image)
    chequers = find_chequers(small)
    if chequers is None:
        return None
    start = turn_to_start(image, sharpen(image, np.diag([factor, factor, 1.0]) @ chequers.homography))
    return Located(start.corners, round(start.agreement * min(1.0, 0.3 + chequers.corners_seen), 3))


def _tiles(image: Picture, mirror: bool) -> Located | None:
    small, factor = _shrink(image)
    row = find_tile_row(small)
    if row is None:
        return None
    fit = fit_tiles(image, row.centres * factor)
    corners, share = turn_tiles(image, fit, mirror)
    return Located(corners, round(share * row.alternating, 3))
