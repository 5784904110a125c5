"""The dice of the evening for a snapshot: commitment, last secret, statistics, and whose dice may be entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side
from companion.dice import DiceName, chi_square, in_words
from companion.game import rolls_next
from companion.interface import DiceToEnter, FairnessView, RevealedSecret
from companion.rules import draws_opening, starter

if TYPE_CHECKING:
    from companion.core import PositionT
    from companion.referee import Assessment
    from companion.rules import Ruleset


def fairness_view(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> FairnessView | None:
    """The dice of the evening; None in a game without dice."""
    book = assessment.game.dice_book
    rolls = bool(rules.dice_count(rules.start(), Side.WHITE))
    if not rolls and not draws_opening(rules.sheet):
        return None
    return FairnessView(
        source=assessment.dice_source,
        commitment=None if book.open_commitment is None else book.open_commitment.digest,
        rolls=0 if book.open_commitment is None else book.open_commitment.counter - 1,
        revealed=None if book.revealed is None else RevealedSecret(*book.revealed),
        faces=book.faces,
        chi_square=round(chi_square(book.faces), 2),
        words=in_words(book.faces),
        revealed_rolls=book.revealed_rolls,
        lying=_lying(assessment),
        enter=_to_enter(assessment, rules) if rolls and assessment.dice_source is not DiceName.FAIR else None,
    )


def _lying(assessment: Assessment[PositionT]) -> tuple[int, ...] | None:
    """The dice that the camera reads on the board; None if the dice have another source."""
    if assessment.dice_source is not DiceName.CAMERA or assessment.look is None:
        return None
    return tuple(die.value for die in assessment.look.lying)


def _to_enter(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> DiceToEnter:
    """Whose dice the players may enter."""
    game = assessment.game
    side = rolls_next(game)
    if not game.running:
        side = starter(rules.sheet, previous_winner=game.last_winner)
    return DiceToEnter(side)
