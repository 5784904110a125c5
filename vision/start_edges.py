"""Find the near and far edge of the playing area as lines across the bed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.discs import to_lab
from vision.plane_view import view_plane
from vision.start_refine import MARGIN, SCALE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture
    from vision.plane_view import PlaneView
    from vision.start_fit import BoardFit

    Floats = NDArray[np.float64]

REACH = 0.15
"""Search range about the edge expected from the checkers, in columns. The frame's upper rim is farther off."""
STEP = 0.0125
"""Distance of the lines tried, in columns."""
SAMPLES = 140
"""Number of samples on a line."""
CLEAR_LAB = 12.0
"""Largest change of colour (Lab) that counts, so that one bright checker does not dominate the line."""
PROMINENT = 0.6
"""Least contrast of an edge line, as a share of the strongest line's."""
HIDDEN_SLOPE = 0.05
"""Distance of the camera outside the edge, over its height above the board, above which the frame hides the edge. At
this value a frame half a column high hides 1/40 of a column."""


def seen_edges(picture: Picture, fit: BoardFit) -> tuple[float, float]:
    """The y of the near and the far edge in columns; from the fit if no line is visible."""
    view = view_plane(picture, fit.plane(0.0), (fit.width, fit.height), SCALE, MARGIN)
    lab = cv2.GaussianBlur(to_lab(view.image), (0, 0), 1.2)
    _, y, z = fit.camera
    near = 0.0 if -y > HIDDEN_SLOPE * z else _nearest_line(np.asarray(lab, np.float32), view, fit, 0.0)
    far = fit.height if y - fit.height > HIDDEN_SLOPE * z else _nearest_line(np.asarray(lab), view, fit, fit.height)
    return near, far


def _nearest_line(lab: NDArray[np.float32], view: PlaneView, fit: BoardFit, expected: float) -> float:
    """The prominent line across the board that is nearest to y = `expected`, or `expected` if there is none."""
    x = np.linspace(0.03, 0.97, SAMPLES) * fit.width
    offsets = np.arange(-REACH - STEP, REACH + 2 * STEP, STEP)
    rows = []
    for offset in offsets:
        at = view.place(np.stack([x, np.full_like(x, expected + offset)], axis=1)).astype(np.float32)
        rows.append(cv2.remap(lab, at[:, None, 0], at[:, None, 1], cv2.INTER_LINEAR)[:, 0])
    change = np.linalg.norm(np.array(rows)[2:] - np.array(rows)[:-2], axis=2)
    contrast = np.minimum(change, CLEAR_LAB).mean(axis=1)
    inner = contrast[1:-1]
    peaks = np.flatnonzero((inner > contrast[:-2]) & (inner >= contrast[2:]) & (inner > PROMINENT * contrast.max())) + 1
    if not len(peaks):
        return expected
    candidates = offsets[1:-1][peaks]
    return float(expected + candidates[np.abs(candidates).argmin()])
