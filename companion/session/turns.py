"""The turns of a game: accepts the play on the board, rolls, turns the cube, or raises Refusal with the reason.

What is on the board counts only by a tap (the point of no return), by a declared turn, or by ending the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import Finding, PositionT, Refusal, message
from companion.game import FalseMove, Phase, both_agree
from companion.interface import CubeAction
from companion.referee import (
    NO_DOUBLE,
    NO_ROLL,
    NO_TURN,
    early_message,
    refuse_answer,
    refuse_double,
    refuse_other_player,
    refuse_unless_acceptable,
    refuse_unless_as_recorded,
    refuse_while_disputed,
    refuse_while_doubled,
    refuse_while_not_playing,
)
from companion.rules import condoned, illegal_play_stands, is_false_move, premature_stands

if TYPE_CHECKING:
    from companion.core import Dice, Message, Side, Verdict
    from companion.game import Game, Taps
    from companion.interface import CubeActed
    from companion.session.context import SessionContext


TAPS_APART_S = 0.7
"""Seconds between two taps on a shared button that count as two players': a double press takes 0.5 s at most, and
nobody reads and answers faster."""


class Turns(Generic[PositionT]):
    """What the players do in their turns at one table."""

    def __init__(self, context: SessionContext[PositionT]) -> None:
        """Act at the table of `context`."""
        self._context = context
        self._rules = context.rules
        self._controller = context.controller
        self._look = context.look
        self._hints = context.hints
        self._leaving: Taps = ()
        self._leaving_s = float("-inf")
        self._rolled_s = float("-inf")

    @property
    def _game(self) -> Game[PositionT]:
        return self._controller.game

    def roll_tapped(self, player: Side | None, at_s: float) -> None:
        """Accept what is on the board and roll: the point of no return; `at_s` is when Roll was tapped."""
        refuse_while_disputed(self._game)
        refuse_while_doubled(self._game)
        self._controller.roller.refuse_without_commitment()
        if not self._doubled_early:
            self._controller.roller.refuse_throw(let_pass=self._let_pass)
        leaving, self._leaving = self._leaving, ()
        if self._left_for_a_new_game(leaving, player, at_s):
            self._controller.leave()
        else:
            refuse_other_player(self._game, player)
            if self._comes_early(player, at_s):
                self._controller.roller.roll_early(at_s)
                return
            if self._take_as_played() or self._double_follows():
                self._context.turn_begins()
                return
        try:
            if not self._game.running:
                self._controller.start(player, at_s)
            self._controller.roller.roll(at_s)
            self._rolled_s = at_s
        finally:  # without a roll (a full disk, dice rolled by hand) the turn has passed all the same
            self._context.turn_begins()

    def finish(self) -> None:
        """The player who has moved is done: the legal play on the board is accepted, and the opponent is to roll.

        For use with an opponent who sees every play and condones no illegal one.
        """
        refuse_while_disputed(self._game)
        refuse_while_doubled(self._game)
        self._leaving = ()
        self._count_false_move()
        refuse_unless_acceptable(self._context.standing(), None, NO_TURN)
        self._accept()
        self._controller.end_if_over()
        self._context.turn_begins()

    def refuse_unfinished(self) -> None:
        """Refuse a roll before the turn under way is finished, also where the sheet would let it stand."""
        refuse_unless_acceptable(self._context.standing(), self._rules.sheet)

    def _comes_early(self, player: Side | None, at_s: float) -> bool:
        """Whether the opponent acts before the turn under way is finished, where the sheet lets that stand.

        Only if the board shows it for certain. A second tap on a shared button right after the roll is a slip.
        After a takeback the next roll is known already.
        """
        game, verdict = self._game, self._look.verdict
        if verdict is None or verdict.finding not in (Finding.NOT_MOVED, Finding.UNFINISHED) or not game.rolls:
            return False
        known = game.early is not None or game.pending_rolls or game.taken_back is not None
        slip = player is None and verdict.finding is Finding.NOT_MOVED and at_s - self._rolled_s < TAPS_APART_S
        return premature_stands(self._rules.sheet) and not known and not slip and not self._let_pass

    @property
    def _doubled_early(self) -> bool:
        """Whether the player who rolls next has doubled already."""
        return self._game.early is not None and self._game.early.dice is None

    def _double_follows(self) -> bool:
        """Let the double that came too early follow, now that the turn is over; whether there was one."""
        early = self._game.early
        if early is None or early.dice is not None:
            return False
        self._controller.double(early.side)
        return True

    def dice_seen(self) -> None:
        """What the last look shows of the players' own dice. Raises Refusal where a roll has to be repeated."""
        look = self._look.observation
        if look is not None and look.unreadable is None:
            verdict = self._look.verdict
            may_stand = verdict is not None and condoned(self._rules.sheet, verdict)
            complete = self._game.phase is not Phase.TO_MOVE or self._look.legal is not None or may_stand
            self._controller.roller.saw(look.lying, complete=complete)

    @property
    def _let_pass(self) -> bool:
        """Whether the turn is unfinished but its dice were picked up, and the sheet lets the next roll condone that."""
        verdict = self._look.verdict
        unfinished = verdict is not None and verdict.finding is Finding.UNFINISHED
        picked_up = self._controller.roller.tracker.picked_up
        return unfinished and picked_up and illegal_play_stands(self._rules.sheet)

    def rolled_by_hand(self, side: Side | None, dice: Dice) -> None:
        """Accept what is on the board, and record a roll that the players threw themselves; the first says who starts.

        `side` None: one die each for the start, White's first.
        """
        self._controller.roller.refuse_by_hand(side, dice)
        refuse_while_disputed(self._game)
        refuse_while_doubled(self._game)
        refuse_other_player(self._game, side)
        if side is not None and self._comes_early(side, 0.0):
            self._controller.roller.roll_by_hand(side, dice, early=True)
            return
        early = self._game.early
        if early is not None and early.dice is not None and sorted(early.dice.values) != sorted(dice.values):
            raise Refusal(early_message(early))
        over = (not self._game.running or self._game.phase is Phase.TO_MOVE) and self._take_as_played()
        if over or self._double_follows():
            self._context.turn_begins()
            return
        try:
            if not self._game.running:
                self._controller.start()
            if early is None:
                self._controller.roller.roll_by_hand(side, dice)
            else:
                self._controller.roller.roll(0.0)
        finally:  # as for a roll: the play before it was accepted
            self._context.turn_begins()

    def _take_as_played(self, what: Message | None = None) -> bool:
        """Accept the play on the board, or check that the board is as recorded; whether that ended the game.

        `what` names, in a refusal, what is not possible yet.
        """
        what = what or (NO_ROLL if self._controller.rolls else NO_TURN)
        if self._game.phase is Phase.TO_MOVE:
            self._take_for_over()
            self._count_false_move()
            refuse_unless_acceptable(self._context.standing(), self._rules.sheet, what)
            self._accept()
        else:
            refuse_unless_as_recorded(self._context.standing(), what)
        return self._controller.end_if_over()

    def _take_for_over(self) -> None:
        """Judge an unfinished turn as over, if it can then stand: both players let it pass."""
        verdict, sheet = self._look.verdict, self._rules.sheet
        if verdict is None or verdict.finding is not Finding.UNFINISHED:
            return
        if premature_stands(sheet) and not self._let_pass:
            return
        self._look.judge(self._game, done=True)
        if self._look.verdict is None or not condoned(sheet, self._look.verdict):
            self._look.judge(self._game)

    def _count_false_move(self) -> None:
        """Record that the turn was given over with an illegal play on the board that does not stand."""
        game, verdict = self._game, self._look.verdict
        if verdict is None or verdict.reason is None or not is_false_move(verdict.reason) or game.on_roll is None:
            return
        if game.false_moves.counted is not game.on_roll and not condoned(self._rules.sheet, verdict):
            false_move = FalseMove(game.on_roll, verdict.reason.value, verdict.made or "")
            self._controller.judged(false_move, self._look.picture)

    def _accept(self) -> None:
        """The play on the board becomes the game's; an illegal one is marked as condoned."""
        verdict = self._look.verdict
        if verdict is not None and verdict.after is not None:
            play = verdict.made if verdict.play is None else verdict.play
            self._controller.accept(play or "", verdict.after, verdict.reason, self._look.picture)

    def _double(self, player: Side | None, at_s: float) -> None:
        """The player about to roll accepts the play on the board and offers the cube."""
        side = refuse_double(self._game, player)
        if self._comes_early(player, at_s):
            self._controller.double(side, early=True)
            return
        over = self._take_as_played(NO_DOUBLE)
        self._context.turn_begins()  # as for a roll: the turn has passed, also where the double cannot be recorded
        if not over:
            self._controller.double(side)

    def draw_claimed(self) -> None:
        """End the game as a draw; the claim may rest on the legal play on the board. Raises Refusal."""
        refuse_while_disputed(self._game)
        refuse_while_not_playing(self._game)
        legal = self._look.legal
        if self._controller.draw_claim() is None and legal is not None and self._controller.draw_claim(legal.after):
            self._accept()
        self._controller.claim_draw()
        self._context.turn_begins()

    def declared_done(self) -> Verdict[PositionT] | None:
        """In a game without dice, declaring a legal play done passes the turn; returns the verdict on it."""
        legal = self._look.legal
        if legal is not None and self._game.running and not self._game.rolls:
            self._accept()
            self._context.turn_begins()
            return legal
        self._count_false_move()
        return None

    def cube_acted(self, item: CubeActed) -> None:
        """A double, or an answer to one. Raises Refusal."""
        refuse_while_disputed(self._game)
        if item.action is CubeAction.DOUBLE:
            self._double(item.player, item.at_s)
            return
        refuse_answer(self._game, item.player)
        if item.action is CubeAction.BEAVER:
            self._controller.beaver()
        else:
            self._controller.answer_double(takes=item.action is CubeAction.TAKE)
        self._context.turn_begins()

    def end_if_over(self) -> None:
        """A play that ends the game counts at once: nobody is left to roll after it."""
        legal = self._look.legal if self._game.dispute is None and self._game.proposal is None else None
        if legal is not None and legal.after is not None and self._rules.outcome(legal.after) is not None:
            self._accept()
        if self._controller.end_if_over():  # also after a power cut between the last play and the end
            self._hints.put_away()
            self._look.compare(self._game)

    @property
    def start_stands(self) -> bool:
        """Whether the starting position stands on the board in mid-game."""
        game, visible = self._game, self._rules.visible
        if not game.running or game.position is None or not self._look.shows_start:
            return False
        return visible(game.position) != visible(self._rules.start())

    def _left_for_a_new_game(self, leaving: Taps, player: Side | None, at_s: float) -> bool:
        """Whether the game is given up: the starting position is set up in mid-game, and both players tap Roll.

        `leaving` are the taps before this one, of `player`. Against Boardside the person taps twice, one tap well after
        the other. Raises Refusal where they are not enough.
        """
        if not self.start_stands:
            return False
        alone = self._context.opponent is not None
        hurried = bool(leaving) and 0 <= at_s - self._leaving_s < TAPS_APART_S
        if hurried and not alone and player is None and None in leaving:
            self._leaving = leaving
            raise Refusal(message("ruling.two_taps"))
        if (leaving and not hurried) if alone else both_agree((*leaving, player)):
            return True
        self._leaving, self._leaving_s = (*leaving, player), at_s
        raise Refusal(message("ending.leave.alone") if alone else message("ending.leave"))
