"""A match under a sheet, and what a game counts in it, won or resigned."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from companion.core import Side, quoted
from companion.game.events import Drawn, Ended, MatchBegan, Passed, Resigned, Started
from companion.game.match import Match, MatchError
from companion.rules import (
    Outcome,
    Score,
    colours_alternate,
    has_crawford_game,
    has_cube,
    has_jacoby_rule,
    levels_of,
    match_points,
)

if TYPE_CHECKING:
    from companion.rules import Ruleset, Sheet

PLAYERS = ("white", "black")
"""The fields of `MatchBegan` with the players' names."""


def match_under(
    sheet: Sheet,
    length: int = 0,
    *,
    stake: float = 0.0,
    jacoby: bool = False,
    beavers: bool = False,
    crawford: bool = True,
    automatic_doubles: int = 0,
) -> Match:
    """A new match of `length` points, or (0) a series of games at `stake` a point, under a sheet.

    `crawford` False switches the Crawford game off if the sheet has one. Raises MatchError if the arguments
    contradict each other or the sheet.
    """
    if length < 0:
        raise MatchError(f"a match of {length} points; expected 1 or more, or 0 for a series of games")
    if not 0 <= stake < float("inf"):
        raise MatchError(f"a stake of {stake:g} a point; expected 0 or more")
    if length and stake:
        raise MatchError(f"a match of {length} points at {stake:g} a point; leave out the match or the stake")
    if jacoby and length:
        raise MatchError("the Jacoby rule is for games at a stake, not for a match")
    if jacoby and not has_jacoby_rule(sheet):
        raise MatchError(f"the Jacoby rule is not allowed by sheet {sheet.name!r}")
    if beavers and (length or not has_cube(sheet)):
        why = (
            f"sheet {sheet.name!r} has no cube" if not has_cube(sheet) else "they are for games at a stake, not a match"
        )
        raise MatchError(f"no beavers here: {why}")
    if not crawford and not (length and has_cube(sheet)):
        raise MatchError("there is no Crawford game to switch off: it belongs to a match with a cube")
    if automatic_doubles < 0:
        raise MatchError(f"{automatic_doubles} automatic doubles a game; expected 0 or more")
    if automatic_doubles and (length or not has_cube(sheet)):
        why = "they are for games at a stake, not a match" if has_cube(sheet) else f"sheet {sheet.name!r} has no cube"
        raise MatchError(f"no automatic doubles here: {why}")
    win_points, draw_points = match_points(sheet) if length else (1, 0)
    return Match(
        length=length,
        stake=stake,
        has_cube=has_cube(sheet),
        jacoby=jacoby,
        crawford=crawford and has_crawford_game(sheet),
        beavers=beavers,
        automatic_doubles=automatic_doubles,
        win_points=win_points,
        draw_points=draw_points,
        change_colours=bool(length) and colours_alternate(sheet),
    )


def game_score(match: Match, rules: Ruleset[Any], outcome: Outcome) -> Score:
    """The points of an outcome: its level times the cube; the level is single under the Jacoby rule before a double."""
    counted = replace(outcome, kind="single") if match.jacoby_holds else outcome
    score = rules.score(counted, cube=match.cube, for_stakes=match.for_stakes)
    return replace(score, points=match.win_points * score.points)


def resignation_score(match: Match, rules: Ruleset[Any], side: Side, kind: str) -> Score:
    """The points that `side` loses by resigning a game of that kind. Raises MatchError for a kind not in the sheet."""
    kinds = levels_of(rules.sheet)
    if kind not in kinds:
        raise MatchError(
            f"resigned a {quoted(kind)}; under sheet {rules.sheet.name!r} a game is lost as {' or '.join(kinds)}"
        )
    return game_score(match, rules, Outcome(side.opponent, kind))


def resignation_levels(match: Match, rules: Ruleset[Any]) -> tuple[str, ...]:
    """The levels of a resignation that count now, the cheapest first; without stakes some count as a single game."""
    kinds = levels_of(rules.sheet)
    return tuple(kind for kind in kinds if game_score(match, rules, Outcome(Side.WHITE, kind)).kind == kind)


def beginning_of(match: Match) -> MatchBegan:
    """The event that begins this match or series, with its terms and the players' names."""
    white, black = match.names or ("", "")
    return MatchBegan(**_terms(match), white=white, black=black)


def match_begun(event: MatchBegan) -> Match:
    """The match or series that the event begins, before its first game."""
    return Match(**_terms(event), names=(event.white, event.black) if event.white or event.black else ())


def _terms(agreed: Match | MatchBegan) -> dict[str, Any]:
    """The values of the fields that `Match` and `MatchBegan` share, by name, without the players' names."""
    return {field.name: getattr(agreed, field.name) for field in fields(MatchBegan) if field.name not in PLAYERS}


def game_begun(match: Match, event: Started[Any]) -> Match:
    """The match once its next game has begun."""
    return replace(match.without_a_winner().next_game(), has_cube=event.cube)


def ended_by(match: Match, event: Ended | Resigned | Drawn | Passed) -> Ended:
    """How the event ends a game of the match."""
    match event:
        case Resigned():
            return Ended(event.side.opponent, event.points, f"{event.kind}, resigned")
        case Passed():
            return Ended(event.side.opponent, match.cube, "double passed")
        case Drawn():
            return Ended(None, match.draw_points, f"drawn: {event.how}")
        case Ended():
            return event


def match_after(match: Match, event: Ended | Resigned | Drawn | Passed) -> Match:
    """The match with the score after the game that the event ends."""
    ended = ended_by(match, event)
    if ended.winner is not None:
        return match.game_won(ended.winner, ended.points)
    return match.game_drawn() if isinstance(event, Drawn) else match.without_a_winner()
