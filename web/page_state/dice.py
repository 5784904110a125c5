"""The dice on the page: commitment, revealed secret, counts of numbers, and the form to enter rolled dice."""

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
"""Share of the expected count, in percent, at which a bar has its full length."""


def fairness_state(
    fairness: FairnessView | None, words: PageTexts, opponent: Side | None = None
) -> dict[str, Any] | None:
    """State of the page's section on dice; None without dice. The other player enters the dice of `opponent`."""
    if fairness is None:
        return None
    faces, revealed, source = fairness.faces, fairness.revealed, f"dice.{fairness.source}"
    statistic = words("dice.statistic", value=words.decimal(f"{fairness.chi_square:.1f}"))
    return {
        "source": words(source) if source in TEXTS else "",
        "commitment": fairness.commitment,
        "promised": _promised(fairness, words),
        "rolls": fairness.rolls,
        "told": None if revealed is None else {"commitment": revealed.commitment, "secret": revealed.secret},
        "lost": revealed is not None and revealed.secret is None,
        "faces": _faces(faces),
        "words": words.rendered(fairness.words),
        "statistic": statistic if sum(faces) >= FEWEST else "",
        "lying": _lying(fairness.lying, words),
        "enter": _enter(fairness.enter, words, opponent),
    }


def rolls_to_check(fairness: FairnessView | None) -> dict[str, Any]:
    """The last revealed secret, with every roll derived from it, for a browser to check."""
    revealed = None if fairness is None else fairness.revealed
    if fairness is None or revealed is None:
        return {"commitment": None, "secret": None, "rolls": []}
    rolls = [
        {"counter": roll.counter, "tapped_ms": roll.tapped_ms, "dice": list(roll.dice)}
        for roll in fairness.revealed_rolls
    ]
    return {"commitment": revealed.commitment, "secret": revealed.secret, "rolls": rolls}


def _promised(fairness: FairnessView, words: PageTexts) -> str:
    if fairness.commitment is None:
        return ""
    return words.count("dice.rolls", fairness.rolls) if fairness.rolls else words("dice.first")


def _lying(numbers: Sequence[int] | None, words: PageTexts) -> str:
    """The dice on the board as the camera reads them, in words."""
    if numbers is None:
        return ""
    return words("dice.reads", dice=words.listed([*map(str, numbers)])) if numbers else words("dice.reads.none")


def _faces(faces: Sequence[int]) -> list[dict[str, Any]]:
    """Each face with its count and the length of its bar in percent."""
    rolled = sum(faces)
    return [
        {
            "face": face,
            "count": count,
            "bar": min(round(6 * count / rolled * 10000 / BAR_PERCENT), 100) if rolled else 0,
        }
        for face, count in enumerate(faces, start=1)
    ]


def _enter(enter: DiceToEnter | None, words: PageTexts, opponent: Side | None) -> dict[str, Any] | None:
    """The form for dice rolled by hand: whose they are, who enters them, and labels."""
    if enter is None:
        return None
    player = enter.player
    if player is None:
        names = [words("dice.enter.die", player=side) for side in Side]
        return {"player": None, "by": None, "title": words("dice.enter.start"), "dice": names}
    names = [words("dice.enter.first"), words("dice.enter.second")]
    by = player.opponent if player is opponent else player
    return {"player": player, "by": by, "title": words("dice.enter.rolled", player=player), "dice": names}
