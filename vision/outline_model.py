"""What a cell's outline and tone are when it holds White's checker, Black's or none: learned from one known position.

Three things are known of a cell: how round the edges are at the likeliest place of a checker, what tone that place has
against the light squares round about, and what tone the cell's own square has beside it. A square that is bare has one
tone all over; a checker has its side's, more the gloss that the square shows at that place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import lgamma, log, pi
from typing import TYPE_CHECKING

import numpy as np

from vision.cell_search import REACH
from vision.squares import CELLS, LIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.local_tones import Tones

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Ints = NDArray[np.intp]

WHITE, BLACK, EMPTY = range(3)
_BARE_CELLS = 40
"""So many cells are bare at the least: there are twenty-four checkers."""
_FLAT_SPREAD = 0.04
"""Least spread of how round a bare square seems: the most of some hundred chance places."""
_GUMBEL_SCALE, _GUMBEL_MIDDLE = 0.78, 0.3665
"""Scale of Gumbel's distribution over its spread, and how far its median lies beyond its mode, in scales."""
_EDGED, _EDGED_SCALE = 0.01, 0.1
"""Share of the bare squares that edges of lamps' patches and shadows cross unseen, and how much rounder these make
them."""
_CROSSED, _PLAINLY = 0.3, 0.15
"""The same share where an edge is seen to cross a square: where it differs in itself by so much (natural logarithm)."""
_ROUND_SPREAD = 0.1
"""Spread of how round checkers are before any is seen: rims lie in shade or against a square like them."""
_TONE_SPREAD, _LIGHT_SPREAD = 0.05, 0.03
"""Spread of tones (natural logarithm) before any is seen: of each colour by itself, and of all together."""
_BEFOREHAND = 4.0
"""What is believed beforehand counts as so many checkers seen."""
_SURE = 5.0
"""A cell that leads by so much (nats) tells of how the others look."""
_CARELESS = 0.08
"""Least spread, each way, of where checkers are set, in squares."""
_TAIL = 8.0
"""Degrees of freedom of the Student distributions: a dozen checkers, not all of them seen well, tell the spreads."""
_STUDENT_ROUND = lgamma((_TAIL + 1) / 2) - lgamma(_TAIL / 2) - log(_TAIL * pi) / 2
"""Logarithm of the factor that makes a density of them."""
_LOOKS = 2
"""How often what is sure tells of the rest: a third time changes nothing any more."""
_GLOSS, _GLOSS_SPREAD = 0.7, 0.5
"""Share of a square's gloss that a checker on it has too, and how far that may be off: from matt to as glossy."""
_HUE = 0.1
"""Share of that (as a variance) by which the three colours differ: what is mirrored is grey, or a window's blue."""
_GLOSS_EDGE = 0.3
"""Share of its gloss that a bare square may have more or less of in its middle: lamps' patches have edges."""
_UNSEEN = 0.15
"""Spread of the tone of a square of which nothing bare is seen (natural logarithm)."""
_STRAY_LEVELS = 1.5
"""Grey levels that a dark place's colour may be off: cameras and JPEG keep little of it."""
_CURVE = 0.1
"""Share by which a camera's contrast (what a share of light does to grey levels) differs between two pictures."""
_LEAST_TONE = 0.02
"""Tones are not taken to be less: below it there is only noise."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen at the cells.

    Attributes:
        rounds: CELLS, how round the edges are at each one's place (see `RoundEdges`).
        off: CELLS, how far that is from where a man's or a king's top belongs, in squares.
        tones: there.
        covered: nothing of the cell was left to look at.
    """

    rounds: Floats
    off: Floats
    tones: Tones
    covered: Bools


