"""Fits corners and layout of a framed board to a known position."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.known_position import SPREADS, KnownPosition
from vision.backgammon.layout import fit_layout
from vision.backgammon.locate.marked import refine_marked
from vision.board import CheckerPlaces, Layout, brighten, likeness_maps, likeness_within
from vision.geometry import NoPoseError, Raster, bed_corners, estimate_pose, possible_poses, unusual_focal_nats
from vision.imaging import to_lab

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vision.arrays import Floats, Picture
    from vision.board import Placed
    from vision.geometry import CameraPose


_PLACING_SD = 0.08
"""Least assumed standard deviation of checkers about their places, in diameters. Careless hands lay them a third of a
diameter aside."""
_CORNER_SD = 0.02
"""Prior standard deviation of the given corners, in board widths."""
_HUBER_THRESHOLD = 2.0
"""Threshold of the Huber loss, in standard deviations."""
_LEAST_GAIN = 40.0
"""Least gain (twice the nats) for which checkers move corners. Measured: correct corners gain up to 39 on 33 of 34
boards; corners 2 % off gain 46 and more on 19 of 24."""
_CORNER_ROUNDS = 5
"""Iterations of the reweighted least squares."""
_SEARCH_PX = 480
"""Width in pixels of the raster on which the layout is fitted."""
_ROUNDS = 2
"""Rounds of corner correction from the checkers' offsets. The layout is fitted again after each."""
_LEAST_FIT = 0.15
"""Fit below which corner correction is not tried: the position is another one."""
_NATS_A_CHECKER, _LEAST_FOCAL_GAIN = 3.0, 2.0
"""Nats for each known checker by which a focal length is likelier for a fit that is better by 1, and those for which
another than the corners' is taken. Measured on 60 drawn boards of 30 to 50 degrees (angle of view): the depth is off by
2.4 % instead of 7.9 %; on 85 rendered ones of 62 degrees, another one is taken for one, and none was needed."""
_LEAST_DEEPER = 0.02
"""Least change of the logarithm of the depth for which another focal length is taken. Seen from above, the depth is
known, and how the fit depends on the focal length is chance."""
_USUAL_DEPTH, _DEPTH_SPREAD = 0.83, 0.08
"""Median of a playing area's depth over its width, and standard deviation of its natural logarithm: two rows of five
checkers with one or two between them, by twelve columns a little wider than a checker and a bar. Makes measured have
0.77 to 0.87."""
_FOCAL_STEP, _NEAR_BEST = 9, 2
"""Step between focal lengths that are tried, in `possible_poses` (a fifth), and the number of steps around the best one
in which the fit is taken for a parabola."""
_FAR_LESS_LIKELY = 6.0
"""Nats behind the best one at which no further focal length is tried in that direction."""
_PARABOLA = 2
"""Degree of a parabola."""
_LARGEST_LOSS = 0.02
"""Largest loss of fit that corrected corners may cause."""
_LEAST_LIKENESS = 0.14
"""Least likeness at the place of every known checker. Measured on 36 boards: 0.20 for checkers near a lamp and 0.33 for
others; of other positions in which at least 18 of 30 checkers stand as in the known one, the worst place has 0.10 at
most, and mostly less than 0.02."""
_LEAST_FIT_GAIN = 0.065
"""Least gain in fit for which other corners than the given ones are taken. Measured on 34 boards: exact corners gain up
to 0.062 from how the checkers happen to lie; with corners 1 % off, the error left is the same as without a least."""
_CONFIRMED = 0.02
"""Largest distance of outlines' corners from the marked ones, in board widths, with which the latter are confirmed if
all checkers are seen: less than the least move of an edge that is tried otherwise (see `locate.marked`). On 40 boards
marked in ten ways each, no better corners followed."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A board fitted to a picture: its corners, and the known position with their layout and camera.

    `fit`: -1 to 1; at most 0 if a known checker is missing. `unlike`: points (0 to 23) of known checkers at whose place
    their side's colours are not seen.
    """

    corners: Floats
    known: KnownPosition
    fit: float
    unlike: tuple[int, ...]


