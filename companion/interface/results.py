"""How a game or a match ended, as messages for the page and the speech."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import both, message

if TYPE_CHECKING:
    from companion.core import Message
    from companion.game import Ended, Match

ONLY_KIND = "win"
"""The only kind of win in checkers."""
WITHOUT_WINNER = ("threefold_repetition", "forty_moves", "unfinished", "set_up")


def result(ended: Ended) -> Message:
    """The winner, the points and the kind of win; or why nobody won, and the points of each player.

    A draw of any other kind than WITHOUT_WINNER was agreed on. A win in checkers for one point has no points in words.
    """
    points = points_in_words(ended.points)
    if ended.winner is None:
        kind = ended.kind.removeprefix("drawn: ")
        how = message(f"ended.{kind if kind in WITHOUT_WINNER else 'agreement'}")
        return both(how, message("ended.points", points=points)) if ended.points else how
    level = ended.kind.partition(",")[0]
    if level == "backgammon":
        return message("wins.backgammon", player=ended.winner, points=points)
    if level == "gammon":
        return message("wins.gammon", player=ended.winner, points=points)
    if level == ONLY_KIND and ended.points == 1:
        return message("wins.game", player=ended.winner)
    return message("wins", player=ended.winner, points=points)


def points_in_words(points: int) -> Message:
    """A number of points: "one point", "2 points"."""
    return message("points.one") if points == 1 else message("points", number=points)


def outcome(ended: Ended, match: Match | None) -> tuple[Message, ...]:
    """How a game ended, why it ended early if it did, and the match if that is over too."""
    how = _how(ended)
    over = (result(ended),) if how is None else (result(ended), how)
    if match is not None and match.winner is not None:
        low, high = sorted(match.score)
        return (*over, message("wins.match", player=match.winner, high=high, low=low))
    return over


def _how(ended: Ended) -> Message | None:
    """Why a game ended early: a resignation or a passed double; None if it was played to its end."""
    if ended.winner is not None and ended.kind.endswith(", resigned"):
        return message("wins.resigned", player=ended.winner.opponent)
    if ended.winner is not None and ended.kind == "double passed":
        return message("wins.passed", player=ended.winner.opponent)
    return None
