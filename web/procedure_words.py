"""The referee's procedure on the page: disputes, what both players must agree on, and what was agreed."""

from __future__ import annotations

from time import localtime, strftime
from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.game import RULINGS, DisputeEvidence, Remedy
from companion.texts import phrase, render
from companion.views import RULED
from web.correction_state import PLACES, content_words, correction_state
from web.words import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Disputed, DoubtfulCell, Settled
    from companion.interface import OfferView, ProposalView, Snapshot

LABELS = {
    Remedy.CORRECTED: "Put it right",
    Remedy.STANDS: "It stands",
    Remedy.OVERRULED: "Overrule the referee",
    Remedy.TAKEBACK: "Take the last turn back",
    Remedy.POSITION: "What the camera sees is the position",
}
POINTS = 24


def procedure_state(snapshot: Snapshot, labels: Sequence[int]) -> dict[str, Any]:
    """`{"proposal", "rulings", "mends", "settled", "correction"}` as the page draws them.

    `labels` are what the 24 points are called on the page just now.
    """
    offers = {offer.remedy: _offer(offer) for offer in snapshot.offers}
    return {
        "proposal": proposal_state(snapshot.proposal),
        "rulings": [offer for remedy, offer in offers.items() if remedy in RULINGS],
        "mends": [offer for remedy, offer in offers.items() if remedy not in RULINGS],
        "settled": [_settled(one, labels) for one in snapshot.settled],
        "correction": correction_state(snapshot, labels),
    }


def proposal_state(proposal: ProposalView | None) -> dict[str, Any] | None:
    """What waits for both players: `{"id", "words", "agreed", "open"}`; `open`: who has not agreed by name."""
    if proposal is None:
        return None
    named = [side for side in PLAYERS if side in proposal.agreed]
    agreed = [f"{PLAYERS[side]} agrees" for side in named] + ["One player agrees"] * (None in proposal.agreed)
    return {
        "id": proposal.number,
        "words": render(proposal.words),
        "agreed": ", ".join(agreed) or "Nobody has agreed yet",
        "open": [side for side in PLAYERS if side not in named],
    }


def called(dispute: Disputed[Any]) -> str:
    """Who called the referee, and when."""
    by = "" if dispute.by is None else PLAYERS[dispute.by]
    at_s = None if dispute.evidence is None else dispute.evidence.at_s
    when = "" if at_s is None else strftime(" at %H:%M", localtime(at_s))
    return f"{by} called the referee{when}" if by else f"The referee was called{when}"


def doubt_words(doubt: DoubtfulCell, labels: Sequence[int]) -> str:
    """One cell that was not certain: "Point 7: 1 white checker 52 %, empty 48 %"."""
    options = ", ".join(f"{content_words(one.content)} {one.percent:g} %" for one in doubt.contents)
    return f"{_place(doubt, labels)}: {options}"


def _offer(offer: OfferView) -> dict[str, Any]:
    words, refused = phrase(offer.words), offer.refused
    return {
        "remedy": offer.remedy,
        "label": LABELS[offer.remedy],
        "words": f"{words[0].upper()}{words[1:]}.",
        "refused": None if refused is None else f"Not now: {phrase(refused)}.",
    }


def _settled(settled: Settled[Any], labels: Sequence[int]) -> dict[str, Any]:
    dispute, evidence = settled.dispute, settled.dispute.evidence or DisputeEvidence()
    player = "" if dispute.side is None else PLAYERS[dispute.side]
    dice = "" if evidence.dice is None else "-".join(map(str, evidence.dice.values))
    named = [PLAYERS[side] for side in PLAYERS if side in settled.agreed]
    message = "" if dispute.verdict is None else dispute.verdict.message
    return {
        "id": dispute.number,
        "called": called(dispute),
        "turn": f"{player} {dice}".strip(),
        "before": picture_path(dispute.before),
        "after": picture_path(dispute.after),
        "message": message or "The referee had said nothing.",
        "doubts": [doubt_words(doubt, labels) for doubt in evidence.doubts],
        "ruling": RULED[settled.ruling],
        "agreed": f"Agreed by {' and '.join(named)}." if len(named) == len(Side) else "Agreed by both players.",
    }


def picture_path(name: str | None) -> str | None:
    """Where the page finds the evidence picture of that name."""
    return f"/evidence/{name}" if name else None


def _place(doubt: DoubtfulCell, labels: Sequence[int]) -> str:
    cell = doubt.cell
    if isinstance(doubt.label, int) and cell < len(labels):
        return f"{'Point' if len(labels) == POINTS else 'Square'} {labels[cell]}"
    return PLACES.get(cell) or f"{'Square ' if isinstance(doubt.label, int) else ''}{doubt.label}".capitalize()
