"""Tells where it is in doubt which side a man belongs to, as a picture shows too little of the difference.

The comparing network is certain of a side also where it cannot know: in a gleam, which makes a grey man as white as a
pink one, and in pale colours, if the sides are equally bright. Contours and brightness err there likewise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.checkers.layout import CELLS, GRID, LIGHT
from vision.comparator import BLACK, CLASSES, EMPTY, PATCH_PX, WHITE

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Ints, Picture


_SATURATED = 250
"""Grey level from which a channel is saturated."""
_ADDED, _CLOSE = 15.0, 10.0
"""Grey levels that a gleam adds at least to its square's bare corners, half of them more than elsewhere; and how much
nearer a man in it must be to its own side's tone than to the other's, each with light added. Of 11,200 men on
26 boards, most of them in strong reflections, 18 of the wrong side were certain; all were caught with these figures,
and 1.5 % of the right ones in gleams."""
_STRONG = 60.0
"""Grey levels from which a gleam changes men's colours without saturating them; weaker ones may be other light, or men
seen over the corners. Without this limit 10 of 2,275 photographs of wooden men were lost."""
_SHARES = np.array([0.3, 0.5, 0.7, 0.85, 1.0, 1.2])
"""Shares of the light added to its square that a man on it may have."""
_EQUALLY_BRIGHT = 0.6
"""Largest difference (natural logarithm) of the sides' brightness for which only hues tell them apart."""
_FADED, _LEAST_HUES = 0.8, 0.1
"""Share of the board's learned hues below which a picture's colours count as faded, and least learned hues (natural
logarithm) that can be measured. Where 0.62 and less was left, men of one side were taken for the other's, in eight of
622 readings of 26 boards: always all of them, so that one side seemed to be gone."""
_LEAST_LEVEL = 8.0
"""Grey levels added before taking logarithms, which reduces the noise of dark pixels."""
_MIDDLE = slice(PATCH_PX // 2 - 4, PATCH_PX // 2 + 4)
"""Slice of a patch: the middle of its square, which a man covers."""
_CORNERS = [9, 10, 11, -12, -11, -10]
"""Rows and columns of a patch that meet in its square's corners, which men leave bare."""


@dataclass(frozen=True)
class SidesSeen:
    """What a picture shows of the difference between the sides.

    Attributes:
        alike: mask (64 x CLASSES) of the squares where a man of that class looks much like one of the other side; for
            EMPTY, of those that are white all over, so that any man may be there.
        faded: whether the picture's colours are too weak to tell sides apart, or cannot be measured.
    """

    alike: Bools
    faded: bool

    def in_doubt(self, seen: Ints) -> Bools:
        """Mask of the squares (64) with doubt about the side of a man; `seen`: the likeliest class of each square.

        In faded colours these are all men, if they all seem to be of one side.
        """
        one_side = not {WHITE, BLACK} <= set(seen.tolist())
        return np.asarray(self.alike[np.arange(CELLS), seen] | ((seen != EMPTY) & self.faded & one_side))


ALL_SEEN = SidesSeen(np.zeros((CELLS, CLASSES), bool), faded=False)
"""Without any doubt about sides."""


class Sides:
    """The difference between the sides, as learned from a known position."""

    def __init__(self, learned: Picture, patches: Picture, held: Ints) -> None:
        """Learn from a rectified picture (see `CellGrid`).

        Args:
            learned: the picture.
            patches: its squares in the usual light (64 x PATCH_PX x PATCH_PX x 3).
            held: class of each square.
        """
        tones = _medians(_middles(patches))
        self._tones = {side: np.median(tones[held == side], axis=0) for side in (WHITE, BLACK)}
        self._corners = _medians(_corners(patches))
        as_taken = GRID.patches(learned)
        raw = np.log(_medians(_middles(as_taken)) + _LEAST_LEVEL).mean(axis=1)
        self._equally_bright = bool(abs(raw[held == WHITE].mean() - raw[held == BLACK].mean()) < _EQUALLY_BRIGHT)
        self._hues = _hues_of_board(as_taken)

    def seen(self, view: Picture, patches: Picture) -> SidesSeen:
        """What a rectified picture shows of it; `patches`: its squares in the usual light."""
        alike = np.zeros((CELLS, CLASSES), bool)
        as_taken = GRID.patches(view)
        saturated = _saturated(as_taken)
        alike[:, EMPTY] = saturated.all(axis=1) & ~LIGHT
        added = np.maximum(_medians(_corners(patches)) - self._corners, 0)
        most = added.max(axis=1)
        stands_out = most - np.median(most[~LIGHT]) >= _ADDED / 2
        washed = saturated.any(axis=1) | (most >= _STRONG)
        gleams = np.flatnonzero((most >= _ADDED) & stands_out & washed & ~LIGHT)
        if gleams.size:
            middles = _medians(_middles(patches[gleams]))
            white, black = (
                _least_distance(middles, self._tones[side], added[gleams], saturated[gleams]) for side in (WHITE, BLACK)
            )
            alike[gleams, WHITE] = black < white + _CLOSE
            alike[gleams, BLACK] = white < black + _CLOSE
        return SidesSeen(alike, self._equally_bright and self._is_faded(as_taken))

    def _is_faded(self, as_taken: Picture) -> bool:
        """Whether the difference of dark and light squares' hues is less than it was learned, or too small for that.

        `as_taken`: the squares' patches in the picture's own light.
        """
        strength = float(self._hues @ self._hues)
        left = float(_hues_of_board(as_taken) @ self._hues) / max(strength, 1e-9)
        return strength < _LEAST_HUES**2 or left < _FADED


def saturated_squares(view: Picture, channels: int) -> Bools:
    """Mask of the dark squares (64) of a rectified picture in whose middle so many channels are saturated."""
    return np.asarray((_saturated(GRID.patches(view)).sum(axis=1) >= channels) & ~LIGHT)


def _saturated(as_taken: Picture) -> Bools:
    """Which channels are saturated in the middle of each patch (n x 3)."""
    return _medians(_middles(as_taken)) >= _SATURATED


def _least_distance(middles: Floats, tone: Floats, added: Floats, saturated: Bools) -> Floats:
    """Least distance (n, grey levels) of men's colours from a side's tone with some of the added light.

    A saturated channel may have had any higher value. `middles`, `added`, `saturated`: n x 3; `tone`: 3.
    """
    off = tone + _SHARES[:, None, None] * added - middles
    off = np.where(saturated & (off > 0), 0, off)
    return np.asarray(np.linalg.norm(off, axis=2).min(axis=0))


def _medians(pixels: Picture) -> Floats:
    """Median colours (n x 3) of pixels (n x m x 3)."""
    return np.asarray(np.median(pixels, axis=1), np.float64)


def _middles(patches: Picture) -> Picture:
    """The pixels (n x m x 3) in the middle of each patch."""
    return patches[:, _MIDDLE, _MIDDLE].reshape(len(patches), -1, 3)


def _corners(patches: Picture) -> Picture:
    """The pixels (n x m x 3) in the corners of each patch's square."""
    return patches[:, _CORNERS][:, :, _CORNERS].reshape(len(patches), -1, 3)


def _hues_of_board(as_taken: Picture) -> Floats:
    """Median difference (3: B, G, R) of the light and dark squares' log colours, without the one of their brightness.

    The colour of the light has no effect on it; haze and a camera's pale colours make it smaller.
    """
    logs = np.log(_medians(_corners(as_taken)) + _LEAST_LEVEL)
    differ = np.median(logs[LIGHT], axis=0) - np.median(logs[~LIGHT], axis=0)
    return np.asarray(differ - differ.mean())
