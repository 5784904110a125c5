"""The referee's procedure for the page: the open dispute, what is proposed, what may be, and what was settled."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

from companion.agreement import Remedy
from companion.model import Finding, Side, name
from companion.observation import CellReading
from companion.remedies import ENTERED, goes_on, offers
from companion.seen import agreeable, shown_position

if TYPE_CHECKING:
    from companion.agreement import Proposed, Taps
    from companion.events import Disputed
    from companion.game import Game
    from companion.history import Settled
    from companion.model import PositionT
    from companion.rules.ruleset import Ruleset
    from companion.seen import Seen
    from companion.standing import Standing

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


def procedure_json(standing: Standing[PositionT], rules: Ruleset[PositionT], shown: Seen | None) -> dict[str, Any]:
    """`{"proposal", "offers", "settled", "lost", "doubts"}`, as `companion.snapshot` explains them.

    `shown` is what the last look shows (`companion.seen.seen`).
    """
    game = standing.game
    return {
        "proposal": None if game.proposal is None else _proposal(game.proposal, standing, rules),
        "offers": tuple(
            {"remedy": offer.remedy.value, "words": offer.words, "refused": offer.refused}
            for offer in offers(standing, rules, agreeable(standing, rules, shown).position)
        ),
        "settled": tuple(settled_json(one) for one in game.settled),
        "lost": {"cells": list(standing.differs), "where": standing.where} if standing.lost else None,
        "doubts": tuple(doubts(standing, rules, shown)),
    }


def _proposal(
    proposal: Proposed[PositionT], standing: Standing[PositionT], rules: Ruleset[PositionT]
) -> dict[str, Any]:
    return {
        "id": proposal.number,
        "remedy": proposal.remedy.value,
        "by": proposal.by,
        "agreed": list(proposal.agreed),
        "words": proposal_words(standing, rules),
        "position": None if proposal.position is None else shown_position(rules, proposal.position),
    }


def dispute_json(dispute: Disputed[PositionT]) -> dict[str, Any]:
    """A dispute with its evidence as it was frozen."""
    evidence = dispute.evidence or {}
    return {
        "id": dispute.number,
        "by": dispute.by,
        "at_s": evidence.get("at_s"),
        "before": dispute.before,
        "after": dispute.after,
        "dice": evidence.get("dice"),
        "player": dispute.side,
        "plays": list(evidence.get("plays") or ()),
        "doubts": list(evidence.get("doubts") or ()),
        "unsure": evidence.get("unsure"),
        "verdict": dispute.verdict,
    }


def settled_json(settled: Settled[PositionT]) -> dict[str, Any]:
    """A dispute that is settled, how, and by whom."""
    return {
        **dispute_json(settled.dispute),
        "ruling": settled.ruling.value,
        "words": RULED[settled.ruling],
        "agreed": list(settled.agreed),
    }


def doubts(standing: Standing[PositionT], rules: Ruleset[PositionT], shown: Seen | None) -> list[dict[str, Any]]:
    """The cells that are not certain once all checkers are counted, with what may lie there, the likeliest first.

    `{"cell", "label", "contents": [[[white, black], percent, nats], …]}`; nats as the camera claims them.
    """
    verdict, found = standing.verdict, []
    cells = set(() if shown is None else shown.doubtful)
    if verdict is not None and verdict.finding is Finding.AMBIGUOUS:
        cells.update(verdict.cells)
    for cell in sorted(cells):
        reading = standing.look.cells[cell] if standing.look is not None else CellReading()
        weights = [exp(nats) for _, nats in reading.likelihoods]
        shares = [weight / sum(weights) for weight in weights]
        likely = [
            [list(content), round(100 * share, 1), round(nats, 2)]
            for (content, nats), share in zip(reading.likelihoods, shares, strict=True)
            if 100 * share >= LEAST_PERCENT
        ][:MOST_CONTENTS]
        if len(likely) > 1:
            found.append({"cell": cell, "label": rules.cell_label(cell), "contents": likely})
    return found


def proposal_words(standing: Standing[PositionT], rules: Ruleset[PositionT]) -> str:
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


def _what(proposal: Proposed[PositionT], standing: Standing[PositionT], rules: Ruleset[PositionT]) -> str:
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
