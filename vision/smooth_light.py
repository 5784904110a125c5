"""Smooth light: how much brighter a picture is than the learned one, here more and there less, and how it is levelled.

A lamp that was moved, or the day that fades, changes the light from one end of the board to the other: a plane, in
logarithms, follows that. What it cannot follow (shadows, glare) is no light of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.appearance import level
from vision.gain import BRIGHT, DIM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_EVERY = 5
"""One pixel in so many each way tells the light."""
_LEAST_PIXELS = 300
_AGREES = 0.12
"""Logarithm of the ratio by which pixels of the bare board differ from the plane at most: its grain, the noise and a
raster that lies a little off; checkers mostly differ by more."""
_ROUNDS = 8
"""The plane is fitted so often to the pixels that agree with it: from one stripe of the board they spread over all."""
_LEAST_AGREEING = 0.4
"""Share of the board that must agree with the plane: half of it is bare at least, some of that in shadows."""
_EVEN = 0.08
"""Light that varies by less to both sides is even: the spread of the empty board's colours (`vision.appearance`) allows
for it, and checkers in other places alone make a plane of 0.05."""
_MOST = 0.6
"""Logarithm of what a lamp that was moved changes one end of the board against the middle at most, about a stop."""


@dataclass(frozen=True, slots=True)
class Illumination:
    """The light of a picture against that of the learned one.

    Attributes:
        gain: how much brighter (B, G, R) it is in the middle of most.
        plane: the logarithm of how much brighter it is here or there than that, over 1, x and y (-1 to 1 across the
            raster); None where it is even.
    """

    gain: Singles
    plane: Floats | None = None

    @classmethod
    def of(cls, view: Picture, ground: Picture, gain: Singles) -> Illumination:
        """From a raster and the empty board, of which the raster is brighter by `gain` as a whole."""
        down, across = (one[::_EVERY] for one in _axes(view.shape))
        x, y = np.meshgrid(across, down)
        place = np.column_stack([np.ones(x.size), x.ravel(), y.ravel()])
        seen, bare = (one[::_EVERY, ::_EVERY].reshape(-1, 3) for one in (view, ground))
        usable = ((seen > DIM) & (seen < BRIGHT) & (bare > DIM) & (bare < BRIGHT)).all(axis=1)
        place, seen, bare = place[usable], seen[usable].astype(np.float32), bare[usable].astype(np.float32)
        if len(place) < _LEAST_PIXELS:
            return cls(gain)
        ratio = (np.log(seen / (bare * gain))).mean(axis=1)
        plane, agree = np.zeros(3), np.abs(ratio) < _AGREES
        for _ in range(_ROUNDS):
            if agree.mean() < _LEAST_AGREEING / 2:
                return cls(gain)
            near = place[agree]
            plane = np.linalg.solve(near.T @ near, near.T @ ratio[agree])
            agree = np.abs(ratio - place @ plane) < _AGREES
        even = np.abs(plane[1:]).sum() < _EVEN or np.abs(plane).sum() > _MOST
        return cls(gain) if even or agree.mean() < _LEAST_AGREEING else cls(gain, plane)

    @property
    def brighter(self) -> float:
        """How much brighter than `gain` it is where it is brightest."""
        return 1.0 if self.plane is None else max(float(np.exp(self.plane[0] + np.abs(self.plane[1:]).sum())), 1.0)

    def level(self, view: Picture, ceiling: Singles | None = None) -> Picture:
        """A raster of the board, of any scale, brought back to the learned light, cut off at `ceiling` (B, G, R)."""
        if self.plane is None:
            return level(view, self.gain, ceiling)
        most = np.full(3, 255, np.float32) if ceiling is None else ceiling
        down, across = _axes(view.shape)
        middle, to_right, to_foot = self.plane
        share = np.exp(-(middle + to_right * across + to_foot * down[:, None])).astype(np.float32)
        return np.asarray(np.clip(view * share[..., None] / self.gain, 0, most).astype(np.uint8))


def _axes(shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """How far down each row of a raster lies, and how far across each column (-1 to 1)."""
    return np.linspace(-1, 1, shape[0]), np.linspace(-1, 1, shape[1])