@dataclass(frozen=True, slots=True)
class OutlineModel:
    """What was learned of both sides and of the board.

    Attributes:
        rounds: 2 x 2, the mean and spread of how round White's checkers are, and Black's.
        careless: spread, each way, of how far off checkers are set, in squares.
        tone: 2 x 3, both sides' tones without gloss.
        spread: 3 x 3 x 3, covariance of the logarithm of White's, Black's and a bare square's tones.
        bare: 3, a dark square's tone where it has the least gloss.
        curve: 2, share by which the logarithm of each side's tone may be off, as cameras' contrast differs.
    """

    rounds: Floats
    careless: float
    tone: Floats
    spread: Floats
    bare: Floats
    curve: Floats = field(default_factory=lambda: np.full(2, _CURVE))

    @classmethod
    def learn(cls, seen: Seen, owners: Ints) -> OutlineModel:
        """From what was seen of a known position; `owners` (CELLS) has WHITE, BLACK or EMPTY."""
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
            foretold = tone[side] + gloss[theirs] * _GLOSS
            spread[side] = _covariance(np.log(seen.tones.inner[theirs] / foretold))
            rounds[side] = _mean_and_spread(seen.rounds[owners == side])
        whole = known & (owners == EMPTY) & np.isfinite(seen.tones.bare[:, 0])
        spread[EMPTY] = _covariance(np.log(seen.tones.inner[whole] / seen.tones.bare[whole]))
        careless = float(np.sqrt((seen.off[known & (owners != EMPTY)] ** 2).mean() / 2))
        return cls(rounds, max(careless, _CARELESS), tone, spread, least)

    def log_likelihoods(self, seen: Seen) -> tuple[Floats, Floats]:
        """Log densities (CELLS x 3), and the least squared distance of each cell's tone from any class, in spreads.

        What is sure at first tells how checkers look in this picture, and so of the rest.
        """
        adapted = self
        for _ in range(_LOOKS):
            density, _ = adapted.densities(seen)
            ordered = np.sort(density, axis=1)
            sure = (ordered[:, -1] - ordered[:, -2] >= _SURE) & seen.tones.lit & ~seen.covered
            adapted = self._adapted(seen, np.where(sure, density.argmax(axis=1), EMPTY))
        return adapted.densities(seen)

    def _adapted(self, seen: Seen, owners: Ints) -> OutlineModel:
        """The same for a picture in which some cells' checkers are known for sure."""
        rounds, tone, curve = self.rounds.copy(), self.tone.copy(), self.curve.copy()
        away = np.log(np.maximum(seen.tones.inner, _LEAST_TONE))[:, None] - np.log(self._foretold(seen))
        for side in (WHITE, BLACK):
            theirs = owners == side
            known = theirs.sum() + _BEFOREHAND
            middle = (seen.rounds[theirs].sum() + _BEFOREHAND * rounds[side, 0]) / known
            spread = ((seen.rounds[theirs] - middle) ** 2).sum() + _BEFOREHAND * rounds[side, 1] ** 2
            rounds[side] = middle, np.sqrt(spread / known)
            tone[side] *= np.exp(away[theirs, side].sum(axis=0) / known)
            curve[side] *= np.sqrt(_BEFOREHAND / known)
        return replace(self, rounds=rounds, tone=tone, curve=curve)

    def densities(self, seen: Seen) -> tuple[Floats, Floats]:
        """The same by what was learned alone."""
        rounds = np.column_stack([_checker_round(seen.rounds, *of_side) for of_side in self.rounds])
        rounds += self._set_down(seen.off)[:, None]
        edged = _EDGED + _CROSSED * np.minimum(seen.tones.crossed / _PLAINLY, 1)
        rounds = np.column_stack([rounds, _bare_round(seen.rounds, edged, *flat_of(seen))])
        foretold = self._foretold(seen)
        away = np.log(np.maximum(seen.tones.inner, _LEAST_TONE))[:, None] - np.log(foretold)
        tones, distance = _student(away, self._spreads(seen, foretold))
        unlit = ~seen.tones.lit
        tones[unlit], distance[unlit] = 0.0, 0.0
        return rounds + tones, distance.min(axis=1)

    def _foretold(self, seen: Seen) -> Floats:
        """The tone of each cell's place if it holds White's, Black's or none (CELLS x 3 x 3)."""
        gloss, _ = _gloss(seen.tones.bare, self.bare)
        bare = np.where(LIGHT[:, None], 1.0, self.bare + gloss)
        bare = np.where(np.isfinite(seen.tones.bare), seen.tones.bare, bare)
        sides = [own + gloss * _GLOSS for own in self.tone]
        return np.asarray(np.maximum(np.stack([*sides, bare], axis=1), _LEAST_TONE), np.float64)

    def _spreads(self, seen: Seen, foretold: Floats) -> Floats:
        """How far the logarithms of tones may be off that (covariances, CELLS x 3 x 3 x 3)."""
        tones = seen.tones
        spread = np.tile(self.spread, (CELLS, 1, 1, 1))
        light = np.hypot(tones.uneven, _LIGHT_SPREAD) ** 2
        spread[:, :EMPTY] += light[:, None, None, None]
        unseen = ~np.isfinite(tones.bare[:, 0])
        spread[unseen, EMPTY] += light[unseen, None, None] + np.eye(3) * _UNSEEN**2
        gloss, doubt = _gloss(tones.bare, self.bare)
        edge = tones.crossed[:, None] * foretold[:, EMPTY]
        on_checker = np.hypot(doubt, edge)
        grey = np.stack([on_checker, on_checker, np.hypot(gloss * _GLOSS_EDGE, edge)], axis=1) / foretold
        spread += (1 - _HUE) * grey[..., None] * grey[..., None, :] + _HUE * np.eye(3) * grey[..., None] ** 2
        levels = (_STRAY_LEVELS / tones.level)[:, None] / foretold
        spread += np.eye(3) * levels[..., None] ** 2
        curve = np.log(foretold[:, :EMPTY]).mean(axis=2) * self.curve
        spread[:, :EMPTY] += (curve**2)[..., None, None]
        return spread

    def _set_down(self, off: Floats) -> Floats:
        """How much likelier a checker is to be found so far off than a chance place of a bare square."""
        likely = -(_TAIL + 2) / 2 * np.log1p((off / self.careless) ** 2 / _TAIL) - np.log(2 * self.careless**2)
        return np.asarray(likely + 2 * np.log(REACH))


