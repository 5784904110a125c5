"""Match equities, and cube decisions from winning chances with Janowski's formulas.

Cubeful equity is a weighted mean of the equities with a fully live and a dead cube (R. Janowski, "Take-Points in Money
Games", 1993); the weight, the cube efficiency, is gnubg's. In money play points count as they are; in match play a
score counts by the probability of winning the match.

That probability is from Neil Kazaross's XG2 table for 25 points, as gnubg ships it
(`companion/hints/tables/kazaross-xg2.toml` states its origin). It holds for two equal players who use the cube well.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Side
from companion.game import LARGEST_CUBE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.game import Match
    from companion.rules import BackgammonPosition

TABLE = Path(__file__).parent / "tables" / "kazaross-xg2.toml"
CONTACT_SHARE = 0.68
"""Cube efficiency while the sides can still hit each other (gnubg's value)."""
SHARE_AHEAD = 0.73
"""Cube efficiency if the chances after each roll are given: fitted to gnubg's 2-ply doubles (`benchmarks/hints.py`)."""
RACE_LEAST, RACE_MOST, RACE_BASE, RACE_A_PIP = 0.6, 0.7, 0.55, 0.00125
"""Cube efficiency in a race: base plus a share a pip of the roller's pip count, within bounds (gnubg's values)."""

Chances = tuple[float, float, float, float, float]
"""Probabilities (0 to 1) of the player on roll.

Win; win at least a gammon; win a backgammon; lose at least a gammon; lose a backgammon."""


class MatchEquityError(BoardsideError):
    """A score outside the table."""


@dataclass(frozen=True, slots=True)
class EquityTable:
    """Match equities from 0 to 1, index 0 for a player who needs one point.

    Attributes:
        before_crawford: `[mine][theirs]`; the first row and column are the Crawford game.
        after_crawford: of the trailing player while the leader needs one point, after the Crawford game.
    """

    name: str
    before_crawford: tuple[tuple[float, ...], ...]
    after_crawford: tuple[float, ...]

    @property
    def length(self) -> int:
        """Longest match in points."""
        return len(self.after_crawford)


def match_equity(away_white: int, away_black: int, *, crawford: bool) -> float:
    """White's probability (0 to 1) of winning the match.

    Args:
        away_white: points that White still needs; 0 or less where the match is won.
        away_black: points that Black still needs.
        crawford: where one player needs one point: whether this is the Crawford game (True) or a later one.

    Raises MatchEquityError for more points than the table holds, or where both have won.
    """
    table = kazaross_xg2()
    if max(away_white, away_black) > table.length:
        raise MatchEquityError(
            f"{away_white} and {away_black} points to go: the table {table.name} ends at {table.length}"
        )
    if away_white <= 0 or away_black <= 0:
        if away_white <= 0 and away_black <= 0:
            raise MatchEquityError(f"{away_white} and {away_black} points to go: only one player can have won")
        return float(away_white <= 0)
    if 1 in (away_white, away_black) and not crawford:
        if away_white == 1:
            return 1.0 - table.after_crawford[away_black - 1]
        return table.after_crawford[away_white - 1]
    return table.before_crawford[away_white - 1][away_black - 1]


@cache
def kazaross_xg2() -> EquityTable:
    """Read the table (cached)."""
    data = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return EquityTable(data["name"], tuple(map(tuple, data["before_crawford"])), tuple(data["after_crawford"]))


@dataclass(frozen=True, slots=True)
class CubeQuestion:
    """A cube decision of `side`, about to roll at `position`; `match` is the state before the double."""

    position: Any
    side: Side
    match: Match


@dataclass(frozen=True, slots=True)
class CubeAdvice:
    """Equities of a cube decision, per unit of the cube, for the player who may double.

    Attributes:
        side: the player about to roll.
        no_double, double_take: equities of playing on and of a double that is taken; a pass is worth 1.
        doubles, takes: whether doubling and taking are best; both False where `side` is too good to double.
    """

    side: Side
    no_double: float
    double_take: float
    doubles: bool
    takes: bool


def advise(chances: Chances, position: BackgammonPosition, side: Side, match: Match) -> CubeAdvice:
    """Evaluate a double by `side`, about to roll at `position`, at the match's score and cube."""
    return advise_ahead([(1.0, chances)], position, side, match, CONTACT_SHARE)


def advise_ahead(
    outlooks: Iterable[tuple[float, Chances]],
    position: BackgammonPosition,
    side: Side,
    match: Match,
    contact_share: float = SHARE_AHEAD,
) -> CubeAdvice:
    """As `advise`, from the chances of `side` after each roll, with its probability.

    This counts how many rolls pass the opponent's take point, as gnubg does when it looks ahead.
    """
    value = worth(match, side)
    cube = match.cube
    share = efficiency(position, side, contact_share)
    centred = match.owner is None
    no_double = double_take = 0.0
    for weight, chances in outlooks:
        now = _Game(value, (chances[0], 0.0, 0.0, 0.0, 0.0) if match.jacoby_holds else chances, share)
        doubled = _Game(value, chances, share)
        no_double += weight * now.equity(cube, may_double=True, may_be_doubled=centred, with_gammons=doubled)
        double_take += weight * doubled.equity(2 * cube, may_double=False, may_be_doubled=True)
    lost, won = value(-cube), value(cube)

    def normalised(equity: float) -> float:
        return (2 * equity - won - lost) / (won - lost)

    nothing, taken = normalised(no_double), normalised(double_take)
    return CubeAdvice(side, nothing, taken, doubles=min(taken, 1.0) > nothing, takes=taken <= 1.0)


def efficiency(position: BackgammonPosition, side: Side, contact_share: float = CONTACT_SHARE) -> float:
    """Cube efficiency from 0 (dead cube) to 1 (fully live cube); `contact_share` while the sides can still hit."""
    if position.contact:
        return contact_share
    return min(max(RACE_BASE + RACE_A_PIP * position.pips(side), RACE_LEAST), RACE_MOST)


def longest_match() -> int:
    """Points of the longest match whose equities are known."""
    return kazaross_xg2().length


def worth(match: Match, side: Side) -> Callable[[int], float]:
    """A function from points won by `side` in this game (negative: lost) to their worth.

    In a match: the probability of winning it with the score after the game (for 0 points: before it). In a series: the
    points themselves. The function raises MatchEquityError for a score outside the table.
    """
    if not match.length:
        return float
    mine, theirs = match.score if side is Side.WHITE else match.score[::-1]
    over = match.crawford_over or match.is_crawford_game or not match.crawford

    def chance(points: int) -> float:
        my_away, their_away = match.length - mine - max(points, 0), match.length - theirs - max(-points, 0)
        return match_equity(my_away, their_away, crawford=not over if points else match.is_crawford_game)

    return chance


@dataclass(frozen=True, slots=True)
class _Game:
    """One game from the roller's side: worth of points, outcome probabilities, cube efficiency (`share`)."""

    worth: Callable[[int], float]
    chances: Chances
    share: float

    def equity(self, cube: int, *, may_double: bool, may_be_doubled: bool, with_gammons: _Game | None = None) -> float:
        """Equity of the roller with the cube at that number.

        `with_gammons`: the game after the cube is turned, where gammons count only then (Jacoby rule).
        """
        turned = with_gammons or self
        take = turned.take_point(cube) if may_be_doubled else None
        cash = None if not may_double else turned.other().take_point(cube)
        corners = [(0.0, self.lost(cube))]
        corners += [] if take is None else [(take, self.worth(-cube))]
        corners += [] if cash is None else [(1.0 - cash, self.worth(cube))]
        corners.append((1.0, self.won(cube)))
        win = self.chances[0]
        dead = win * self.won(cube) + (1 - win) * self.lost(cube)
        return self.share * _interpolate(corners, win) + (1 - self.share) * dead

    def won(self, cube: int) -> float:
        """Mean worth of a win, gammons included."""
        win, gammon, backgammon = self.chances[:3]
        return self._mean(cube, win, gammon, backgammon)

    def lost(self, cube: int) -> float:
        """Mean worth of a loss, gammons included."""
        win, _, _, gammon, backgammon = self.chances
        return self._mean(-cube, 1 - win, gammon, backgammon)

    def _mean(self, cube: int, games: float, gammons: float, backgammons: float) -> float:
        if games <= 0:
            return self.worth(cube)
        single, double = games - gammons, gammons - backgammons
        total = single * self.worth(cube) + double * self.worth(2 * cube) + backgammons * self.worth(3 * cube)
        return total / games

    def other(self) -> _Game:
        """The same game from the other side."""
        win, gammon, backgammon, lose_gammon, lose_backgammon = self.chances
        worth = self.worth
        mirrored = (1 - win, lose_gammon, lose_backgammon, gammon, backgammon)
        return _Game(lambda points: -worth(-points), mirrored, self.share)

    def take_point(self, cube: int) -> float | None:
        """Smallest winning probability with which the roller takes a double; None where doubling gains nothing.

        Counts the taker's later redouble, at the opponent's take point for the next cube number.
        """
        if self.worth(-2 * cube) >= self.worth(-cube) or cube >= LARGEST_CUBE:
            return None
        passed, lost = self.worth(-cube), self.lost(2 * cube)
        again = self.other().take_point(2 * cube)
        best, at = (self.won(2 * cube), 1.0) if again is None else (self.worth(2 * cube), 1.0 - again)
        point = at * (passed - lost) / (best - lost)
        return min(max(point, 0.0), 1.0)


def _interpolate(corners: list[tuple[float, float]], win: float) -> float:
    """Linear interpolation at `win` through `corners`, (probability, value) in ascending order."""
    for (left, low), (right, high) in pairwise(corners):
        if win <= right:
            return low if right <= left else low + (high - low) * (win - left) / (right - left)
    return corners[-1][1]
