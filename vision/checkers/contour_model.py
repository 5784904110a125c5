"""Likelihoods of a cell's outline and tone for White's checker, Black's or none, learned from one known position.

A cell has three measurements: the roundness of edges at the likeliest place of a checker, that place's tone relative to
the light squares nearby, and the tone of the bare part of its square. A bare square has one tone; a checker has its
side's tone plus a share of the gloss on the square.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import lgamma, log, pi
from typing import TYPE_CHECKING

import numpy as np

from companion.core import NEGLIGIBLE_NATS, CellReading
from vision.checkers.cell_search import REACH
from vision.checkers.layout import CELLS, LIGHT

if TYPE_CHECKING:
    from companion.core import Content
    from vision.arrays import Bools, Floats, Ints
    from vision.checkers.relative_brightness import Tones


WHITE, BLACK, EMPTY = range(3)
CONTENTS: tuple[Content, Content, Content] = (1, 0), (0, 1), (0, 0)
"""Contents of a cell in the order of `WHITE`, `BLACK` and `EMPTY`."""
_HIDDEN_NATS = 2.0
"""Largest margin (nats) of a cell beside an edge of squares that something hides, such as a man between two squares."""
LIGHT_NATS = 2.0
"""Prior cost of a checker on a light square. Players put one there once in thousands of moves; but a prior as large as
that would make a square certainly empty on which a man is seen: with 8 nats 9 of 24 men set on light squares of
photographs were not seen, with 2 nats each of 25 is seen or in doubt."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Contents read from the cells: log-likelihoods (64 x 3) of White's, Black's and none, the greatest 0."""

    nats: Floats

    def readings(self) -> tuple[CellReading, ...]:
        """The cells of an `Observation`."""
        return tuple(CellReading.of(dict(zip(CONTENTS, nats.tolist(), strict=True))) for nats in self.nats)


def read_densities(density: Floats, covered: Bools, hidden: Bools) -> Cells:
    """Cells from log densities (CELLS x 3) of White's checker, Black's and none.

    Cells that other checkers cover are empty; those beside `hidden` edges are doubtful; light squares have a prior.
    """
    three = np.where(covered[:, None], [-NEGLIGIBLE_NATS, -NEGLIGIBLE_NATS, 0.0], density)
    nats = three - three.max(axis=1, keepdims=True)
    nats[hidden] = np.maximum(nats[hidden], -_HIDDEN_NATS)
    nats[LIGHT, :EMPTY] -= LIGHT_NATS
    return Cells(nats - nats.max(axis=1, keepdims=True))


_BARE_CELLS = 40
"""Least number of bare cells: there are at most twenty-four checkers."""
_FLAT_SPREAD = 0.04
"""Least standard deviation of a bare square's roundness, which is the maximum over some hundred places."""
_GUMBEL_SCALE, _GUMBEL_MIDDLE = 0.78, 0.3665
"""Scale of Gumbel's distribution over its standard deviation, and distance of its median from its mode, in scales."""
_EDGED, _EDGED_SCALE = 0.01, 0.1
"""Share of the bare squares that an edge of light or shadow crosses unseen, and the scale of its exponential excess of
roundness."""
_CROSSED, _PLAINLY = 0.3, 0.15
"""The same share where an edge is seen to cross a square, and the variation within it (natural logarithm) at which it
is reached."""
_ROUND_SPREAD = 0.1
"""Prior standard deviation of checkers' roundness: rims lie in shade or against similar squares."""
_TONE_SPREAD, _LIGHT_SPREAD = 0.05, 0.03
"""Prior standard deviations of tones (natural logarithm): of each colour channel alone, and common to all."""
_BEFOREHAND = 4.0
"""Weight of these priors, as a number of checkers (pseudo-count)."""
_SURE = 5.0
"""Margin (nats) from which a cell's reading is used to adapt the model."""
_CARELESS = 0.08
"""Least standard deviation of checkers' places, in squares each way."""
_TAIL = 8.0
"""Degrees of freedom of the Student distributions: the standard deviations come from a dozen checkers."""
_STUDENT_ROUND = lgamma((_TAIL + 1) / 2) - lgamma(_TAIL / 2) - log(_TAIL * pi) / 2
"""Logarithm of the normalising factor of Student's density in one dimension."""
_LOOKS = 2
"""Number of rounds of adaptation; a third one changes nothing."""
_GLOSS, _GLOSS_SPREAD = 0.7, 0.5
"""Share of a square's gloss that a checker on it has, and its standard deviation: from matt to equally glossy."""
_HUE = 0.1
"""Share of the gloss's variance that is independent between colour channels; the rest is grey."""
_GLOSS_EDGE = 0.3
"""Share by which a bare square's gloss may differ in its middle, since patches of lamplight have edges."""
_UNSEEN = 0.15
"""Standard deviation of the tone of a square without any bare part (natural logarithm)."""
_STRAY_LEVELS = 1.5
"""Standard deviation of a dark place's colour in grey levels: cameras and JPEG keep little of it."""
_CURVE = 0.1
"""Relative standard deviation of the camera's contrast (exponent from light to grey levels) between two pictures."""
_LEAST_TONE = 0.02
"""Lower limit of tones; below it there is only noise."""


