"""What a play gave away, and the better one with its why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.hints.why import better_because

if TYPE_CHECKING:
    from companion.core import Dice, Side
    from companion.game import Match
    from companion.hints.engine import Engine, RankedPlay
    from companion.rules import Ruleset

PLAYS = 5
"""Number of plays ranked; a play that is not among them is evaluated together with the best one."""


DOUBTFUL, DOUBTFUL_IN_MEN = 0.04, 0.2
"""Loss above which a play is doubtful: in equity, as in gnubg (`companion.analysis.grades`), and men of checkers."""


@dataclass(frozen=True, slots=True)
class LessonRequest:
    """A request to compare the `play` of a turn, which led to `after`, with the best; `turn` comes with the answer.

    `match` says what counts.
    """

    position: Any
    side: Side
    dice: Dice | None
    play: str
    after: Any
    turn: int
    match: Match | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the `play` of `side` gave away against `better`, in points or (`in_men`) in men of checkers.

    `better.why` has the facts that do not hold for the play made; `better` is None if the play was the best.
    """

    side: Side
    play: str
    lost: float
    better: RankedPlay | None
    in_men: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the loss is large enough to mention."""
        return self.lost > (DOUBTFUL_IN_MEN if self.in_men else DOUBTFUL)


def lesson_of(engine: Engine, rules: Ruleset[Any], request: LessonRequest) -> Lesson | None:
    """The lesson of a play; None where there was no choice. Raises EngineError."""
    before, side, in_men = request.position, request.side, rules.sheet.game == "checkers"
    if len(rules.successors(before, side, request.dice)) < 2:
        return None
    best, *others = engine.rank(before, side, request.dice, PLAYS, request.match).plays
    if best.after == request.after:
        return Lesson(side, request.play, 0.0, None, in_men)
    made = next((play.equity for play in others if play.after == request.after), None)
    reference = best.equity
    if made is None:
        weighed = engine.weigh([best.after, request.after], side, request.match)
        reference, made = (play.equity for play in weighed)
    why = better_because(rules, before, best.after, request.after, side)
    return Lesson(side, request.play, max(reference - made, 0.0), replace(best, why=why), in_men)
