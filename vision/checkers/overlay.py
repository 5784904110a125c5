"""Overlay of an observation on a picture of a chequered board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.core import CHECKERS_CELLS
from companion.notation import square_of
from vision.board import DOUBTFUL_NATS, INK, PALE, RED, WORDS, YELLOW, badge, banner, median_colour, outline, write_text
from vision.checkers.layout import LIGHT, MIDDLES, SQUARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Observation
    from vision.arrays import Floats, Picture
    from vision.board import Colour
    from vision.checkers.calibration import CheckersCalibration


_BADGE, _NUMBER = 0.25, 0.26
"""Radius of a badge and height of an empty square's number, in squares as seen there."""
_LEAST_BADGE = 1 / 90
"""Least radius of a badge, in picture widths, so that it is legible on a phone."""


def draw(
    picture: Picture, calibration: CheckersCalibration, observation: Observation, ringed: Sequence[int] = ()
) -> Picture:
    """Draw an observation over a copy of the picture (BGR, height x width x 3).

    A badge in the colour of a side's checkers has the number of its square; an amber one with a question mark is
    doubtful. A picture that cannot be read gets a banner with the reason. The squares `ringed` get a line round them.
    """
    canvas = picture.copy()
    outline(canvas, calibration.corners, PALE if observation.unreadable is None else RED)
    if observation.unreadable is not None:
        banner(canvas, WORDS[observation.unreadable])
    elif len(observation.cells) == CHECKERS_CELLS:
        tops = _project(calibration, np.zeros(2), calibration.squares.top)
        right = _project(calibration, np.array([SQUARE / 2, 0]), 0) - _project(
            calibration, -np.array([SQUARE / 2, 0]), 0
        )
        sizes = np.linalg.norm(right, axis=1)
        for cell in ringed:
            outline(canvas, calibration.pose.project(_square(cell)), YELLOW)
        colours = side_colours(picture, tops, observation)
        for cell, reading in enumerate(observation.cells):
            best, doubtful = reading.best or (0, 0), reading.margin_nats < DOUBTFUL_NATS
            if any(best) or doubtful:
                radius = max(_BADGE * float(sizes[cell]), _LEAST_BADGE * picture.shape[1])
                text = "?" if doubtful else number(cell)
                badge(canvas, tops[cell], radius, text, colours[0 if best[0] else 1], doubtful=doubtful)
            elif not LIGHT[cell]:
                write_text(canvas, number(cell), tops[cell], _NUMBER * float(sizes[cell]), PALE, halo=INK)
    return canvas


def _square(cell: int) -> Floats:
    """The corners of a square, 4 x 3 board coordinates."""
    turns = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return np.append(MIDDLES[cell], 0) + SQUARE / 2 * turns


def number(cell: int) -> str:
    """A dark square's number in standard notation; none on a light square."""
    return str(square_of(cell) or "")


def side_colours(picture: Picture, tops: Floats, observation: Observation) -> tuple[Colour, Colour]:
    """Colours (BGR) of both sides' checkers in this picture, sampled at their middles `tops` (64 x 2 pixels)."""
    held = np.array([reading.best or (0, 0) for reading in observation.cells])
    white, black = (median_colour(picture, tops[held[:, side] > 0], usual) for side, usual in enumerate((PALE, INK)))
    return white, black


def _project(calibration: CheckersCalibration, beside: Floats, height: float) -> Floats:
    """Pixels (64 x 2) of the cells' middles, offset by `beside` and raised to a height (board units)."""
    return calibration.pose.project(np.column_stack([MIDDLES + beside, np.full(len(MIDDLES), height)]))
