"""The session at one table: game controller, last look, hints and the last notice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import Finding, PositionT, verbatim
from companion.interface import Hinted
from companion.referee import Assessment, LastLook
from companion.rules import names_on_record

if TYPE_CHECKING:
    from companion.core import Message, Names, Side
    from companion.game import Game
    from companion.interface import Saw, Taught
    from companion.rules import Ruleset
    from companion.session.game_controller import GameController
    from companion.session.hint_request import HintQuestion
    from companion.session.tutor import Tutor


class SessionContext(Generic[PositionT]):
    """The state of one table, shared by the session and its helpers in one thread.

    Attributes:
        rules, controller, hints, tutor: the rules, the games, the requested hints, the lesson on the last play.
        look: the last settled look and the verdict on it.
        notice: the message about the last tap; None if there is none.
        refused: number of taps refused since the start.
        camera: the fault of the camera; None if there is none.
        before: the picture that the turn began with (JPEG).
        resumed: whether the game was resumed from the record and nobody has rolled since.
        greeting: the message shown until somebody rolls.
        opponent: the side that Boardside plays in this game; None: neither.
    """

    def __init__(
        self,
        rules: Ruleset[PositionT],
        controller: GameController[PositionT],
        hints: HintQuestion,
        tutor: Tutor,
        greeting: Message | None = None,
        opponent: Side | None = None,
    ) -> None:
        self.rules = rules
        self.controller = controller
        self.hints = hints
        self.tutor = tutor
        self.look: LastLook[PositionT] = LastLook(rules)
        self.notice: Message | None = None
        self.refused = 0
        self.camera: Message | None = None
        self.before: bytes | None = None
        self.resumed = controller.game.running
        self.greeting = greeting
        self._opponent = opponent

    @property
    def game(self) -> Game[PositionT]:
        """The game as recorded."""
        return self.controller.game

    @property
    def opponent(self) -> Side | None:
        """The side that Boardside plays in this game; None: neither. It changes colours as players do."""
        side = self._opponent
        return side.opponent if side is not None and self.game.match.colours_changed else side

    @property
    def names(self) -> Names:
        """The players' names and colours in this game."""
        changed = self.game.match.colours_changed
        return names_on_record(self.rules.sheet, self.controller.names, colours_changed=changed)

    def saw(self, saw: Saw) -> None:
        """Take a settled look at the board."""
        self.look.take(saw, self.game)
        verdict = self.look.verdict
        if self.before is None and verdict is not None and verdict.finding is Finding.NOT_MOVED:
            self.before = saw.picture  # after a restart or a takeback: this is how the turn began

    def turn_begins(self) -> None:
        """Begin a turn: clear messages and hints about the turn before, and judge the look anew."""
        self.resumed, self.greeting = False, None
        self.look.accept()
        self.before = self.look.picture
        self.hints.hide()
        self.look.judge(self.game)

    def hint_tapped(self) -> None:
        """Ask for hints on the present position, or hide those that are shown. Raises Refusal."""
        legal = self.look.legal
        self.notice = self.hints.tapped(self.game, None if legal is None else legal.after)

    def answered(self, answer: Hinted | Taught) -> None:
        """Pass an engine's answer to the hints or the tutor."""
        if isinstance(answer, Hinted):
            self.notice = self.hints.answered(answer)
        else:
            self.tutor.taught(answer)

    def assessment(self) -> Assessment[PositionT]:
        """The session's state at this moment."""
        trouble = self.controller.journal.trouble
        return Assessment(
            game=self.game,
            look=self.look.observation,
            verdict=self.look.verdict,
            differs=self.look.differs,
            where=self.look.where(self.game),
            notice=self.notice,
            refused=self.refused,
            resumed=self.resumed,
            greeting=self.greeting,
            ranking=self.hints.ranking,
            lesson=self.tutor.lesson,
            camera=self.camera,
            storage=None if trouble is None else verbatim(trouble),
            dice_source=self.controller.roller.source,
            names=self.names,
            opponent=self.opponent,
        )
