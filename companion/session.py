"""The shell around the game: one inbox, one thread; everything else is called from here.

The one flow: a tap comes in, the dice roll, the record keeps it, then it is shown; frames come in as settled looks, the
referee judges them, and what follows for the game is kept before it is shown. `handle` does one item at a time, has no
clock of its own and is all that a replay or a test needs; `run` feeds it from the inbox.
"""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING, Generic

from companion.evening import Evening
from companion.hints import HintRequest
from companion.inbox import (
    Button,
    CameraTrouble,
    Done,
    Hinted,
    HintsHidden,
    Item,
    RolledByHand,
    Ruling,
    Saw,
    SetUp,
    Stirred,
    Tapped,
)
from companion.model import BoardsideError, Finding, PositionT, Verdict
from companion.referee import judge
from companion.refusal import (
    Refusal,
    refuse_other_player,
    refuse_unless_as_recorded,
    refuse_unless_legal,
    refuse_while_disputed,
)
from companion.seen import position_seen
from companion.snapshot import Phase
from companion.standing import Standing, differing
from companion.view import draw, verdict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.dice import DiceSource
    from companion.evening import Journal
    from companion.events import Event
    from companion.game import Game
    from companion.hints import Ranking
    from companion.model import Dice, Side
    from companion.rules.ruleset import Ruleset
    from companion.snapshot import Snapshot


