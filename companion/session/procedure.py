"""The referee's procedure at the table: disputes, proposals, agreement, and carrying out what was agreed on.

On the panel, Referee opens the dispute view with the evidence frozen and then goes through the remedies, Roll agrees,
and Hint declines. The page names a remedy and a player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import PositionT, Refusal, Side, message
from companion.game import (
    ENDINGS,
    RULINGS,
    Agreed,
    Declined,
    Disputed,
    DisputeEvidence,
    Phase,
    Proposed,
    RecordedVerdict,
    Remedy,
    TakenBack,
    both_agree,
)
from companion.interface import Agrees, Declines, Proposes
from companion.record import picture_name
from companion.referee import (
    ENTERED,
    LOST,
    Offer,
    certain_position,
    checked_position,
    declined_message,
    judging_code,
    next_offer,
    offered_end,
    offers,
    overruled,
    seen_position,
)
from companion.session.agreed_events import after_play, agreed_event, next_on_roll
from companion.session.early_replies import EarlyReplies
from companion.session.turns import TAPS_APART_S, Turns
from companion.texts import phrase, render
from companion.views import doubtful_cells

if TYPE_CHECKING:
    from companion.game import Game, Taps
    from companion.interface import Draws, Resigns, Ruling
    from companion.session.context import SessionContext

NOTHING_YET = message("ruling.nothing_yet")


class Procedure(Generic[PositionT]):
    """Handles everything at one table that needs the agreement of both players."""

    def __init__(self, context: SessionContext[PositionT], turns: Turns[PositionT]) -> None:
        """Act at the table of `context`; `turns` ends a game that a remedy has decided."""
        self._context = context
        self._rules = context.rules
        self._controller = context.controller
        self._look = context.look
        self._turns = turns
        self.replies: EarlyReplies[PositionT] = EarlyReplies(context)
        self._tapped_s = float("-inf")
        self._last_proposal = 0, float("-inf")
        """Number and time of the last proposal made on the page or by one gesture."""

    @property
    def in_question(self) -> bool:
        """Whether a tap on Roll agrees to something instead of rolling."""
        return self._game.dispute is not None or self._game.proposal is not None or self.replies.is_on_board

    @property
    def _game(self) -> Game[PositionT]:
        return self._controller.game

    # --- the panel -----------------------------------------------------------------------------------------------

    def referee_called(self, player: Side | None) -> None:
        """Referee was tapped: open the dispute view with the evidence frozen; in it, propose the next remedy."""
        game = self._game
        if game.running and game.dispute is None:
            self._open(player)
            return
        found = offers(self._context.assessment(), self._rules, self._certain_position())
        proposed = None if game.proposal is None else game.proposal.remedy
        offer = next_offer(found, proposed, disputed=game.dispute is not None)
        if offer is not None:
            self._propose(offer, player, ())
        elif game.proposal is not None:
            self.decline(player)
        else:
            refused = [one.refused for one in found if one.refused is not None]
            raise Refusal(message("ruling.nothing", why=refused[0]) if refused else NOTHING_YET)

    def agree_by_tap(self, player: Side | None, at_s: float) -> None:
        """As `agree`, by a tap on Roll. Raises Refusal for a proposal made too shortly before to have been read."""
        number, proposed_s = self._last_proposal
        proposal = self._game.proposal
        if proposal is not None and proposal.number == number and 0 <= at_s - proposed_s < TAPS_APART_S:
            raise Refusal(message("ruling.just_proposed"))
        self.agree(player, at_s)

    def agree(self, player: Side | None, at_s: float) -> None:
        """A player agrees to the open proposal; without one, the remedy suggested now is proposed.

        That is in a dispute that the play is corrected, otherwise that a play and the reply to it both count.
        """
        proposal = self._game.proposal
        if player is None and at_s - self._tapped_s < TAPS_APART_S:
            raise Refusal(message("ruling.two_taps"))
        if player is None:
            self._tapped_s = at_s
        if proposal is None:
            suggested = Remedy.BOTH if self._game.dispute is None else Remedy.CORRECTED
            self._propose(self._offer(suggested), player, (player,))
            return
        if player is not None and player in proposal.agreed:
            raise Refusal(message("ruling.agrees_already", player=player, other=player.opponent))
        taps = (*proposal.agreed, player)
        if both_agree(taps):
            self._carry_out(proposal, taps)
        else:
            self._controller.happens(Agreed(proposal.number, player))

    def decline(self, player: Side | None) -> None:
        """A player declines the proposal, or withdraws it. Raises Refusal if nothing is proposed."""
        proposal = self._game.proposal
        if proposal is None:
            raise Refusal(message("ruling.nothing_proposed"))
        self._controller.happens(Declined(proposal.number, player))
        if proposal.remedy is Remedy.READING:
            self._context.notice = message("reading.none")
            return
        then = message("declined.dispute") if self._game.dispute is not None else message("declined.game")
        self._context.notice = declined_message(proposal, player, then)

    def offer_end(self, item: Resigns | Draws) -> None:
        """A player offers to resign, or a draw: the other accepts or refuses."""
        self._controller.happens(offered_end(self._game, self._rules, item))
        self._last_proposal = self._game.proposals, item.at_s

    # --- the page ------------------------------------------------------------------------------------------------

    def answer(self, item: Proposes | Agrees | Declines) -> None:
        """Handle a proposal or answer from the page. Raises Refusal if it is not about the open dispute or proposal."""
        game = self._game
        if isinstance(item, Proposes):
            if item.dispute is not None and (game.dispute is None or game.dispute.number != item.dispute):
                raise Refusal(message("ruling.settled"))
            self._propose(self._requested_offer(item), item.player, () if item.player is None else (item.player,), item)
            self._last_proposal = self._game.proposals, item.at_s
            return
        if game.proposal is None or game.proposal.number != item.proposal:
            raise Refusal(message("ruling.not_proposed"))
        if isinstance(item, Agrees):
            self.agree(item.player, item.at_s)
        else:
            self.decline(item.player)

    def settle(self, ruling: Ruling) -> None:
        """Both players settle a dispute at once, as a script says."""
        if self._game.dispute is None or self._game.dispute.number != ruling.dispute:
            raise Refusal(message("ruling.settled"))
        offer = self._offer(ruling.choice)
        self._check(offer)
        proposal = Proposed(0, offer.remedy, None, position=offer.position)
        self._carry_out(proposal, tuple(Side))

    # --- what happens --------------------------------------------------------------------------------------------

    def _open(self, player: Side | None) -> None:
        """Freeze the evidence: pictures, dice, the verdict, the reading, the legal plays."""
        game = self._game
        if game.position is None or game.on_roll is None:
            raise Refusal(NOTHING_YET)
        assessment = self._context.assessment()
        shown = seen_position(assessment, self._rules)
        stood = certain_position(assessment, self._rules, shown)
        plays: tuple[str, ...] = ()
        if game.phase is Phase.TO_MOVE:
            successors = self._rules.successors(game.position, game.on_roll, game.dice)
            plays = tuple(self._rules.write_play(successor.play) for successor in successors)
        evidence = DisputeEvidence(
            at_s=self._controller.journal.now_s(),
            dice=game.dice,
            plays=plays,
            doubts=doubtful_cells(assessment, self._rules, shown),
            unsure=None if stood.unsure is None else phrase(stood.unsure, names=self._context.names),
            judged_by=judging_code(),
        )
        found = self._look.verdict
        verdict = None if found is None else RecordedVerdict.of(found, render(found.message, names=self._context.names))
        pictures = (self._context.before, self._look.picture)
        names = [None if jpeg is None else picture_name(jpeg) for jpeg in pictures]
        event = Disputed(game.disputes + 1, game.on_roll, stood.position, verdict, names[0], names[1], player, evidence)
        self._controller.happens(event, pictures=tuple(jpeg for jpeg in pictures if jpeg is not None))

    def _propose(self, offer: Offer[PositionT], by: Side | None, agreed: Taps, item: Proposes | None = None) -> None:
        self._check(offer)
        entered = offer.remedy is Remedy.POSITION and item is not None and item.position is not None
        self._controller.happens(
            Proposed(
                self._game.proposals + 1,
                offer.remedy,
                by,
                agreed,
                offer.position,
                play=offer.play,
                turn_over=offer.remedy is Remedy.POSITION and item is not None and item.turn_over,
                why="" if offer.remedy is not Remedy.POSITION else ENTERED if entered else LOST,
                reply=offer.reply,
            )
        )

    def _requested_offer(self, item: Proposes) -> Offer[PositionT]:
        """The remedy that a page asks for, with the position or the play that it names."""
        game, remedy = self._game, item.remedy
        if remedy in RULINGS and game.dispute is None:
            raise Refusal(message("ruling.no_dispute"))
        offer = self._offer(remedy)
        if item.play and remedy is Remedy.OVERRULED and game.phase is Phase.TO_MOVE:
            assert game.position is not None  # noqa: S101 - dice were rolled
            assert game.on_roll is not None  # noqa: S101
            words = overruled(message("offer.play_was", play=item.play))
            after = after_play(self._rules, game.position, game.on_roll, game.dice, item.play)
            return Offer(remedy, words, after, play=item.play)
        if item.position is not None and remedy is Remedy.POSITION:
            on_roll = next_on_roll(game, turn_over=item.turn_over)
            return Offer(remedy, offer.words, checked_position(self._rules, game, item.position, on_roll))
        return offer

    def _offer(self, remedy: Remedy) -> Offer[PositionT]:
        for offer in offers(self._context.assessment(), self._rules, self._certain_position()):
            if offer.remedy is remedy:
                return offer
        raise Refusal(NOTHING_YET)

    def _check(self, offer: Offer[PositionT]) -> None:
        if offer.refused is not None:
            raise Refusal(message("ruling.not_possible", why=offer.refused))

    def _carry_out(self, proposal: Proposed[PositionT], taps: Taps) -> None:
        """Carry out what both players agreed to."""
        turn = (len(self._game.history), self._game.on_roll)
        both = proposal.remedy is Remedy.BOTH
        events = (
            self.replies.events(proposal, taps) if both else (agreed_event(self._game, self._rules, proposal, taps),)
        )
        self._controller.judged(*events, picture=self._look.picture)
        self._tapped_s = float("-inf")
        passed = (len(self._game.history), self._game.on_roll) != turn
        if passed or proposal.remedy in {Remedy.POSITION, *ENDINGS}:
            self._context.turn_begins()
        if isinstance(events[0], TakenBack):
            self._context.before = None  # the board still stands as after the turn
        self._look.judge(self._game)
        self._turns.end_if_over()

    def _certain_position(self) -> PositionT | None:
        assessment = self._context.assessment()
        return certain_position(assessment, self._rules, seen_position(assessment, self._rules)).position