def fit_board(
    picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool, stacked: Collection[int], *, marked: bool
) -> Fitted:
    """Fit a board to a known position, with other corners than the given ones where it then fits clearly better.

    `corners`: of the playing area, 4 x 2 pixels; `marked`: whether somebody marked them, otherwise the checkers'
    outlines gave them already. `stacked`: points with a second layer.
    """
    best = _fit_focal_length(picture, _fit_layout(picture, corners, placed, mirror), placed, mirror)
    if marked:
        best = _fit_marked(picture, best, placed, mirror, stacked)
    for _ in range(_ROUNDS):
        if best.fit < _LEAST_FIT:
            break
        layout = best.known.layout
        better = estimate_corner_offsets(*best.known.checker_offsets(stacked), layout.depth, layout.checker)
        if better is None:
            break
        try:
            moved = best.known.pose.project(np.column_stack([better, np.zeros(len(better))]))
            (pose,) = possible_poses(moved, _size_of(picture), focals=[best.known.pose.focal])
            again = _fit_layout(picture, moved, placed, mirror, pose)
        except NoPoseError:
            break
        if again.fit < best.fit - _LARGEST_LOSS:
            break
        best = again
    return best


def _fit_marked(
    picture: Picture, as_marked: Fitted, placed: Sequence[Placed], mirror: bool, stacked: Collection[int]
) -> Fitted:
    """The first fit from corners refined by outlines that is clearly better than `as_marked`, else `as_marked`."""
    single = [one for one in placed if one.point not in stacked]
    if not single:
        return as_marked
    places = CheckerPlaces.of(single, mirror)
    width = float(np.linalg.norm(as_marked.corners[1] - as_marked.corners[0]))
    for other in refine_marked(picture, as_marked.corners, as_marked.known.pose, places):
        with suppress(NoPoseError):
            fitted = _fit_layout(picture, other, placed, mirror)
            if fitted.fit > as_marked.fit + _LEAST_FIT_GAIN:
                return _fit_focal_length(picture, fitted, placed, mirror)
            moved = np.linalg.norm(fitted.corners - as_marked.corners, axis=1).max()
            if not fitted.unlike and moved < _CONFIRMED * width:
                break
    return as_marked


def _fit_focal_length(picture: Picture, first: Fitted, placed: Sequence[Placed], mirror: bool) -> Fitted:
    """The fit with the likeliest focal length by the corners and by how well the checkers fit.

    Seen square on, the corners determine neither the focal length nor the board's depth. With wrong ones, checkers are
    not round and rows too long or too short for them. Near the best of the focal lengths tried, the fit is taken for a
    parabola, as it is rough.
    """
    poses = possible_poses(first.corners, _size_of(picture))
    costs = [pose.misfit_nats + _unusual_nats(pose) for pose in poses]
    start = [pose.focal for pose in poses].index(first.known.pose.focal)
    nats_a_fit = _NATS_A_CHECKER * len(placed)
    nats = {start: nats_a_fit * first.fit}

    def likelihood(index: int) -> float:
        return nats[index] - costs[index]

    for direction, end in ((-_FOCAL_STEP, -1), (_FOCAL_STEP, len(poses))):
        for index in range(start + direction, end, direction):
            nats[index] = nats_a_fit * _fit_layout(picture, first.corners, placed, mirror, poses[index]).fit
            if likelihood(index) < max(map(likelihood, nats)) - _FAR_LESS_LIKELY:
                break
    best = max(nats, key=likelihood)
    near = [index for index in nats if abs(index - best) <= _NEAR_BEST * _FOCAL_STEP]
    if len(near) <= _PARABOLA:
        return first
    parabola = np.polyfit(near, [nats[index] for index in near], _PARABOLA)
    among = np.arange(min(near), max(near) + 1)
    likelihoods = np.polyval(parabola, among) - np.array(costs)[among]
    pose = poses[among[likelihoods.argmax()]]
    deeper = abs(log(pose.depth / first.known.pose.depth))
    if likelihoods.max() < likelihood(start) + _LEAST_FOCAL_GAIN or deeper < _LEAST_DEEPER:
        return first
    return _fit_layout(picture, first.corners, placed, mirror, pose)


