"""The referee's verdict in spoken sentences, made from its facts: finding, reason, play and dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BLACK_BAR, WHITE_BAR, Cause, Finding, Side, message, unreadable
from companion.notation import square_of
from companion.texts import MENDS, marked, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Verdict
    from companion.interface import Snapshot
    from companion.speech.language import Language

FEW = 6
"""More places than this are not listed: nobody keeps them in mind."""


def verdict_line(now: Snapshot, tongue: Language) -> str:
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
            return render(unreadable(verdict.cause or Cause.UNKNOWN), tongue.language)
        case Finding.UNFINISHED:
            return tongue.say("Not finished.", "The turn is not finished yet.")
        case Finding.NOT_MOVED:
            return tongue.say("Nothing has moved.")


def places(cells: Sequence[int], now: Snapshot, tongue: Language) -> str:
    """Cells in words, in the numbers of the player on roll; empty where there are none or too many."""
    found = dict.fromkeys(_place(cell, now, tongue) for cell in cells)
    return tongue.listed([*found]) if len(found) <= FEW else ""


def _place(cell: int, now: Snapshot, tongue: Language) -> str:
    if now.game == "checkers":
        square = square_of(cell)
        return tongue.say("a light square") if square is None else tongue.number(square)
    if cell >= WHITE_BAR:
        return tongue.say("the bar") if cell <= BLACK_BAR else tongue.say("what is borne off")
    return tongue.number(WHITE_BAR - cell if now.on_roll == Side.BLACK else cell + 1)


def _legal(now: Snapshot, play: str, tongue: Language) -> str:
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
    facts = {"player": player, "opponent": opponent, "play": words, "checkers": tongue.borne_off(play)}
    if facts["checkers"]:
        return tongue.say("{play}.", "{player} bears off {checkers}. {opponent} may roll.", **facts)
    return tongue.say("{play}.", "{player} plays {play}. {opponent} may roll.", **facts)


def _illegal(now: Snapshot, verdict: Verdict[Any], tongue: Language) -> str:
    facts = {"player": tongue.player(now.on_roll or ""), "opponent": tongue.opponent(now.on_roll or "")}
    facts["dice"] = tongue.dice(now.dice or ())
    made = tongue.play(verdict.made or "")
    reason = render(message("sentence", what=message(f"reason.{verdict.reason}")), tongue.language)
    if not made:
        head = tongue.say("Not legal.", "That is not legal.")
    elif now.game == "checkers":
        head = tongue.say("Not legal: {play}.", "{player} played {play}. That is not legal.", play=made, **facts)
    elif off := tongue.borne_off(verdict.made or ""):
        friendly = marked("{player} rolled {dice} and bore off {checkers}. That is not legal.")
        head = tongue.say("Not legal: {play}.", friendly, play=made, checkers=off, **facts)
    else:
        head = tongue.say(
            "Not legal: {play}.", "{player} rolled {dice} and played {play}. That is not legal.", play=made, **facts
        )
    return " ".join(filter(None, (head, reason, _mend(verdict, tongue))))


def _mend(verdict: Verdict[Any], tongue: Language) -> str:
    plays = verdict.plays
    if verdict.reason in MENDS:
        return tongue.say(MENDS[verdict.reason])
    if not plays:
        return tongue.say("Nothing can be played: put it back.")
    if len(plays) == 1:
        return tongue.say("Only {play} is legal.", play=tongue.play(plays[0]))
    return "" if tongue.terse else tongue.say("Legal is {play}, for example.", play=tongue.play(plays[0]))


def _ambiguous(now: Snapshot, verdict: Verdict[Any], tongue: Language) -> str:
    where = places(verdict.cells, now, tongue)
    if not where:
        return tongue.say("I cannot tell what lies there: straighten the checkers.")
    return tongue.say(
        "Unsure: {places}. Straighten it.",
        "I cannot tell what lies on {places}. Please straighten it.",
        places=where,
    )
