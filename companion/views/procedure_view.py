"""The referee's procedure for the page: the open dispute, what is proposed, what may be, and what was settled."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from companion.core import CellReading, Finding, Side, name, verbatim
from companion.game import DoubtfulCell, LikelyContent, Remedy
from companion.interface import OfferView, ProposalView
from companion.referee import ENTERED, agreeable, goes_on, offers

if TYPE_CHECKING:
    from companion.core import PositionT
    from companion.game import Game, Proposed, Taps
    from companion.referee import Assessment, ObservedPosition
    from companion.rules import Ruleset

RULED = {
    Remedy.CORRECTED: "The play was put right.",
    Remedy.STANDS: "What stood there counts, although the referee was right.",
    Remedy.OVERRULED: "The referee was overruled.",
    Remedy.TAKEBACK: "The turn before was taken back.",
    Remedy.POSITION: "The players agreed on what stood there.",
}
LEAST_PERCENT = 0.5
"""Contents less likely than this, in percent, are not worth a player's choice."""
MOST_CONTENTS = 5
"""What lies in a second layer is hidden: past the first few, its counts are one as good as the other."""


def proposal_view(standing: Assessment[PositionT], rules: Ruleset[PositionT]) -> ProposalView | None:
    """What waits for both players to agree; None where nothing does."""
    proposal = standing.game.proposal
    if proposal is None:
        return None
    words = proposal_words(standing, rules)
    return ProposalView(proposal.number, proposal.remedy, proposal.by, proposal.agreed, words=verbatim(words))


def offer_views(
    standing: Assessment[PositionT], rules: Ruleset[PositionT], shown: ObservedPosition | None
) -> tuple[OfferView, ...]:
    """What may be proposed now; `shown` is what the last look shows (`companion.referee.seen`)."""
    found = offers(standing, rules, agreeable(standing, rules, shown).position)
    return tuple(
        OfferView(offer.remedy, verbatim(offer.words), None if offer.refused is None else verbatim(offer.refused))
        for offer in found
    )


def doubtful_cells(
    standing: Assessment[PositionT], rules: Ruleset[PositionT], shown: ObservedPosition | None
) -> tuple[DoubtfulCell, ...]:
    """The cells that are not certain once all checkers are counted, each with its likely contents."""
    verdict, found = standing.verdict, []
    cells = set(() if shown is None else shown.doubtful)
    if verdict is not None and verdict.finding is Finding.AMBIGUOUS:
        cells.update(verdict.cells)
    for cell in sorted(cells):
        reading = standing.look.cells[cell] if standing.look is not None else CellReading()
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


def proposal_words(standing: Assessment[PositionT], rules: Ruleset[PositionT]) -> str:
    """What is proposed, who agrees, and what the others do now; empty where nothing is."""
    game = standing.game
    proposal = game.proposal
    if proposal is None:
        return ""
    head = "Proposed" if proposal.by is None else f"{name(proposal.by)} proposes"
    return f"{head}: {_what(proposal, standing, rules)}. {_who_agrees(proposal.agreed)} {_how_else(game)}"


def dispute_words(game: Game[PositionT]) -> str:
    """What the players do in a dispute where nothing is proposed yet; empty where there is none."""
    if game.dispute is None:
        return ""
    by = "The referee was called" if game.dispute.by is None else f"{name(game.dispute.by)} called the referee"
    return f"{by}. Tap Roll to put the play right, or Referee to go through what else you may agree on."


def _what(proposal: Proposed[PositionT], standing: Assessment[PositionT], rules: Ruleset[PositionT]) -> str:
    if proposal.play:
        return f"the referee is overruled: the play was {proposal.play}"
    if proposal.remedy is Remedy.POSITION and proposal.why == ENTERED:
        return f"the position entered stands, and {goes_on(standing.game, turn_over=proposal.turn_over)}"
    found = offers(standing, rules, proposal.position)
    return next((offer.words for offer in found if offer.remedy is proposal.remedy), RULED[proposal.remedy].rstrip("."))


def _who_agrees(taps: Taps) -> str:
    named = [side for side in Side if side in taps]
    if named:
        return f"{name(named[0].opponent)} agrees with a tap on Roll."
    if taps:
        return "One player agrees; the other does with a tap on Roll."
    return "Each player agrees with a tap on Roll."


def _how_else(game: Game[PositionT]) -> str:
    other = "Referee: something else." if game.dispute is not None else "Referee: the dispute view."
    return f"Hint: no. {other}" if game.running else "Hint: no."
