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
from companion.hint_question import HintQuestion
from companion.inbox import (
    Button,
    CameraTrouble,
    Cube,
    CubeDeed,
    Done,
    Draws,
    Hinted,
    HintsHidden,
    Item,
    Resigns,
    RolledByHand,
    Ruling,
    Saw,
    SetUp,
    Stirred,
    Tapped,
)
from companion.last_look import LastLook
from companion.model import BoardsideError, PositionT, Verdict
from companion.refusal import (
    Refusal,
    refuse_answer,
    refuse_double,
    refuse_other_player,
    refuse_unless_acceptable,
    refuse_unless_as_recorded,
    refuse_while_disputed,
    refuse_while_doubled,
    refuse_while_not_playing,
)
from companion.seen import position_seen
from companion.snapshot import Phase
from companion.standing import Standing
from companion.view import draw, verdict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.dice import DiceSource
    from companion.evening import Journal
    from companion.events import Event
    from companion.game import Game
    from companion.hints import HintRequest
    from companion.match import Match
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
        terms: Match | None = None,
    ) -> None:
        """Take up the game that the events in `resume` tell of.

        `record` keeps what happens (None: nothing is kept), `publish` gets every snapshot, `ask_hint` passes a
        question to an engine that answers with `Hinted` (None: no hints), `clock` gives seconds since 1970 for the
        record, `simulated` says that the table is a simulated one, `greeting` is said until somebody rolls,
        `terms` is the match or series to be played (None: what is going on goes on).
        """
        self._rules = rules
        self._evening = Evening(rules, dice, record, clock, resume, terms)
        self._publish = publish
        self._hints = HintQuestion(ask_hint)
        self._simulated = simulated
        self._inbox: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._look: LastLook[PositionT] = LastLook(rules)
        self._declared: Verdict[PositionT] | None = None
        self._before: bytes | None = None
        self._notice: str | None = None
        self._camera: str | None = None
        self._resumed = self.game.running
        self._greeting = greeting
        self._leaving = False
        self._version = 0

    @property
    def game(self) -> Game[PositionT]:
        """The game as recorded."""
        return self._evening.game

    @property
    def verdict(self) -> Verdict[PositionT] | None:
        """The referee's answer to the last settled look.

        The one that ended the game, or a turn that was declared done, stays until the next item.
        """
        return self._declared or self._look.verdict

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
        self._declared = None
        try:
            self._dispatch(item)
        except BoardsideError as refusal:  # a tap that comes too early, a full disk: nothing has happened
            self._notice = str(refusal)
        self._show()

    def _dispatch(self, item: Item) -> None:
        match item:
            case Saw():
                self._look.take(item, self.game)
                self._end_if_over()
            case Stirred():
                self._look.forget()
            case CameraTrouble():
                self._camera = item.message
                self._look.forget()
            case Tapped():
                self._tapped(item)
            case Ruling():
                self._settle(item.dispute, stands=item.choice == "stands")
            case Hinted():
                self._notice = self._hints.answered(item)
            case HintsHidden():
                self._hints.put_away()
            case Cube() | Resigns() | Draws():
                self._agreed(item)
            case _:
                self._told(item)

    def _tapped(self, tap: Tapped) -> None:
        match tap.button:
            case Button.ROLL:
                self._roll_tapped(tap.player)
            case Button.HINT:
                self._notice = self._hints.tapped(self.game)
            case Button.REFEREE:
                self._referee_tapped()

    def _told(self, item: RolledByHand | Done | SetUp) -> None:
        """What the players, or a script, say themselves."""
        match item:
            case RolledByHand():
                self._rolled_by_hand(item.side, item.dice)
            case Done() if self.game.phase is Phase.TO_MOVE:
                self._look.judge(self.game, done=True)
                self._end_if_over()
                self._declared_done()
            case SetUp():
                self._evening.set_up(item.position, item.on_roll)
                self._turn_begins()

    def _agreed(self, item: Cube | Resigns | Draws) -> None:
        """What the players agree between them: doubles, resignations, draws."""
        refuse_while_disputed(self.game)
        match item:
            case Cube(deed=CubeDeed.DOUBLE):
                self._double(item.player)
            case Cube():
                refuse_answer(self.game, item.player)
                self._evening.answer_double(takes=item.deed is CubeDeed.TAKE)
            case Resigns():
                refuse_while_not_playing(self.game)
                self._evening.resign(item.side, item.kind)
            case Draws():
                refuse_while_not_playing(self.game)
                self._draw(claimed=item.claimed)
        self._turn_begins()

    def _end_if_over(self) -> None:
        """A play that ends the game counts at once: nobody is left to roll after it."""
        legal = self._look.legal if self.game.dispute is None else None
        if legal is not None and legal.after is not None and self._rules.outcome(legal.after) is not None:
            self._accept()
        if self._evening.end_if_over():  # also where a power cut came between the last play and the end
            self._hints.put_away()
            self._look.compare(self.game)

    # --- rolling -------------------------------------------------------------------------------------------------

    def _roll_tapped(self, player: Side | None) -> None:
        """Accept what stands on the board and roll: the point of no return."""
        refuse_while_disputed(self.game)
        refuse_while_doubled(self.game)
        leaving, self._leaving = self._leaving, False
        if self._left_for_a_new_game(confirmed=leaving):
            self._evening.leave()
        else:
            refuse_other_player(self.game, player)
            if self._take_as_played():
                self._turn_begins()
                return
        try:
            if not self.game.running:
                self._evening.start(player)
            self._evening.roll()
        finally:  # without a roll (a full disk, dice rolled by hand) the turn has passed all the same
            self._turn_begins()

    def _rolled_by_hand(self, side: Side, dice: Dice) -> None:
        """The same with dice that the players rolled themselves; the first roll of a game says who starts."""
        if not self._evening.rolls:
            raise Refusal("This game is played without dice.")
        refuse_while_disputed(self.game)
        refuse_while_doubled(self.game)
        refuse_other_player(self.game, side)
        if (not self.game.running or self.game.phase is Phase.TO_MOVE) and self._take_as_played():
            self._turn_begins()
            return
        if not self.game.running:
            self._evening.start()
        self._evening.roll_by_hand(side, dice)
        self._turn_begins()

    def _take_as_played(self, what: str | None = None) -> bool:
        """Accept the play that stands, or see that the board stands as recorded; whether that ended the game.

        `what` is asked for by it: what a refusal says there is not yet.
        """
        what = what or ("roll" if self._evening.rolls else "next turn")
        if self.game.phase is Phase.TO_MOVE:
            refuse_unless_acceptable(self._standing(), self._rules.sheet, what)
            self._accept()
        else:
            refuse_unless_as_recorded(self._standing(), what)
        return self._evening.end_if_over()

    def _accept(self) -> None:
        """The play that stands becomes the game's; an illegal one is marked as condoned."""
        verdict = self._look.verdict
        if verdict is not None and verdict.after is not None:
            play = verdict.made if verdict.play is None else verdict.play
            self._evening.accept(play or "", verdict.after, verdict.reason)

    def _double(self, player: Side | None) -> None:
        """Whoever is about to roll accepts the play that stands, and offers the cube."""
        side = refuse_double(self.game, player)
        if not self._take_as_played("double"):
            self._evening.double(side)

    def _draw(self, *, claimed: bool) -> None:
        """End the game as a draw; a claim may rest on the legal play that stands."""
        if not claimed:
            self._evening.agree_on_draw()
            return
        legal = self._look.legal
        if self._evening.draw_claim() is None and legal is not None and self._evening.draw_claim(legal.after):
            self._accept()
        self._evening.claim_draw()

    def _declared_done(self) -> None:
        """In a game without dice, declaring a legal play done passes the turn; its verdict stays to be asked for."""
        legal = self._look.legal
        if legal is not None and self.game.running and not self.game.rolls:
            self._accept()
            self._turn_begins()
            self._declared = legal

    def _turn_begins(self) -> None:
        """What was said and shown of the turn before is put away."""
        self._resumed, self._greeting = False, None
        self._before = self._look.picture
        self._hints.put_away()
        self._look.judge(self.game)

    def _left_for_a_new_game(self, *, confirmed: bool) -> bool:
        """Whether the players give the game up: the starting position stands in mid-game, and Roll is tapped twice."""
        game, visible = self.game, self._rules.visible
        if not game.running or game.position is None or not self._look.shows_start:
            return False
        if visible(game.position) == visible(self._rules.start()):
            return False
        if not confirmed:
            self._leaving = True
            raise Refusal("The starting position stands, but this game is not over: tap Roll again to leave it there.")
        return True

    # --- disputes ----------------------------------------------------------------------------------------------------

    def _referee_tapped(self) -> None:
        """Open the Referee view with the evidence frozen; a second tap closes it: the play is put right."""
        if self.game.dispute is not None:
            self._settle(self.game.dispute.number, stands=False)
            return
        verdict = None if self._look.verdict is None else verdict_json(self._look.verdict)
        seen = position_seen(self._standing(), self._rules)
        self._evening.dispute(seen, verdict, self._before, self._look.picture)

    def _settle(self, dispute: int, *, stands: bool) -> None:
        """The players settle the dispute."""
        turn = len(self.game.history)
        self._evening.rule(dispute, stands=stands)
        if len(self.game.history) > turn:
            self._hints.put_away()
        self._look.judge(self.game)
        self._end_if_over()

    # --- showing -------------------------------------------------------------------------------------------------

    def _standing(self) -> Standing[PositionT]:
        """Everything known at this moment."""
        return Standing(
            game=self.game,
            look=self._look.observation,
            verdict=self._look.verdict,
            differs=self._look.differs,
            where=self._rules.places(self._look.differs),
            notice=self._notice,
            resumed=self._resumed,
            greeting=self._greeting,
            ranking=self._hints.ranking,
            camera=self._camera,
        )

    def _show(self) -> None:
        self._version += 1
        self._publish(draw(self._standing(), self._rules, self._version, simulated=self._simulated))
