"""The referee's verdict in spoken sentences, made from its facts: finding, reason, play and dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.model import Cause, Finding, Side
from companion.notation.fen import square_of
from companion.observation import BLACK_BAR, WHITE_BAR
from companion.spoken.tongue import marked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.model import Verdict
    from companion.snapshot import Snapshot
    from companion.spoken.tongue import Tongue

REASONS = {
    "wrong_player_moved": marked("It is {player}'s turn, but {opponent}'s checkers were moved."),
    "bar_first": marked("A checker on the bar comes in first."),
    "moved_backwards": marked("A checker went backwards."),
    "not_all_home": marked("Not all checkers are home yet."),
    "bear_off_higher_first": marked("A checker on a higher point moves first."),
    "stack_limit": marked("There are too many checkers on one point."),
    "blocked_point": marked("{opponent} holds that point."),
    "blocked_on_the_way": marked("{opponent} holds every point on the way."),
    "must_play_larger_die": marked("The larger number must be played."),
    "could_play_more": marked("More of the dice can be played."),
    "too_many_moves": marked("More was moved than was rolled."),
    "wrong_distance": marked("{dice} does not give that distance."),
    "hit_checker_not_on_bar": marked("The checker that was hit is not on the bar."),
    "checker_missing": marked("A checker is missing."),
    "checker_extra": marked("There is a checker too many."),
    "light_square": marked("A piece stands on a light square."),
    "not_diagonal": marked("Pieces move diagonally."),
    "man_moved_backwards": marked("A man went backwards: only kings may."),
    "jumped_own": marked("A piece jumped over one of its own."),
    "nothing_to_jump": marked("There was nothing to jump over."),
    "too_far": marked("That is too far."),
    "must_capture": marked("A capture must be made."),
    "must_finish_jump": marked("The jump goes on."),
    "turn_ended_on_crowning": marked("The turn ended with the crowning."),
    "captured_not_removed": marked("The captured piece still stands there."),
    "removed_wrongly": marked("A piece was taken away that was not captured."),
    "two_pieces_moved": marked("Two pieces moved in one turn."),
    "piece_missing": marked("A piece is missing."),
    "piece_extra": marked("There is a piece too many."),
}
MENDS = {
    "wrong_player_moved": marked("Put them back."),
    "hit_checker_not_on_bar": marked("Put it there."),
    "checker_missing": marked("Look for it."),
    "checker_extra": marked("Take it away."),
    "captured_not_removed": marked("Take it away."),
    "removed_wrongly": marked("Put it back."),
    "piece_missing": marked("Put it back."),
    "piece_extra": marked("Take it away."),
}
"""What to do where no legal play needs to be named."""
CAUSES = {
    Cause.HAND: marked("Something is over the board: take it away."),
    Cause.DARK: marked("It is too dark: give the board more light."),
    Cause.GLARE: marked("Light is reflected off the board: move the lamp."),
    Cause.BLUR: marked("The picture is blurred: see to the camera's focus."),
    Cause.MOVED_CAMERA: marked("The camera or the board was moved: put it back."),
    Cause.UNKNOWN: marked("The board cannot be read: straighten the checkers."),
}
FEW = 6
"""More places than this are not listed: nobody keeps them in mind."""


def verdict_line(now: Snapshot, tongue: Tongue) -> str:
    """The verdict of `now` in words; empty where it has none."""
    verdict = now.verdict
    if verdict is None or now.on_roll is None:
        return ""
    match verdict.finding:
        case Finding.LEGAL:
            return _legal(now, verdict.play or "", tongue)
        case Finding.ILLEGAL:
            return _illegal(now, verdict, tongue)
        case Finding.AMBIGUOUS:
            return _ambiguous(now, verdict, tongue)
        case Finding.UNREADABLE:
            return tongue.say(CAUSES[verdict.cause or Cause.UNKNOWN])
        case Finding.UNFINISHED:
            return tongue.say("Not finished.", "The turn is not finished yet.")
        case Finding.NOT_MOVED:
            return tongue.say("Nothing has moved.")


def places(cells: Sequence[int], now: Snapshot, tongue: Tongue) -> str:
    """Cells in words, in the numbers of the player on roll; empty where there are none or too many."""
    found = dict.fromkeys(_place(cell, now, tongue) for cell in cells)
    return tongue.listed([*found]) if len(found) <= FEW else ""


def _place(cell: int, now: Snapshot, tongue: Tongue) -> str:
    if now.game == "checkers":
        square = square_of(cell)
        return tongue.say("a light square") if square is None else tongue.number(square)
    if cell >= WHITE_BAR:
        return tongue.say("the bar") if cell <= BLACK_BAR else tongue.say("what is borne off")
    return tongue.number(WHITE_BAR - cell if now.on_roll == Side.BLACK else cell + 1)


def _legal(now: Snapshot, play: str, tongue: Tongue) -> str:
    player, opponent = tongue.player(now.on_roll or ""), tongue.opponent(now.on_roll or "")
    if not play and now.game == "checkers":
        return tongue.say("{player} has no legal move and loses: tap Roll.", player=player)
    if not play:
        return tongue.say(
            "No play: {opponent} rolls.",
            "{player} can play nothing: the turn passes, and {opponent} rolls.",
            player=player,
            opponent=opponent,
        )
    words = tongue.play(play)
    if now.game == "checkers":
        return tongue.say("{play}.", "{player} plays {play}. Roll passes the turn.", player=player, play=words)
    return tongue.say(
        "{play}.", "{player} plays {play}. {opponent} may roll.", player=player, opponent=opponent, play=words
    )


def _illegal(now: Snapshot, verdict: Verdict[Any], tongue: Tongue) -> str:
    facts = {"player": tongue.player(now.on_roll or ""), "opponent": tongue.opponent(now.on_roll or "")}
    facts["dice"] = tongue.dice(now.dice or ())
    made = tongue.play(verdict.made or "")
    reason = tongue.say(REASONS[verdict.reason or ""], **facts)
    if not made:
        head = tongue.say("Not legal.", "That is not legal.")
    elif now.game == "checkers":
        head = tongue.say("Not legal: {play}.", "{player} played {play}. That is not legal.", play=made, **facts)
    else:
        head = tongue.say(
            "Not legal: {play}.", "{player} rolled {dice} and played {play}. That is not legal.", play=made, **facts
        )
    return " ".join(filter(None, (head, reason[0].upper() + reason[1:], _mend(verdict, tongue))))


def _mend(verdict: Verdict[Any], tongue: Tongue) -> str:
    plays = verdict.plays
    if verdict.reason in MENDS:
        return tongue.say(MENDS[verdict.reason])
    if not plays:
        return tongue.say("Nothing can be played: put it back.")
    if len(plays) == 1:
        return tongue.say("Only {play} is legal.", play=tongue.play(plays[0]))
    return "" if tongue.terse else tongue.say("Legal is {play}, for example.", play=tongue.play(plays[0]))


def _ambiguous(now: Snapshot, verdict: Verdict[Any], tongue: Tongue) -> str:
    where = places(verdict.cells, now, tongue)
    if not where:
        return tongue.say("I cannot tell what lies there: straighten the checkers.")
    return tongue.say(
        "Unsure: {places}. Straighten it.",
        "I cannot tell what lies on {places}. Please straighten it.",
        places=where,
    )
