"""The dice on the page: what is promised, what was told, how even they are, and whose dice may be entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.dice import FEWEST
from web.texts import TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.interface import DiceToEnter, FairnessView
    from web.texts import PageTexts

BAR_PERCENT = 300
"""A bar is full at three times its fair share."""


def fairness_state(fairness: FairnessView | None, words: PageTexts) -> dict[str, Any] | None:
    """What the page's part on dice draws; None in a game without dice."""
    if fairness is None:
        return None
    faces, told, source = fairness.faces, fairness.revealed, f"dice.{fairness.source}"
    statistic = words("dice.statistic", value=words.decimal(f"{fairness.chi_square:.1f}"))
    return {
        "source": words(source) if source in TEXTS else "",
        "commitment": fairness.commitment,
        "promised": _promised(fairness, words),
        "told": None if told is None else {"commitment": told.commitment, "secret": told.secret},
        "lost": told is not None and told.secret is None,
        "faces": _faces(faces),
        "words": words.rendered(fairness.words),
        "statistic": statistic if sum(faces) >= FEWEST else "",
        "lying": _lying(fairness.lying, words),
        "enter": _enter(fairness.enter, words),
    }


def _promised(fairness: FairnessView, words: PageTexts) -> str:
    if fairness.commitment is None:
        return ""
    return words.count("dice.rolls", fairness.rolls) if fairness.rolls else words("dice.first")


def _lying(numbers: Sequence[int] | None, words: PageTexts) -> str:
    """What the camera reads of the dice on the board."""
    if numbers is None:
        return ""
    return words("dice.reads", dice=words.listed([*map(str, numbers)])) if numbers else words("dice.reads.none")


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


def _enter(enter: DiceToEnter | None, words: PageTexts) -> dict[str, Any] | None:
    """The form for dice rolled by hand: whose they are and what the two are called."""
    if enter is None:
        return None
    player = enter.player
    if player is None:
        names = [words("dice.enter.die", player=side) for side in Side]
        return {"player": None, "title": words("dice.enter.start"), "dice": names}
    names = [words("dice.enter.first"), words("dice.enter.second")]
    return {"player": player, "title": words("dice.enter.rolled", player=player), "dice": names}
