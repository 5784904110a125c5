"""Match play and money play: the score, the doubling cube, Crawford, Jacoby, resignations.

A `Match` is a value; each thing that happens gives the next one. What may not happen raises MatchError.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.model import BoardsideError, Side
from companion.rules.ruleset import Outcome

if TYPE_CHECKING:
    from companion.rules.ruleset import Ruleset
    from companion.rules.sheet import BackgammonSheet

LARGEST_CUBE = 1024
KINDS = ("single", "gammon", "backgammon")


class MatchError(BoardsideError):
    """Something that the cube's or the match's rules do not allow."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a match stands.

    Attributes:
        length: points that win it; 0 for money play without end.
        score: (White's, Black's).
        cube: its number; `owner`: who may double next, None while the cube is in the middle.
        offered_by: who has doubled and waits for the answer.
        has_cube, jacoby, crawford: whether there is a cube, whether gammons count in money play only once it was
            turned, and whether the game after a player first comes within one point is played without it.
        crawford_over: whether the Crawford game has been played.
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    has_cube: bool = True
    jacoby: bool = False
    crawford: bool = True
    crawford_over: bool = False

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

    def taken(self) -> Match:
        """The double is taken: the taker owns the cube."""
        return replace(self, cube=2 * self.cube, owner=self._asked(), offered_by=None)

    def passed(self) -> Match:
        """The double is passed: the player who doubled wins what the cube showed."""
        return self._next_game(self._asked().opponent, self.cube)

    def won(self, rules: Ruleset[object], outcome: Outcome) -> Match:
        """A game is over."""
        return self._next_game(outcome.winner, self.points_for(rules, outcome))

    def resigned(self, rules: Ruleset[object], side: Side, kind: str) -> Match:
        """`side` gives up a single game, a gammon or a backgammon, and the other accepts."""
        if kind not in KINDS:
            raise MatchError(f"resigned a {kind!r}; expected one of {', '.join(KINDS)}")
        return self.won(rules, Outcome(side.opponent, kind))

    def points_for(self, rules: Ruleset[object], outcome: Outcome) -> int:
        """What an outcome counts now: the sheet's levels times the cube, a single one under Jacoby's rule."""
        unturned = self.jacoby and not self.length and self.cube == 1
        counted = replace(outcome, kind="single") if unturned else outcome
        return rules.score(counted, cube=self.cube, for_stakes=True).points

    def _asked(self) -> Side:
        if self.offered_by is None:
            raise MatchError("there is no double to take or to pass")
        return self.offered_by.opponent

    def _next_game(self, winner: Side, points: int) -> Match:
        white, black = self.score
        score = (white + points, black) if winner is Side.WHITE else (white, black + points)
        played = self.crawford_over or self.is_crawford_game
        return replace(self, score=score, cube=1, owner=None, offered_by=None, crawford_over=played)


def match_under(sheet: BackgammonSheet, length: int, *, jacoby: bool = False) -> Match:
    """A match of `length` points (0: money play) as the sheet allows it. Raises MatchError."""
    if length < 0:
        raise MatchError(f"a match of {length} points; expected 1 or more, or 0 for money play")
    if jacoby and (length or not sheet.jacoby_allowed or not sheet.cube):
        why = "is for money play" if length else f"is not allowed by sheet {sheet.name!r}"
        raise MatchError(f"the Jacoby rule {why}")
    return Match(length=length, has_cube=sheet.cube, jacoby=jacoby)
