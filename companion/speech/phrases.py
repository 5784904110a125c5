"""Spoken lines about the table: turns, what it waits for, doubles, agreements, results, hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Dice, Finding, Side, message
from companion.dice import DiceName
from companion.game import PLAYING, Phase, opening_message
from companion.interface import ActionKind, outcome
from companion.speech.verdict_phrases import places, spoken_reading, verdict_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Message
    from companion.game import Early, Match
    from companion.hints import Lesson
    from companion.interface import Snapshot
    from companion.speech.language import Language

SAID_FACTS = 2
"""Most facts about a play that are spoken: listeners cannot follow more."""


def state_line(now: Snapshot, language: Language) -> str:
    """What the table waits for; every state has a line."""
    for line in (_hindrance(now, language), question_line(now, language)):
        if line:
            return line
    match now.phase:
        case Phase.TO_MOVE:
            verdict = verdict_line(now, language)
            return " ".join(filter(None, (turn_line(now, language), verdict[:1].upper() + verdict[1:])))
        case Phase.TO_ROLL:
            return turn_line(now, language)
        case Phase.OPENING:
            return _opening(now, language)
        case Phase.WAITING | Phase.OVER:
            return language.say("set_up")


def question_line(now: Snapshot, language: Language) -> str:
    """The open question to the players: a proposal, a dispute, a double; empty without one."""
    if now.proposal is not None and now.proposal.reading is not None:
        asked = language.render(message("reading.asked", reading=spoken_reading(now.proposal.reading)))
        return f"{asked} {language.say('spoken.yes_or_next')}"
    if now.proposal is not None:
        offer, by = now.proposal.offer, now.proposal.by
        asked = language.say("proposed", what=message(f"remedy.{now.proposal.remedy}"))
        if offer is not None:
            asked = language.render(offer)
        if language.terse:
            return f"{asked} {language.say('spoken.yes_or_no')}"
        if offer is not None and by is not None:
            return f"{asked} {language.say('accepts', player=by.opponent)}"
        agrees = language.say("agrees.each")
        if by is not None and now.proposal.agreed == (by,):
            agrees = language.say("agrees", player=by.opponent)
        return f"{asked} {agrees} {language.say('hint_declines')}"
    if now.dispute is not None:
        if language.terse:
            return language.say("spoken.dispute")
        return f"{language.say('dispute.called')} {language.say('dispute.what_now')}"
    match = now.match
    if match is None or match.offered_by is None:
        return ""
    what = "beavers" if match.beavered else "doubles"
    said = language.say(f"cube.{what}", player=match.offered_by, opponent=match.asked, number=2 * match.cube)
    return said if match.asked is now.opponent else f"{said} {language.say('cube.answer')}"


def turn_line(now: Snapshot, language: Language) -> str:
    """Whose turn it is, and with which dice; empty between games."""
    if now.on_roll is None or now.phase not in PLAYING:
        return ""
    if now.phase is Phase.TO_ROLL:
        return language.sentence("then.rolls", player=now.on_roll)
    if now.dice is None or now.game == "checkers":
        return language.sentence("then.moves", player=now.on_roll)
    return language.sentence("then.has", player=now.on_roll, dice=Dice(now.dice))


def own_dice_line(now: Snapshot, language: Language) -> str:
    """What to do if the players roll their own dice next; empty if Boardside rolls."""
    source = None if now.fairness is None else now.fairness.source
    legal = now.verdict is not None and now.verdict.finding is Finding.LEGAL
    if now.phase is Phase.TO_MOVE and not legal:
        return ""
    match source:
        case DiceName.CAMERA:
            return language.say("dice.throw")
        case DiceName.BY_HAND:
            return language.say("dice.enter")
        case _:
            return ""


def rolled_line(before: Snapshot, now: Snapshot, language: Language) -> str:
    """What was rolled, and by whom."""
    dice = now.dice or ()
    if now.phase is Phase.OPENING and len(dice) == 2:
        return _tie(now, dice[0], language)
    player, words = now.on_roll or Side.WHITE, language.dice(dice)
    if now.opening is not None and before.opening != now.opening:
        return language.render(opening_message(now.opening, kept=now.phase is Phase.TO_MOVE))
    if not now.history and (before.on_roll is None or before.phase in (Phase.WAITING, Phase.OPENING, Phase.OVER)):
        return language.say("spoken.begins", player=player, dice=words)
    if language.terse:
        return language.sentence("then.has", player=player, dice=words)
    return language.say("spoken.rolled", player=player, dice=words)


def _hindrance(now: Snapshot, language: Language) -> str:
    """Why the game waits; empty if it does not."""
    if now.storage is not None:
        return language.say("spoken.storage")
    if now.camera is not None:
        return language.say("spoken.camera")
    if now.lost is not None:
        return lost_line(now, language)
    return ""


def lost_line(now: Snapshot, language: Language) -> str:
    """Where the board differs from the game, and what to do."""
    where = places(now.lost or (), now, language)
    return language.say("lost", places=where) if where else language.say("spoken.board_differs")


def _opening(now: Snapshot, language: Language) -> str:
    if any(action.kind is ActionKind.BEGIN for action in now.actions):
        return language.say("sheet.first_mover.agreed") if language.terse else language.say("opening.agree")
    if now.dice is not None and len(now.dice) == 2 and now.dice[0] == now.dice[1]:
        return _tie(now, now.dice[0], language)
    return own_dice_line(now, language) or language.say("opening.stands")


def _tie(now: Snapshot, number: int, language: Language) -> str:
    """A line that both players rolled the same number for the start, and how they roll again."""
    own = own_dice_line(now, language)
    return f"{language.say('opening.both', number=number)} {own}" if own else language.say("opening.tie", number=number)


def result_line(now: Snapshot, language: Language) -> str:
    """How the game ended, and the match if that is over too."""
    ended, match = now.ended, now.match
    if ended is None:
        return ""
    line = " ".join(map(language.render, outcome(ended, match)))
    if match is not None and match.winner is None and match.colours_due:
        return f"{line} {language.say('match.change')}"
    return line


def cube_line(before: Match | None, now: Snapshot, language: Language) -> str:
    """The answer to a double; `before` is the match before it. Empty if there was none."""
    match = now.match
    if match is None or match.offered_by is not None or now.ended is not None:
        return ""
    if before is None or match.cube <= before.cube:
        return ""
    if before.offered_by is None:
        return language.say("cube.automatic", number=match.cube) if match.owner is None else ""
    return language.say("cube.takes", player=before.offered_by.opponent, number=match.cube)


def early_line(early: Early, language: Language) -> str:
    """What a player did before the other's turn was over."""
    player, opponent = early.side, early.side.opponent
    if early.dice is None:
        return language.say("early.doubled", player=player, opponent=opponent)
    return language.say("early.rolled", player=player, dice=early.dice, opponent=opponent)