@dataclass(frozen=True, slots=True)
class CellOutlines:
    """Measurements of the cells.

    Attributes:
        rounds: CELLS, roundness of the edges at each one's place (see `RoundEdges`).
        off: CELLS, distance of that place from a man's or a king's top, in squares.
        tones: at that place.
        covered: mask of the cells covered by other checkers.
    """

    rounds: Floats
    off: Floats
    tones: Tones
    covered: Bools


@dataclass(frozen=True, slots=True)
class OutlineModel:
    """Distributions of both sides' and the bare squares' measurements.

    Attributes:
        rounds: 2 x 2, mean and standard deviation of the roundness of White's and of Black's checkers.
        placing_sd: standard deviation of checkers about their squares' middles, in squares each way.
        tone: 2 x 3, both sides' tones without gloss.
        spread: 3 x 3 x 3, covariance of the logarithm of White's, Black's and a bare square's tones.
        bare: 3, tone of a dark square with the least gloss.
        curve: 2, relative standard deviation of the logarithm of each side's tone, from the camera's contrast.
    """

    rounds: Floats
    placing_sd: float
    tone: Floats
    spread: Floats
    bare: Floats
    curve: Floats = field(default_factory=lambda: np.full(2, _CURVE))

    @classmethod
    def learn(cls, seen: CellOutlines, owners: Ints) -> OutlineModel:
        """Learn from the measurements of a known position; `owners` (CELLS) has WHITE, BLACK or EMPTY."""
        known = seen.tones.lit & ~seen.covered
        dark = known & (owners == EMPTY) & ~LIGHT
        darks = seen.tones.inner[dark] if dark.any() else seen.tones.bare[~LIGHT & np.isfinite(seen.tones.bare[:, 0])]
        least = darks[darks.mean(axis=1) <= np.median(darks.mean(axis=1))].mean(axis=0)
        gloss = _gloss(seen.tones.bare, least)[0]
        tone, spread, rounds = np.zeros((2, 3)), np.zeros((3, 3, 3)), np.zeros((2, 2))
        for side in (WHITE, BLACK):
            theirs = known & (owners == side)
            matt = np.maximum(seen.tones.inner[theirs] - gloss[theirs] * _GLOSS, _LEAST_TONE)
            tone[side] = np.exp(np.median(np.log(matt), axis=0))
            expected = tone[side] + gloss[theirs] * _GLOSS
            spread[side] = _covariance(np.log(seen.tones.inner[theirs] / expected))
            rounds[side] = _mean_and_spread(seen.rounds[owners == side])
        whole = known & (owners == EMPTY) & np.isfinite(seen.tones.bare[:, 0])
        spread[EMPTY] = _covariance(np.log(seen.tones.inner[whole] / seen.tones.bare[whole]))
        placing_sd = float(np.sqrt((seen.off[known & (owners != EMPTY)] ** 2).mean() / 2))
        return cls(rounds, max(placing_sd, _CARELESS), tone, spread, least)

    def log_likelihoods(self, seen: CellOutlines) -> Floats:
        """Log densities (CELLS x 3) of White's checker, Black's and none.

        The model is first adapted to the picture by the cells that are certain.
        """
        adapted = self
        for _ in range(_LOOKS):
            density = adapted.densities(seen)
            ordered = np.sort(density, axis=1)
            sure = (ordered[:, -1] - ordered[:, -2] >= _SURE) & seen.tones.lit & ~seen.covered
            adapted = self._adapted(seen, np.where(sure, density.argmax(axis=1), EMPTY))
        return adapted.densities(seen)

    def _adapted(self, seen: CellOutlines, owners: Ints) -> OutlineModel:
        """Copy adapted to a picture in which the owners of some cells are certain."""
        rounds, tone, curve = self.rounds.copy(), self.tone.copy(), self.curve.copy()
        away = np.log(np.maximum(seen.tones.inner, _LEAST_TONE))[:, None] - np.log(self._expected_tones(seen))
        for side in (WHITE, BLACK):
            theirs = owners == side
            known = theirs.sum() + _BEFOREHAND
            middle = (seen.rounds[theirs].sum() + _BEFOREHAND * rounds[side, 0]) / known
            spread = ((seen.rounds[theirs] - middle) ** 2).sum() + _BEFOREHAND * rounds[side, 1] ** 2
            rounds[side] = middle, np.sqrt(spread / known)
            tone[side] *= np.exp(away[theirs, side].sum(axis=0) / known)
            curve[side] *= np.sqrt(_BEFOREHAND / known)
        return replace(self, rounds=rounds, tone=tone, curve=curve)

    def densities(self, seen: CellOutlines) -> Floats:
        """As `log_likelihoods` (CELLS x 3), without adaptation."""
        rounds = np.column_stack([_checker_log_density(seen.rounds, *of_side) for of_side in self.rounds])
        rounds += self._set_down(seen.off)[:, None]
        edged = _EDGED + _CROSSED * np.minimum(seen.tones.crossed / _PLAINLY, 1)
        rounds = np.column_stack([rounds, _bare_log_density(seen.rounds, edged, *bare_roundness(seen))])
        expected = self._expected_tones(seen)
        away = np.log(np.maximum(seen.tones.inner, _LEAST_TONE))[:, None] - np.log(expected)
        tones = _tone_log_density(away, self._spreads(seen, expected))
        return np.asarray(rounds + np.where(seen.tones.lit[:, None], tones, 0.0))

    def _expected_tones(self, seen: CellOutlines) -> Floats:
        """Expected tone of each cell's place with White's checker, Black's or none (CELLS x 3 x 3)."""
        gloss, _ = _gloss(seen.tones.bare, self.bare)
        bare = np.where(LIGHT[:, None], 1.0, self.bare + gloss)
        bare = np.where(np.isfinite(seen.tones.bare), seen.tones.bare, bare)
        sides = [own + gloss * _GLOSS for own in self.tone]
        return np.asarray(np.maximum(np.stack([*sides, bare], axis=1), _LEAST_TONE), np.float64)

    def _spreads(self, seen: CellOutlines, expected: Floats) -> Floats:
        """Covariances of the logarithms of tones about the expected ones (CELLS x 3 x 3 x 3)."""
        tones = seen.tones
        spread = np.tile(self.spread, (CELLS, 1, 1, 1))
        light = np.hypot(tones.uneven, _LIGHT_SPREAD) ** 2
        spread[:, :EMPTY] += light[:, None, None, None]
        unseen = ~np.isfinite(tones.bare[:, 0])
        spread[unseen, EMPTY] += light[unseen, None, None] + np.eye(3) * _UNSEEN**2
        gloss, doubt = _gloss(tones.bare, self.bare)
        edge = tones.crossed[:, None] * expected[:, EMPTY]
        on_checker = np.hypot(doubt, edge)
        grey = np.stack([on_checker, on_checker, np.hypot(gloss * _GLOSS_EDGE, edge)], axis=1) / expected
        spread += (1 - _HUE) * grey[..., None] * grey[..., None, :] + _HUE * np.eye(3) * grey[..., None] ** 2
        levels = (_STRAY_LEVELS / tones.level)[:, None] / expected
        spread += np.eye(3) * levels[..., None] ** 2
        curve = np.log(expected[:, :EMPTY]).mean(axis=2) * self.curve
        spread[:, :EMPTY] += (curve**2)[..., None, None]
        return spread

    def _set_down(self, off: Floats) -> Floats:
        """Log-likelihood ratio of a checker's offset from its cell's middle to that of a random place."""
        likely = -(_TAIL + 2) / 2 * np.log1p((off / self.placing_sd) ** 2 / _TAIL) - np.log(2 * self.placing_sd**2)
        return np.asarray(likely + 2 * np.log(REACH))


