"""Chooses the lines to speak as the table changes, and sends them to page and loudspeaker.

What a player must know to continue is spoken at once. The rest (a hand over the board; in terse speech an unfinished
turn) is spoken when somebody taps Roll too early. So a whole game can be played without looking at a screen.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from companion.core import Cause, Finding, message
from companion.game import ENDINGS, PLAYING, Phase, Remedy
from companion.interface import SpokenLine
from companion.speech.language import Language, Style
from companion.speech.phrases import (
    cube_line,
    early_line,
    hints_line,
    lesson_line,
    lost_line,
    own_dice_line,
    question_line,
    result_line,
    rolled_line,
    state_line,
    turn_line,
)
from companion.speech.verdict_phrases import verdict_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.interface import Snapshot


DECLINED_BY = ("declined.by", "refused.by", "withdrawn")
"""Messages that name the player who declined or withdrew a proposal."""


class Topic(StrEnum):
    """What a line is about."""

    EVENT = "event"
    """An event, which is always spoken."""
    STATE = "state"
    """The state of the table."""
    VERDICT = "verdict"
    """The verdict on the present board."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line to speak; `turn` counts rolls and turns of the evening."""

    text: str
    topic: Topic
    turn: int

    def replaces(self, other: Line) -> bool:
        """Whether this line makes `other`, which waits or is being spoken, out of date."""
        if other.topic is Topic.EVENT:
            return False
        return other.turn < self.turn or other.topic is self.topic


