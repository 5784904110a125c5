"""Doubtful places of cubes are read again by a network that compares them with the known cubes and with the table.

`training/learn_slots.py` trained it on path-traced boards of `training/tiles.py` (see `vision.board.known_checkers`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.board import EMPTY, KnownCheckers, PatchedCheckers, read_doubtful_again, turned_patches
from vision.comparator import load_weights
from vision.tiles.cubes import CLEAR_NATS
from vision.tiles.doubts import with_faint_in_doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Ints, Picture
    from vision.board import Slot
    from vision.tiles.cubes import CubeFinder, FoundCubes


PATCH_CUBES = 1.6
"""Length, in sides of a cube, to which a patch has the scale of a checker's diameter: it shows a cube and half of its
neighbours."""
_MISSING_NATS = 1.9
"""Least lead (nats) of the table over a known cube, compared with the others alone, that shows that it is missing."""
_FIRST_READING_WEIGHT = 0.7
"""Weight of the first reading's nats: below 1, as it is not independent (it sees the same pixels). With less, grey
discs beside cubes are taken for cubes; with 1, seven of 7,069 doubtful places are wrong by more than 5 nats, else none.
"""
_TABLE_NATS, _HIT_NATS = 3.0, 2.0
"""Least lead (nats) of the table over a hit cube that makes it doubtful, and the most that it may then lead by. In
drawn games 83 places that the colours counted as hit cubes, in gleams on the table, had more (five of six); of 192 in
even light none. Used as evidence, the network's nats lose one turn in twenty: it was not taught hit cubes."""


def cube_patches(view: Picture, places: Floats, leans: Floats, cube_px: float) -> Picture:
    """Turned patches (see `turned_patches`) around the silhouettes of cubes, at pixels `places` (n x 2) of a raster.

    `leans`: n x 2, from a cube's foot to its top; `cube_px`: side of a cube in pixels.
    """
    return turned_patches(view, places, leans, PATCH_CUBES * cube_px)


class CubeComparison:
    """Reads doubtful places of one board again."""

    def __init__(self, finder: CubeFinder, view: Picture, ground: Picture, cubes: Sequence[Slot], sides: Ints) -> None:
        """Arguments: rasters of the known position, and without cubes; the known cubes, as found, and their sides."""
        self._finder, self._ground = finder, ground
        patches, bare, places, lifts = self._inputs(view, _places(cubes))
        known = PatchedCheckers(patches, bare, places, sides, lifts)
        self._known = KnownCheckers(known, load_weights(__package__, "cube_comparison.npz"))

    def missing(self) -> list[int]:
        """Indices of the known cubes at whose places the others alone rather show the table: they stand elsewhere.

        Of 112 wrong positions of 14 boards one was learned before, and its cube's place leads by 2 nats. Of 4,260
        places of starting positions of 24 boards, in six kinds of light and blur, nine lead by more than 1, one by more
        than 1.9: black cubes whose tops shine in the colour of the table.
        """
        nats, sides = self._known.by_others(), self._known.checkers.sides
        lead = nats[:, EMPTY] - nats[np.arange(len(sides)), sides]
        return np.flatnonzero(lead > _MISSING_NATS).tolist()

    def read(self, found: FoundCubes, view: Picture) -> FoundCubes:
        """Read the doubtful places of the spaces again, and check the hit cubes; `view`: levelled raster.

        Faint cubes stay in doubt unless they are certain then: what they show may be part of other cubes, on a board
        that moved a little. With no such doubt 9 more of 838 pictures are read, and one is wrong.
        """

        def compare(doubtful: list[tuple[int, int]]) -> Floats:
            return self.log_likelihoods(view, _places([found.spaces[space][index] for space, index in doubtful]))

        again = read_doubtful_again(found.spaces, _is_doubtful, _FIRST_READING_WEIGHT, compare)
        white, black = (self._with_doubt_about_hit(side, slots, view) for side, slots in enumerate(found.hit))
        return replace(found, spaces=with_faint_in_doubt(found.spaces, again), hit=(white, black))

    def _with_doubt_about_hit(self, side: int, slots: list[Slot], view: Picture) -> list[Slot]:
        """A side's hit cubes, in doubt where the network clearly sees the table: they may be a gleam."""
        if not slots:
            return []
        nats = self.log_likelihoods(view, _places(slots))
        return [
            slot.limited(_HIT_NATS) if slot.holder == side and one[EMPTY] - one[side] > _TABLE_NATS else slot
            for slot, one in zip(slots, nats, strict=True)
        ]

    def log_likelihoods(self, view: Picture, places: Floats) -> Floats:
        """Log-likelihoods (n x 3) of White's cube, Black's and none at pixels `places` (n x 2) of a levelled raster."""
        return self._known.log_likelihoods(*self._inputs(view, places))

    def _inputs(self, view: Picture, places: Floats) -> tuple[Picture, Picture, Floats, Floats]:
        """Pixels `places` (n x 2) as inputs of the network: patches of them and without cubes, places, lifts."""
        leans, cube_px = self._finder.leans(places), self._finder.cube_px
        patches, bare = (cube_patches(one, places, leans, cube_px) for one in (view, self._ground))
        diameter = PATCH_CUBES * cube_px
        return patches, bare, places / diameter, np.linalg.norm(leans, axis=1) / diameter


def _is_doubtful(slot: Slot) -> bool:
    """Whether a place is compared."""
    return slot.margin_nats < CLEAR_NATS


def _places(slots: Sequence[Slot]) -> Floats:
    return np.array([(slot.x, slot.y) for slot in slots], np.float64)
