"""The result of an analysis: the decisions of each game, with their cost and luck.

Equities and losses are normalised as in gnubg (EMG, equivalent to money game): 1 is a game won at the present cube.
`cost` and `luck_cost` are the same in match-winning probability (0 to 1), or in points in a series. In checkers all are
in men.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from companion.core import BoardsideError, Side

FORMAT = 1
"""Version of the JSON of a game's analysis; raised with every change of its meaning."""


class AnalysisError(BoardsideError):
    """A match cannot be analysed, or an analysis cannot be read; the message says why and what to do."""


class DecisionKind(StrEnum):
    """What was decided."""

    PLAY = "play"
    NO_DOUBLE = "no_double"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a double is passed


@dataclass(frozen=True, slots=True)
class Option:
    """A legal play in standard notation, and its equity for the mover."""

    play: str
    equity: float


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a player.

    Attributes:
        turn: number of its action in the game, from 1.
        side, kind: who decided what.
        position: the position before it, in the form of the JSON interfaces.
        dice: the roll; empty without one.
        made: the play in standard notation; empty if none was legal, and for the cube.
        best: the best play, or the best `DecisionKind` with the cube.
        loss, cost: equity given away against `best`, 0 or more.
        counts: whether it counts for error rates: a play with a choice, or a close or actual cube decision.
        luck, luck_cost: of the roll; `luck` is None without one.
        value: of the game to White after it; None if unknown.
        options: the best plays, best first, and the one made.
    """

    turn: int
    side: Side
    kind: DecisionKind
    position: Any
    dice: tuple[int, ...] = ()
    made: str = ""
    best: str = ""
    loss: float = 0.0
    cost: float = 0.0
    counts: bool = False
    luck: float | None = None
    luck_cost: float = 0.0
    value: float | None = None
    options: tuple[Option, ...] = ()

    @property
    def of_cube(self) -> bool:
        """Whether it is about the cube."""
        return self.kind is not DecisionKind.PLAY


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """The analysis of one game.

    Attributes:
        number: the game in its match, from 1.
        engine: the engine's name and plies.
        score: (White's, Black's) points before it.
        winner, points: the result; `winner` None: a draw or no result.
        result: what the end changed for White, in the unit of `cost`.
        decisions: in order.
        colours_changed: whether each player has the colour that the other had in the first game.
        note: why a weaker engine was used, or empty.
    """

    number: int
    engine: str
    score: tuple[int, int]
    winner: Side | None
    points: int
    result: float
    decisions: tuple[Decision, ...] = field(default=())
    colours_changed: bool = False
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The analysis as JSON."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: Any) -> GameAnalysis:
        """Read what `to_json` made. Raises AnalysisError."""
        try:
            fields = dict(data)
            if fields.pop("format") != FORMAT:
                raise ValueError
            fields["decisions"] = tuple(map(_decision, fields["decisions"]))
            white, black = fields["score"]
            winner = fields["winner"]
            return cls(
                **{**fields, "score": (int(white), int(black)), "winner": None if winner is None else Side(winner)}
            )
        except (TypeError, ValueError, KeyError) as error:
            raise AnalysisError("what is kept of an analysis is damaged: it is made again") from error


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """A match or series: its length (0: a series), the game played, and the finished games that were analysed."""

    game: str
    length: int
    games: tuple[GameAnalysis, ...]

    @property
    def in_men(self) -> bool:
        """Whether it is checkers, whose losses are men."""
        return self.game == "checkers"


def _decision(data: dict[str, Any]) -> Decision:
    fields = {
        **data,
        "side": Side(data["side"]),
        "kind": DecisionKind(data["kind"]),
        "dice": tuple(map(int, data["dice"])),
    }
    numbers = (fields["loss"], fields["cost"], fields["luck_cost"], *filter(None, (fields["luck"], fields["value"])))
    if not all(isinstance(number, int | float) for number in numbers):
        raise TypeError
    options = tuple(Option(str(option["play"]), float(option["equity"])) for option in data["options"])
    return Decision(**{**fields, "options": options})
