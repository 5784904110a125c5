"""The referee's verdict in spoken sentences, from its finding, reason, play and dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BLACK_BAR, WHITE_BAR, Cause, Dice, Finding, Message, Side, either, message, unreadable
from companion.notation import square_of
from companion.texts import CORRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Fact, Verdict
    from companion.interface import Snapshot
    from companion.speech.language import Language

FEW = 6
"""Most places that are listed: listeners cannot remember more."""
FEW_READINGS = 3
"""Most readings that are listed."""
STILL_TO_DO = ("backgammon.hit_checker_not_on_bar", "checkers.captured_not_removed")
"""Messages of an unfinished turn that say what is still to be done."""


def verdict_line(now: Snapshot, language: Language) -> str:
    """The verdict of `now` in words; empty without one."""
    verdict = now.verdict
    if verdict is None or now.on_roll is None:
        return ""
    match verdict.finding:
        case Finding.LEGAL:
            return _legal(now, now.on_roll, verdict, language)
        case Finding.ILLEGAL:
            return _illegal(now, now.on_roll, verdict, language)
        case Finding.AMBIGUOUS:
            return _ambiguous(now, verdict, language)
        case Finding.UNREADABLE:
            return language.render(unreadable(verdict.cause or Cause.UNKNOWN))
        case Finding.UNFINISHED if verdict.to_set_up or verdict.message.key in STILL_TO_DO:
            return language.render(verdict.message)
        case Finding.UNFINISHED:
            return language.say("spoken.unfinished")
        case Finding.NOT_MOVED:
            return language.say("spoken.not_moved")


def places(cells: Sequence[int], now: Snapshot, language: Language) -> str:
    """Cells in words, by the numbers that the page shows; empty if there are none or too many."""
    found = dict.fromkeys(_place(cell, now, language) for cell in cells)
    return language.listed([*found]) if len(found) <= FEW else ""


def _place(cell: int, now: Snapshot, language: Language) -> str:
    if now.game == "checkers":
        square = square_of(cell)
        return language.say("light_square") if square is None else language.number(square)
    if cell >= WHITE_BAR:
        return language.say("the_bar") if cell <= BLACK_BAR else language.say("borne_off")
    return language.number(now.point_numbers[cell])


def _legal(now: Snapshot, player: Side, verdict: Verdict[Any], language: Language) -> str:
    opponent, play = player.opponent, verdict.play or ""
    if not play and now.game == "checkers":
        return f"{language.say('checkers.loses', player=player)} {language.say('opening.stands.terse')}"
    if not play:
        return language.say("spoken.no_play", player=player, opponent=opponent)
    crowned = verdict.message.key == "checkers.plays_crowned"
    if language.terse:
        return language.render(verdict.message) if crowned else language.say("spoken.play", play=play)
    if now.game == "checkers":
        made = language.render(verdict.message) if crowned else language.say("plays", player=player, play=play)
        return f"{made} {language.say('spoken.roll_passes')}"
    checkers = language.borne_off(play)
    made = language.say("plays", player=player, play=play)
    if checkers:
        made = language.say("spoken.bears_off", player=player, checkers=checkers)
    return f"{made} {language.say('spoken.may_roll', opponent=opponent)}"


def _illegal(now: Snapshot, player: Side, verdict: Verdict[Any], language: Language) -> str:
    if verdict.reply is not None:
        return language.render(verdict.message)
    made, reason = _made(now, player, verdict.made or "", language), language.sentence(f"reason.{verdict.reason}")
    return " ".join(filter(None, (made, reason, _what_to_do(verdict, language))))


def _made(now: Snapshot, player: Side, made: str, language: Language) -> str:
    """The play that was made, and that it is not legal."""
    if not made:
        return language.say("spoken.illegal")
    if language.terse:
        return language.say("spoken.illegal.play", play=made)
    if now.game == "checkers" or now.dice is None:
        return language.say("spoken.illegal.move", player=player, play=made)
    facts: dict[str, Fact] = {"player": player, "dice": Dice(now.dice)}
    checkers = language.borne_off(made)
    if checkers:
        return language.say("spoken.illegal.off", checkers=checkers, **facts)
    return language.say("spoken.illegal.roll", play=made, **facts)


def _what_to_do(verdict: Verdict[Any], language: Language) -> str:
    plays = verdict.plays
    if verdict.reason in CORRECTIONS:
        return language.render(message(f"mend.{verdict.reason}"))
    if not plays:
        return language.say("spoken.put_back")
    if len(plays) == 1:
        return language.say("spoken.only", play=plays[0])
    return "" if language.terse else language.say("spoken.example", play=plays[0])


def spoken_reading(reading: Message) -> Message:
    """The spoken name of a reading; that its play hits is part of the spoken play."""
    return message("reading.play", play=reading.facts["play"]) if reading.key == "reading.hit" else reading


def _ambiguous(now: Snapshot, verdict: Verdict[Any], language: Language) -> str:
    where = places(verdict.cells, now, language)
    if now.readings:
        look = verdict.message.facts.get("look")
        if where and isinstance(look, Message) and look.key == "look.straighten":
            return f"{language.say('spoken.unsure.places', places=where)} {language.say('spoken.choose')}"
        readings = [spoken_reading(one.words) for one in now.readings]
        if len(readings) > FEW_READINGS:
            asked = language.say("spoken.which.places", places=where) if where else language.say("spoken.which")
        else:
            asked = language.say("spoken.which.of", readings=either(readings))
        return f"{asked} {language.say('spoken.choose')}"
    return language.say("spoken.unsure.places", places=where) if where else language.say("spoken.unsure")
