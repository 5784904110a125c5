"""Haze and stray light over a board of tiles, by the contrast of neighbouring tiles: they lower it, shadows do not.

The whole table tells less: a lamp that moved changes its contrast as haze does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.geometry import COLUMNS, grey
from vision.imaging import SATURATED
from vision.tiles.layout import TILE

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture
    from vision.geometry import Raster
    from vision.tiles.layout import TileLayout


_COLOURS, _BRIGHTNESS = slice(3), slice(3, 4)
"""Columns of the tiles' tones: B, G, R, and grey."""
_MIDDLE_TILES = 0.3
"""Half the side of the middle of a tile, in tiles: no cube that stands beside it reaches there."""
_LEAST_STEP = 8.0
"""Least difference from tile to tile, in grey levels."""
_FEWEST_STEPS = 6
"""Fewest such differences: most of the ten of a channel, as something may lie on some tiles."""
_AGREED = 10.0
"""Most grey levels by which channels and brightness may disagree, as colours that a camera loses look like haze; and by
which half of the tiles may, as a hand, a gleam, or stripes of light on some do. Of 280 pictures of drawn boards in
slopes of light and shadows three quarters agree within 3."""


class TileTones:
    """The tones of one board's tiles in the known position, with which those of other pictures are compared."""

    def __init__(self, ground: Picture, layout: TileLayout, bed: Raster) -> None:
        """`ground`: raster (BGR) of table and tiles without cubes, as taken."""
        centres = bed.pixels(np.array([(layout.column_x(column), layout.axis) for column in range(COLUMNS)]))
        half = round(_MIDDLE_TILES * TILE * bed.scale)
        self._middles = [np.s_[y - half : y + half, x - half : x + half] for x, y in np.rint(centres).astype(int)]
        self._bare = self._tones(ground)

    def haze(self, taken: Picture) -> float | None:
        """The grey level that haze and stray light add to a raster (BGR), in any light; None if the tiles do not tell.

        0 if there was more in the known position: a camera's contrast may look like that.
        """
        tones = self._tones(taken)
        of_channels, of_brightness = (_offset(self._bare[:, part], tones[:, part]) for part in (_COLOURS, _BRIGHTNESS))
        if of_channels is None or of_brightness is None or abs(of_channels - of_brightness) > _AGREED:
            return None
        return max(of_channels, 0.0)

    def _tones(self, raster: Picture) -> Floats:
        """Tones (12 x 4: B, G, R, brightness) of the tiles."""
        middles = np.concatenate([raster[one] for one in self._middles])
        pixels = np.dstack((middles, grey(middles))).reshape(COLUMNS, -1, 4)
        return np.asarray(np.median(pixels, axis=1), np.float64)


def _offset(before: Floats, now: Floats) -> float | None:
    """What is added to some channels' tones (12 x n), of which each three neighbours have one factor; None if unclear.

    Of each three neighbouring tiles, the outer ones' mean is compared with the inner one, as the light may change along
    the line.
    """
    mean, step = _neighbours(before)
    mean_now, step_now = _neighbours(now)
    brightest = np.max([now[:-2], now[1:-1], now[2:]], axis=0)
    plain = (np.abs(step) > _LEAST_STEP) & (brightest < SATURATED)
    if plain.sum() < _FEWEST_STEPS:
        return None
    levels = mean_now[plain] - step_now[plain] / step[plain] * mean[plain]
    low, middle, high = np.quantile(levels, (0.25, 0.5, 0.75), weights=np.abs(step[plain]), method="inverted_cdf")
    return float(middle) if high - low < _AGREED else None


def _neighbours(tones: Floats) -> tuple[Floats, Floats]:
    """Mean and difference (10 x n) of each inner tile and both beside it; tones: 12 x n."""
    inner, beside = tones[1:-1], (tones[:-2] + tones[2:]) / 2
    return (inner + beside) / 2, inner - beside
