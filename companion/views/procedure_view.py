"""The referee's procedure for a snapshot: readings, the open proposal, possible proposals, doubtful cells."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import TYPE_CHECKING

from companion.core import CellReading, Finding, Side, differing_cells, joined, message
from companion.game import DoubtfulCell, LikelyContent, Remedy, reading_id
from companion.interface import OfferView, ProposalView, ReadingView
from companion.referee import (
    ENTERED,
    OFFERED,
    both_count,
    call_message,
    certain_position,
    goes_on,
    offer_message,
    offers,
    overruled,
    places,
    reading_message,
)

if TYPE_CHECKING:
    from companion.core import Message, PositionT
    from companion.game import Game, Proposed, Taps
    from companion.referee import Assessment, ObservedPosition
    from companion.rules import Ruleset

LEAST_PERCENT = 0.5
"""Contents less likely than this, in percent, are not offered to the players."""
MOST_CONTENTS = 5
"""Most contents of a cell that are offered: a second layer is hidden, and beyond a few its counts are equally
likely."""


def proposal_view(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> ProposalView | None:
    """The proposal that waits for both players to agree; None without one."""
    proposal, words = assessment.game.proposal, proposal_message(assessment, rules)
    if proposal is None or words is None:
        return None
    offer = offer_message(assessment.game, rules)
    view = ProposalView(proposal.number, proposal.remedy, proposal.by, proposal.agreed, words=words, offer=offer)
    named = proposal.reading
    if named is None:
        return view
    return replace(view, reading=reading_message(named.verdict), place=named.place)


def reading_views(assessment: Assessment[PositionT]) -> tuple[ReadingView, ...]:
    """The possible readings of the picture, likeliest first; none in a dispute, which has remedies of its own."""
    game, verdict = assessment.game, assessment.verdict
    if verdict is None or game.dispute is not None:
        return ()
    said = None if verdict.finding is Finding.AMBIGUOUS or game.read_as is None else reading_id(game.read_as.verdict)
    return tuple(
        ReadingView(one, reading_message(reading.verdict), agreed=one == said)
        for reading in verdict.readings[:OFFERED]
        if (one := reading_id(reading.verdict))
    )


def offer_views(
    assessment: Assessment[PositionT], rules: Ruleset[PositionT], shown: ObservedPosition | None
) -> tuple[OfferView, ...]:
    """What may be proposed now; `shown` is the last look (`companion.referee.seen_position`)."""
    found = offers(assessment, rules, certain_position(assessment, rules, shown).position)
    return tuple(OfferView(offer.remedy, offer.words, offer.refused) for offer in found)


def doubtful_cells(
    assessment: Assessment[PositionT], rules: Ruleset[PositionT], shown: ObservedPosition | None
) -> tuple[DoubtfulCell, ...]:
    """Cells that stay uncertain after the checkers are counted, each with its likely contents."""
    verdict, found = assessment.verdict, []
    cells = set(() if shown is None else shown.doubtful)
    if verdict is not None and verdict.finding is Finding.AMBIGUOUS:
        cells.update(verdict.cells)
    for cell in sorted(cells):
        reading = assessment.look.cells[cell] if assessment.look is not None else CellReading()
        weights = [exp(nats) for _, nats in reading.likelihoods]
        shares = [weight / sum(weights) for weight in weights]
        likely = tuple(
            LikelyContent(content, round(100 * share, 1), round(nats, 2))
            for (content, nats), share in zip(reading.likelihoods, shares, strict=True)
            if 100 * share >= LEAST_PERCENT
        )[:MOST_CONTENTS]
        if len(likely) > 1:
            found.append(DoubtfulCell(cell, rules.cell_label(cell), likely))
    return tuple(found)


def proposal_message(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Message | None:
    """What is proposed, who agrees, and how the others answer; None without a proposal."""
    game = assessment.game
    proposal = game.proposal
    if proposal is None:
        return None
    if proposal.reading is not None:
        asked = message("reading.asked", reading=reading_message(proposal.reading.verdict))
        return joined((asked, _who_agrees(proposal.agreed), message("reading.next"), message("referee.dispute")))
    offer = offer_message(game, rules)
    if offer is not None:
        return joined((offer, *answers(proposal.by)))
    what = _what(proposal, assessment, rules)
    head = message("proposed", what=what)
    if proposal.by is not None:
        head = message("proposed.by", player=proposal.by, what=what)
    return joined((head, _who_agrees(proposal.agreed), *_how_else(game)))


def dispute_message(game: Game[PositionT]) -> Message | None:
    """What the players do in a dispute without a proposal; None without a dispute."""
    return None if game.dispute is None else call_message(game.dispute.by)


def _what(proposal: Proposed[PositionT], assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Message:
    game = assessment.game
    if proposal.remedy is Remedy.BOTH and game.on_roll is not None:
        return both_count(game.on_roll, proposal.play, proposal.reply)
    if proposal.play:
        return overruled(message("offer.play_was", play=proposal.play))
    if proposal.remedy is Remedy.POSITION and proposal.why == ENTERED and game.on_roll is not None:
        then = goes_on(game, game.on_roll, turn_over=proposal.turn_over)
        return message("offer.and", what=_entered(proposal, game, rules), then=then)
    found = offers(assessment, rules, proposal.position)
    fitting = (offer.words for offer in found if offer.remedy is proposal.remedy)
    return next(fitting, message(f"remedy.{proposal.remedy}"))


def _entered(proposal: Proposed[PositionT], game: Game[PositionT], rules: Ruleset[PositionT]) -> Message:
    """A message that a position was entered, and where it differs from the game's, which the other player must know."""
    if proposal.position is None or game.position is None:
        return message("offer.entered")
    cells = differing_cells(rules.visible(game.position), rules.visible(proposal.position))
    if not cells:
        return message("offer.entered")
    return message("offer.entered.at", places=places(rules, cells, game.numbered_for))


def _who_agrees(taps: Taps) -> Message:
    named = [side for side in Side if side in taps]
    if named and None not in taps:
        return message("agrees", player=named[0].opponent)
    return message("agrees.other") if taps else message("agrees.each")


def answers(by: Side | None) -> tuple[Message, ...]:
    """How to answer an offer of `by` to end the game."""
    if by is None:
        return message("agrees.each"), message("hint_declines")
    return (message("accepts", player=by.opponent),)


def _how_else(game: Game[PositionT]) -> tuple[Message, ...]:
    if not game.running:
        return (message("hint_declines"),)
    other = message("referee.else") if game.dispute is not None else message("referee.dispute")
    return message("hint_declines"), other
