"""Chi-square test of the numbers rolled since the last long pause, with its result in plain words."""

from __future__ import annotations

from math import erfc, exp, pi, sqrt
from typing import TYPE_CHECKING

from companion.core import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Message

FEWEST = 30
"""Dice: with an expected count below five for each face the chi-square approximation fails (Cochran 1954)."""
UNUSUAL = 0.05
RARE = 0.001
"""p-values: with one test an evening, one below 0.05 occurs every few weeks, one below 0.001 every few years."""


def chi_square(faces: Sequence[int]) -> float:
    """Pearson's statistic of the six counts against fair dice: 0 where all are equal."""
    expected = sum(faces) / len(faces)
    return sum((count - expected) ** 2 for count in faces) / expected if expected else 0.0


def p_value(statistic: float) -> float:
    """p-value of a statistic: upper tail of the chi-square distribution with 5 degrees of freedom.

    Exact closed form (Abramowitz & Stegun 26.4.4): Q = erfc √(x/2) + √(2x/π) e^(−x/2) (1 + x/3).
    """
    x = statistic
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


def in_words(faces: Sequence[int]) -> Message:
    """Describe the counts of the six faces in a sentence."""
    rolled = sum(faces)
    if rolled < FEWEST:
        return message("fairness.few", rolled=rolled, fewest=FEWEST)
    likely = p_value(chi_square(faces))
    if likely >= UNUSUAL:
        return message("fairness.usual", share=_share(likely))
    if likely >= RARE:
        return message("fairness.uneven", share=_share(likely))
    return message("fairness.rare", share=_share(likely))


def _share(likely: float) -> Message:
    """A probability as a share of evenings."""
    if likely >= 0.95:
        return message("fairness.always")
    if likely >= 0.095:
        return message("fairness.tenths", number=round(10 * likely))
    if likely >= 0.0095:
        return message("fairness.hundredths", number=round(100 * likely))
    if likely >= RARE:
        return message("fairness.thousandths", number=round(1000 * likely))
    return message("fairness.less")
