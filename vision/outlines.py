"""Reading a chequered board by outlines and tones alone, which hold in any light (see `RoundEdges`, `Tones`).

This needs no picture of the empty board and no colours learned, only a known position seen once; it is slower than
`read_checkers` and tells less where light is the same as ever, so it is asked where that is at a loss.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import Cause
from vision.cell_search import Reach
from vision.geometry import project
from vision.local_tones import bare_of, cell_labels, measure
from vision.outline_model import BLACK, EMPTY, WHITE, OutlineModel, Seen
from vision.raster import Raster
from vision.read_checkers import Cells, read_densities
from vision.round_edges import RoundEdges
from vision.square_edges import PAIRS, SquareEdges
from vision.squares import SIDE, SQUARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.cell_search import CellCandidates
    from vision.geometry import CameraPose
    from vision.squares import SquareLayout

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Bools = NDArray[np.bool_]

_LEAST_PX, _MOST_PX = 40, 64
"""Raster pixels a square: as many as the camera gives within these, as a faint rim is told by its many pixels."""
_MARGIN_SQUARES = 0.5
_SEAM = 0.1
"""Breadth, in squares, of what is left out along their edges, which run as straight as a rim does not."""
_SPLIT = 0.4
"""How round a place is that may as well be a checker as none: rims of black checkers on black squares have 0.45 and
more, bare squares mostly less than 0.3. It says where tones are measured, not what a cell holds."""
_RADII = np.linspace(0.85, 1.15, 13)
"""Sizes tried for the checkers, over what their colours had made of them."""
_NEAR = 0.3
"""A known checker's rim is sought so far round the middle of its square, in squares."""
_STRANGE_SPREADS = 35.0
"""Squared distance, in spreads, from which a tone (three figures) is none of those known: one in 10,000 strays so far
with Student tails."""
_HIDDEN_HAND, _HIDDEN_ALL = 4, 0.4
"""Edges hidden from which something lies over the board: a square has four; share from which nothing is in place."""


