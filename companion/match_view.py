"""The match on the page: how it stands, what the players may agree on now, and how a game ended, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.game import rolls_next
from companion.model import Side, name
from companion.phase import Phase
from companion.rules.opening import players_agree
from companion.rules.scoring import levels_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.events import Ended
    from companion.game import Game
    from companion.match import Match
    from companion.model import PositionT
    from companion.rules.ruleset import Ruleset
    from companion.standing import Standing

ENDS = {
    "unfinished": "The game was left unfinished. ",
    "drawn: agreement": "The players agreed on a draw. ",
    "drawn: threefold_repetition": "A draw was claimed: the position stood for the third time. ",
    "drawn: forty_moves": "A draw was claimed: forty moves of each without progress. ",
}


def match_json(match: Match) -> dict[str, Any]:
    """What is played for, and how the cube stands."""
    return {
        "length": match.length,
        "stake": match.stake,
        "balance": match.balance,
        "jacoby": match.jacoby,
        "beavers": match.beavers,
        "crawford": match.is_crawford_game,
        "winner": match.winner,
        "has_cube": match.has_cube,
        "cube": match.cube,
        "owner": match.owner,
        "offered_by": match.offered_by,
    }


def deeds(standing: Standing[PositionT], rules: Ruleset[PositionT]) -> tuple[dict[str, Any], ...]:
    """What the players may say now besides the three buttons: `{"deed", "player"}`, each as the page posts it.

    Deeds: "double", "take", "beaver", "pass", "resign" (with the `kinds` a game can be lost by), "agree_draw" and
    "claim_draw" (of no player in particular), "begin" (where the players agree who begins).
    """
    game = standing.game
    if game.dispute is not None or game.proposal is not None:
        return ()
    if game.running and game.on_roll is not None:
        return (*_cube(standing), *_endings(standing, rules))
    if not game.running and players_agree(rules.sheet) and standing.phase is Phase.OPENING:
        return tuple({"deed": "begin", "player": side} for side in Side)
    return ()


def _cube(standing: Standing[PositionT]) -> Iterator[dict[str, Any]]:
    """A double is offered where Roll could be tapped as well, else only its answers are."""
    game = standing.game
    match, side = game.match, rolls_next(game)
    could_roll = game.phase is Phase.TO_ROLL or (standing.verdict is not None and standing.verdict.play is not None)
    if match.offered_by is not None:
        yield {"deed": "take", "player": match.asked}
        if match.no_beaver_because() is None:
            yield {"deed": "beaver", "player": match.asked}
        yield {"deed": "pass", "player": match.asked}
    elif could_roll and side is not None and match.no_double_because(side) is None:
        yield {"deed": "double", "player": side}


def _endings(standing: Standing[PositionT], rules: Ruleset[PositionT]) -> Iterator[dict[str, Any]]:
    for side in Side:
        yield {"deed": "resign", "player": side, "kinds": list(levels_of(rules.sheet))}
    if rules.has_draws:
        yield {"deed": "agree_draw", "player": None}
        verdict = standing.verdict
        legal = () if verdict is None or verdict.play is None or verdict.after is None else (verdict.after,)
        past = standing.game.past
        if rules.draw_claim(past) or (legal and rules.draw_claim((*past, *legal))):
            yield {"deed": "claim_draw", "player": None}


def ended_json(game: Game[PositionT]) -> dict[str, Any] | None:
    """The end of the game that is over, as a snapshot has it; None while none is."""
    ended = game.ended
    return None if ended is None else {"winner": ended.winner, "points": ended.points, "kind": ended.kind}


def game_over(game: Game[PositionT]) -> str:
    """How the game just ended, with a blank behind it; empty where none has ended."""
    ended = game.ended
    if ended is None:
        return ""
    if ended.winner is None:
        return ENDS.get(ended.kind, "The game is drawn. ")
    words = f"{name(ended.winner)} wins{_how(ended)}. "
    if game.match.winner is not None:
        white, black = game.score
        words += f"{name(game.match.winner)} wins the match, {max(white, black)} to {min(white, black)}. "
    return words


def doubled(match: Match) -> str:
    """The double that waits for its answer."""
    if match.offered_by is None:
        return ""
    verb = "beavers" if match.beavered else "doubles"
    return f"{name(match.offered_by)} {verb} to {2 * match.cube}: {name(match.asked)} takes or passes."


def _how(ended: Ended) -> str:
    kind = "" if ended.kind == "win" else f"{ended.kind}, "
    return f": {kind}1 point" if ended.points == 1 else f": {kind}{ended.points} points"
