"""Classes of errors and of luck, and ratings, by gnubg's thresholds.

Source: GNU Backgammon manual, "Analysing" ("Thresholds for marking moves and rolls") and gnubg 1.07: `arSkillLevel`
and `arLuckLevel` (gnubg.c), `arThrsRating`, `GetRating` and `getLuckRating` (analysis.c).
"""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum

from companion.hints import DOUBTFUL, DOUBTFUL_IN_MEN

BAD, VERY_BAD = 0.08, 0.16
"""A decision that loses more equity than this has that class, such as doubtful above DOUBTFUL."""
IN_MEN = (DOUBTFUL_IN_MEN, 0.5, 1.0)
"""The same for checkers, in men; chosen by hand."""
LUCKY, VERY_LUCKY = 0.3, 0.6
"""A roll that gains more equity than this has that class; one that loses more, the opposite class."""
RATINGS = (0.002, 0.005, 0.008, 0.012, 0.018, 0.026, 0.035)
"""Mean loss of equity per decision below which the rating is the one at that index of `Rating`."""
ROLLS_FOR_LUCK = 10
"""A match has the luck class of a roll with this many times the match's mean luck per roll."""


class Grade(StrEnum):
    """The class of a decision."""

    NONE = "none"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    VERY_BAD = "very_bad"


class Luck(StrEnum):
    """The class of a roll, or of a match."""

    VERY_UNLUCKY = "very_unlucky"
    UNLUCKY = "unlucky"
    NONE = "none"
    LUCKY = "lucky"
    VERY_LUCKY = "very_lucky"


class Rating(StrEnum):
    """gnubg's rating of an error rate, best first."""

    SUPERNATURAL = "supernatural"
    WORLD_CLASS = "world_class"
    EXPERT = "expert"
    ADVANCED = "advanced"
    INTERMEDIATE = "intermediate"
    CASUAL = "casual"
    BEGINNER = "beginner"
    AWFUL = "awful"


def grade(loss: float, *, men: bool = False) -> Grade:
    """The class of a decision by the equity that it lost (`men`: in men of checkers)."""
    thresholds = IN_MEN if men else (DOUBTFUL, BAD, VERY_BAD)
    return tuple(Grade)[sum(loss > threshold for threshold in thresholds)]


def luck_class(luck: float) -> Luck:
    """The class of a roll by the equity that it gained."""
    above = sum(luck > threshold for threshold in (LUCKY, VERY_LUCKY))
    below = sum(luck < -threshold for threshold in (LUCKY, VERY_LUCKY))
    return tuple(Luck)[2 + above - below]


def luck_of_match(luck_a_roll: float) -> Luck:
    """The class of a match by its mean luck per roll."""
    return luck_class(luck_a_roll * ROLLS_FOR_LUCK)


def rating(error_rate: float) -> Rating:
    """The rating of a mean loss of equity per decision."""
    return tuple(Rating)[bisect_right(RATINGS, error_rate)]
