"""The edges of tiles in a picture, and the camera under which tiles are square."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import COLUMNS, Raster, possible_poses, project, unusual_focal_nats, usual_pose
from vision.imaging import to_lab
from vision.tiles.layout import TILE, TileLayout, outwards
from vision.tiles.locate import ACROSS, THICKNESS, contrast_across

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Picture, Singles
    from vision.board import Placed
    from vision.geometry import CameraPose


_RASTER_PX = 44
"""Resolution of the raster on which edges are searched, in pixels a tile."""
_EDGES = np.arange(0.25, 0.85, 0.01)
"""Distances from a tile's middle at which its edges are searched, in tiles: corners may be marked a quarter off."""
_SEEN_DEPTH, _SEEN_SPREAD = 1.04, 0.025
"""Median of a tile's visible depth over its visible width, and standard deviation of its natural logarithm: the walls
of tiles are seen, too. 44 rendered boards of seven makes have 1.00 to 1.08, 80 drawn ones 0.96 to 1.09."""
_LEAST_GAIN = 1.0
"""Nats for which another focal length than the corners' is taken. On 80 drawn boards of 30 to 75 degrees (angle of
view) the depth is off by 1.8 % on average, 6 at most, instead of 4.6 and 23; on the rendered ones of 62 degrees by 0.5,
as before."""
_LEAST_COLUMNS = 3
"""Number of columns without cubes from which a long edge is measured."""
_FIRST, _LAST, _SPOTS, _INNER = 0.15, 0.85, 15, 0.2
"""Part of a tile's edge that is looked at, in tiles, as its corners are round, and the number of spots on it; the edges
between tiles are looked at no farther from the axis than `_INNER`, as tops of cubes lean over tiles."""


def pose_with_square_tiles(picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool) -> CameraPose:
    """The likeliest camera by the corners of the playing area and by the tiles, which are square.

    Seen square on, the corners determine neither the focal length nor the board's depth. Raises NoPoseError.
    """
    poses = possible_poses(corners, (picture.shape[1], picture.shape[0]))
    usual = usual_pose(poses)
    edges = _edges(picture, usual, TileLayout(usual.depth, mirror=mirror), placed)
    if edges is None:
        return usual
    seen = project(usual.plane(THICKNESS * TILE), TILE * edges)

    def cost_nats(pose: CameraPose) -> float:
        near, far, left, right = project(_inverse(pose.plane(THICKNESS * TILE)), seen)
        shape = (far[1] - near[1]) / (right[0] - left[0]) / _SEEN_DEPTH
        unlike = log(shape) / _SEEN_SPREAD if shape > 0 else np.inf
        return float(pose.misfit_nats + unusual_focal_nats(pose.focal) + unlike**2 / 2)

    best = min(poses, key=cost_nats)
    return best if cost_nats(best) < cost_nats(usual) - _LEAST_GAIN else usual


def _edges(picture: Picture, pose: CameraPose, layout: TileLayout, placed: Sequence[Placed]) -> Floats | None:
    """Places (4 x 2, tiles) on the near, far, left and right edge of an average tile's face; None if one is not seen.

    Cubes hide the long edges where they stand.
    """
    faces = Raster.of(pose, THICKNESS * TILE, _RASTER_PX / TILE, TILE)
    lab = np.asarray(cv2.GaussianBlur(to_lab(faces.rectify(picture)), (0, 0), 1.0), np.float32)
    onto, axis = _inverse(faces.to_board) @ np.diag((TILE, TILE, 1.0)), layout.axis / TILE
    spots = np.linspace(_FIRST, _LAST, _SPOTS) - 0.5
    inner = np.array(
        [(column + 0.5, axis + aside) for column in range(COLUMNS) for aside in spots[abs(spots) < _INNER]]
    )
    along = []
    for way in (-1, 1):
        hidden = {layout.column_of(one.point) for one in placed if outwards(one.point) == way}
        free = [column for column in range(COLUMNS) if column not in hidden]
        columns = free if len(free) >= _LEAST_COLUMNS else range(COLUMNS)
        along.append(np.array([(column + 0.5 + aside, axis) for column in columns for aside in spots]))
    found = [
        _edge(lab, onto, middles, np.array(way, float))
        for middles, way in zip((*along, inner, inner), ((0, -1), (0, 1), (-1, 0), (1, 0)), strict=True)
    ]
    edges = [np.array([(COLUMNS + 1) / 2, axis]) + one for one in found if one is not None]
    return np.array(edges) if len(edges) == len(found) else None


def _inverse(homography: Floats) -> Floats:
    return np.asarray(np.linalg.inv(homography), np.float64)


def _edge(lab: Singles, onto: Floats, middles: Floats, way: Floats) -> Floats | None:
    """From tiles' middles to their edge (x, y in tiles), in the direction of a unit vector; None if it is not seen."""
    contrasts = np.array([contrast_across(lab, onto, middles + away * way, middles, ACROSS) for away in _EDGES])
    if contrasts.max() <= 0:
        return None
    clear = contrasts > contrasts.max() / 2
    return np.asarray(np.average(_EDGES[clear], weights=contrasts[clear]) * way)
