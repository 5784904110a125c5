"""Each player's figures beside the board, and how the last game ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Side, joined
from companion.game import Phase
from companion.interface import outcome

if TYPE_CHECKING:
    from companion.interface import Snapshot
    from web.texts import PageTexts


def players_state(snapshot: Snapshot, board: dict[str, Any] | None, words: PageTexts) -> list[dict[str, Any]]:
    """White and Black: `{"player", "left", "away", "points"}`, all but the points in words.

    `board` is the result of `board_state`; `left`: the pip count, or the number of pieces in checkers; `points`: the
    score in the match or series, None without one.
    """
    return [
        {
            "player": side,
            "left": _left(board, place, words),
            "away": _away(snapshot, place, words),
            "points": None if snapshot.score is None else snapshot.score[place],
        }
        for place, side in enumerate(Side)
    ]


def result_state(snapshot: Snapshot, words: PageTexts) -> dict[str, Any] | None:
    """How the last game ended: `{"words", "score"}`; None while another is played."""
    if not _shows_result(snapshot):
        return None
    match, score = snapshot.match, ""
    if match is not None:
        white, black = match.score
        score = words("result.score", first=Side.WHITE, white=white, black=black, second=Side.BLACK)
    return {"words": result_words(snapshot, words), "score": score}


def is_analysed(snapshot: Snapshot) -> bool:
    """Whether the last game is analysed: the lines are its result, not the progress of the analysis."""
    return _shows_result(snapshot) and any(line.key.startswith("analysis.card") for line in snapshot.analysis)


def _shows_result(snapshot: Snapshot) -> bool:
    return snapshot.ended is not None and snapshot.phase in (Phase.OVER, Phase.OPENING)


def result_words(snapshot: Snapshot, words: PageTexts) -> str:
    """The result of the last game, and of the match if that is over too."""
    return "" if snapshot.ended is None else words.rendered(joined(outcome(snapshot.ended, snapshot.match)))


def _left(board: dict[str, Any] | None, place: int, words: PageTexts) -> str:
    if board is None:
        return ""
    if "pips" in board:
        return words.count("players.pips", board["pips"][place])
    return words.count("players.pieces", sum(content[place] for content in board["squares"]))


def _away(snapshot: Snapshot, place: int, words: PageTexts) -> str:
    """The number of points that the player still needs to win the match."""
    match = snapshot.match
    if match is None or not match.length or match.score[place] >= match.length:
        return ""
    return words("players.away", number=match.length - match.score[place])
