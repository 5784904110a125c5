"""The frame before the checkers: from a low camera it hides the outer part of what lies at the edge of the board."""

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
"""Grey levels within which what shows at a checker's place is the frame before it: three times what noise, JPEG and
the frame's own grain leave between two pictures."""
_WITNESSES = 3
"""So many checkers at one edge have to show the frame at the same place."""


def hidden_from(
    view: Picture, ground: Picture, placed: Sequence[Placed], bodies: Sequence[Picture], centres: Sequence[Floats]
) -> dict[bool, float]:
    """Where (y, raster pixels) the frame begins to hide the checkers at White's edge (False) and at the far one (True).

    Outwards of it all known checkers at that edge show what the empty board shows, whatever their colour and their
    point's. Where nothing is hidden, it is infinite: inf at White's edge, which is down the raster, -inf at the other.

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
        shown = [_shown(away, bodies[k] > 0, float(centres[k][1]), outward) for k in own]
        reached = [y for y, hides in shown if hides]
        alike = len(reached) >= max(_WITNESSES, len(own) - 1)
        edges[far] = outward * float(np.median([outward * y for y in reached])) if alike else outward * np.inf
    return edges


def _shown(away: NDArray[np.float32], body: NDArray[np.bool_], centre_y: float, outward: int) -> tuple[float, bool]:
    """Where (y) the last row of a checker ends that differs from the empty board, and whether rows of it follow."""
    rows = np.flatnonzero(body.any(axis=1))
    rows = rows[outward * (rows - centre_y) >= 0][::outward]
    unlike = [float(away[y][body[y]].mean()) > _ALIKE for y in rows]
    last = max((k for k, differs in enumerate(unlike) if differs), default=-1)
    return (float(rows[last]) + outward * 0.5 if last >= 0 else centre_y), 0 <= last < len(rows) - 2
