"""Arrows for the checkers of a play, from cell to cell, and the cube, which the page draws over a board."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.core import Finding, Reason
from companion.game import Phase
from companion.notation import NotationError, cell_of, parse_move, parse_play
from companion.rules import cell_of_point

if TYPE_CHECKING:
    from companion.core import Side, Verdict
    from companion.game import Match
    from companion.interface import Snapshot

MIDDLE_CUBE = 64
"""Number shown by a cube of value 1, in the middle."""
DISTANCES = (Reason.WRONG_DISTANCE, Reason.TOO_MANY_MOVES)
"""Reasons about the rolled numbers, which the page then shows beside the arrow."""

Arrows = list[tuple[int, int]]
"""(from, to) for each step of a checker, as cells of `companion.core.observation`."""


def play_arrows(play: str | None, side: Side | None, game: str) -> Arrows:
    """The steps of a play in standard notation; empty if there are none to draw."""
    if not play or side is None:
        return []
    try:
        if game == "checkers":
            cells = [cell_of(square) for square in parse_move(play)]
            return list(pairwise(cells))
        return [(cell_of_point(step.source, side), cell_of_point(step.target, side)) for step in parse_play(play)]
    except NotationError:  # the record has words instead of a play for some turns
        return []


def arrows_state(snapshot: Snapshot) -> dict[str, Any]:
    """`{"side", "play", "moved", "rolled"}`: whose checkers, the steps of a play, and the moves of an illegal one.

    A legal play is shown until the next roll. Each of `moved` is `{"from", "to", "pips", "wrong"}` (`from` or `to` None
    if unknown, `pips` as text); `rolled` are the dice, if the reason is about them.
    """
    side, verdict, game = snapshot.on_roll, snapshot.verdict, snapshot.game
    nothing: dict[str, Any] = {"side": side, "play": [], "moved": [], "rolled": []}
    if snapshot.phase is Phase.TO_MOVE and verdict is not None:
        if verdict.finding is Finding.LEGAL:
            return {**nothing, "play": play_arrows(verdict.play, side, game)}
        if snapshot.announced is not None:
            return {**nothing, "play": play_arrows(snapshot.announced, side, game)}
        if verdict.finding is Finding.ILLEGAL:
            about = verdict.reason in DISTANCES
            return {**nothing, "moved": _moved(verdict), "rolled": list(snapshot.dice or ()) if about else []}
    not_moved = verdict is None or verdict.finding is Finding.NOT_MOVED
    still_there = snapshot.phase is Phase.TO_ROLL or (game == "checkers" and not_moved)
    if not still_there or not snapshot.history:
        return nothing
    last = snapshot.history[-1]
    return {**nothing, "side": last.side, "play": play_arrows(last.play, last.side, game)}


def cube_state(match: Match | None, *, over: bool = False) -> dict[str, Any] | None:
    """`{"number", "owner", "offered_to"}`; an offered cube shows its doubled value.

    None without a cube, and once the game is over: the match then has the cube of the next game.
    """
    if over or match is None or not match.has_cube or match.is_crawford_game:
        return None
    if match.offered_by is not None:
        return {"number": 2 * match.cube, "owner": None, "offered_to": match.offered_by.opponent}
    in_the_middle = match.owner is None and match.cube == 1
    return {"number": MIDDLE_CUBE if in_the_middle else match.cube, "owner": match.owner, "offered_to": None}


def _moved(verdict: Verdict[Any]) -> list[dict[str, Any]]:
    known = verdict.reason == Reason.WRONG_PLAYER_MOVED or any(one.reasons for one in verdict.moved)
    return [
        {
            "from": one.source,
            "to": one.target,
            "pips": "" if one.pips is None else str(one.pips).replace("-", "\N{MINUS SIGN}"),
            "wrong": bool(one.reasons) or not known,
        }
        for one in verdict.moved
    ]
