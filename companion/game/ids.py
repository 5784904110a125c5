"""XGID, Position ID and Match ID of the current state of a backgammon game, for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.notation import MATCH_ID_LARGEST_SCORE, MATCH_ID_PLAYERS, MatchState, Xgid, format_match_id, format_xgid
from companion.rules import BackgammonPosition

if TYPE_CHECKING:
    from companion.core import Side
    from companion.game.match import Match
    from companion.game.state import Game

DICE_IN_A_ROLL = 2


@dataclass(frozen=True, slots=True)
class GameIds:
    """The state of a game as an XGID, and as a Position ID with the Match ID that completes it."""

    xgid: str
    position_id: str
    match_id: str


def game_ids(game: Game[Any]) -> GameIds | None:
    """The state of `game` in three notations; White is the bottom player.

    None if they cannot express it: no backgammon game is running, the opening roll has not been made, a turn has a
    single die, a beaver is not answered, or a score is too large for a Match ID.
    """
    position, side, match = game.position, game.on_roll, game.match
    if not isinstance(position, BackgammonPosition) or side is None or not game.running:
        return None
    rolled = game.dice.values if game.dice is not None else None
    if match.beavered or max(match.score) > MATCH_ID_LARGEST_SCORE or (rolled and len(rolled) != DICE_IN_A_ROLL):
        return None
    dice = (rolled[0], rolled[1]) if rolled else None
    return GameIds(
        xgid=format_xgid(_xgid(position, side, dice, match)),
        position_id=position.position_id(side),
        match_id=format_match_id(_match_state(side, dice, match)),
    )


def _xgid(position: BackgammonPosition, side: Side, dice: tuple[int, int] | None, match: Match) -> Xgid:
    money_rule = int(match.jacoby) + 2 * int(match.beavers)
    return Xgid(
        points=position.points,
        bar=position.bar,
        cube=match.cube,
        cube_owner=match.owner,
        turn=side,
        dice=dice,
        score=match.score,
        rule=int(match.is_crawford_game) if match.length else money_rule,
        length=match.length,
        offer="" if match.offered_by is None else "D",
    )


def _match_state(side: Side, dice: tuple[int, int] | None, match: Match) -> MatchState:
    decides = side if match.offered_by is None else match.offered_by.opponent
    return MatchState(
        cube=match.cube,
        cube_owner=None if match.owner is None else MATCH_ID_PLAYERS.index(match.owner),
        on_roll=MATCH_ID_PLAYERS.index(side),
        crawford=match.is_crawford_game,
        decides=MATCH_ID_PLAYERS.index(decides),
        doubled=match.offered_by is not None,
        dice=dice or (0, 0),
        length=match.length,
        score=match.score[::-1],
        jacoby=match.jacoby and not match.length,
    )
