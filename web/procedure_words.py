"""The referee's procedure on the page: disputes, what both players must agree on, and what was agreed."""

from __future__ import annotations

from time import localtime, strftime
from typing import TYPE_CHECKING, Any

from companion.agreement import RULINGS, Remedy
from companion.model import Side
from companion.observation import BACKGAMMON_CELLS, BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF
from web.words import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.snapshot import Snapshot

LABELS = {
    Remedy.CORRECTED: "Put it right",
    Remedy.STANDS: "It stands",
    Remedy.OVERRULED: "Overrule the referee",
    Remedy.TAKEBACK: "Take the last turn back",
    Remedy.POSITION: "What the camera sees is the position",
}
POINTS = 24
PLACES = {
    WHITE_BAR: "White’s bar",
    BLACK_BAR: "Black’s bar",
    WHITE_OFF: "White’s borne off",
    BLACK_OFF: "Black’s borne off",
}


def procedure_state(snapshot: Snapshot, labels: Sequence[int]) -> dict[str, Any]:
    """`{"proposal", "rulings", "mends", "settled", "correction"}` as the page draws them.

    `labels` are what the 24 points are called on the page just now.
    """
    offers = {Remedy(offer["remedy"]): _offer(offer) for offer in snapshot.offers}
    return {
        "proposal": proposal_state(snapshot.proposal),
        "rulings": [offer for remedy, offer in offers.items() if remedy in RULINGS],
        "mends": [offer for remedy, offer in offers.items() if remedy not in RULINGS],
        "settled": [_settled(one, labels) for one in snapshot.settled],
        "correction": correction_state(snapshot, labels),
    }


def proposal_state(proposal: dict[str, Any] | None) -> dict[str, Any] | None:
    """What waits for both players: `{"id", "words", "agreed", "open"}`; `open`: who has not agreed by name."""
    if proposal is None:
        return None
    named = [side for side in PLAYERS if side in proposal["agreed"]]
    agreed = [f"{PLAYERS[side]} agrees" for side in named] + ["One player agrees"] * (None in proposal["agreed"])
    return {
        "id": proposal["id"],
        "words": proposal["words"],
        "agreed": ", ".join(agreed) or "Nobody has agreed yet",
        "open": [side for side in PLAYERS if side not in named],
    }


def called(dispute: dict[str, Any]) -> str:
    """Who called the referee, and when."""
    by = PLAYERS.get(dispute.get("by") or "")
    at_s = dispute.get("at_s")
    when = "" if at_s is None else strftime(" at %H:%M", localtime(at_s))
    return f"{by} called the referee{when}" if by else f"The referee was called{when}"


def doubt_words(doubt: dict[str, Any], labels: Sequence[int]) -> str:
    """One cell that was not certain: "Point 7: 1 white checker 52 %, empty 48 %"."""
    options = ", ".join(f"{content_words(content)} {percent:g} %" for content, percent, *_ in doubt["contents"])
    return f"{_place(doubt, labels)}: {options}"


def content_words(content: Sequence[int]) -> str:
    """The checkers on one cell."""
    parts = [f"{count} {colour}" for count, colour in zip(content, ("white", "black"), strict=True) if count]
    return " and ".join(parts) or "empty"


def correction_state(snapshot: Snapshot, labels: Sequence[int]) -> dict[str, Any] | None:
    """What a page needs to let a player say what stands on the board; None where there is no game of backgammon on.

    `base` is the position to begin from, `cells` those in doubt or in question, each with what the camera finds likely,
    `names` what the 28 cells are called, `totals` how many checkers each player has, `turn` what is to be played from
    there where the turn is not over.
    """
    position = snapshot.position
    if position is None or "points" not in position or not any(o["remedy"] == Remedy.POSITION for o in snapshot.offers):
        return None
    base = snapshot.seen or position
    doubts = {doubt["cell"]: doubt for doubt in (snapshot.lost or snapshot.dispute or {}).get("doubts") or ()}
    cells = dict.fromkeys([*doubts, *((snapshot.lost or {}).get("cells") or ())])
    named = [f"Point {label}" for label in labels] + [PLACES[cell] for cell in range(WHITE_BAR, BACKGAMMON_CELLS)]
    player = PLAYERS.get(snapshot.on_roll or "")
    dice = "-".join(map(str, snapshot.dice or ()))
    return {
        "base": _contents(base),
        "cells": [{"cell": cell, "likely": _likely(doubts.get(cell))} for cell in cells],
        "names": named,
        "totals": [sum(content[side] for content in _contents(position)) for side in (0, 1)],
        "turn": f"{player} still plays {dice} from there" if snapshot.dice and player else None,
        "over": f"That is {player}’s play, and the turn is over" if snapshot.dice and player else None,
    }


def _likely(doubt: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [
        {"content": content, "words": f"{content_words(content)} ({percent:g} %)"}
        for content, percent, *_ in (doubt or {}).get("contents") or ()
    ]


def _contents(position: dict[str, Any]) -> list[list[int]]:
    """[white, black] of all 28 cells."""
    points = [[max(n, 0), max(-n, 0)] if isinstance(n, int) else list(n) for n in position["points"]]
    bar, off = position.get("bar") or (0, 0), position.get("off") or (0, 0)
    return [*points, [bar[0], 0], [0, bar[1]], [off[0], 0], [0, off[1]]]


def _offer(offer: dict[str, Any]) -> dict[str, Any]:
    words, refused = offer["words"], offer["refused"]
    return {
        "remedy": offer["remedy"],
        "label": LABELS[Remedy(offer["remedy"])],
        "words": f"{words[0].upper()}{words[1:]}.",
        "refused": None if refused is None else f"Not now: {refused}.",
    }


def _settled(settled: dict[str, Any], labels: Sequence[int]) -> dict[str, Any]:
    player = PLAYERS.get(settled.get("player") or "", "")
    dice = "-".join(map(str, settled.get("dice") or ()))
    named = [PLAYERS[side] for side in PLAYERS if side in settled["agreed"]]
    return {
        "id": settled["id"],
        "called": called(settled),
        "turn": f"{player} {dice}".strip(),
        "before": _picture(settled.get("before")),
        "after": _picture(settled.get("after")),
        "message": (settled.get("verdict") or {}).get("message") or "The referee had said nothing.",
        "doubts": [doubt_words(doubt, labels) for doubt in settled.get("doubts") or ()],
        "ruling": settled["words"],
        "agreed": f"Agreed by {' and '.join(named)}." if len(named) == len(Side) else "Agreed by both players.",
    }


def _picture(name: str | None) -> str | None:
    return f"/evidence/{name}" if name else None


def _place(doubt: dict[str, Any], labels: Sequence[int]) -> str:
    cell = doubt["cell"]
    if isinstance(doubt["label"], int) and cell < len(labels):
        return f"{'Point' if len(labels) == POINTS else 'Square'} {labels[cell]}"
    return PLACES.get(cell) or f"{'Square ' if isinstance(doubt['label'], int) else ''}{doubt['label']}".capitalize()
