"""How a game or a match ended, as messages for the page and the speech."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import both, message

if TYPE_CHECKING:
    from companion.core import Message, Side
    from companion.game import Ended, Match

WITHOUT_WINNER = ("threefold_repetition", "forty_moves", "unfinished", "set_up")


def result(ended: Ended) -> Message:
    """The winner, the points and the kind of win; or why nobody won and what each player gets.

    Any kind of draw that is not in the rules was agreed on.
    """
    points = message("points.one") if ended.points == 1 else message("points", number=ended.points)
    if ended.winner is None:
        kind = ended.kind.removeprefix("drawn: ")
        how = message(f"ended.{kind if kind in WITHOUT_WINNER else 'agreement'}")
        return both(how, message("ended.points", points=points)) if ended.points else how
    level = ended.kind.partition(",")[0]
    if level == "backgammon":
        return message("wins.backgammon", player=ended.winner, points=points)
    if level == "gammon":
        return message("wins.gammon", player=ended.winner, points=points)
    return message("wins", player=ended.winner, points=points)


def outcome(ended: Ended, match: Match | None) -> tuple[Message, ...]:
    """How a game ended, what ended it where it was not played out, and the match where that is over too."""
    how = _how(ended)
    over = (result(ended),) if how is None else (result(ended), how)
    if match is not None and match.winner is not None:
        return (*over, match_won(match, match.winner))
    return over


def _how(ended: Ended) -> Message | None:
    """What ended a game that was not played to its end."""
    if ended.winner is not None and ended.kind.endswith(", resigned"):
        return message("wins.resigned", player=ended.winner.opponent)
    if ended.winner is not None and ended.kind == "double passed":
        return message("wins.passed", player=ended.winner.opponent)
    return None


def match_won(match: Match, winner: Side) -> Message:
    """Who has won the match, and the score."""
    low, high = sorted(match.score)
    return message("wins.match", player=winner, high=high, low=low)
