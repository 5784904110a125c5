"""The session's state at one moment as one value, and what the last look at the board says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic

from companion.core import WHITE_AND_BLACK, CellReading, Finding, PositionT, Side, Verdict, differing_cells, message
from companion.dice import DiceName
from companion.game import Phase
from companion.referee.announced import announced_position, as_announced
from companion.referee.judge import judge
from companion.referee.putting_back import PuttingBack
from companion.referee.readings import looks_same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Content, Message, Names, Observation
    from companion.game import Game
    from companion.hints import Lesson, Ranking
    from companion.interface import Saw
    from companion.rules import Ruleset


DIFFERS_NATS = 6.0
"""A cell differs if the expected content is e⁶ (about 400) times less likely than the best one. The expected board is
known, so a slight doubt must not stop the game."""
NOWHERE = message("list", facts=())


@dataclass(frozen=True, slots=True)
class Assessment(Generic[PositionT]):
    """Everything the session knows at one moment.

    Attributes:
        game: the game as recorded.
        look: the last settled look at the board; None while something moves or nothing was seen yet.
        verdict: the referee's answer to `look`, once dice are rolled.
        differs: the cells in which `look` differs from the position of record, between games from the starting one;
            `where` names them.
        notice: the message about the last tap; None where there is none.
        refused: number of taps refused since the start.
        resumed: whether the game was resumed from the record and nobody has rolled since.
        greeting: the message shown until somebody rolls.
        ranking: the requested hints.
        lesson: what the last play gave away.
        camera: what is wrong with the camera.
        storage: why nothing can be recorded.
        dice_source: the source of the dice.
        names: the players' names and colours.
        opponent: the side that Boardside itself plays; None: neither.
    """

    game: Game[PositionT]
    look: Observation | None = None
    verdict: Verdict[PositionT] | None = None
    differs: tuple[int, ...] = ()
    where: Message = NOWHERE
    notice: Message | None = None
    refused: int = 0
    resumed: bool = False
    greeting: Message | None = None
    ranking: Ranking | None = None
    lesson: Lesson | None = None
    camera: Message | None = None
    storage: Message | None = None
    dice_source: DiceName = DiceName.FAIR
    names: Names = WHITE_AND_BLACK
    opponent: Side | None = None

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
        """The phase of the evening: between games the board shows whether the next one can begin."""
        phase = self.game.phase
        between = phase in (Phase.WAITING, Phase.OVER)
        return Phase.OPENING if between and self.readable and not self.differs else phase


def places(rules: Ruleset[PositionT], cells: Sequence[int], numbered_for: Side | None) -> Message:
    """Cells in the numbers that the board shows (`Game.numbered_for`); None: White's."""
    return rules.places(cells, numbered_for or Side.WHITE)


def differing(observation: Observation, expected: Board) -> tuple[int, ...]:
    """The cells whose content is not the expected one; a cell that is not seen, or expected as None, never differs."""
    return tuple(
        cell
        for cell, (reading, content) in enumerate(zip(observation.cells, expected, strict=True))
        if content is not None and reading.log_likelihood(content) < -DIFFERS_NATS
    )


def set_up_advice(
    verdict: Verdict[PositionT], game: Game[PositionT], differs: Sequence[int]
) -> Verdict[PositionT] | None:
    """The advice to set up the opening drawn by lot; None if there is none, or the board shows it or a legal move.

    `verdict` is the one without this advice; `differs` are the cells that differ from the opening.
    """
    side = _opening_awaited_by(game)
    if side is None or not differs or verdict.finding is Finding.LEGAL or verdict.unseen:
        return None
    what = message("ballot.drawn", play=game.ballot, player=side)
    return Verdict(Finding.UNFINISHED, what, plays=verdict.plays, cells=tuple(differs))


def _opening_awaited_by(game: Game[Any]) -> Side | None:
    """The player to move first after an opening that was drawn by lot; None where there is none, or a move was made."""
    awaited = bool(game.ballot) and len(game.history) == len(game.ballot.split())
    return game.on_roll if awaited else None


def certain(content: Content | None) -> CellReading:
    """The reading of a cell whose content is known; None: it is out of view."""
    return CellReading() if content is None else CellReading(((content, 0.0),))


