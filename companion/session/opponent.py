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
        """The state of the game that the engine was asked about; None: it was not asked, or all is done."""
        self._answer: Decided | None = None
        """The engine's answer, until it is carried out."""
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
        """`item` as the session is to handle it, with the person as player if none is named; None: handled here.

        Raises Refusal if it would act for the opponent.
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
            case Tapped(button=Button.ROLL) if not self._roll_answers:
                return self._roll_tapped(item)
            case RolledByHand():
                self._finish_before(item)
            case CubeActed(action=CubeAction.DOUBLE) | Draws(claimed=True):
                self._refuse_while_thinking()
        return item

    @property
    def _roll_answers(self) -> bool:
        """Whether Roll answers a question: a proposal's, a dispute's or a double's."""
        return self._procedure.in_question or self._game.match.offered_by is not None

    def _roll_tapped(self, tap: Tapped) -> Item | None:
        """Handle the person's tap on Roll: it finishes their own turn, or rolls after the opponent's."""
        game = self._game
        if self._turns.start_position_shown:
            return tap  # two taps abandon the game
        if self._finish_turn():
            return None
        own = game.on_roll is self.side and game.phase is not Phase.TO_MOVE and self._dice_thrown_by_person
        return replace(tap, player=self.side) if own else tap

    def _finish_before(self, roll: RolledByHand) -> None:
        """Finish the turn under way, as by a tap, before dice entered by hand count. Raises Refusal."""
        self._controller.roller.refuse_by_hand(roll.side, roll.dice)
        refuse_other_player(self._game, roll.side)
        self._finish_turn()

    def _finish_turn(self) -> bool:
        """Finish the person's turn; returns whether one was under way. Raises Refusal during the opponent's turn."""
        game = self._game
        if game.phase is Phase.TO_MOVE and game.on_roll is not self.side:
            self._turns.finish()
            return True
        self._refuse_while_thinking()
        if game.phase is Phase.TO_MOVE:
            self._turns.refuse_unfinished()
        return False

    def _refuse_while_thinking(self) -> None:
        """Raise Refusal while the opponent still has to decide on a play or a double."""
        if self._must_choose_play() or self._may_double():
            raise Refusal(message("opponent.thinks", player=self.side))

    # --- what it does itself -------------------------------------------------------------------------------------

    def act(self, at_s: float) -> None:
        """Do what is due, as far as possible now; `at_s` is when it became due."""
        try:
            self._carry_out_answer()
            before = None
            while self._game is not before:
                before = self._game
                self._act(at_s)
        except Refusal:
            return  # the page shows that the board is not as recorded; the next look tries again
        except BoardsideError as error:
            self._context.notice = verbatim(str(error))

    def _act(self, at_s: float) -> None:
        game = self._game
        if game.proposal is not None:
            self._answer_proposal(game.proposal, at_s)
        elif not game.running or game.dispute is not None:
            return
        elif game.match.offered_by is not None:
            if game.match.asked is self.side:
                self._decide(cube_question(game, None), at_s)
        elif game.on_roll is self.side and game.phase is Phase.TO_ROLL:
            self._double_or_roll(at_s)
        elif self._must_choose_play():
            self._decide(None, at_s)

    def _double_or_roll(self, at_s: float) -> None:
        if self._turns.start_position_shown:
            return  # the person may be abandoning the game, which takes two taps
        if self._may_double():
            self._decide(cube_question(self._game, None), at_s)
        elif not self._dice_thrown_by_person:
            self._turns.roll_tapped(self.side, at_s)

    def _may_double(self) -> bool:
        """Whether it is about to roll, may double, and has not yet decided not to in this turn."""
        game = self._game
        rolls = game.running and game.on_roll is self.side and game.phase is Phase.TO_ROLL
        if not rolls or game.match.offered_by is not None:
            return False
        return no_double_because(game, self.side) is None and self._no_double != self._decision_state()

    @property
    def _dice_thrown_by_person(self) -> bool:
        """Whether a person throws its dice."""
        return self._controller.roller.source in THROWN_BY_HAND

    def _decide(self, cube: CubeQuestion | None, at_s: float) -> None:
        """Ask the engine once for each decision; a beaver, on which engines give no advice, is taken."""
        game, state = self._game, self._decision_state()
        if game.match.beavered:
            self._turns.cube_acted(CubeActed(CubeAction.TAKE, at_s, self.side))
        elif self._open != state:
            self._asked += 1
            self._open = state
            seed = f"{game.number} {len(game.history)} {game.dice} {game.position}"
            self._ask(DecisionRequest(game.position, self.side, game.dice, self._asked, seed, cube, game.match))

    def decided(self, answer: Decided) -> None:
        """Take what the engine has decided; `act` carries it out."""
        if answer.turn == self._asked:
            self._answer = answer

    def _carry_out_answer(self) -> None:
        """Do what the engine has decided, unless the game has moved on.

        If that fails, as on a full disk, the answer is kept for the next time: the engine is not asked again.
        """
        answer, game = self._answer, self._game
        if answer is None:
            return
        if self._open == self._decision_state() and game.dispute is None and game.proposal is None:
            self._carry_out(answer)
        self._open = self._answer = None  # `_act` asks again for a decision that is still due

    def _carry_out(self, answer: Decided) -> None:
        game, decision = self._game, answer.decision
        self._context.notice = None
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
            self._no_double = self._decision_state()
        else:
            self._controller.happens(Announced(self.side, decision.play))
            self._context.look.judge(self._game)

    def _answer_proposal(self, proposal: Proposed[PositionT], at_s: float) -> None:
        """Agree to a person's proposal, except for an unannounced play and an end for too few points."""
        if self.side in proposal.agreed or proposal.by is self.side:
            return
        why = self._reason_to_decline(proposal)
        if why is None:
            self._procedure.agree(self.side, at_s)
        else:
            self._procedure.decline(self.side)
            self._context.notice = why

    def _reason_to_decline(self, proposal: Proposed[PositionT]) -> Message | None:
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

    def _must_choose_play(self) -> bool:
        """Whether it is to move, has announced no play yet, and a play exists."""
        game = self._game
        if game.on_roll is not self.side or game.phase is not Phase.TO_MOVE or game.announced is not None:
            return False
        return game.position is not None and bool(self._context.rules.successors(game.position, self.side, game.dice))

    def _decision_state(self) -> tuple[object, ...]:
        """The part of the game's state that a decision depends on."""
        game = self._game
        match = game.match
        turn = (game.number, len(game.history), game.takebacks, game.position, game.on_roll, game.dice)
        return (*turn, match.cube, match.offered_by, match.beavered, game.ended)
