"""Read a chequered board by outlines and relative brightness, which hold in any light (see `RoundEdges`, `Tones`).

This needs one calibration picture, but no picture of the empty board and no colour model. Edges between squares that
are missing mean a hand or a moved board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Cause
from vision.checkers.cell_search import Reach
from vision.checkers.contour_model import BLACK, EMPTY, WHITE, CellOutlines, Cells, OutlineModel, read_densities
from vision.checkers.layout import CELLS, LIGHT, SIDE, SQUARE
from vision.checkers.relative_brightness import TONE_OFFSET, bare_mask, cell_labels, measure, tone_pixels
from vision.geometry import Raster, project
from vision.imaging import RoundEdges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.core import Content
    from vision.arrays import Bools, Floats, Ints, Picture, Singles
    from vision.checkers.layout import SquareLayout
    from vision.geometry import CameraPose


_LEAST_PX, _MOST_PX = 40, 48
"""Range of the raster's resolution, in pixels a square; within it that of the camera, because faint rims need many
pixels."""
_MARGIN_SQUARES = 0.5
"""Margin of the raster around the squares, in squares."""
_SEAM = 0.1
"""Width, in squares, of the masked strips along the squares' edges, whose straight gradients would disturb."""
_SPLIT = 0.4
"""Roundness at which a place is as likely a checker as none: rims of black checkers on black squares have 0.45 or
more, bare squares mostly less than 0.3. It selects where tones are measured and decides nothing."""
_RADII = np.linspace(0.85, 1.15, 13)
"""Sizes tried for the checkers, relative to the size that was fitted by their colours."""
_NEAR = 0.3
"""Distance from its square's middle, in squares, at which a known checker's rim is searched."""
_HIDDEN_HAND, _HIDDEN_SHARE = 4, 0.4
"""Number of hidden edges that means an object over the board (a square has four), and share of the visible edges from
which a board with fewer is not in place either."""
_UNTOUCHED = 0.25
"""Share of the board's parts without a hidden edge up to which the board itself has moved. A hand leaves a third and
more of them untouched; a board that was shifted by a fifth of a square at most a fifth."""


