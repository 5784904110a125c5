"""What a page needs to let a player say, place by place, what stands on the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core import BACKGAMMON_CELLS, BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF
from companion.game import Phase, Remedy
from web.board_state import board_state, marked_cells
from web.words import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import DoubtfulCell
    from companion.interface import Snapshot

PLACES = {
    WHITE_BAR: "White’s bar",
    BLACK_BAR: "Black’s bar",
    WHITE_OFF: "White’s borne off",
    BLACK_OFF: "Black’s borne off",
}

Contents = list[list[int]]
"""[white, black] of all 28 cells of backgammon, [white, black, king] of all 64 of checkers."""


def correction_state(snapshot: Snapshot, labels: Sequence[int]) -> dict[str, Any] | None:
    """Where to begin from and what may be chosen; None where no position can be agreed on now.

    `kind`: "points" or "squares". `base`: the contents to begin from. `cells`: those in doubt or in question, each with
    what the camera finds likely. `names`: what the cells are called, empty for one on which nothing can stand.
    `totals`: how many checkers each player has; `exact`: no fewer may there be. `turn`, `over`: what follows where the
    turn is not over yet, and where it is; None where nobody is in mid-turn. `labels` are those of the board drawn.
    """
    if snapshot.position is None or not any(offer.remedy is Remedy.POSITION for offer in snapshot.offers):
        return None
    points = "points" in snapshot.position
    contents = _points if points else _squares
    base = contents(snapshot.seen or snapshot.position, snapshot)
    doubts = {doubt.cell: doubt for doubt in snapshot.doubts}
    in_question = [cell for cell in marked_cells(snapshot) if cell < len(base)]
    named = [f"Point {label}" for label in labels] + [PLACES[cell] for cell in range(WHITE_BAR, BACKGAMMON_CELLS)]
    record = contents(snapshot.position, snapshot)
    return {
        "kind": "points" if points else "squares",
        "base": base,
        "cells": [
            {"cell": cell, "likely": _likely(doubts.get(cell), base[cell])}
            for cell in dict.fromkeys([*doubts, *in_question])
        ],
        "names": named if points else [f"Square {label}" if label else "" for label in labels],
        "totals": [sum(content[side] for content in record) for side in (0, 1)],
        "exact": points,
        **_what_follows(snapshot),
    }


def content_words(content: Sequence[int]) -> str:
    """The checkers on one cell."""
    white, black, *king = content
    if king:
        colour = "white" if white else "black"
        return f"{colour} {'king' if king[0] else 'man'}" if white or black else "empty"
    parts = [f"{count} {colour}" for count, colour in ((white, "white"), (black, "black")) if count]
    return " and ".join(parts) or "empty"


def _what_follows(snapshot: Snapshot) -> dict[str, str | None]:
    player = PLAYERS.get(snapshot.on_roll or "")
    if player is None or snapshot.phase is not Phase.TO_MOVE:
        return {"turn": None, "over": None}
    dice = "-".join(map(str, snapshot.dice or ()))
    goes_on = f"{player} still plays {dice} from there" if dice else f"{player} is still to move from there"
    return {"turn": goes_on, "over": f"That is {player}’s {'play' if dice else 'move'}, and the turn is over"}


def _likely(doubt: DoubtfulCell | None, stands: Sequence[int]) -> list[dict[str, Any]]:
    """What the camera finds likely on a cell; it tells no kings from men: who is one is as before."""
    found = []
    for likely in () if doubt is None else doubt.contents:
        content = list(likely.content)
        told = [*content, stands[2] if content == list(stands[:2]) else 0] if len(stands) > len(content) else content
        found.append({"content": told, "words": f"{content_words(told)} ({likely.percent:g} %)"})
    return found


def _points(position: dict[str, Any], _: Snapshot) -> Contents:
    points = [[max(n, 0), max(-n, 0)] if isinstance(n, int) else list(n) for n in position["points"]]
    bar, off = position.get("bar") or (0, 0), position.get("off") or (0, 0)
    return [*points, [bar[0], 0], [0, bar[1]], [off[0], 0], [0, off[1]]]


def _squares(position: dict[str, Any], snapshot: Snapshot) -> Contents:
    drawn = board_state(replace(snapshot, seen=position)) or {}
    return [[*content, int(cell in drawn["kings"])] for cell, content in enumerate(drawn["squares"])]
