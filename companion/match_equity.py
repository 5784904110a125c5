"""Match equity: probability of winning the match at a score, before a game begins.

The table is Neil Kazaross's XG2 table for 25 points, as gnubg ships it (`companion/tables/kazaross-xg2.toml` has its
origin). It is for two equal players who use the cube well.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.model import BoardsideError

TABLE = Path(__file__).parent / "tables" / "kazaross-xg2.toml"


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