def bare_roundness(seen: CellOutlines) -> Floats:
    """Mean and standard deviation of the bare squares' roundness in a picture, from its least round cells."""
    least = np.sort(seen.rounds[~seen.covered])[:_BARE_CELLS]
    middle = float(np.median(least))
    return np.array([middle, max(1.48 * float(np.median(np.abs(least - middle))), _FLAT_SPREAD)])


def _gloss(bare: Floats, least: Floats) -> tuple[Floats, Floats]:
    """Gloss added to each cell's tone, and the standard deviation of what it adds to a checker there (CELLS x 3 each).

    Light squares show none; a hidden dark square may have any that others have.
    """
    more = bare - least
    known = np.isfinite(more) & ~LIGHT[:, None]
    usual = np.std(more[known].reshape(-1, 3), axis=0) if known.any() else np.zeros(3)
    return np.where(known, np.maximum(more, 0), 0.0), np.where(known, np.abs(more) * _GLOSS_SPREAD, usual)


def _mean_and_spread(values: Floats) -> Floats:
    middle = values.mean()
    spread = ((values - middle) ** 2).sum() + _BEFOREHAND * _ROUND_SPREAD**2
    return np.array([middle, np.sqrt(spread / (len(values) + _BEFOREHAND))])


def _covariance(residues: Floats) -> Floats:
    """Covariance of logarithms of tones (n x 3), with priors; outliers are clipped to three standard deviations."""
    beforehand = np.eye(3) * _TONE_SPREAD**2 + _LIGHT_SPREAD**2
    usual = np.maximum(1.48 * np.median(np.abs(residues), axis=0), _TONE_SPREAD) if len(residues) else 0.0
    kept = np.clip(residues, -3 * usual, 3 * usual)
    return np.asarray((kept.T @ kept + _BEFOREHAND * beforehand) / (len(kept) + _BEFOREHAND))


