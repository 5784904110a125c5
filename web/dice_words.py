"""The dice on the page: what is promised, what was told, how even they are, and whose dice may be entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.dice import FEWEST
from companion.texts import render
from web.words import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.interface import DiceToEnter, FairnessView

SOURCES = {
    "fair": "Rolled here, each roll settled by a secret that is promised before",
    "by hand": "The set’s own dice, entered here",
    "camera": "The set’s own dice, read by the camera",
}
BAR_PERCENT = 300
"""A bar is full at three times its fair share."""


def fairness_state(fairness: FairnessView | None) -> dict[str, Any] | None:
    """What the page's part on dice draws; None in a game without dice."""
    if fairness is None:
        return None
    faces, told = fairness.faces, fairness.told
    return {
        "source": SOURCES.get(fairness.source, fairness.source),
        "commitment": fairness.commitment,
        "promised": _promised(fairness),
        "told": None if told is None else {"commitment": told.commitment, "secret": told.secret},
        "lost": told is not None and told.secret is None,
        "faces": _faces(faces),
        "words": render(fairness.words),
        "statistic": f"χ² = {fairness.chi_square:.1f} with 5 degrees of freedom" if sum(faces) >= FEWEST else "",
        "lying": _lying(fairness.lying),
        "enter": _enter(fairness.enter),
    }


def _promised(fairness: FairnessView) -> str:
    if fairness.commitment is None:
        return ""
    rolls = fairness.rolls
    if not rolls:
        return "The next roll is the first under this commitment. Note it down, or take a picture of it."
    return f"{rolls} roll{'s' * (rolls != 1)} so far under this commitment, shown before the first."


def _lying(numbers: Sequence[int] | None) -> str:
    """What the camera reads of the dice on the board."""
    if numbers is None:
        return ""
    return f"The camera reads {' and '.join(map(str, numbers))}." if numbers else "The camera reads no dice now."


def _faces(faces: Sequence[int]) -> list[dict[str, Any]]:
    """Each face with its count and the length of its bar, percent of the longest there is room for."""
    rolled = sum(faces)
    return [
        {
            "face": face,
            "count": count,
            "bar": min(round(6 * count / rolled * 10000 / BAR_PERCENT), 100) if rolled else 0,
        }
        for face, count in enumerate(faces, start=1)
    ]


def _enter(enter: DiceToEnter | None) -> dict[str, Any] | None:
    """The form for dice rolled by hand: whose they are and what the two are called."""
    if enter is None:
        return None
    player = enter.player
    if player is None:
        return {"player": None, "title": "One die each for the start", "dice": ["White’s die", "Black’s die"]}
    return {"player": player, "title": f"{PLAYERS[player]} has rolled", "dice": ["First die", "Second die"]}
