"""The last settled look at the board, and what it means for the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.message import message
from companion.model import Finding, PositionT, Verdict
from companion.phase import Phase
from companion.referee import judge
from companion.standing import differing, places

if TYPE_CHECKING:
    from companion.game import Game
    from companion.inbox import Saw
    from companion.observation import Observation
    from companion.rules.ruleset import Ruleset


class LastLook(Generic[PositionT]):
    """What was seen last, with the referee's verdict on it.

    Attributes:
        verdict: with a turn under way, the referee's answer; None where there is nothing to judge.
        differs: the cells that differ from the position of record, between games from the starting position.
    """

    def __init__(self, rules: Ruleset[PositionT]) -> None:
        self._rules = rules
        self._saw: Saw | None = None
        self._put_back: tuple[int, int] | None = None
        self.verdict: Verdict[PositionT] | None = None
        self.differs: tuple[int, ...] = ()

    @property
    def observation(self) -> Observation | None:
        """What the camera claimed; None while something moves or nothing was seen yet."""
        return None if self._saw is None else self._saw.observation

    @property
    def picture(self) -> bytes | None:
        """The JPEG it was read from."""
        return None if self._saw is None else self._saw.picture

    @property
    def legal(self) -> Verdict[PositionT] | None:
        """The verdict, where it is a legal play whose result is certain."""
        verdict = self.verdict
        legal = verdict is not None and verdict.finding is Finding.LEGAL and verdict.after is not None
        return verdict if legal else None

    def take(self, saw: Saw, game: Game[PositionT]) -> None:
        """Look anew, and judge."""
        self._saw = saw
        self.judge(game)

    def forget(self) -> None:
        """Something moves: what was seen no longer stands."""
        self._saw, self.verdict, self.differs = None, None, ()

    def judge(self, game: Game[PositionT], *, done: bool = False) -> None:
        """Say what was seen last means for the game as it stands; `done`: the turn is declared finished."""
        self.verdict = None
        self.compare(game)
        observation = self.observation
        if observation is None or game.phase is not Phase.TO_MOVE or game.position is None or game.on_roll is None:
            return
        verdict = judge(self._rules, game.position, game.on_roll, game.dice, observation, done=done)
        self.verdict = self._unless_taken_back(verdict, game)

    def _unless_taken_back(self, verdict: Verdict[PositionT], game: Game[PositionT]) -> Verdict[PositionT]:
        """A play that was taken back and still stands does not count again before the board was put back."""
        takeback = (game.number, game.takebacks)
        if game.taken_back is None or game.taken_back == game.position or self._put_back == takeback:
            return verdict
        if verdict.after == game.taken_back:
            where = places(self._rules, self.differs, game.on_roll)
            what = message("taken_back", places=where)
            return Verdict(Finding.UNFINISHED, what, plays=verdict.plays, cells=self.differs)
        if verdict.finding not in (Finding.UNREADABLE, Finding.AMBIGUOUS):
            self._put_back = takeback
        return verdict

    def compare(self, game: Game[PositionT]) -> None:
        """Say where it differs from the position of record, or between games from the starting position."""
        expected = game.position if game.running and game.position is not None else self._rules.start()
        self.differs = self._differing(expected) or ()

    @property
    def shows_start(self) -> bool:
        """Whether the starting position stands there for certain."""
        return self._differing(self._rules.start()) == ()

    def _differing(self, expected: PositionT) -> tuple[int, ...] | None:
        """The cells that differ from a position; None where the board was not read."""
        observation = self.observation
        if observation is None or observation.unreadable is not None:
            return None
        return differing(observation, self._rules.visible(expected))
