"""The match for a snapshot: what the players may do or agree on now, and how the last game ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side, message
from companion.game import Phase, resignation_levels, rolls_next
from companion.interface import ActionKind, PossibleAction, outcome
from companion.referee import no_double_because
from companion.rules import condoned, players_agree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Message, PositionT
    from companion.game import Game
    from companion.referee import Assessment
    from companion.rules import Ruleset


def actions(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> tuple[PossibleAction, ...]:
    """Actions that are possible now, besides the three buttons."""
    game = assessment.game
    if game.dispute is not None or game.proposal is not None:
        return ()
    if game.running and game.on_roll is not None:
        return (*_cube(assessment, rules), *_endings(assessment, rules))
    if not game.running and players_agree(rules.sheet) and assessment.phase is Phase.OPENING:
        return tuple(PossibleAction(ActionKind.BEGIN, side) for side in Side)
    return ()


def _cube(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Iterator[PossibleAction]:
    """The cube actions: a double whenever Roll could be tapped too, otherwise only answers to one."""
    game = assessment.game
    match, side = game.match, rolls_next(game)
    verdict = assessment.verdict
    accepted = verdict is not None and (verdict.play is not None or condoned(rules.sheet, verdict))
    could_roll = game.phase is Phase.TO_ROLL or accepted
    if match.offered_by is not None:
        yield PossibleAction(ActionKind.TAKE, match.asked)
        if match.no_beaver_because() is None:
            yield PossibleAction(ActionKind.BEAVER, match.asked)
        yield PossibleAction(ActionKind.PASS, match.asked)
    elif could_roll and side is not None and no_double_because(game, side) is None:
        yield PossibleAction(ActionKind.DOUBLE, side)


def _endings(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Iterator[PossibleAction]:
    for side in Side:
        yield PossibleAction(ActionKind.RESIGN, side, resignation_levels(assessment.game.match, rules))
    if rules.has_draws:
        for side in Side:
            yield PossibleAction(ActionKind.OFFER_DRAW, side)
        verdict = assessment.verdict
        legal = () if verdict is None or verdict.play is None or verdict.after is None else (verdict.after,)
        past = assessment.game.past
        if rules.draw_claim(past) or (legal and rules.draw_claim((*past, *legal))):
            yield PossibleAction(ActionKind.CLAIM_DRAW)


def game_over(game: Game[PositionT]) -> tuple[Message, ...]:
    """How the last game ended, and the match if that is over too; empty during a game."""
    if game.ended is None:
        return ()
    over = outcome(game.ended, game.match)
    return (*over, message("match.change")) if game.match.colours_due and game.match.winner is None else over
