"""Tells where it is in doubt which side a man belongs to, as a picture shows too little of the difference.

The comparing network is certain of a side also where it cannot know: in a gleam, which makes a grey man as white as a
pink one, and in pale colours, if the sides are equally bright. Contours and brightness err there likewise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.checkers.hues import Hues
from vision.checkers.layout import CELLS, GRID, LIGHT, PLACES
from vision.comparator import BLACK, CLASSES, EMPTY, PATCH_PX, WHITE, log_colours

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Ints, Picture
    from vision.checkers.hues import HuesSeen


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
_LOST_CHANNELS, _HIDDEN = 2, 30.0
"""Number of saturated channels without which a colour is lost: a white man cannot be seen on a square that is as white;
and largest difference (grey levels) of a man, with the light added there, from a square that hides him."""
_VEILED, _UNVEILED = 0.65, 0.85
"""Share of the usual contrast to the squares beside it below which a square lies under a veil of added light, and from
which hues are as learned. On 24 boards learned and read in the same strong reflection, 10 of 11 pictures with a man of
the wrong side showed him where the known look has one of the other side under such a veil or with another hue."""
_EQUALLY_BRIGHT = 0.6
"""Largest difference (natural logarithm) of the sides' brightness for which only hues tell them apart."""
_MIDDLE = slice(PATCH_PX // 2 - 4, PATCH_PX // 2 + 4)
"""Slice of a patch: the middle of its square, which a man covers."""
_BESIDE = [np.flatnonzero(np.abs(PLACES - place).sum(axis=1) == 1) for place in PLACES]
"""The squares that share an edge with each square."""
_CORNERS = [9, 10, 11, -12, -11, -10]
"""Rows and columns of a patch that meet in its square's corners, which men leave bare."""


@dataclass(frozen=True)
class SidesSeen:
    """What a picture shows of the difference between the sides.

    Attributes:
        alike: mask (64 x CLASSES) of the squares where a man of that class looks much like one of the other side; for
            EMPTY, of those that are white all over, so that any man may be there.
        hues: hues of the picture, if only these tell the sides apart; None if brightness does.
        colourless: whether brightness tells the sides apart, but hues, which differ too, are lost.
    """

    alike: Bools
    hues: HuesSeen | None = None
    colourless: bool = False

    def in_doubt(self, seen: Ints, logs: Floats) -> Bools:
        """Mask of the squares (64) with doubt about the side of a man; `seen`: the likeliest class of each square.

        In faded colours these are all men, if they all seem to be of one side. `logs`: log-probabilities (64 x CLASSES)
        of the squares' contents.
        """
        alike = self.alike[np.arange(CELLS), seen]
        if {WHITE, BLACK} <= set(seen.tolist()):
            return np.asarray(alike)
        faded = self.colourless if self.hues is None else self.hues.faded(logs)
        return np.asarray(alike | ((seen != EMPTY) & faded))

    def nats_by_hue(self, logs: Floats) -> Floats:
        """Log-odds (64; nats) of White to Black by the men's hues, if only these tell the sides apart; otherwise 0."""
        return np.zeros(CELLS) if self.hues is None else self.hues.nats(logs)


ALL_SEEN = SidesSeen(np.zeros((CELLS, CLASSES), bool))
"""Without any doubt about sides, and any evidence."""


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
        raw = log_colours(_medians(_middles(as_taken))).mean(axis=1)
        self._equally_bright = abs(raw[held == WHITE].mean() - raw[held == BLACK].mean()) < _EQUALLY_BRIGHT
        corners = _medians(_corners(as_taken))
        self._hues = Hues(tones, corners, held)
        self._held, self._veiled = held, (_contrast_left(corners) < _VEILED) & (held != EMPTY)

    def may_be_hidden(self, view: Picture, patches: Picture) -> Bools:
        """Mask of the dark squares (64) that, if they are bare, are so bright that a man on them might not be seen.

        Colours are lost there, and with the light that a gleam adds men have nearly the same colour. A square that is
        bright by itself gets no such light: a channel that is left shows that, and men differ from it. `view`,
        `patches`: see `seen`.
        """
        saturated = _saturated(GRID.patches(view))
        hidden = np.zeros(CELLS, bool)
        lost = np.flatnonzero((saturated.sum(axis=1) >= _LOST_CHANNELS) & ~LIGHT)
        if not lost.size:
            return hidden
        middles = _medians(_middles(patches[lost]))
        usual = np.median(_medians(_corners(patches[~LIGHT])), axis=0)
        added = np.maximum(middles - usual, 0).max(axis=1, keepdims=True)
        nearest = [_least_distance(tone, middles, added, saturated[lost]) for tone in self._tones.values()]
        hidden[lost] = saturated[lost].all(axis=1) | (np.min(nearest, axis=0) < _HIDDEN)
        return hidden

    def seen(self, view: Picture, patches: Picture, changed: Bools) -> SidesSeen:
        """What a rectified picture shows of it.

        A man who was learned under a veil and has changed may have been replaced by one of the other side.

        Args:
            view: the picture.
            patches: its squares in the usual light.
            changed: mask of the squares (64) that have changed since the known looks.
        """
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
            shone = _medians(_middles(patches[gleams])), added[gleams], saturated[gleams]
            white, black = (_least_distance(self._tones[side], *shone) for side in (WHITE, BLACK))
            alike[gleams, WHITE] = black < white + _CLOSE
            alike[gleams, BLACK] = white < black + _CLOSE
        corners = _medians(_corners(as_taken))
        if not self._equally_bright:
            return SidesSeen(alike, colourless=self._hues.lost(corners))
        replaced = np.flatnonzero(self._veiled & changed)
        alike[replaced, self._held[replaced]] = True
        clear = (_contrast_left(corners) >= _UNVEILED) & ~alike.any(axis=1)
        return SidesSeen(alike, self._hues.seen(_medians(_middles(patches)), corners, clear))


def _saturated(as_taken: Picture) -> Bools:
    """Which channels are saturated in the middle of each patch (n x 3)."""
    return _medians(_middles(as_taken)) >= _SATURATED


def _least_distance(tone: Floats, middles: Floats, added: Floats, saturated: Bools) -> Floats:
    """Least distance (n, grey levels) of men's colours from a side's tone with some of the added light.

    A saturated channel may have had any higher value. `middles`, `saturated`: n x 3; `added`: n x 3, or n x 1 if it is
    white; `tone`: 3.
    """
    off = tone + _SHARES[:, None, None] * added - middles
    off = np.where(saturated & (off > 0), 0, off)
    return np.asarray(np.linalg.norm(off, axis=2).min(axis=0))


def _contrast_left(corners: Floats) -> Floats:
    """Share (64) of the board's usual contrast that each square has to those beside it; `corners`: colours as taken.

    Light that is added to both makes it smaller; brighter light does not. It is infinite for light squares.
    """
    logs = log_colours(corners)
    differ = np.array([np.median(logs[beside], axis=0) for beside in _BESIDE]) - logs
    usual = np.median(differ[~LIGHT], axis=0)
    return np.where(LIGHT, np.inf, differ @ usual / max(float(usual @ usual), 1e-9))


def _medians(pixels: Picture) -> Floats:
    """Median colours (n x 3) of pixels (n x m x 3)."""
    return np.asarray(np.median(pixels, axis=1), np.float64)


def _middles(patches: Picture) -> Picture:
    """The pixels (n x m x 3) in the middle of each patch."""
    return patches[:, _MIDDLE, _MIDDLE].reshape(len(patches), -1, 3)


def _corners(patches: Picture) -> Picture:
    """The pixels (n x m x 3) in the corners of each patch's square."""
    return patches[:, _CORNERS][:, :, _CORNERS].reshape(len(patches), -1, 3)