def _unusual_nats(pose: CameraPose) -> float:
    """Negative log-probability of a pose's focal length and depth, up to a constant."""
    return (log(pose.depth / _USUAL_DEPTH) / _DEPTH_SPREAD) ** 2 / 2 + unusual_focal_nats(pose.focal)


def estimate_corner_offsets(places: Floats, offsets: Floats, depth: float, checker: float) -> Floats | None:
    """Estimate corrected corners (4 x 2 board coordinates) from checkers' offsets; None if the gain is too small.

    Huber-weighted least squares over the checkers, with a normal prior on each corner. `places` are nominal for the
    given corners (n x 2 board coordinates), `offsets` from them to where the checkers are seen; `checker`: diameter.
    """
    corners = bed_corners(depth)[:, :2]
    if len(places) < corners.size:
        return None
    weight, jacobian = np.ones(len(places)), _jacobian(corners, places)
    least = placing_sd = np.full(2, _PLACING_SD * checker)
    for _ in range(_CORNER_ROUNDS):
        scaled = jacobian / placing_sd[:, None]
        normal = np.einsum("nik,nil,n->kl", scaled, scaled, weight) + np.eye(corners.size) / _CORNER_SD**2
        moved = np.linalg.solve(normal, np.einsum("nik,ni,n->k", scaled, offsets / placing_sd, weight))
        residuals = offsets - jacobian @ moved
        placing_sd = np.maximum(least, SPREADS * np.median(np.abs(residuals), axis=0))
        weight = 1 / np.maximum(np.linalg.norm(residuals / placing_sd, axis=1) / _HUBER_THRESHOLD, 1)
    gain = (
        _huber_loss(offsets / placing_sd)
        - _huber_loss(residuals / placing_sd)
        - float((moved**2).sum()) / _CORNER_SD**2
    )
    return corners + moved.reshape(corners.shape) if gain > _LEAST_GAIN else None


def _jacobian(corners: Floats, places: Floats) -> Floats:
    """Jacobian of places (n) by the corners' eight coordinates: n x 2 x 8."""
    tiny = 1e-3
    found = []
    for corner, axis in np.ndindex(4, 2):
        moved = corners.copy()
        moved[corner, axis] += tiny
        onto = cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32))
        found.append((cv2.perspectiveTransform(places[None], onto)[0] - places) / tiny)
    return np.stack(found, axis=-1)


def _size_of(picture: Picture) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def _huber_loss(residuals: Floats) -> float:
    """Huber loss of residuals (n x 2, in standard deviations), scaled to twice the nats of a normal distribution."""
    away = np.linalg.norm(residuals, axis=1)
    return float(np.where(away < _HUBER_THRESHOLD, away**2, 2 * _HUBER_THRESHOLD * away - _HUBER_THRESHOLD**2).sum())


def _fit_layout(
    picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool, pose: CameraPose | None = None
) -> Fitted:
    """Fit the layout for given corners to a likeness map of each side's checkers.

    `pose`: by default the likeliest for these corners.

    The colours come from checkers in the outer columns, whose places hardly depend on the layout. Whether each
    checker is there is decided by the colours of all: the light may differ across the board. If one is missing, the
    fit is at most 0, because another position may fit well on average. Likeness, and so the fit, depends on contrast:
    dark and hazy pictures are brightened first.
    """
    pose = pose or estimate_pose(corners, _size_of(picture))
    bed = Raster.of(pose, 0.0, _SEARCH_PX, 0.05)
    view = to_lab(brighten(bed.rectify(picture)))
    layout = Layout(depth=pose.depth, mirror=mirror)
    columns = np.array([layout.column_of(checker.point) for checker in placed])
    both = likeness_maps(view, bed, layout, pose, placed, np.isin(columns, (0, 1, 10, 11)))
    layout, fit = fit_layout(both, bed, pose, placed, mirror)
    within = likeness_within(layout, likeness_maps(view, bed, layout, pose, placed), bed, pose, placed)
    unlike = tuple(checker.point for checker, like in zip(placed, within, strict=True) if like < _LEAST_LIKENESS)
    known = KnownPosition.of(picture, placed, layout, pose)
    return Fitted(corners, known, min(fit, 0.0) if unlike else fit, unlike)
