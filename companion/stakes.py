"""What finished games count under a sheet, in a match or for a stake."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.match import Match, MatchError
from companion.rules.ruleset import Outcome, Score
from companion.rules.scoring import has_cube, levels_of
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from companion.model import Side
    from companion.rules.ruleset import Ruleset
    from companion.rules.sheet import Sheet


def match_under(
    sheet: Sheet, length: int = 0, *, stake: float = 0.0, jacoby: bool = False, beavers: bool = False
) -> Match:
    """A match of `length` points, or (0) a series of games at `stake` a point, as the sheet allows it.

    Raises MatchError where that makes no sense, or where the sheet does not allow Jacoby's rule or has
    no cube for beavers.
    """
    if length < 0:
        raise MatchError(f"a match of {length} points; expected 1 or more, or 0 for a series of games")
    if not 0 <= stake < float("inf"):
        raise MatchError(f"a stake of {stake:g} a point; expected 0 or more")
    if length and stake:
        raise MatchError(f"a match of {length} points at {stake:g} a point; games at a stake have no match length")
    if jacoby and length:
        raise MatchError("the Jacoby rule is for games at a stake, not for a match")
    if jacoby and not (isinstance(sheet, BackgammonSheet) and sheet.jacoby_allowed and has_cube(sheet)):
        raise MatchError(f"the Jacoby rule is not allowed by sheet {sheet.name!r}")
    if beavers and (length or not has_cube(sheet)):
        why = (
            f"sheet {sheet.name!r} has no cube" if not has_cube(sheet) else "they are for games at a stake, not a match"
        )
        raise MatchError(f"no beavers here: {why}")
    return Match(length=length, stake=stake, has_cube=has_cube(sheet), jacoby=jacoby, beavers=beavers)


def game_score(match: Match, rules: Ruleset[Any], outcome: Outcome) -> Score:
    """What an outcome counts now: the sheet's levels times the cube, a single one under Jacoby's rule."""
    unturned = match.jacoby and not match.length and match.cube == 1
    counted = replace(outcome, kind="single") if unturned else outcome
    return rules.score(counted, cube=match.cube, for_stakes=match.for_stakes)


def resignation_score(match: Match, rules: Ruleset[Any], side: Side, kind: str) -> Score:
    """What it costs `side` to give the game up as a single one, a gammon or a backgammon. Raises MatchError.

    Only levels that a game can be lost by under the sheet can be given up.
    """
    kinds = levels_of(rules.sheet)
    if kind not in kinds:
        raise MatchError(
            f"resigned a {kind!r}; under sheet {rules.sheet.name!r} a game is lost as {' or '.join(kinds)}"
        )
    return game_score(match, rules, Outcome(side.opponent, kind))
