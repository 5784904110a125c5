"""Hues of men and of the board: which side a man's hue belongs to, and whether a picture's colours are as learned.

The comparing network hardly tells a bright green man from a dull green one that is as bright. Their hues do: logarithms
of their colours, less the mean of the three. How bright the light is has no effect on hues; its colour moves those of
all men alike, so they are compared with the men of the same picture whose side is certain. Haze and pale colours make
all hues weaker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.board import CERTAIN_NATS, hues_of
from vision.checkers.layout import LIGHT
from vision.comparator import BLACK, EMPTY, OTHER, WHITE, log_colours

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Ints


_LEAST_HUES, _FADED = 0.1, 0.8
"""Least hues of the board (natural logarithm) that can be measured, and share of them below which a picture's colours
count as faded. Where 0.62 and less was left, men of one side were taken for the other's, in eight of 622 readings of 26
boards: always all of them, so that one side seemed to be gone."""
_LEAST_APART, _VIVID = 0.3, 0.85
"""Least difference of the sides' hues with which the men show whether colours have faded, if the board does not; and
the share of the more colourful side's hue that one man must have left."""
_COLOURLESS = 0.5
"""Share of the board's learned hues below which colours are lost, as in a camera's night mode. A pink man was taken
there for a dark green one, though he was brighter."""
_SPREAD, _NOISE = 0.3, 0.05
"""Least standard deviation of the hues of one side's men, as a share of the sides' difference and as a difference. With
half of the first, 7 of 13,900 men on 40 boards in eleven kinds of light and camera were given to the wrong side by more
than 3 nats; with these none. Of 273 men whose side the network left in doubt, they decide 196, all rightly."""
_MOST_NATS = 6.0
"""Most nats by hue."""
_CLEAR_NATS = 3.0
"""Least lead of a man over an empty square and over something else, for other men's hues to be compared with his."""


@dataclass(frozen=True)
class HuesSeen:
    """The hues in a picture, compared with the learned ones.

    Attributes:
        between: 64: where the hue of each square's middle lies between the sides': 0.5 is White's, -0.5 is Black's.
        spread: standard deviation of it among men of one side.
        vivid: 64: share of the more colourful side's hue that each square's middle has; 0 if the sides' hues are alike.
        left: share of the board's learned hues that is left; None if these are too weak to be measured.
        clear: mask (64) of the squares where no light is added, which changes hues.
    """

    between: Floats
    spread: float
    vivid: Floats
    left: float | None
    clear: Bools

    def faded(self, logs: Floats) -> bool:
        """Whether colours are weaker than learned, or nothing shows that they are not.

        `logs`: log-probabilities (64 x CLASSES) of the squares' contents.
        """
        if self.left is not None:
            return self.left < _FADED
        return not (self.vivid[_men(logs)] >= _VIVID).any()

    def nats(self, logs: Floats) -> Floats:
        """Log-odds (64; nats) of White to Black by hue, where there is a man; 0 elsewhere. `logs`: see `faded`."""
        found = np.zeros(len(logs))
        men = _men(logs) & self.clear
        taken = np.logaddexp(logs[:, WHITE], logs[:, BLACK]) - logs[:, EMPTY] >= CERTAIN_NATS
        sides = logs[:, WHITE] - logs[:, BLACK]
        sure = np.abs(sides) >= CERTAIN_NATS
        moved = [
            float(np.median(self.between[of_side])) - learned
            for of_side, learned in ((men & sure & (sides > 0), 0.5), (men & sure & (sides < 0), -0.5))
            if of_side.any()
        ]
        if moved and not self.faded(logs):
            away = self.between - np.mean(moved)
            found = np.where(taken & self.clear, np.clip(away / self.spread**2, -_MOST_NATS, _MOST_NATS), 0.0)
        return found


def _men(logs: Floats) -> Bools:
    """Mask of the squares (64) that hold a man for certain, of either side."""
    either = np.logaddexp(logs[:, WHITE], logs[:, BLACK])
    return np.asarray(either - logs[:, [EMPTY, OTHER]].max(axis=1) >= _CLEAR_NATS)


class Hues:
    """The hues of a board and of its men, as learned from a known position."""

    def __init__(self, middles: Floats, corners: Floats, held: Ints) -> None:
        """Learn them.

        Args:
            middles: colours (64 x 3) of the squares' middles, in the usual light.
            corners: colours (64 x 3) of the squares' corners as taken.
            held: class of each square.
        """
        hues = hues_of(middles)
        white, black = (np.median(hues[held == side], axis=0) for side in (WHITE, BLACK))
        self._middle, self._axis = (white + black) / 2, white - black
        apart = max(float(np.linalg.norm(self._axis)), 1e-6)
        self._axis /= apart**2
        self._differ = apart >= _LEAST_APART
        of_sides = (self._between(hues[held == side]).std() for side in (WHITE, BLACK))
        self._spread = max(_SPREAD, _NOISE / apart, *of_sides)
        most = max(white, black, key=lambda hue: float(np.linalg.norm(hue)))
        self._most = most / max(float(most @ most), 1e-9) if self._differ else np.zeros(3)
        self._board = _of_board(corners)

    def seen(self, middles: Floats, corners: Floats, clear: Bools) -> HuesSeen:
        """The hues of a picture; `middles` and `corners` as for learning, `clear`: see `HuesSeen`."""
        hues = hues_of(middles)
        return HuesSeen(self._between(hues), self._spread, hues @ self._most, self._left(corners), clear)

    def lost(self, corners: Floats) -> bool:
        """Whether the sides' hues differ, and a picture has lost most of its colours; `corners`: as for learning."""
        left = self._left(corners) if self._differ else None
        return left is not None and left < _COLOURLESS

    def _left(self, corners: Floats) -> float | None:
        """Share of the board's learned hues that is left; None if these are too weak to be measured."""
        strength = float(self._board @ self._board)
        return float(_of_board(corners) @ self._board) / strength if strength >= _LEAST_HUES**2 else None

    def _between(self, hues: Floats) -> Floats:
        return np.asarray((hues - self._middle) @ self._axis)


def _of_board(corners: Floats) -> Floats:
    """Difference (3: B, G, R) of the light and dark squares' hues; the colour of the light has no effect on it."""
    logs = log_colours(corners)
    differ = np.median(logs[LIGHT], axis=0) - np.median(logs[~LIGHT], axis=0)
    return np.asarray(differ - differ.mean())