def flat_of(seen: Seen) -> Floats:
    """Mean and spread of how round the bare squares of a picture seem: most of them are, whatever stands there."""
    least = np.sort(seen.rounds[~seen.covered])[:_BARE_CELLS]
    middle = float(np.median(least))
    return np.array([middle, max(1.48 * float(np.median(np.abs(least - middle))), _FLAT_SPREAD)])


def _gloss(bare: Floats, least: Floats) -> tuple[Floats, Floats]:
    """What the room adds to each cell's tone, and how far what it adds to a checker there may be off (CELLS x 3).

    Light squares show none; where a dark one is hidden it may have any that others have.
    """
    more = bare - least
    usual = np.nan_to_num(np.nanstd(np.where(LIGHT[:, None], np.nan, more), axis=0))
    told = np.isfinite(more) & ~LIGHT[:, None]
    return np.where(told, np.maximum(more, 0), 0.0), np.where(told, np.abs(more) * _GLOSS_SPREAD, usual)


def _mean_and_spread(values: Floats) -> Floats:
    middle = values.mean()
    spread = ((values - middle) ** 2).sum() + _BEFOREHAND * _ROUND_SPREAD**2
    return np.array([middle, np.sqrt(spread / (len(values) + _BEFOREHAND))])


def _covariance(residues: Floats) -> Floats:
    """Of logarithms of tones (n x 3); what is far off its median counts as three spreads."""
    beforehand = np.eye(3) * _TONE_SPREAD**2 + _LIGHT_SPREAD**2
    usual = np.maximum(1.48 * np.median(np.abs(residues), axis=0), _TONE_SPREAD) if len(residues) else 0.0
    kept = np.clip(residues, -3 * usual, 3 * usual)
    return np.asarray((kept.T @ kept + _BEFOREHAND * beforehand) / (len(kept) + _BEFOREHAND))


def _checker_round(rounds: Floats, middle: float, spread: float) -> Floats:
    """Log density of how round a checker is: Student's, up to a constant that all classes share."""
    away = (rounds - middle) / spread
    return np.asarray(-0.5 * (_TAIL + 1) * np.log1p(away**2 / _TAIL) + _STUDENT_ROUND - np.log(spread))


def _bare_round(rounds: Floats, edged: Floats, middle: float, spread: float) -> Floats:
    """The same of a bare square: the greatest of many chance values, so Gumbel's."""
    scale = _GUMBEL_SCALE * spread
    away = np.maximum((rounds - middle) / scale + _GUMBEL_MIDDLE, -2.0)
    crossed = np.log(edged / _EDGED_SCALE) - np.maximum(rounds - middle, 0) / _EDGED_SCALE
    return np.asarray(np.logaddexp(-away - np.exp(-away) - np.log(scale), crossed))


def _student(away: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Log density and squared distance in spreads (CELLS x 3) of CELLS x 3 classes x 3 colours."""
    distance = np.einsum("cki,ckij,ckj->ck", away, np.linalg.inv(spread), away)
    scale = 0.5 * np.linalg.slogdet(spread)[1]
    return -0.5 * (_TAIL + away.shape[-1]) * np.log1p(distance / _TAIL) - scale, distance
