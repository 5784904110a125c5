"""The log of a game: its turns, and what happened between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core import message

if TYPE_CHECKING:
    from companion.core import Dice, Message, Side
    from companion.game.events import Ended


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn in the history of a game.

    Attributes:
        side: the player.
        dice: the roll; None in a game without dice.
        play: the play in standard notation.
        note: why the turn ended otherwise than by a legal play; else empty.
        before: the position before it.
        cube: the cube's value before it.
    """

    side: Side
    dice: Dice | None
    play: str
    note: str = ""
    before: Any = None
    cube: int = 1

    @property
    def taken_back(self) -> Message:
        """The message that this turn is taken back, as the end of a sentence."""
        if not self.play:
            return message("offer.takeback.turn", player=self.side)
        return message("offer.takeback", player=self.side, play=self.play)


@dataclass(frozen=True, slots=True)
class Happening:
    """An event between two turns as a message; `side` is the player who acted, None: both or neither."""

    what: Message
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class GameLog:
    """One game.

    Attributes:
        number: number of the game in its match or evening, from 1; 0: none has begun.
        entries: turns and the events between them, oldest first; a turn that was taken back stays.
        ended: how the game ended; None while it goes on.
        score: (White's, Black's) points after it.
        colours_changed: whether the players had each other's colours.
    """

    number: int = 0
    entries: tuple[Turn | Happening, ...] = ()
    ended: Ended | None = None
    score: tuple[int, int] = (0, 0)
    colours_changed: bool = False
