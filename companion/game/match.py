"""Match and stakes: score, Crawford game, doubling cube.

Each thing that happens gives the next `Match`; what may not happen raises MatchError. Nothing here knows rule sheets:
what a finished game counts is worked out in `companion.game.match`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Side
from companion.rules import BackgammonSheet, Outcome, Score, has_cube, levels_of

if TYPE_CHECKING:
    from companion.rules import Ruleset, Sheet


LARGEST_CUBE = 1024


class MatchError(BoardsideError):
    """Something that the cube's or the match's rules do not allow."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a match stands, or a series of games without a set end.

    Attributes:
        length: points that win it; 0 for a series without a set end.
        score: (White's, Black's) points.
        stake: what a point is worth in a series; 0 where nothing is played for.
        cube: its number; `owner`: who may double next, None while the cube is in the middle.
        offered_by: who has doubled and waits for the answer.
        has_cube, jacoby, crawford: whether there is a cube, whether gammons count in money play only once it was
            turned, and whether the game after a player first comes within one point is played without it.
        beavers: whether, in money play, whoever is doubled may double back at once and keep the cube.
        beavered: whether the double that waits for an answer is such a beaver.
        crawford_over: whether the Crawford game has been played.
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    stake: float = 0.0
    cube: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    has_cube: bool = True
    jacoby: bool = False
    crawford: bool = True
    crawford_over: bool = False
    beavers: bool = False
    beavered: bool = False

    @property
    def is_crawford_game(self) -> bool:
        """Whether this is the one game in which nobody may double."""
        one_away = self.length > 1 and self.length - 1 in self.score
        return self.crawford and one_away and not self.crawford_over

    @property
    def winner(self) -> Side | None:
        """Who has won the match."""
        for side, points in zip(Side, self.score, strict=True):
            if self.length and points >= self.length:
                return side
        return None

    @property
    def for_stakes(self) -> bool:
        """Whether something is played for: a match, or a stake."""
        return bool(self.length or self.stake)

    @property
    def balance(self) -> float:
        """What White has won so far in the stake's money; negative where Black has."""
        return (self.score[0] - self.score[1]) * self.stake

    def no_double_because(self, side: Side) -> str | None:
        """Why `side` may not double now; None where it may."""
        if not self.has_cube:
            return "the sheet has no cube"
        if self.winner is not None:
            return "the match is over"
        if self.is_crawford_game:
            return "this is the Crawford game"
        if self.offered_by is not None:
            return f"{self.offered_by.value}'s double is not answered yet"
        if self.owner not in (None, side):
            return f"{side.opponent.value} owns the cube"
        if self.cube >= LARGEST_CUBE:
            return f"the cube shows {self.cube}, its largest number"
        return None

    def doubled(self, side: Side) -> Match:
        """`side`, about to roll, offers the cube at twice its number."""
        if reason := self.no_double_because(side):
            raise MatchError(f"{side.value} may not double: {reason}")
        return replace(self, offered_by=side)

    def no_beaver_because(self) -> str | None:
        """Why the player who is asked may not beaver; None where they may."""
        if self.offered_by is None:
            return "there is no double to answer"
        if not self.beavers or self.length:
            return "there are no beavers in a match" if self.length else "beavers were not agreed"
        if self.beavered:
            return "a beaver is taken or passed"
        if 2 * self.cube >= LARGEST_CUBE:
            return f"the cube would show more than {LARGEST_CUBE}"
        return None

    def beaver(self) -> Match:
        """The player who is asked takes, turns the cube once more, keeps it, and waits for the doubler's answer."""
        if reason := self.no_beaver_because():
            raise MatchError(f"no beaver now: {reason}")
        asked = self.asked
        return replace(self, cube=2 * self.cube, owner=asked, offered_by=asked, beavered=True)

    def taken(self) -> Match:
        """The double is taken: the taker owns the cube; a beaver leaves it with the player who beavered."""
        owner = self.owner if self.beavered else self.asked
        return replace(self, cube=2 * self.cube, owner=owner, offered_by=None, beavered=False)

    def passed(self) -> Match:
        """The double is passed: the player who doubled wins what the cube showed."""
        return self.game_won(self.asked.opponent, self.cube)

    def game_won(self, winner: Side, points: int) -> Match:
        """A game is over; the next one begins with the cube in the middle."""
        white, black = self.score
        score = (white + points, black) if winner is Side.WHITE else (white, black + points)
        played = self.crawford_over or self.is_crawford_game
        return replace(self.without_a_winner(), score=score, crawford_over=played)

    def without_a_winner(self) -> Match:
        """A game was drawn or left unfinished: nobody scores, the cube goes back to the middle."""
        return replace(self, cube=1, owner=None, offered_by=None, beavered=False)

    @property
    def asked(self) -> Side:
        """Who has to answer a double. Raises MatchError where there is none."""
        if self.offered_by is None:
            raise MatchError("there is no double to take or to pass")
        return self.offered_by.opponent


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
