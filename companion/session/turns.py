"""The turns of a game: accepts the play on the board, rolls, turns the cube, or raises Refusal with the reason.

A play on the board counts only after a tap, after the turn was declared done, or if it ends the game.
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
"""Seconds between two taps on a shared button from which they count as taps of two players: a double press takes at
most 0.5 s, and nobody reads a message and answers faster."""


class Turns(Generic[PositionT]):
    """What the players do in their turns at one table."""

    def __init__(self, context: SessionContext[PositionT]) -> None:
        """Act at the table of `context`."""
        self._context = context
        self._rules = context.rules
        self._controller = context.controller
        self._look = context.look
        self._hints = context.hints
        self._abandon_taps: Taps = ()
        self._abandon_tapped_s = float("-inf")
        self._rolled_s = float("-inf")

    @property
    def _game(self) -> Game[PositionT]:
        return self._controller.game

    def roll_tapped(self, player: Side | None, at_s: float) -> None:
        """Accept the play on the board, which is final then, and roll; `at_s` is when Roll was tapped."""
        refuse_while_disputed(self._game)
        refuse_while_doubled(self._game)
        self._controller.roller.refuse_without_commitment()
        if not self._doubled_early:
            self._controller.roller.refuse_throw(let_pass=self._unfinished_may_stand)
        taps_before, self._abandon_taps = self._abandon_taps, ()
        if self._abandons_game(taps_before, player, at_s):
            self._controller.leave()
        else:
            refuse_other_player(self._game, player)
            if self._is_premature(player, at_s):
                self._controller.roller.roll_early(at_s)
                return
            if self._accept_or_check_board() or self._make_early_double():
                self._context.turn_begins()
                return
        try:
            if not self._game.running:
                self._controller.start(player, at_s)
            self._controller.roller.roll(at_s)
            self._rolled_s = at_s
        finally:  # the play was accepted, even if the roll failed (full disk, dice rolled by hand)
            self._context.turn_begins()

    def finish(self) -> None:
        """Accept the legal play on the board; the opponent is to roll. Raises Refusal.

        Used against Boardside, which condones no illegal play.
        """
        refuse_while_disputed(self._game)
        refuse_while_doubled(self._game)
        self._abandon_taps = ()
        self._count_false_move()
        refuse_unless_acceptable(self._context.assessment(), None, NO_TURN)
        self._accept()
        try:
            self._controller.end_if_over()
        finally:  # the play was accepted, even if the end cannot be recorded
            self._context.turn_begins()

    def refuse_unfinished(self) -> None:
        """Raise Refusal for a roll before the turn under way is finished, even if the sheet would let it stand."""
        refuse_unless_acceptable(self._context.assessment(), self._rules.sheet)

    def _is_premature(self, player: Side | None, at_s: float) -> bool:
        """Whether the opponent acts before the turn under way is finished, and the sheet lets that stand.

        False unless the board certainly shows an unfinished turn; for a second tap on a shared button right after the
        roll, which is accidental; and after a takeback, when the next roll is known already.
        """
        game, verdict = self._game, self._look.verdict
        if verdict is None or verdict.finding not in (Finding.NOT_MOVED, Finding.UNFINISHED) or not game.rolls:
            return False
        known = game.early is not None or game.pending_rolls or game.taken_back is not None
        slip = player is None and verdict.finding is Finding.NOT_MOVED and at_s - self._rolled_s < TAPS_APART_S
        return premature_stands(self._rules.sheet) and not known and not slip and not self._unfinished_may_stand

    @property
    def _doubled_early(self) -> bool:
        """Whether the player who rolls next has doubled already."""
        return self._game.early is not None and self._game.early.dice is None

    def _make_early_double(self) -> bool:
        """Make the double that was offered before the turn was over, if any; returns whether there was one."""
        early = self._game.early
        if early is None or early.dice is not None:
            return False
        self._controller.double(early.side)
        return True

    def dice_seen(self) -> None:
        """Update the players' own dice from the last look. Raises Refusal if a roll has to be repeated."""
        look = self._look.observation
        if look is not None and look.unreadable is None:
            verdict = self._look.verdict
            may_stand = verdict is not None and condoned(self._rules.sheet, verdict)
            complete = self._game.phase is not Phase.TO_MOVE or self._look.legal is not None or may_stand
            self._controller.roller.saw(look.lying, complete=complete)

    @property
    def _unfinished_may_stand(self) -> bool:
        """Whether the turn is unfinished, its dice were picked up, and under the sheet the next roll condones that."""
        verdict = self._look.verdict
        unfinished = verdict is not None and verdict.finding is Finding.UNFINISHED
        picked_up = self._controller.roller.tracker.picked_up
        return unfinished and picked_up and illegal_play_stands(self._rules.sheet)

    def rolled_by_hand(self, side: Side | None, dice: Dice) -> None:
        """Accept the play on the board, and record a roll of the players' own dice.

        `side` None: the opening roll, one die each, White's first.
        """
        self._controller.roller.refuse_by_hand(side, dice)
        refuse_while_disputed(self._game)
        refuse_while_doubled(self._game)
        refuse_other_player(self._game, side)
        if side is not None and self._is_premature(side, 0.0):
            self._controller.roller.roll_by_hand(side, dice, early=True)
            return
        early = self._game.early
        if early is not None and early.dice is not None and sorted(early.dice.values) != sorted(dice.values):
            raise Refusal(early_message(early))
        over = (not self._game.running or self._game.phase is Phase.TO_MOVE) and self._accept_or_check_board()
        if over or self._make_early_double():
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

    def _accept_or_check_board(self, what: Message | None = None) -> bool:
        """Accept the play on the board, or check that the board is as recorded; returns whether that ended the game.

        `what` is the action that a refusal says is not possible yet. Raises Refusal.
        """
        what = what or (NO_ROLL if self._controller.rolls else NO_TURN)
        if self._game.phase is Phase.TO_MOVE:
            self._judge_as_over()
            self._count_false_move()
            refuse_unless_acceptable(self._context.assessment(), self._rules.sheet, what)
            self._accept()
        else:
            refuse_unless_as_recorded(self._context.assessment(), what)
        return self._controller.end_if_over()

    def _judge_as_over(self) -> None:
        """Judge an unfinished turn as over if the sheet then condones it: both players let it pass."""
        verdict, sheet = self._look.verdict, self._rules.sheet
        if verdict is None or verdict.finding is not Finding.UNFINISHED:
            return
        if premature_stands(sheet) and not self._unfinished_may_stand:
            return
        self._look.judge(self._game, done=True)
        if self._look.verdict is None or not condoned(sheet, self._look.verdict):
            self._look.judge(self._game)

    def _count_false_move(self) -> None:
        """Record a false move if the turn was ended with an illegal play on the board that does not stand."""
        game, verdict = self._game, self._look.verdict
        if verdict is None or verdict.reason is None or not is_false_move(verdict.reason) or game.on_roll is None:
            return
        if game.false_moves.counted is not game.on_roll and not condoned(self._rules.sheet, verdict):
            false_move = FalseMove(game.on_roll, verdict.reason.value, verdict.made or "")
            self._controller.judged(false_move, picture=self._look.picture)

    def _accept(self) -> None:
        """Record the play on the board as played; an illegal one is marked as condoned."""
        verdict = self._look.verdict
        if verdict is not None and verdict.after is not None:
            play = verdict.made if verdict.play is None else verdict.play
            self._controller.accept(play or "", verdict.after, verdict.reason, self._look.picture)

    def _double(self, player: Side | None, at_s: float) -> None:
        """The player about to roll accepts the play on the board and offers the cube."""
        side = refuse_double(self._game, player)
        if self._is_premature(player, at_s):
            self._controller.double(side, early=True)
            return
        over = self._accept_or_check_board(NO_DOUBLE)
        self._context.turn_begins()  # the play was accepted, even if the double cannot be recorded
        if not over:
            self._controller.double(side)

    def draw_claimed(self) -> None:
        """End the game as a draw; the claim may rest on the legal play on the board. Raises Refusal."""
        refuse_while_disputed(self._game)
        refuse_while_not_playing(self._game)
        legal = self._look.legal
        if self._controller.draw_claim() is None and legal is not None and self._controller.draw_claim(legal.after):
            self._accept()
            self._context.turn_begins()  # the play was accepted, even if the draw cannot be recorded
        self._controller.claim_draw()
        self._context.turn_begins()

    def declared_done(self) -> Verdict[PositionT] | None:
        """End a turn that was declared done; without dice, a legal play is accepted and its verdict returned."""
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
        """Accept a play that ends the game at once: no roll follows that would accept it."""
        legal = self._look.legal if self._game.dispute is None and self._game.proposal is None else None
        if legal is not None and legal.after is not None and self._rules.outcome(legal.after) is not None:
            self._accept()
        if self._controller.end_if_over():  # also after a power cut between the last play and the end
            self._hints.hide()
            self._look.compare(self._game)

    @property
    def start_position_shown(self) -> bool:
        """Whether the starting position is on the board during a game."""
        game, visible = self._game, self._rules.visible
        if not game.running or game.position is None or not self._look.shows_start:
            return False
        return visible(game.position) != visible(self._rules.start())

    def _abandons_game(self, taps_before: Taps, player: Side | None, at_s: float) -> bool:
        """Whether the game is abandoned: the starting position was set up during it, and both players tapped Roll.

        `taps_before` are the taps before this one, which is `player`'s. Against Boardside the person taps twice, at
        least TAPS_APART_S apart. Raises Refusal while a tap is missing.
        """
        if not self.start_position_shown:
            return False
        alone = self._context.opponent is not None
        hurried = bool(taps_before) and 0 <= at_s - self._abandon_tapped_s < TAPS_APART_S
        if hurried and not alone and player is None and None in taps_before:
            self._abandon_taps = taps_before
            raise Refusal(message("ruling.two_taps"))
        if (taps_before and not hurried) if alone else both_agree((*taps_before, player)):
            return True
        self._abandon_taps, self._abandon_tapped_s = (*taps_before, player), at_s
        raise Refusal(message("ending.leave.alone") if alone else message("ending.leave"))
