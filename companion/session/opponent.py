"""Boardside as a player: it rolls, announces its plays and decides about the cube; people move its checkers.

What it decides is an event like any other player's. No person acts for its side; a tap on a button that both players
share is the person's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Generic

from companion.core import BoardsideError, PositionT, Refusal, message, verbatim
from companion.dice import DiceName
from companion.game import Announced, Phase, Remedy
from companion.hints import DecisionRequest
from companion.interface import (
    Agrees,
    Button,
    CubeActed,
    CubeAction,
    Declines,
    Done,
    Draws,
    Proposes,
    Resigns,
    RolledByHand,
    Tapped,
)
from companion.referee import announced_position, no_double_because, refuse_other_player, worth_accepting
from companion.session.hint_request import cube_question

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Message, Side
    from companion.game import Game, Proposed
    from companion.hints import CubeQuestion
    from companion.interface import Decided, Item
    from companion.session.context import SessionContext
    from companion.session.procedure import Procedure
    from companion.session.turns import Turns

THROWN_BY_HAND = (DiceName.BY_HAND, DiceName.CAMERA)
"""Sources of dice that a person throws for Boardside too."""

MAKES_A_PLAY = (Remedy.STANDS, Remedy.OVERRULED, Remedy.POSITION)
"""Remedies that may end a turn with a play other than a legal one on the board."""


class Opponent(Generic[PositionT]):
    """Acts for one side of a table, after everything that happens there."""

    def __init__(
        self,
        context: SessionContext[PositionT],
        turns: Turns[PositionT],
        procedure: Procedure[PositionT],
        ask: Callable[[DecisionRequest], None],
    ) -> None:
        """`ask` passes a question to an engine that answers with `Decided`."""
        self._context = context
        self._controller = context.controller
        self._turns = turns
        self._procedure = procedure
        self._ask = ask
        self._asked = 0
        self._open: tuple[object, ...] | None = None
        self._no_double: tuple[object, ...] | None = None

    @property
    def side(self) -> Side:
        """The side it plays in this game."""
        side = self._context.opponent
        assert side is not None  # noqa: S101 - a table without an opponent has none of these
        return side

    @property
    def _game(self) -> Game[PositionT]:
        return self._controller.game

    # --- what people do ------------------------------------------------------------------------------------------

    def admitted(self, item: Item) -> Item | None:
        """What `item` means at this table; without a name it is the person's. None: it was handled here.

        Raises Refusal where it would act for the opponent.
        """
        if not self._game.running and not isinstance(item, Proposes | Agrees | Declines):
            return item
        person = self.side.opponent
        match item:
            case Tapped() | CubeActed() | Proposes() | Agrees() | Declines() if item.player is None:
                item = replace(item, player=person)
            case Draws(claimed=False) if item.player is None:
                item = replace(item, player=person)
            case Resigns() if item.side is None:
                item = replace(item, side=person)
        who = item.side if isinstance(item, Resigns | Done) else getattr(item, "player", None)
        carried_out = isinstance(item, Done) and self._game.announced is not None
        if who is self.side and not carried_out:
            raise Refusal(message("opponent.own", player=self.side))
        match item:
            case Tapped(button=Button.ROLL) if not self._asks:
                return self._rolled(item)
            case RolledByHand():
                self._finish_before(item)
            case CubeActed(action=CubeAction.DOUBLE) | Draws(claimed=True):
                self._refuse_while_thinking()
        return item

    @property
    def _asks(self) -> bool:
        """Whether Roll answers a question: a proposal's, a dispute's or a double's."""
        return self._procedure.in_question or self._game.match.offered_by is not None

    def _rolled(self, tap: Tapped) -> Item | None:
        """A person taps Roll: done with the own turn, or about to roll after the opponent's."""
        game = self._game
        if self._turns.start_stands:
            return tap  # two taps give the game up
        if self._finish_turn():
            return None
        own = game.on_roll is self.side and game.phase is not Phase.TO_MOVE and self._thrown_for_it
        return replace(tap, player=self.side) if own else tap

    def _finish_before(self, roll: RolledByHand) -> None:
        """Dice are entered by hand: before they count, the turn under way is finished as by a tap."""
        self._controller.roller.refuse_by_hand(roll.side, roll.dice)
        refuse_other_player(self._game, roll.side)
        self._finish_turn()

    def _finish_turn(self) -> bool:
        """Finish the person's turn, and say whether one was under way; raises Refusal while the opponent's is."""
        game = self._game
        if game.phase is Phase.TO_MOVE and game.on_roll is not self.side:
            self._turns.finish()
            return True
        self._refuse_while_thinking()
        if game.phase is Phase.TO_MOVE:
            self._turns.refuse_unfinished()
        return False

    def _refuse_while_thinking(self) -> None:
        """Raise Refusal for what needs its decision, while it still thinks."""
        if self._is_to_choose() or self._may_double():
            raise Refusal(message("opponent.thinks", player=self.side))

    # --- what it does itself -------------------------------------------------------------------------------------

    def act(self, at_s: float) -> None:
        """Do what is due, as far as that can be done now; `at_s` is when it became due."""
        try:
            before = None
            while self._game is not before:
                before = self._game
                self._act(at_s)
        except Refusal:
            return  # the board is not as recorded, which is shown: after the next look it is tried again
        except BoardsideError as error:
            self._context.notice = verbatim(str(error))

    def _act(self, at_s: float) -> None:
        game = self._game
        if game.proposal is not None:
            self._answer(game.proposal, at_s)
        elif not game.running or game.dispute is not None:
            return
        elif game.match.offered_by is not None:
            if game.match.asked is self.side:
                self._decide(cube_question(game, None), at_s)
        elif game.on_roll is self.side and game.phase is Phase.TO_ROLL:
            self._double_or_roll(at_s)
        elif self._is_to_choose():
            self._decide(None, at_s)

    def _double_or_roll(self, at_s: float) -> None:
        if self._turns.start_stands:
            return  # the person may be giving the game up, which takes two taps
        if self._may_double():
            self._decide(cube_question(self._game, None), at_s)
        elif not self._thrown_for_it:
            self._turns.roll_tapped(self.side, at_s)

    def _may_double(self) -> bool:
        """Whether it is about to roll, and has not decided yet against a double that it may offer."""
        game = self._game
        rolls = game.running and game.on_roll is self.side and game.phase is Phase.TO_ROLL
        if not rolls or game.match.offered_by is not None:
            return False
        return no_double_because(game, self.side) is None and self._no_double != self._moment()

    @property
    def _thrown_for_it(self) -> bool:
        """Whether a person throws its dice."""
        return self._controller.roller.source in THROWN_BY_HAND

    def _decide(self, cube: CubeQuestion | None, at_s: float) -> None:
        """Ask the engine, once for each decision; a beavered double, on which there is no advice, is taken."""
        game, moment = self._game, self._moment()
        if game.match.beavered:
            self._turns.cube_acted(CubeActed(CubeAction.TAKE, at_s, self.side))
        elif self._open != moment:
            self._asked += 1
            self._open = moment
            seed = f"{game.number} {len(game.history)} {game.dice} {game.position}"
            self._ask(DecisionRequest(game.position, self.side, game.dice, self._asked, seed, cube, game.match))

    def decided(self, answer: Decided) -> None:
        """Do what the engine has decided, unless that comes too late."""
        moment, game, decision = self._moment(), self._game, answer.decision
        if answer.turn != self._asked:
            return
        asked_at, self._open = self._open, None
        if asked_at != moment or game.dispute is not None or game.proposal is not None:
            return  # what is still undecided is asked again
        if decision.blind:
            self._context.notice = message("opponent.blind", player=self.side)
        elif decision.note is not None:
            self._context.notice = message("opponent.instead")
        if game.match.offered_by is not None:
            action = CubeAction.TAKE if decision.yes else CubeAction.PASS
            self._turns.cube_acted(CubeActed(action, answer.at_s, self.side))
        elif game.phase is Phase.TO_ROLL and decision.yes:
            self._controller.double(self.side)
        elif game.phase is Phase.TO_ROLL:
            self._no_double = moment
        else:
            self._controller.happens(Announced(self.side, decision.play))
            self._context.look.judge(self._game)

    def _answer(self, proposal: Proposed[PositionT], at_s: float) -> None:
        """Agree to what a person proposes, and to an end that is not too cheap; decline a move it has not chosen."""
        if self.side in proposal.agreed or proposal.by is self.side:
            return
        why = self._declines_because(proposal)
        if why is None:
            self._procedure.agree(self.side, at_s)
        else:
            self._procedure.decline(self.side)
            self._context.notice = why

    def _declines_because(self, proposal: Proposed[PositionT]) -> Message | None:
        game = self._game
        if proposal.remedy is Remedy.BOTH and game.announced != proposal.play:
            return message("opponent.no_reply", player=self.side)
        if proposal.remedy in MAKES_A_PLAY and not self._as_announced(proposal):
            return message("opponent.own", player=self.side)
        if worth_accepting(game, self._context.rules, proposal):
            return None
        return message("opponent.plays_on", player=self.side)

    def _as_announced(self, proposal: Proposed[PositionT]) -> bool:
        """Whether the proposal lets no play of its side stand except the announced one."""
        game, visible = self._game, self._context.rules.visible
        ends_turn = proposal.turn_over or proposal.remedy is not Remedy.POSITION
        if game.on_roll is not self.side or game.phase is not Phase.TO_MOVE or not ends_turn:
            return True
        after = announced_position(self._context.rules, game)
        return proposal.position is None or (after is not None and visible(proposal.position) == visible(after))

    def _is_to_choose(self) -> bool:
        """Whether it is to move, has made no choice yet, and there is a play."""
        game = self._game
        if game.on_roll is not self.side or game.phase is not Phase.TO_MOVE or game.announced is not None:
            return False
        return game.position is not None and bool(self._context.rules.successors(game.position, self.side, game.dice))

    def _moment(self) -> tuple[object, ...]:
        """What a decision depends on."""
        game = self._game
        match = game.match
        turn = (game.number, len(game.history), game.takebacks, game.position, game.on_roll, game.dice)
        return (*turn, match.cube, match.offered_by, match.beavered, game.ended)
