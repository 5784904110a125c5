"""What the session knows at one moment, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from companion.message import message
from companion.model import Finding, PositionT, Side
from companion.observation import WHITE_BAR
from companion.phase import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Game
    from companion.hints import Ranking
    from companion.message import Message
    from companion.model import Verdict
    from companion.observation import Board, Observation
    from companion.rules.ruleset import Ruleset

DIFFERS_NATS = 6.0
"""A cell differs from what is expected where the camera finds the expected content e⁶, some 400 times, less likely
than the best: the board is known here, so a slight doubt must not stop the game."""


@dataclass(frozen=True, slots=True)
class Standing(Generic[PositionT]):
    """Everything the session knows at one moment.

    Attributes:
        game: the game as recorded.
        look: the last settled look at the board; None while something moves or nothing was seen yet.
        verdict: with dice on the table, the referee's answer to `look`.
        differs: the cells in which `look` differs from the position of record, between games from the starting one;
            `where` names them in words.
        notice: what was said about the last tap; None where there is nothing to say.
        refused: how often a tap was refused since the start.
        resumed: the game was taken up from the record and nobody has rolled since.
        greeting: what is to be said until somebody rolls.
        ranking: the hints asked for.
        camera: what is the matter with the camera.
        storage: why nothing can be recorded.
        dice_source: where the dice come from.
    """

    game: Game[PositionT]
    look: Observation | None = None
    verdict: Verdict[PositionT] | None = None
    differs: tuple[int, ...] = ()
    where: str = ""
    notice: str | None = None
    refused: int = 0
    resumed: bool = False
    greeting: str | None = None
    ranking: Ranking | None = None
    camera: str | None = None
    storage: str | None = None
    dice_source: str = ""

    @property
    def readable(self) -> bool:
        """Whether a settled look can be read."""
        return self.look is not None and self.look.unreadable is None

    @property
    def lost(self) -> bool:
        """Whether the board can be read and fits no reading of the game that goes on."""
        if not self.readable or not self.game.running or not self.differs:
            return False
        if self.game.phase is not Phase.TO_MOVE:
            return True
        return self.verdict is not None and self.verdict.finding is Finding.UNREADABLE

    @property
    def phase(self) -> Phase:
        """Where the evening stands: between games the board says whether the next one can begin."""
        phase = self.game.phase
        between = phase in (Phase.WAITING, Phase.OVER)
        return Phase.OPENING if between and self.readable and not self.differs else phase


def places(rules: Ruleset[PositionT], cells: Sequence[int], on_roll: Side | None) -> Message:
    """Cells for both players; points are White's, which is said where the board shows Black's numbers."""
    found = rules.places(cells)
    if on_roll is Side.BLACK and rules.sheet.game == "backgammon" and any(cell < WHITE_BAR for cell in cells):
        return message("backgammon.points.white", places=found)
    return found


def differing(observation: Observation, expected: Board) -> tuple[int, ...]:
    """The cells whose content is not the expected one; a cell not seen, or not expected to be known, never differs."""
    return tuple(
        cell
        for cell, (reading, content) in enumerate(zip(observation.cells, expected, strict=True))
        if content is not None and reading.log_likelihood(content) < -DIFFERS_NATS
    )