class Announcer:
    """Turns the snapshots of one table into lines. Not thread-safe."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._before: Snapshot | None = None
        self._turn = 0
        self._judged: tuple[Any, ...] | None = None

    def speak(self, language: Language) -> None:
        """Continue in another language or style."""
        self._language = language

    def see(self, now: Snapshot) -> tuple[Line, ...]:
        """The lines to speak for the snapshot `now`."""
        before, self._before = self._before, now
        self._language.names, self._language.tiles = now.names, now.tiles
        if before is None:
            return self._lines(self._at_start(now))
        if _turn_of(now) != _turn_of(before):
            self._turn += 1
            self._judged = None
        elif now.refused > before.refused:  # the state line includes the verdict
            self._judged = _judgement(now)
            return self._lines(self._refused(now))
        return self._lines((*self._changed(before, now), *self._verdict(now)))

    def pairing_code(self, code: tuple[int, ...]) -> tuple[Line, ...]:
        """The line with the pairing code."""
        return self._lines(((Topic.EVENT, self._language.say("spoken.pairing_code", numbers=code)),))

    def _lines(self, said: Iterator[tuple[Topic, str]] | tuple[tuple[Topic, str], ...]) -> tuple[Line, ...]:
        return tuple(Line(text[0].upper() + text[1:], topic, self._turn) for topic, text in said if text)

    def _at_start(self, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        if now.phase in PLAYING:
            yield Topic.EVENT, self._language.say("resumed")
        self._judged = _judgement(now)
        yield Topic.STATE, state_line(now, self._language)

    def _refused(self, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        """The line after a tap that came too early: what the table waits for."""
        line = state_line(now, self._language)
        if now.phase in PLAYING and now.seen is None and now.verdict is None:
            line += " " + self._language.say("spoken.not_seen")
        own = own_dice_line(now, self._language)
        said = (self._language.say("spoken.not_now"), line, "" if own in line else own)
        yield Topic.STATE, " ".join(filter(None, said))

    def _changed(self, before: Snapshot, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        yield from self._trouble(before, now)
        yield from self._flags(before, now)
        if now.ended is not None and now.ended != before.ended:
            yield Topic.EVENT, result_line(now, self._language)
        yield Topic.EVENT, cube_line(before.match, now, self._language)
        if now.early is not None and now.early != before.early:
            yield Topic.EVENT, early_line(now.early, self._language)
        yield from self._agreements(before, now)
        yield from self._turns(before, now)
        if now.hints != before.hints:
            yield Topic.EVENT, hints_line(now, self._language)
        if now.announced is not None and now.announced != before.announced and now.on_roll is not None:
            yield Topic.EVENT, self._language.say("plays", player=now.on_roll, play=now.announced)
        if now.lesson != before.lesson:
            yield Topic.EVENT, lesson_line(now.lesson, self._language)

    def _trouble(self, before: Snapshot, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        if (now.camera is None, now.storage is None) != (before.camera is None, before.storage is None):
            if now.camera is None and now.storage is None:
                yield Topic.EVENT, self._language.say("spoken.all_well")
            yield Topic.STATE, state_line(now, self._language)
        elif now.lost is not None and now.lost != before.lost:
            yield Topic.STATE, lost_line(now, self._language)
        elif before.lost is not None and now.lost is None and now.seen is not None and now.verdict is None:
            yield Topic.STATE, self._language.say("spoken.board_right") + " " + turn_line(now, self._language)

    def _flags(self, before: Snapshot, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        known = () if before.clock is None else before.clock.fallen
        for side in () if now.clock is None else now.clock.fallen:
            if side not in known:
                yield Topic.EVENT, self._language.say("spoken.time_up", player=side)

    def _agreements(self, before: Snapshot, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        old, new = before.proposal, now.proposal
        if new is not None and old is not None and new.number == old.number:
            for side in new.agreed[len(old.agreed) :]:
                one = self._language.say("spoken.one_agrees")
                yield Topic.EVENT, one if side is None else self._language.say("spoken.agrees", player=side)
            return
        if old is not None and old.reading is not None and new is None:
            return  # the verdict or the question follows
        if len(now.settled) > len(before.settled):
            yield Topic.EVENT, self._agreed(now.settled[-1].ruling, now)
        elif old is not None and new is None and _stands(now) != _stands(before):
            yield Topic.EVENT, "" if old.remedy in ENDINGS else self._agreed(old.remedy, now)
        elif old is not None and new is None and now.notice is not None and now.notice.key in DECLINED_BY:
            yield Topic.EVENT, self._language.render(now.notice)
        elif old is not None and new is None:
            then = message("declined.game") if now.dispute is None else message("declined.dispute")
            if old.remedy in ENDINGS and now.dispute is None:
                yield Topic.EVENT, self._language.say("refused", then=then)
            else:
                yield Topic.EVENT, self._language.say("declined", then=then)
        if _question(now) != _question(before):
            yield Topic.STATE, question_line(now, self._language)

    def _agreed(self, remedy: Remedy, now: Snapshot) -> str:
        agreed = self._language.say("agreed", what=message(f"remedy.{remedy}"))
        where = now.verdict is not None and now.verdict.to_set_up  # the verdict follows
        back = remedy is Remedy.TAKEBACK and not where
        return f"{agreed} {self._language.say('agreed.put_back')}" if back else agreed

    def _turns(self, before: Snapshot, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        """The roll, whose turn it is, or what the table waits for between games."""
        if _question(now) is not None:
            return
        if len(now.history) < len(before.history) and now.phase in PLAYING and before.phase in PLAYING:
            yield Topic.STATE, turn_line(now, self._language)
        elif now.dice is not None and _rolls(now) != _rolls(before):
            yield Topic.EVENT, rolled_line(before, now, self._language)
        elif before.dice is not None and now.dice is None and _same_turn(before, now):
            yield Topic.EVENT, self._language.say("spoken.void")
        elif _waits(now) != _waits(before):
            yield Topic.STATE, turn_line(now, self._language) or state_line(now, self._language)

    def _verdict(self, now: Snapshot) -> Iterator[tuple[Topic, str]]:
        """A verdict that was not spoken yet in this turn; an unfinished turn is announced in friendly speech only."""
        if now.verdict is None or now.phase is not Phase.TO_MOVE or _question(now) is not None or now.lost is not None:
            return
        finding, judged = now.verdict.finding, _judgement(now)
        if judged == self._judged or now.verdict.cause is Cause.HAND:
            return
        if finding is Finding.NOT_MOVED and self._judged is None:
            return  # as at the beginning of every turn
        self._judged = judged
        if finding is not Finding.UNFINISHED or not self._language.terse or now.verdict.to_set_up:
            yield Topic.VERDICT, verdict_line(now, self._language)


def _turn_of(snapshot: Snapshot) -> tuple[Any, ...]:
    return len(snapshot.history), snapshot.phase, snapshot.on_roll, snapshot.dice, snapshot.ended


def _rolls(snapshot: Snapshot) -> tuple[Any, ...]:
    """A value that differs after every roll; the counts of numbers distinguish two ties in a row.

    Within a turn the counts are left out: a roll that came too early is counted before it is played.
    """
    tied = snapshot.fairness is not None and snapshot.on_roll is None
    return len(snapshot.history), snapshot.dice, sum(snapshot.fairness.faces) if tied and snapshot.fairness else 0


def _same_turn(before: Snapshot, now: Snapshot) -> bool:
    return len(now.history) == len(before.history) and now.on_roll == before.on_roll and now.phase is Phase.TO_ROLL


def _waits(snapshot: Snapshot) -> tuple[Any, ...]:
    """What the table waits for, without details; between games, all states in which it is not ready are equal."""
    phase = Phase.WAITING if snapshot.phase is Phase.OVER else snapshot.phase
    return phase, snapshot.on_roll if phase in PLAYING else None, _question(snapshot), len(snapshot.history)


def _question(snapshot: Snapshot) -> tuple[str, Any] | None:
    """The open question to the players: a proposal, a dispute or a double; None without one."""
    match = snapshot.match
    if snapshot.proposal is not None:
        return "proposal", snapshot.proposal.number
    if snapshot.dispute is not None:
        return "dispute", snapshot.dispute.number
    return ("double", (match.offered_by, match.cube)) if match is not None and match.offered_by is not None else None


def _stands(snapshot: Snapshot) -> tuple[Any, ...]:
    """What an agreement changes."""
    return (snapshot.phase, snapshot.position, snapshot.dice, snapshot.on_roll, len(snapshot.history), snapshot.ended)


def _judgement(snapshot: Snapshot) -> tuple[Any, ...] | None:
    """What distinguishes two verdicts for the players; None without a verdict."""
    verdict = snapshot.verdict
    if verdict is None:
        return None
    cells = verdict.cells if verdict.finding in (Finding.ILLEGAL, Finding.AMBIGUOUS) else ()
    return verdict.finding, verdict.reason, verdict.play, verdict.cause, cells


KEPT = 12
"""Number of last lines sent to the page, which may receive only every other snapshot."""


class Loudspeaker(Protocol):
    """Speaks lines aloud."""

    def say(self, lines: Sequence[Line]) -> None:
        """Add lines to the queue; they replace those that they make out of date."""


class SpeechOutput:
    """Speaks the lines of one table. Not thread-safe, except `say_pairing_code`."""

    def __init__(self, language: str, style: Style, voice: Loudspeaker | None = None) -> None:
        """`style` OFF: nothing is spoken aloud; the page shows friendly lines."""
        self._announcer = Announcer(_spoken(language, style))
        self._language = language
        self._voice = voice
        self._lines: deque[SpokenLine] = deque(maxlen=KEPT)
        self._said = 0

    def change(self, language: str, style: Style, voice: Loudspeaker | None = None) -> None:
        """Continue in another language, style or voice; nothing is repeated."""
        self._announcer.speak(_spoken(language, style))
        self._language, self._voice = language, voice

    def see(self, snapshot: Snapshot) -> None:
        """Speak what has changed."""
        lines = self._announcer.see(snapshot)
        for line in lines:
            self._said += 1
            self._lines.append(SpokenLine(self._said, line.text, self._language))
        if self._voice is not None:
            self._voice.say(lines)

    def say_pairing_code(self, code: tuple[int, ...]) -> None:
        """Speak a pairing code aloud; the page must not show it."""
        voice = self._voice
        if voice is not None:
            voice.say(self._announcer.pairing_code(code))

    def shown(self, snapshot: Snapshot) -> Snapshot:
        """`snapshot` with the last spoken lines."""
        return replace(snapshot, spoken=tuple(self._lines))


def _spoken(language: str, style: Style) -> Language:
    return Language(language, Style.FRIENDLY if style is Style.OFF else style)