@dataclass(frozen=True)
class Ground:
    """Where a chequered board's parts are on a raster.

    Attributes:
        squares: the checkers' measures.
        pose: the camera.
    """

    squares: SquareLayout
    pose: CameraPose

    @cached_property
    def top(self) -> Raster:
        """The raster of the men's tops."""
        corners = self.pose.project(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float64))
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        square_px = int(np.clip(round(float(sides.mean()) / SIDE), _LEAST_PX, _MOST_PX))
        return Raster.of(self.pose, self.squares.top, SIDE * square_px, _MARGIN_SQUARES / SIDE)

    def straighten(self, picture: Picture) -> Picture:
        """A picture as that raster, every one of its pixels told: noise is averaged where there are more of them."""
        fine = replace(self.top, scale=2 * self.top.scale).straighten(picture)
        return np.asarray(cv2.resize(fine, self.top.size, interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def reach(self) -> Reach:
        """Where the cells are on it."""
        return Reach.of(self.squares, self.pose, self.top)

    @cached_property
    def labels(self) -> NDArray[np.int8]:
        """Which cell each pixel shows."""
        return cell_labels(self.top)

    @cached_property
    def edges(self) -> SquareEdges:
        """Where the squares meet."""
        return SquareEdges.of(self.top)

    @cached_property
    def off_seams(self) -> Singles:
        """Which pixels show the squares but no seam between them (1 or 0): frames have edges of their own."""
        mask = np.zeros(self.top.size[::-1], np.float32)
        bed = self.top.from_bed
        board = project(bed, np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64))
        cv2.fillConvexPoly(mask, np.rint(board).astype(np.int32), 1.0)
        for line in range(SIDE + 1):
            for ends in (((line, 0), (line, SIDE)), ((0, line), (SIDE, line))):
                one, other = np.rint(project(bed, np.array(ends, np.float64) * SQUARE)).astype(int).tolist()
                cv2.line(mask, one, other, 0.0, round(_SEAM * self.reach.square))
        return mask


@dataclass(frozen=True, slots=True)
class Outlined:
    """What outlines tell of a picture: where checkers are, what is seen there, and what the rest of the board shows."""

    seen: Seen
    found: CellCandidates
    view: Picture
    bare: Bools


@dataclass(frozen=True)
class Outlines:
    """A chequered board whose outlines and tones were learned.

    Attributes:
        diameter: of a checker, in squares, by its rim.
        model: of outlines and tones.
        contrast: 3, of light squares against dark ones (see `SquareEdges`).
    """

    diameter: float
    model: OutlineModel
    contrast: Floats

    @classmethod
    def learn(
        cls, picture: Picture, squares: SquareLayout, pose: CameraPose, position: Sequence[Content | None]
    ) -> Outlines:
        """From a picture (BGR) of a known position, the checkers' size by their colours and the camera."""
        owners = np.array([_owner(content) for content in position])
        rough = Ground(squares, pose)
        view = rough.straighten(picture)
        round_edges = RoundEdges.of(view, rough.off_seams)
        share = max(_RADII, key=lambda one: _roundest(round_edges, rough.reach, owners, float(one)))
        ground = Ground(sized(squares, squares.diameter * float(share)), pose)
        outlined = outline(ground, picture)
        model = OutlineModel.learn(outlined.seen, owners)
        return cls(ground.squares.diameter, model, ground.edges.usual(outlined.view, outlined.bare))

    @property
    def parts(self) -> dict[str, NDArray[np.float64]]:
        """All of it, to be kept in a file."""
        model = self.model
        return {
            "sizes": np.array([self.diameter, model.careless]),
            "rounds": model.rounds,
            "tone": model.tone,
            "spread": model.spread,
            "bare": model.bare,
            "contrast": self.contrast,
        }

    @classmethod
    def of(cls, parts: Mapping[str, NDArray[np.float64]]) -> Outlines:
        """From what `parts` gave. Raises KeyError where one is missing."""
        diameter, careless = map(float, parts["sizes"])
        model = OutlineModel(parts["rounds"], careless, parts["tone"], parts["spread"], parts["bare"])
        return cls(diameter, model, parts["contrast"])

    def ground(self, squares: SquareLayout, pose: CameraPose) -> Ground:
        """Where to look, under a camera; `squares` as they were when this was learned."""
        return Ground(sized(squares, self.diameter), pose)

    def in_place(self, picture: Picture, ground: Ground) -> bool:
        """Whether the squares lie where `ground` has them, whatever lies on them."""
        _, hidden, visible = self._edges_of(picture, ground)
        return bool(hidden.sum() < min(_HIDDEN_HAND, _HIDDEN_ALL * visible.sum()))

    def read(self, picture: Picture, ground: Ground) -> Cells | Cause:
        """What a picture (BGR) shows, or what keeps it from being read."""
        outlined, hidden, visible = self._edges_of(picture, ground)
        if hidden.sum() >= _HIDDEN_ALL * visible.sum():
            return Cause.MOVED_CAMERA
        if hidden.sum() >= _HIDDEN_HAND:
            return Cause.HAND
        density, distance = self.model.log_likelihoods(outlined.seen)
        strange = (distance > _STRANGE_SPREADS) & ~outlined.found.covered
        strange[PAIRS[hidden].ravel()] = True
        return read_densities(density, outlined.found, strange)

    def _edges_of(self, picture: Picture, ground: Ground) -> tuple[Outlined, Bools, Bools]:
        """The outlines in a picture, and which edges between squares are hidden and which are seen at all."""
        outlined = outline(ground, picture)
        return outlined, *ground.edges.hidden(outlined.view, outlined.bare, self.contrast)


def sized(squares: SquareLayout, diameter: float) -> SquareLayout:
    """Checkers of another diameter (in squares) and the same height."""
    return replace(squares, diameter=diameter, thickness=squares.thickness * squares.diameter / diameter)


def outline(ground: Ground, picture: Picture) -> Outlined:
    """Seek the likeliest place of a checker in every cell."""
    reach = ground.reach
    view = ground.straighten(picture)
    rounds = RoundEdges.of(view, ground.off_seams).about(reach.diameter / 2)
    found = reach.find(np.asarray(rounds - np.float32(_SPLIT), np.float32))
    told = np.where(found.covered, 0.0, rounds[found.y, found.x])
    at = np.stack([found.x, found.y], axis=1).astype(np.float64)
    taken = np.flatnonzero((told > _SPLIT) & ~found.covered)
    bare = bare_of(ground.labels.shape, reach, np.column_stack([at[taken], taken]))
    places = np.where((told > _SPLIT)[:, None], at, reach.middles)
    tones = measure(view, reach, ground.labels, np.where(bare, ground.labels, np.int8(-1)), places)
    return Outlined(Seen(told, _off(reach, at), tones, found.covered), found, view, bare)


def _off(reach: Reach, at: Floats) -> Floats:
    """How far places (CELLS x 2) are from the line between where a man's top belongs and where a king's does."""
    away = at - reach.middles
    along = (away * reach.lifts).sum(axis=1) / np.maximum((reach.lifts**2).sum(axis=1), 1e-9)
    return np.asarray(np.linalg.norm(away - along.clip(0, 1)[:, None] * reach.lifts, axis=1) / reach.square)


def _owner(content: Content | None) -> int:
    white, black = content or (0, 0)
    return WHITE if white else BLACK if black else EMPTY


def _roundest(round_edges: RoundEdges, reach: Reach, owners: NDArray[np.intp], share: float) -> float:
    """How round the known checkers are at a share of their radius."""
    rounds = round_edges.about(share * reach.diameter / 2)
    near = round(_NEAR * reach.square)
    best = cv2.dilate(rounds, np.ones((2 * near + 1, 2 * near + 1), np.uint8))
    x, y = np.rint(reach.middles[owners != EMPTY]).astype(np.intp).T
    return float(best[y, x].mean())