@dataclass(frozen=True)
class OutlineGeometry:
    """Geometry of a chequered board, with checkers of one size, on a raster."""

    squares: SquareLayout
    pose: CameraPose

    @classmethod
    def sized(cls, squares: SquareLayout, diameter: float, pose: CameraPose) -> OutlineGeometry:
        """With checkers of another diameter (in squares) and the same height."""
        thickness = squares.thickness * squares.diameter / diameter
        return cls(replace(squares, diameter=diameter, thickness=thickness), pose)

    @cached_property
    def top(self) -> Raster:
        """Raster in the plane of the men's tops."""
        corners = self.pose.project(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float64))
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        square_px = int(np.clip(round(float(sides.mean()) / SIDE), _LEAST_PX, _MOST_PX))
        return Raster.of(self.pose, self.squares.top, SIDE * square_px, _MARGIN_SQUARES / SIDE)

    def rectify(self, picture: Picture) -> Picture:
        """Rectify a picture onto that raster; pixels are averaged where the picture has more of them."""
        fine = replace(self.top, scale=2 * self.top.scale).rectify(picture)
        return np.asarray(cv2.resize(fine, self.top.size, interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def reach(self) -> Reach:
        """Search areas of the cells on the raster."""
        return Reach.of(self.squares, self.pose, self.top)

    @cached_property
    def labels(self) -> NDArray[np.int8]:
        """Index of the cell that each pixel shows; see `cell_labels`."""
        return cell_labels(self.top)

    @cached_property
    def tone_pixels(self) -> tuple[Ints, Ints]:
        """Pixels on which tones are measured; see `tone_pixels`."""
        return tone_pixels(self.reach, self.labels)

    @cached_property
    def edges(self) -> SquareEdges:
        """Sample places at the edges between squares."""
        return SquareEdges.of(self.top)

    @cached_property
    def off_seams(self) -> Singles:
        """Mask (1 or 0) of the pixels without the seams along the squares; a king's top may appear over the frame."""
        mask = np.ones(self.top.size[::-1], np.float32)
        bed = self.top.from_bed
        for line in range(SIDE + 1):
            for ends in (((line, 0), (line, SIDE)), ((0, line), (SIDE, line))):
                one, other = np.rint(project(bed, np.array(ends, np.float64) * SQUARE)).astype(int).tolist()
                cv2.line(mask, one, other, 0.0, round(_SEAM * self.reach.square))
        return mask


@dataclass(frozen=True)
class Outlines:
    """Model of a chequered board's outlines and tones.

    `diameter`: of a checker, in squares, measured at its rim; `contrast`: 3, of light squares against dark ones (see
    `SquareEdges`).
    """

    diameter: float
    model: OutlineModel
    contrast: Floats

    @classmethod
    def learn(
        cls, picture: Picture, squares: SquareLayout, pose: CameraPose, position: Sequence[Content | None]
    ) -> Outlines:
        """Learn from a picture (BGR) of a known position, given the checkers' approximate size and the pose."""
        owners = np.array([_owner(content) for content in position])
        rough = OutlineGeometry(squares, pose)
        view = rough.rectify(picture)
        round_edges = RoundEdges.of(view, rough.off_seams)
        share = max(_RADII, key=lambda one: _mean_roundness(round_edges, rough.reach, owners, float(one)))
        ground = OutlineGeometry.sized(squares, squares.diameter * float(share), pose)
        seen, view, bare = scan_outlines(ground, picture)
        return cls(ground.squares.diameter, OutlineModel.learn(seen, owners), ground.edges.median_contrast(view, bare))

    @property
    def parts(self) -> dict[str, Floats]:
        """Arrays to be saved in a file."""
        model = self.model
        return {
            "sizes": np.array([self.diameter, model.placing_sd]),
            "rounds": model.rounds,
            "tone": model.tone,
            "spread": model.spread,
            "bare": model.bare,
            "contrast": self.contrast,
        }

    @classmethod
    def of(cls, parts: Mapping[str, Floats]) -> Outlines:
        """Build from the arrays of `parts`. Raises KeyError if one is missing."""
        diameter, placing_sd = map(float, parts["sizes"])
        model = OutlineModel(parts["rounds"], placing_sd, parts["tone"], parts["spread"], parts["bare"])
        return cls(diameter, model, parts["contrast"])

    def in_place(self, picture: Picture, ground: OutlineGeometry) -> bool:
        """Whether the squares' edges lie where `ground` has them."""
        _, hidden, visible = self._scan_edges(picture, ground)
        return _is_clear(hidden, visible)

    def read(self, picture: Picture, ground: OutlineGeometry) -> Cells | Cause:
        """Cells of a picture (BGR), or the reason why it cannot be read."""
        seen, hidden, visible = self._scan_edges(picture, ground)
        if not _is_clear(hidden, visible):
            untouched = np.setdiff1d(PARTS[visible], PARTS[hidden]).size
            return Cause.HAND if untouched > _UNTOUCHED * np.unique(PARTS[visible]).size else Cause.MOVED_CAMERA
        beside = np.zeros(CELLS, bool)
        beside[PAIRS[hidden].ravel()] = True
        return read_densities(self.model.log_likelihoods(seen), seen.covered, beside)

    def _scan_edges(self, picture: Picture, ground: OutlineGeometry) -> tuple[CellOutlines, Bools, Bools]:
        """Outlines in a picture, and masks of the edges between squares that are hidden and that are visible."""
        seen, view, bare = scan_outlines(ground, picture)
        return seen, *ground.edges.hidden(view, bare, self.contrast)


def _is_clear(hidden: Bools, visible: Bools) -> bool:
    """Whether so few of the visible edges are hidden that nothing covers the board and it has not moved."""
    return bool(hidden.sum() < min(_HIDDEN_HAND, _HIDDEN_SHARE * visible.sum()))


def scan_outlines(ground: OutlineGeometry, picture: Picture) -> tuple[CellOutlines, Picture, Bools]:
    """Find the likeliest place of a checker in every cell and measure it.

    Also returns the rectified picture, and the mask of its bare pixels.
    """
    reach = ground.reach
    view = ground.rectify(picture)
    rounds = RoundEdges.of(view, ground.off_seams).about(reach.diameter / 2)
    y, x, covered = reach.find(np.asarray(rounds - np.float32(_SPLIT), np.float32))
    roundness = np.where(covered, 0.0, rounds[y, x])
    at = np.stack([x, y], axis=1).astype(np.float64)
    taken = np.flatnonzero((roundness > _SPLIT) & ~covered)
    bare = bare_mask(ground.labels.shape, reach, np.column_stack([at[taken], taken]))
    places = np.where((roundness > _SPLIT)[:, None], at, reach.middles)
    tones = measure(view, reach, ground.tone_pixels, bare, places)
    return CellOutlines(roundness, _offsets(reach, at), tones, covered), view, bare


def _offsets(reach: Reach, at: Floats) -> Floats:
    """Distance of places (CELLS x 2) from the segment between a man's top and a king's, in squares."""
    away = at - reach.middles
    along = (away * reach.lifts).sum(axis=1) / np.maximum((reach.lifts**2).sum(axis=1), 1e-9)
    return np.asarray(np.linalg.norm(away - along.clip(0, 1)[:, None] * reach.lifts, axis=1) / reach.square)


def _owner(content: Content | None) -> int:
    white, black = content or (0, 0)
    return WHITE if white else BLACK if black else EMPTY


def _mean_roundness(round_edges: RoundEdges, reach: Reach, owners: Ints, share: float) -> float:
    """Mean over the known checkers of the greatest roundness near each, at `share` of their radius."""
    rounds = round_edges.about(share * reach.diameter / 2)
    near = round(_NEAR * reach.square)
    best = cv2.dilate(rounds, np.ones((2 * near + 1, 2 * near + 1), np.uint8))
    x, y = np.rint(reach.middles[owners != EMPTY]).astype(np.intp).T
    return float(best[y, x].mean())


_ALONG = np.linspace(0.1, 0.9, 13)
"""Sample places along an edge, as shares of its length."""
_ACROSS = 0.12
"""Distance of the samples to either side, in squares, clear of seams and small errors."""
_HOLDS = 0.2
"""Least share of the learned contrast (natural logarithms); gloss on black squares leaves a third."""
_FEWEST = 4
"""Least number of samples, a quarter of a square, for an edge to be visible, and of missing ones for it to be hidden; a
finger hides more."""

PAIRS: Ints = np.array(
    [(cell, cell + 1) for cell in range(CELLS) if cell % SIDE < SIDE - 1]
    + [(cell, cell + SIDE) for cell in range(CELLS - SIDE)]
)
"""Cells (n x 2) on both sides of each edge."""

PARTS: Ints = PAIRS.min(axis=1) // (2 * SIDE) * SIDE + PAIRS.min(axis=1) % SIDE // 2
"""Number of the part of the board, two by two squares, in which each edge lies."""


@dataclass(frozen=True)
class SquareEdges:
    """Sample places at the edges between squares on a raster, on the light and on the dark side.

    Edges x places x 2 pixels (x, y) each.
    """

    light: Floats
    dark: Floats

    @classmethod
    def of(cls, top: Raster) -> SquareEdges:
        """Sample places on a raster of the men's tops; the squares lie in the plane below."""
        column, row = PAIRS % SIDE, PAIRS // SIDE
        upright = column[:, 0] != column[:, 1]
        start = np.stack([column[:, 1], row[:, 1]], axis=1).astype(np.float64)
        way = np.where(upright[:, None], [0.0, 1.0], [1.0, 0.0])
        places = start[:, None] + _ALONG[:, None] * way[:, None]
        sides = [places + side * _ACROSS * way[:, None, ::-1] for side in (-1, 1)]
        first, second = (project(top.from_bed, side.reshape(-1, 2) * SQUARE).reshape(places.shape) for side in sides)
        lighter = LIGHT[PAIRS[:, 0]][:, None, None]
        return cls(np.where(lighter, first, second), np.where(lighter, second, first))

    def contrasts(self, view: Picture) -> Floats:
        """Logarithm of the brightness ratio of light to dark side (edges x places x 3, B, G, R)."""
        smooth = np.log(cv2.GaussianBlur(view, (0, 0), 1.0).astype(np.float32) + TONE_OFFSET)
        light, dark = (smooth[_rows(view.shape, places)] for places in (self.light, self.dark))
        return np.asarray(light - dark, np.float64)

    def bare_samples(self, bare: Bools) -> Bools:
        """Mask of the places (edges x places) that are bare on both sides; `bare` is a mask of the raster."""
        return np.asarray(bare[_rows(bare.shape, self.light)] & bare[_rows(bare.shape, self.dark)])

    def median_contrast(self, view: Picture, bare: Bools) -> Floats:
        """Median contrast (3) of the board's bare edges."""
        return np.asarray(np.median(self.contrasts(view)[self.bare_samples(bare)], axis=0), np.float64)

    def hidden(self, view: Picture, bare: Bools, usual: Floats) -> tuple[Bools, Bools]:
        """Masks of the edges (n) that are hidden or out of place, and of those that checkers leave visible.

        `usual`: the learned contrast (3), see `median_contrast`.
        """
        clear = self.bare_samples(bare)
        holds = (self.contrasts(view) @ usual > _HOLDS * (usual @ usual)) & clear
        seen = clear.sum(axis=1) >= _FEWEST
        return (clear & ~holds).sum(axis=1) >= _FEWEST, seen


def _rows(shape: tuple[int, ...], places: Floats) -> tuple[Ints, Ints]:
    """Rows and columns of the pixels nearest to places (x, y), clipped to the picture."""
    x, y = np.moveaxis(np.rint(places).astype(np.intp), -1, 0)
    return y.clip(0, shape[0] - 1), x.clip(0, shape[1] - 1)