def _checker_log_density(rounds: Floats, middle: float, spread: float) -> Floats:
    """Student's log density of a checker's roundness (n), up to a constant common to all classes."""
    away = (rounds - middle) / spread
    return np.asarray(-0.5 * (_TAIL + 1) * np.log1p(away**2 / _TAIL) + _STUDENT_ROUND - np.log(spread))


def _bare_log_density(rounds: Floats, edged: Floats, middle: float, spread: float) -> Floats:
    """Log density of a bare square's roundness: Gumbel's for the maximum of many values, or a crossing edge's."""
    scale = _GUMBEL_SCALE * spread
    away = np.maximum((rounds - middle) / scale + _GUMBEL_MIDDLE, -2.0)
    crossed = np.log(edged / _EDGED_SCALE) - np.maximum(rounds - middle, 0) / _EDGED_SCALE
    return np.asarray(np.logaddexp(-away - np.exp(-away) - np.log(scale), crossed))


def _tone_log_density(away: Floats, spread: Floats) -> Floats:
    """Student's log density (CELLS x 3 classes), up to a constant, of deviations (CELLS x 3 x 3 channels)."""
    distance = np.einsum("cki,ckij,ckj->ck", away, np.linalg.inv(spread), away)
    scale = 0.5 * np.linalg.slogdet(spread)[1]
    return np.asarray(-0.5 * (_TAIL + away.shape[-1]) * np.log1p(distance / _TAIL) - scale)
