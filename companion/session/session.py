"""The session: one thread handles the items of one inbox and calls everything else.

After a tap the dice are rolled, the roll is recorded, then it is shown. Readings of still pictures are judged by the
referee, and what follows for the game is recorded before it is shown. `handle` processes one item without a clock of
its own, which is all that a replay or a test needs; `run` feeds it from the inbox.
"""

from __future__ import annotations

import logging
import queue
from typing import TYPE_CHECKING, Generic

from companion.core import BoardsideError, PositionT, Refusal, Verdict, verbatim
from companion.game import Phase, Remedy
from companion.interface import (
    Agrees,
    Button,
    CameraTrouble,
    CubeActed,
    Decided,
    Declines,
    Done,
    Draws,
    Hinted,
    HintsHidden,
    Item,
    Proposes,
    RecordRetry,
    Resigns,
    RolledByHand,
    Ruling,
    Saw,
    SecretAsked,
    SetUp,
    Stirred,
    Tapped,
    Taught,
)
from companion.rules import board_layout
from companion.session.context import SessionContext
from companion.session.double_answers import DoubleAnswers
from companion.session.game_controller import GameController
from companion.session.hint_request import HintQuestion
from companion.session.inbox import items_until_stop
from companion.session.opponent import Opponent
from companion.session.ports import WITHOUT_PORTS, SessionPorts, SessionStart
from companion.session.procedure import Procedure
from companion.session.questions import Questions
from companion.session.turns import Turns
from companion.session.tutor import Tutor
from companion.views import draw

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Board, Message
    from companion.dice import DiceSource
    from companion.game import Game
    from companion.rules import Ruleset


LOG = logging.getLogger(__name__)


