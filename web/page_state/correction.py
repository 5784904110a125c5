"""State of the form in which a player enters the contents of the board, cell by cell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core import BACKGAMMON_CELLS, BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, Dice, Side
from companion.game import Phase, Remedy
from web.page_state.board import board_state, content_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import DoubtfulCell
    from companion.interface import Snapshot
    from web.texts import PageTexts

PLACES = {
    WHITE_BAR: ("place.bar", Side.WHITE),
    BLACK_BAR: ("place.bar", Side.BLACK),
    WHITE_OFF: ("place.off", Side.WHITE),
    BLACK_OFF: ("place.off", Side.BLACK),
}
"""Names of the cells beside the points (keys of `web.texts.TEXTS`), and whose they are."""

Contents = list[list[int]]
"""[white, black] of all 28 cells of backgammon, [white, black, king] of all 64 of checkers."""


def correction_state(snapshot: Snapshot, labels: Sequence[int], words: PageTexts) -> dict[str, Any] | None:
    """The form's initial contents and choices; None if no position can be agreed on now.

    `kind`: "points" or "squares". `base`: the initial contents. `cells`: the doubtful ones and those named by the
    verdict, each with its likely contents. `names`: the cells' names, empty for a cell that must stay empty.
    `totals`: the number of checkers of each player; `exact`: no fewer are allowed. `turn`, `over`: what follows if the
    turn goes on, and if it is over; None between turns. `labels` are those of the board on the page.
    """
    if snapshot.position is None or not any(offer.remedy is Remedy.POSITION for offer in snapshot.offers):
        return None
    points = "points" in snapshot.position

    def contents(position: dict[str, Any]) -> Contents:
        return _points(position) if points else _squares(position, snapshot, words)

    base = contents(snapshot.seen or snapshot.position)
    doubts = {doubt.cell: doubt for doubt in snapshot.doubts}
    in_question = [cell for cell in snapshot.cells_in_question if cell < len(base)]
    record = contents(snapshot.position)
    return {
        "kind": "points" if points else "squares",
        "base": base,
        "cells": [
            {"cell": cell, "likely": _likely(doubts.get(cell), base[cell], words)}
            for cell in dict.fromkeys([*doubts, *in_question])
        ],
        "names": _names(labels, words) if points else _square_names(labels, words),
        "totals": [sum(content[side] for content in record) for side in (0, 1)],
        "exact": points,
        **_what_follows(snapshot, words),
    }


def content_words(content: Sequence[int], words: PageTexts) -> str:
    """The checkers on one cell."""
    white, black, *king = content
    if king:
        if not white and not black:
            return words("content.empty")
        return words("content.king" if king[0] else "content.man", player=Side.WHITE if white else Side.BLACK)
    counts = zip((white, black), Side, strict=True)
    parts = [words("content.checkers", number=count, player=side) for count, side in counts if count]
    return words.listed(parts) or words("content.empty")


def _names(labels: Sequence[int], words: PageTexts) -> list[str]:
    points = [words("place.point", number=label) for label in labels]
    return points + [place_words(cell, words) for cell in range(WHITE_BAR, BACKGAMMON_CELLS)]


def place_words(cell: int, words: PageTexts) -> str:
    """The name of a cell of `PLACES`."""
    key, side = PLACES[cell]
    return words(key, player=side)


def _square_names(labels: Sequence[int], words: PageTexts) -> list[str]:
    return [words("place.square", number=label) if label else "" for label in labels]


def _what_follows(snapshot: Snapshot, words: PageTexts) -> dict[str, str | None]:
    player = snapshot.on_roll
    if player is None or snapshot.phase is not Phase.TO_MOVE:
        return {"turn": None, "over": None}
    if not snapshot.dice:
        moves_on = words("correction.moves_on", player=player)
        return {"turn": moves_on, "over": words("correction.move_over", player=player)}
    dice = str(Dice(snapshot.dice))
    plays_on = words("correction.plays_on", player=player, dice=dice)
    return {"turn": plays_on, "over": words("correction.play_over", player=player)}


def _likely(doubt: DoubtfulCell | None, stands: Sequence[int], words: PageTexts) -> list[dict[str, Any]]:
    """The likely contents of a cell. The camera cannot distinguish kings from men: a king on record stays one."""
    found = []
    for likely in () if doubt is None else doubt.contents:
        content = list(likely.content)
        if len(stands) > len(content):
            content.append(stands[2] if content == list(stands[:2]) else 0)
        named = {"content": content_words(content, words), "percent": words.decimal(f"{likely.percent:g}")}
        found.append({"content": content, "words": words("content.likely", **named)})
    return found


def _points(position: dict[str, Any]) -> Contents:
    points = [content_of(point) for point in position["points"]]
    bar, off = position.get("bar") or (0, 0), position.get("off") or (0, 0)
    return [*points, [bar[0], 0], [0, bar[1]], [off[0], 0], [0, off[1]]]


def _squares(position: dict[str, Any], snapshot: Snapshot, words: PageTexts) -> Contents:
    drawn = board_state(replace(snapshot, seen=position), words) or {}
    return [[*content, int(cell in drawn["kings"])] for cell, content in enumerate(drawn["squares"])]
