"""Where the frame hides checkers at the board's edge, as seen from a low camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.layout import POINTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.layout import Placed

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_ALIKE = 20.0
"""Grey levels. Smaller differences at a checker's place mean that the frame hides it: three times the noise, JPEG error
and grain of the frame between two pictures."""
_LEAST_CHECKERS = 3
"""Least number of checkers at one edge that must be hidden at the same line."""


def hidden_from(
    view: Picture, ground: Picture, placed: Sequence[Placed], bodies: Sequence[Picture], centres: Sequence[Floats]
) -> dict[bool, float]:
    """The y (raster pixels) beyond which the frame hides checkers at White's edge (False) and the far edge (True).

    Beyond it all known checkers at that edge look like the empty board. Without a hidden part it is infinite: inf at
    White's edge, which is down the raster, -inf at the far edge.

    Args:
        view: the raster with the known checkers.
        ground: the same without them.
        placed: the known checkers.
        bodies: masks (255) of what each covers.
        centres: (x, y) of each.
    """
    away = np.abs(view.astype(np.float32) - ground).max(axis=2)
    edges: dict[bool, float] = {}
    for far, outward in ((False, 1), (True, -1)):
        own = [k for k, one in enumerate(placed) if one.index == 0 and (one.point >= POINTS // 2) == far]
        shown = [_visible_end(away, bodies[k] > 0, float(centres[k][1]), outward) for k in own]
        reached = [y for y, hides in shown if hides]
        alike = len(reached) >= max(_LEAST_CHECKERS, len(own) - 1)
        edges[far] = outward * float(np.median([outward * y for y in reached])) if alike else outward * np.inf
    return edges


def _visible_end(
    away: NDArray[np.float32], body: NDArray[np.bool_], centre_y: float, outward: int
) -> tuple[float, bool]:
    """The y at which the visible part of a checker ends, and whether hidden lines follow."""
    rows = np.flatnonzero(body.any(axis=1))
    rows = rows[outward * (rows - centre_y) >= 0][::outward]
    unlike = [float(away[y][body[y]].mean()) > _ALIKE for y in rows]
    last = max((k for k, differs in enumerate(unlike) if differs), default=-1)
    return (float(rows[last]) + outward * 0.5 if last >= 0 else centre_y), 0 <= last < len(rows) - 2
