"""Decides for Boardside as a player: plays, doubles, takes; noise weakens the lower levels.

A level below the strongest adds normal noise to the embedded engine's equity of every play. It is drawn from the
request's seed, so that the same decision is made again after a power cut.
"""

from __future__ import annotations

import logging
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.hints.cube import longest_match
from companion.hints.engine import FAULTS, fault_text

if TYPE_CHECKING:
    from companion.core import Dice, Side
    from companion.game import Match
    from companion.hints.cube import CubeQuestion
    from companion.hints.engine import Engine
    from companion.rules import Ruleset

LOG = logging.getLogger(__name__)
BEST_LEVEL = 6
NOISE = {1: 9.0, 2: 0.86, 3: 0.46, 4: 0.3, 5: 0.16}
"""Level to standard deviation in points of equity: neighbouring levels differ by about the same strength
(`benchmarks/levels.py`)."""
NOISE_IN_MEN = {1: 90.0, 2: 1.9, 3: 0.75, 4: 0.35, 5: 0.05}
"""The same for checkers, in men."""
EVERY_PLAY = 10_000
TAKE_POINT = -0.5
"""Equity from which a double is taken if an engine gives no advice: 25 % of the games (without gammons)."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A request to decide for `side`; `turn` is returned with the answer; `seed` identifies the decision.

    `cube` is a question about a double: `side` may offer it, or where `cube.side` is the opponent, answers it.
    `match` says what counts.
    """

    position: Any
    side: Side
    dice: Dice | None
    turn: int
    seed: str = ""
    cube: CubeQuestion | None = None
    match: Match | None = None


@dataclass(frozen=True, slots=True)
class PlayerDecision:
    """A decision: the `play` in standard notation; or `yes`, whether to double or to take.

    `note`: the error of an engine that failed; `blind`: no engine answered, so that the play is any legal one.
    """

    play: str = ""
    yes: bool = False
    note: str | None = None
    blind: bool = False


class Player:
    """Decides at one level (1 to BEST_LEVEL); where `engine` fails, `embedded` decides."""

    def __init__(self, rules: Ruleset[Any], engine: Engine, embedded: Engine, level: int = BEST_LEVEL) -> None:
        """`engine` plays at the best level and decides about the cube, `embedded` plays at the others."""
        self._rules = rules
        self._engine = engine
        self._embedded = embedded
        self._noise = (NOISE_IN_MEN if rules.sheet.game == "checkers" else NOISE).get(level, 0.0)

    def decide(self, request: DecisionRequest) -> PlayerDecision:
        """Decide; if both engines fail, make any legal play and take every double, because a pass loses the game."""
        asked = self._embedded if self._noise and request.cube is None else self._engine
        note = None
        for engine in (asked, self._embedded):
            try:
                return replace(self._decide(engine, request), note=note)
            except FAULTS as error:
                note = fault_text(error)
                LOG.warning("%s does not decide: %s", engine.name, note)
        if request.cube is not None:
            return PlayerDecision(yes=request.cube.side is not request.side, note=note, blind=True)
        plays = self._rules.successors(request.position, request.side, request.dice)
        return PlayerDecision(self._rules.write_play(plays[0].play) if plays else "", note=note, blind=True)

    def stop(self) -> None:
        """End the embedded engine's search until `ready`; the other engine belongs to the caller."""
        self._embedded.stop()

    def ready(self) -> None:
        """Let the embedded engine search in full again."""
        self._embedded.ready()

    def close(self) -> None:
        """Close the embedded engine; the other engine belongs to the caller."""
        self._embedded.close()

    def _decide(self, engine: Engine, request: DecisionRequest) -> PlayerDecision:
        if request.cube is not None:
            return PlayerDecision(yes=self._cube(engine, request.cube, request.side))
        n = EVERY_PLAY if self._noise else 1
        plays = engine.rank(request.position, request.side, request.dice, n, request.match).plays
        drawn = random.Random(request.seed)  # noqa: S311 - no secret
        noisy = [(play.equity + self._noise * drawn.gauss(0.0, 1.0), play.play) for play in plays]
        return PlayerDecision(max(noisy, key=lambda pair: pair[0])[1] if noisy else "")

    def _cube(self, engine: Engine, question: CubeQuestion, side: Side) -> bool:
        match = question.match
        if match.length - min(match.score) > longest_match():  # beyond the table it is evaluated as a series
            question = replace(question, match=replace(match, length=0))
        advice = engine.cube(question)
        if advice is not None:
            return advice.doubles if question.side is side else advice.takes
        if question.side is side:
            return False
        (play,) = engine.weigh([question.position], side)
        return play.equity >= TAKE_POINT