class Session(Generic[PositionT]):
    """One evening at one table, as seen by a camera."""

    def __init__(
        self,
        rules: Ruleset[PositionT],
        dice: DiceSource,
        ports: SessionPorts = WITHOUT_PORTS,
        start: SessionStart[PositionT] | None = None,
    ) -> None:
        """Resume the game of `start`; None: an empty table."""
        start = start or SessionStart()
        controller = GameController(
            rules, dice, ports.record, ports.clock, start.resume, start.terms, pictures=ports.pictures
        )
        hints, tutor = HintQuestion(ports.ask_hint), Tutor(ports.ask_lesson)
        opponent = None if ports.ask_decision is None else start.opponent
        self._context = SessionContext(rules, controller, hints, tutor, start.greeting, opponent)
        self._turns = Turns(self._context)
        self._procedure = Procedure(self._context, self._turns)
        self._questions = Questions(self._context)
        self._doubles = DoubleAnswers(self._context, self._turns)
        self._opponent: Opponent[PositionT] | None = None
        if ports.ask_decision is not None and opponent is not None:
            self._opponent = Opponent(self._context, self._turns, self._procedure, ports.ask_decision)
        self._publish = ports.publish
        self._simulated = start.simulated
        self._layout = start.layout or board_layout(rules.sheet)
        self._inbox: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._declared: Verdict[PositionT] | None = None
        self._version = 0

    @property
    def game(self) -> Game[PositionT]:
        """The game as recorded."""
        return self._context.game

    @property
    def verdict(self) -> Verdict[PositionT] | None:
        """The verdict on the last settled look.

        After a turn was declared done and accepted, it is the verdict on that turn, until the next item.
        """
        return self._declared or self._context.look.verdict

    def turn_began_from(self) -> Board | None:
        """The position of record as camera cells; None while no game is on. Thread-safe."""
        game = self._context.game
        return self._context.rules.visible(game.position) if game.running and game.position is not None else None

    # --- the inbox -----------------------------------------------------------------------------------------------

    def post(self, item: Item) -> None:
        """Put an item on the inbox; from any thread."""
        self._inbox.put(item)

    def stop(self) -> None:
        """Let `run` return once everything posted so far is handled."""
        self._inbox.put(None)

    def run(self, tick: Callable[[], None] = lambda: None) -> None:
        """Handle items until `stop`; `tick` is called after each, and every second while there are none."""
        self._seal_dice()
        self._show()
        for item in items_until_stop(self._inbox, tick):
            self.handle(item)
        self._leave()

    def handle(self, item: Item) -> None:
        """Handle one item and publish the new snapshot."""
        if not isinstance(item, Stirred | CameraTrouble | RecordRetry | Taught):
            self._context.notice = None
        self._declared, before = None, self.game
        try:
            admitted = item if self._opponent is None else self._opponent.admitted(item)
            if admitted is not None:
                self._dispatch(admitted)
        except BoardsideError as refusal:  # such as a tap that comes too early, or a full disk
            self._context.notice = _notice(refusal)
            self._context.refused += 1
            if self.game is not before:  # a part was recorded before the disk was full
                self._context.look.judge(self.game)
        if self._opponent is not None:
            self._opponent.act(item.at_s)
        self._doubles.note_double(before, item.at_s)
        self._context.tutor.see(before, self.game, self._context.opponent)
        self._seal_dice()
        self._show()

    def _seal_dice(self) -> None:
        """Record the commitment to the next rolls, so that it is shown before anybody can tap."""
        try:
            self._context.controller.roller.commit()
        except BoardsideError as error:  # such as a full disk: nothing is rolled without a commitment
            self._context.notice = self._context.notice or _notice(error)

    def _leave(self) -> None:
        try:
            self._context.controller.roller.leave()
        except BoardsideError as error:
            LOG.warning("The secret behind the dice is not revealed yet: %s", error)

    def _dispatch(self, item: Item) -> None:
        match item:
            case Saw():
                self._context.saw(item)
                self._questions.withdraw_if_gone()
                self._procedure.replies.withdraw_if_gone()
                self._turns.end_if_over()
                self._turns.dice_seen()
            case Stirred():
                self._context.look.forget()
                self._context.controller.roller.tracker.forget()
            case CameraTrouble():
                self._context.camera = None if item.message is None else verbatim(item.message)
                self._context.look.forget()
            case Tapped():
                self._tapped(item)
            case Ruling():
                self._procedure.settle(item)
            case Proposes() | Agrees() | Declines():
                self._handle_answer(item)
            case Hinted() | Taught() | Decided():
                self._engine_answered(item)
            case HintsHidden():
                self._context.hints.hide()
            case CubeActed() | Resigns() | Draws():
                self._handle_offer(item)
            case _:
                self._handle_other(item)

    def _handle_answer(self, item: Proposes | Agrees | Declines) -> None:
        """Handle a proposal or an answer from the page."""
        if isinstance(item, Proposes) and item.remedy is Remedy.READING:
            self._questions.propose(item)
        else:
            self._procedure.answer(item)

    def _engine_answered(self, item: Hinted | Taught | Decided) -> None:
        if not isinstance(item, Decided):
            self._context.answered(item)
        elif self._opponent is not None:
            self._opponent.decided(item)

    def _tapped(self, tap: Tapped) -> None:
        match tap.button:
            case Button.ROLL | Button.HINT if self._doubles.is_answer(tap):
                self._doubles.answer(tap)
            case Button.ROLL if self._procedure.in_question:
                self._procedure.agree_by_tap(tap.player, tap.at_s)
            case Button.HINT if self._questions.asked:
                if not self._questions.next(tap.player):
                    self._procedure.decline(tap.player)
            case Button.HINT if self.game.proposal is not None:
                self._procedure.decline(tap.player)
            case Button.ROLL:
                self._turns.roll_tapped(tap.player, tap.at_s)
            case Button.HINT:
                self._context.hint_tapped()
            case Button.REFEREE:
                self._procedure.referee_called(tap.player)

    def _handle_offer(self, item: CubeActed | Resigns | Draws) -> None:
        """Handle cube actions, offers to end the game, and claims of a draw."""
        match item:
            case CubeActed():
                self._turns.cube_acted(item)
            case Draws(claimed=True):
                self._turns.draw_claimed()
            case _:
                self._procedure.offer_end(item)

    def _handle_other(self, item: RolledByHand | SecretAsked | RecordRetry | Done | SetUp) -> None:
        """Handle the remaining items, posted by players, scripts and the backup worker."""
        match item:
            case RecordRetry():
                self._context.controller.journal.try_again()
            case RolledByHand():
                self._turns.rolled_by_hand(item.side, item.dice)
            case SecretAsked():
                self._context.controller.roller.reveal_secret()
            case Done() if self.game.phase is Phase.TO_MOVE:
                self._context.look.judge(self.game, done=True)
                self._turns.end_if_over()
                self._declared = self._turns.declared_done()
            case SetUp():
                self._context.controller.set_up(item.position, item.on_roll)
                self._context.turn_begins()

    # --- showing -------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        self._version += 1
        assessment, rules = self._context.assessment(), self._context.rules
        self._publish(draw(assessment, rules, self._version, simulated=self._simulated, layout=self._layout))


def _notice(error: BoardsideError) -> Message:
    """The message for an error."""
    return error.message if isinstance(error, Refusal) else verbatim(str(error))