class Session(Generic[PositionT]):
    """One evening at one table, as seen by a camera."""

    def __init__(
        self,
        rules: Ruleset[PositionT],
        dice: DiceSource,
        *,
        record: Journal | None = None,
        publish: Callable[[Snapshot], None] = lambda _: None,
        ask_hint: Callable[[HintRequest], None] | None = None,
        clock: Callable[[], float] = time.time,
        resume: Sequence[Event[PositionT]] = (),
        simulated: bool = False,
        greeting: str | None = None,
    ) -> None:
        """Take up the game that the events in `resume` tell of.

        `record` keeps what happens (None: nothing is kept), `publish` gets every snapshot, `ask_hint` passes a
        question to an engine that answers with `Hinted` (None: no hints), `clock` gives seconds since 1970 for the
        record, `simulated` says that the table is a simulated one, `greeting` is said until somebody rolls.
        """
        self._rules = rules
        self._evening = Evening(rules, dice, record, clock, resume)
        self._publish = publish
        self._ask_hint = ask_hint
        self._simulated = simulated
        self._inbox: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._look: Saw | None = None
        self._verdict: Verdict[PositionT] | None = None
        self._differs: tuple[int, ...] = ()
        self._before: bytes | None = None
        self._notice: str | None = None
        self._camera: str | None = None
        self._resumed = self.game.running
        self._greeting = greeting
        self._leaving = False
        self._ranking: Ranking | None = None
        self._questions = 0
        self._open_question: int | None = None
        self._version = 0

    @property
    def game(self) -> Game[PositionT]:
        """The game as recorded."""
        return self._evening.game

    @property
    def verdict(self) -> Verdict[PositionT] | None:
        """The referee's answer to the last settled look; the one that ended the game stays until the next look."""
        return self._verdict

    # --- the inbox -----------------------------------------------------------------------------------------------

    def post(self, item: Item) -> None:
        """Put an item on the inbox; from any thread."""
        self._inbox.put(item)

    def stop(self) -> None:
        """Let `run` return once everything posted so far is handled."""
        self._inbox.put(None)

    def run(self) -> None:
        """Handle items until `stop`."""
        self._show()
        while (item := self._inbox.get()) is not None:
            self.handle(item)

    def handle(self, item: Item) -> None:
        """Handle one item and publish what the table then shows."""
        if not isinstance(item, Stirred | CameraTrouble):
            self._notice = None
        try:
            self._dispatch(item)
        except BoardsideError as refusal:  # a tap that comes too early, a full disk: nothing has happened
            self._notice = str(refusal)
        self._show()

    def _dispatch(self, item: Item) -> None:
        match item:
            case Saw():
                self._look = item
                self._judge()
                self._end_if_over()
            case Stirred():
                self._forget_look()
            case CameraTrouble():
                self._camera = item.message
                self._forget_look()
            case Tapped():
                self._tapped(item)
            case Ruling():
                self._settle(item.dispute, stands=item.choice == "stands")
            case Hinted():
                self._show_hints(item)
            case HintsHidden():
                self._put_hints_away()
            case _:
                self._told(item)

    def _tapped(self, tap: Tapped) -> None:
        match tap.button:
            case Button.ROLL:
                self._roll_tapped(tap.player)
            case Button.HINT:
                self._hint_tapped()
            case Button.REFEREE:
                self._referee_tapped()

    def _told(self, item: RolledByHand | Done | SetUp) -> None:
        """What the players, or a script, say themselves."""
        match item:
            case RolledByHand():
                self._rolled_by_hand(item.side, item.dice)
            case Done() if self.game.phase is Phase.TO_MOVE:
                self._judge(done=True)
                self._end_if_over()
            case SetUp():
                self._evening.set_up(item.position, item.on_roll)
                self._turn_begins()

    # --- looking -------------------------------------------------------------------------------------------------

    def _forget_look(self) -> None:
        self._look, self._verdict, self._differs = None, None, ()

    def _judge(self, *, done: bool = False) -> None:
        """Say what the last look means for the game as it stands."""
        self._verdict = None
        self._compare()
        game = self.game
        if self._look is None or game.phase is not Phase.TO_MOVE or game.position is None or game.on_roll is None:
            return
        observation = self._look.observation
        self._verdict = judge(self._rules, game.position, game.on_roll, game.dice, observation, done=done)

    def _compare(self) -> None:
        """Say where the last look differs from the position of record, or between games from the starting position."""
        self._differs = ()
        if self._look is not None and self._look.observation.unreadable is None:
            game = self.game
            expected = game.position if game.running and game.position is not None else self._rules.start()
            self._differs = differing(self._look.observation, self._rules.visible(expected))

    def _end_if_over(self) -> None:
        """A play that ends the game counts at once: nobody is left to roll after it."""
        verdict = self._verdict
        certain = verdict is not None and verdict.finding is Finding.LEGAL and self.game.dispute is None
        after = verdict.after if verdict is not None and certain else None
        if after is not None and self._rules.outcome(after) is not None:
            self._accept()
        if self._evening.end_if_over():  # also where a power cut came between the last play and the end
            self._put_hints_away()
            self._compare()

    def _starting_position_stands(self) -> bool:
        if self._look is None or self._look.observation.unreadable is not None:
            return False
        return not differing(self._look.observation, self._rules.visible(self._rules.start()))

    # --- rolling -------------------------------------------------------------------------------------------------

    def _roll_tapped(self, player: Side | None) -> None:
        """Accept what stands on the board and roll: the point of no return."""
        refuse_while_disputed(self.game)
        leaving, self._leaving = self._leaving, False
        if self._left_for_a_new_game(confirmed=leaving):
            self._evening.leave()
        elif self.game.phase is Phase.TO_MOVE:
            refuse_other_player(self.game, player)
            refuse_unless_legal(self._standing())
            self._accept()
        else:
            refuse_other_player(self.game, player)
            refuse_unless_as_recorded(self._standing())
        if not self.game.running:
            self._evening.start()
        try:
            self._evening.roll()
        finally:  # without a roll (a full disk, dice rolled by hand) the turn has passed all the same
            self._turn_begins()

    def _rolled_by_hand(self, side: Side, dice: Dice) -> None:
        """The same with dice that the players rolled themselves; the first roll of a game says who starts."""
        refuse_while_disputed(self.game)
        refuse_other_player(self.game, side)
        if self.game.phase is Phase.TO_MOVE:
            refuse_unless_legal(self._standing())
            self._accept()
        elif not self.game.running:
            refuse_unless_as_recorded(self._standing())
            self._evening.start()
        self._evening.roll_by_hand(side, dice)
        self._turn_begins()

    def _accept(self) -> None:
        """The legal play that stands becomes the game's."""
        if self._verdict is not None and self._verdict.after is not None:
            self._evening.accept(self._verdict.play or "", self._verdict.after)

    def _turn_begins(self) -> None:
        """What was said and shown of the turn before is put away."""
        self._resumed, self._greeting = False, None
        self._before = None if self._look is None else self._look.picture
        self._put_hints_away()
        self._judge()

    def _left_for_a_new_game(self, *, confirmed: bool) -> bool:
        """Whether the players give the game up: the starting position stands in mid-game, and Roll is tapped twice."""
        in_mid_game = self.game.running and self.game.position != self._rules.start()
        if not in_mid_game or not self._starting_position_stands():
            return False
        if not confirmed:
            self._leaving = True
            raise Refusal("The starting position stands, but this game is not over: tap Roll again to leave it there.")
        return True

    # --- disputes and hints --------------------------------------------------------------------------------------

    def _referee_tapped(self) -> None:
        """Open the Referee view with the evidence frozen; a second tap closes it: the play is put right."""
        if self.game.dispute is not None:
            self._settle(self.game.dispute.number, stands=False)
            return
        verdict = None if self._verdict is None else verdict_json(self._verdict)
        after = None if self._look is None else self._look.picture
        self._evening.dispute(position_seen(self._standing(), self._rules), verdict, self._before, after)

    def _settle(self, dispute: int, *, stands: bool) -> None:
        """The players settle the dispute."""
        turn = len(self.game.history)
        self._evening.rule(dispute, stands=stands)
        if len(self.game.history) > turn:
            self._put_hints_away()
        self._judge()
        self._end_if_over()

    def _hint_tapped(self) -> None:
        """Ask the engine, or put the hints away if they are shown."""
        if self._open_question is not None or self._ranking is not None:
            self._put_hints_away()
            return
        game = self.game
        if game.position is None or game.on_roll is None or game.dice is None:
            raise Refusal("Hints come when dice lie on the table.")
        if self._ask_hint is None:
            raise Refusal("Hints are off at this table.")
        self._questions += 1
        self._open_question = self._questions
        self._notice = "Looking for the best plays …"
        self._ask_hint(HintRequest(game.position, game.on_roll, game.dice, self._questions))

    def _show_hints(self, answer: Hinted) -> None:
        if answer.turn == self._open_question:
            self._ranking, self._open_question = answer.ranking, None
            self._notice = answer.ranking.note

    def _put_hints_away(self) -> None:
        self._ranking, self._open_question = None, None

    # --- showing -------------------------------------------------------------------------------------------------

    def _standing(self) -> Standing[PositionT]:
        """Everything known at this moment."""
        return Standing(
            game=self.game,
            look=None if self._look is None else self._look.observation,
            verdict=self._verdict,
            differs=self._differs,
            where=self._rules.places(self._differs),
            notice=self._notice,
            resumed=self._resumed,
            greeting=self._greeting,
            ranking=self._ranking,
            camera=self._camera,
        )

    def _show(self) -> None:
        self._version += 1
        self._publish(draw(self._standing(), self._rules, self._version, simulated=self._simulated))