class LastLook(Generic[PositionT]):
    """What was seen last, with the referee's verdict on it.

    Attributes:
        verdict: with a turn under way, the referee's answer; None where there is nothing to judge.
        differs: the cells that differ from the position of record, between games from the starting position.
    """

    def __init__(self, rules: Ruleset[PositionT]) -> None:
        self._rules = rules
        self._saw: Saw | None = None
        self._read: Observation | None = None
        self._putting_back: PuttingBack[PositionT] = PuttingBack()
        self._opening_shown: int | None = None
        self._answered: Observation | None = None
        self.verdict: Verdict[PositionT] | None = None
        self.differs: tuple[int, ...] = ()

    @property
    def observation(self) -> Observation | None:
        """The last settled observation; None while something moves or nothing was seen yet."""
        return None if self._saw is None else self._saw.observation

    @property
    def picture(self) -> bytes | None:
        """The JPEG picture of `observation`."""
        return None if self._saw is None else self._saw.picture

    @property
    def legal(self) -> Verdict[PositionT] | None:
        """The verdict, where it is a legal play whose result is certain."""
        verdict = self.verdict
        legal = verdict is not None and verdict.finding is Finding.LEGAL and verdict.after is not None
        return verdict if legal else None

    def take(self, saw: Saw, game: Game[PositionT]) -> None:
        """Take a new look, and judge it."""
        self._saw = saw
        if saw.observation.unreadable is None:
            self._read = saw.observation
        self.judge(game)

    def forget(self) -> None:
        """Discard the last look, because something moves."""
        self._saw, self.verdict, self.differs = None, None, ()

    def accept(self) -> None:
        """End the turn. A reading that the players named is remembered as long as the board looks the same."""
        verdict = self.verdict
        named = verdict is not None and bool(verdict.readings) and verdict.finding is not Finding.AMBIGUOUS
        self._answered = self.observation if named else None

    def judge(self, game: Game[PositionT], *, done: bool = False) -> None:
        """Judge the last look against the present game; `done`: the turn is declared finished."""
        self.verdict = None
        self.compare(game)
        self._putting_back.note_takeback(game, self._cells_to_put_back(game))
        observation = self.observation
        if observation is None or game.phase is not Phase.TO_MOVE or game.position is None or game.on_roll is None:
            return
        if self._answered is not None and not observation.unreadable and looks_same(observation, self._answered):
            cells = tuple(certain(content) for content in self._rules.visible(game.position))
            observation = replace(observation, cells=cells, between=())
        verdict = judge(
            self._rules, game.position, game.on_roll, game.dice, observation, done=done, answer=game.read_as
        )
        verdict = self._putting_back.verdict(verdict, game, self.differs, self.where(game))
        self.verdict = self._or_set_up_advice(self._as_announced(verdict, game), game)

    def _as_announced(self, verdict: Verdict[PositionT], game: Game[PositionT]) -> Verdict[PositionT]:
        """In a turn of Boardside's own, only the play that it announced is legal."""
        after = announced_position(self._rules, game)
        if after is None:
            return verdict
        cells = self._differing(after) or ()
        return as_announced(game, after, verdict, places(self._rules, cells, game.numbered_for), cells)

    def where(self, game: Game[PositionT]) -> Message:
        """The cells that differ, in words."""
        return places(self._rules, self.differs, game.numbered_for) if self.differs else NOWHERE

    def _or_set_up_advice(self, verdict: Verdict[PositionT], game: Game[PositionT]) -> Verdict[PositionT]:
        """Until the opening drawn by lot has stood on the board once, any other board counts as being set up."""
        if not self.differs and _opening_awaited_by(game) is not None:
            self._opening_shown = game.number
        advice = None if self._opening_shown == game.number else set_up_advice(verdict, game, self.differs)
        return verdict if advice is None else advice

    def _cells_to_put_back(self, game: Game[PositionT]) -> tuple[int, ...]:
        """The cells in which the last board read, or the play taken back, differs from the position."""
        if game.taken_back is None or game.position is None:
            return ()
        before, after = self._rules.visible(game.position), self._rules.visible(game.taken_back)
        return (*differing_cells(before, after), *(() if self._read is None else differing(self._read, before)))

    def compare(self, game: Game[PositionT]) -> None:
        """Set `differs`: the cells that differ from the position of record, between games from the starting one."""
        expected = game.position if game.running and game.position is not None else self._rules.start()
        self.differs = self._differing(expected) or ()

    @property
    def shows_start(self) -> bool:
        """Whether the board certainly shows the starting position."""
        return self._differing(self._rules.start()) == ()

    def _differing(self, expected: PositionT) -> tuple[int, ...] | None:
        """The cells that differ from a position; None where the board was not read."""
        observation = self.observation
        if observation is None or observation.unreadable is not None:
            return None
        return differing(observation, self._rules.visible(expected))
