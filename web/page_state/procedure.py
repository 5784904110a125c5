"""The referee's procedure on the page: disputes, proposals to both players, and settled disputes."""

from __future__ import annotations

from time import localtime, strftime
from typing import TYPE_CHECKING, Any

from companion.core import Message, Side, message
from companion.game import RULINGS, DisputeEvidence
from companion.texts import capital
from web.page_state.correction import PLACES, content_words, correction_state, place_words
from web.texts import TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Disputed, DoubtfulCell, RecordedVerdict, Settled
    from companion.interface import OfferView, ProposalView, ReadingView, Snapshot
    from web.texts import PageTexts

POINTS = 24


def procedure_state(snapshot: Snapshot, labels: Sequence[int], words: PageTexts) -> dict[str, Any]:
    """`{"proposal", "readings", "rulings", "mends", "settled", "correction"}`.

    `labels` are the present numbers of the points or squares on the page.
    """
    offers = {offer.remedy: _offer(offer, words) for offer in snapshot.offers}
    return {
        "proposal": proposal_state(snapshot.proposal, words),
        "readings": readings_state(snapshot.readings, words),
        "rulings": [offer for remedy, offer in offers.items() if remedy in RULINGS],
        "mends": [offer for remedy, offer in offers.items() if remedy not in RULINGS],
        "settled": [_settled(one, labels, words) for one in snapshot.settled],
        "correction": correction_state(snapshot, labels, words),
    }


def proposal_state(proposal: ProposalView | None, words: PageTexts) -> dict[str, Any] | None:
    """The open proposal: `{"id", "title", "words", "agreed", "open", "offered_by"}`; None without one.

    `open`: players who are not known to have agreed; `offered_by`: who offers to end the game, and the other answers.
    """
    if proposal is None:
        return None
    named = [side for side in Side if side in proposal.agreed]
    agreed = [words("proposal.agrees", player=side) for side in named]
    agreed += [words("proposal.one")] * (None in proposal.agreed)
    offered_by = None if proposal.offer is None else proposal.by
    return {
        "id": proposal.number,
        "title": words("proposal.both" if offered_by is None else "light.offer"),
        "words": words.rendered(proposal.words),
        "agreed": ", ".join(agreed) or words("proposal.nobody"),
        "open": [side for side in Side if side not in named],
        "offered_by": offered_by,
    }


def readings_state(readings: Sequence[ReadingView], words: PageTexts) -> dict[str, Any] | None:
    """The question which reading is right: `{"title", "choices": [{"id", "label", "note", "agreed"}]}`; None: none."""
    if not readings:
        return None
    said = any(one.agreed for one in readings)
    return {
        "title": words("readings.said" if said else "readings.which"),
        "choices": [_choice(one, words) for one in readings],
    }


def _choice(reading: ReadingView, words: PageTexts) -> dict[str, Any]:
    """One reading as a button; if its play is illegal, the reason is the note."""
    play, reason = reading.words.facts.get("play"), reading.words.facts.get("reason")
    label, note = capital(words.rendered(reading.words)), ""
    if isinstance(play, str) and isinstance(reason, Message):
        label, note = play, capital(words.rendered(reason))
    return {"id": reading.reading, "label": label, "note": note, "agreed": reading.agreed}


def called(dispute: Disputed[Any], words: PageTexts) -> str:
    """Who called the referee, and at what time."""
    key, facts = "dispute.called", {}
    if dispute.by is not None:
        key, facts = "dispute.by", {"player": words.player(dispute.by)}
    if dispute.evidence is None or dispute.evidence.at_s is None:
        return words(key, **facts)
    return words(f"{key}.at", **facts, time=strftime("%H:%M", localtime(dispute.evidence.at_s)))


def doubt_words(doubt: DoubtfulCell, labels: Sequence[int], words: PageTexts) -> str:
    """One uncertain cell: "Point 7: 1 of White’s 52 %, empty 48 %"."""
    options = [f"{content_words(one.content, words)} {words.decimal(f'{one.percent:g}')} %" for one in doubt.contents]
    return words("words.because", what=_place(doubt, labels, words), why=", ".join(options))


def _offer(offer: OfferView, words: PageTexts) -> dict[str, Any]:
    refused = None if offer.refused is None else words("offer.refused", why=words.phrase(offer.refused))
    why = (words(key),) if (key := f"remedy.{offer.remedy}.why") in TEXTS else ()
    return {
        "remedy": offer.remedy,
        "label": words(f"remedy.{offer.remedy}"),
        "words": " ".join((*why, f"{capital(words.rendered(offer.words))}.")),
        "refused": refused,
    }


def _settled(settled: Settled[Any], labels: Sequence[int], words: PageTexts) -> dict[str, Any]:
    dispute, evidence = settled.dispute, settled.dispute.evidence or DisputeEvidence()
    player = "" if dispute.side is None else words.player(dispute.side)
    dice = "" if evidence.dice is None else str(evidence.dice)
    return {
        "id": dispute.number,
        "called": called(dispute, words),
        "turn": f"{player} {dice}".strip(),
        "before": picture_path(dispute.before),
        "after": picture_path(dispute.after),
        "message": verdict_words(dispute.verdict, words),
        "doubts": [doubt_words(doubt, labels, words) for doubt in evidence.doubts],
        "ruling": words.rendered(message("sentence", what=message(f"remedy.{settled.ruling}"))),
        "agreed": agreed_words(settled, words),
    }


def agreed_words(settled: Settled[Any], words: PageTexts) -> str:
    """A sentence that both players agreed, with their names if both are known to have."""
    if not all(side in settled.agreed for side in Side):
        return words("settled.by_both")
    return words("settled.by_name", first=words.player(Side.WHITE), last=words.player(Side.BLACK))


def verdict_words(verdict: RecordedVerdict | None, words: PageTexts) -> str:
    """The recorded verdict in words; in other languages than English its reason."""
    if verdict is None:
        return words("dispute.silent")
    why = words.reason(verdict.reason) if verdict.reason else words(f"finding.{verdict.finding}")
    return words.recorded(verdict.message) or f"{capital(why)}."


def picture_path(name: str | None) -> str | None:
    """The URL path of the evidence picture of that name."""
    return f"/evidence/{name}" if name else None


def _place(doubt: DoubtfulCell, labels: Sequence[int], words: PageTexts) -> str:
    cell = doubt.cell
    if isinstance(doubt.label, int) and cell < len(labels):
        return words("place.point" if len(labels) == POINTS else "place.square", number=labels[cell])
    if cell in PLACES:
        return place_words(cell, words)
    return words("place.square", number=doubt.label) if isinstance(doubt.label, int) else capital(doubt.label)