def hints_line(now: Snapshot, language: Language) -> str:
    """The best plays and the advice on the cube; empty for first hints without look-ahead."""
    hints = now.hints
    if hints is None or hints.at_a_glance:
        return ""
    lines = []
    for place, ranked in enumerate(hints.plays[: 1 if language.terse else 2]):
        play = ranked.play
        lines.append(language.say("spoken.or", play=play) if place else language.say("spoken.best", play=play))
        if not place and not language.terse:
            lines.append(why_line(ranked.why, language))
    cube = hints.cube
    if cube is not None:
        double, answer = "double" if cube.doubles else "not_double", "take" if cube.takes else "pass"
        lines.append(language.say(f"cube.should_{double}", player=cube.side))
        lines.append(language.say(f"cube.should_{answer}", player=cube.side.opponent))
    return " ".join(filter(None, lines)) or language.say("spoken.no_hints")


def lesson_line(lesson: Lesson | None, language: Language) -> str:
    """A better play than the last one; empty if the loss is too small to mention."""
    if lesson is None or lesson.better is None or not lesson.doubtful:
        return ""
    better = language.say("spoken.better", play=lesson.better.play)
    return better if language.terse else f"{better} {why_line(lesson.better.why, language)}".strip()


def why_line(facts: Sequence[Message], language: Language) -> str:
    """The first facts about a play as a sentence; empty if there are none."""
    said = ", ".join(map(language.phrase, facts[:SAID_FACTS]))
    return f"{said[0].upper()}{said[1:]}." if said else ""
