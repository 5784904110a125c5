"""What is heard: short tunes on a buzzer that has a tone of its own (active), or on one that is given it (passive)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gpiozero import Buzzer, TonalBuzzer
from gpiozero.tones import Tone

from companion.agreement import Remedy
from companion.phase import Phase
from companion.snapshot import Light
from hardware.performer import Performer

if TYPE_CHECKING:
    from gpiozero.pins import Factory

    from companion.model import Side
    from companion.snapshot import Snapshot

Tune = tuple[tuple[str | None, float], ...]
"""Notes such as "E6" (None: a rest) and how long each lasts, in seconds."""

SILENCE = ((None, 0.0),)
ROLL: Tune = (("E6", 0.06),)
FAULT: Tune = (("A4", 0.15), (None, 0.05), ("A4", 0.15))
ASK: Tune = (("E5", 0.08), (None, 0.12))
"""Sounded once for "put it right", twice for "it stands" and so on, in the order of `companion.agreement.Remedy`: so
the panel alone tells which remedy Referee has come to."""
OVER: Tune = (("C6", 0.12), (None, 0.05), ("E6", 0.12), (None, 0.05), ("G6", 0.25))
FLAG: Tune = (("A5", 0.8),)
"""Told apart by their number and length on a buzzer of one tone, and by their pitch as well on the other."""
MIDDLE, OCTAVES = "A5", 2
"""Small piezo discs are loud from some 400 Hz to 4 kHz: A3 to A7 has all of that."""


def tune(before: Snapshot | None, now: Snapshot) -> Tune:
    """What to play as `now` follows `before`: a fallen flag, the end of a game, a fault, a roll; else nothing."""
    if before is None:
        return ()
    if _fallen(now) - _fallen(before):
        return FLAG
    if newly_asked(before, now):
        return ASK * _place_among_remedies(now)
    if now.phase is Phase.OVER and before.phase is not Phase.OVER:
        return OVER
    if now.light is Light.RED and before.light is not Light.RED:
        return FAULT
    return ROLL if newly_rolled(before, now) else ()


def _fallen(snapshot: Snapshot) -> frozenset[Side]:
    """Whose flags have fallen."""
    return frozenset(() if snapshot.clock is None else snapshot.clock.fallen)


def newly_asked(before: Snapshot, now: Snapshot) -> bool:
    """Whether something else waits for both players than before."""
    return now.proposal is not None and (before.proposal or {}).get("id") != now.proposal["id"]


def _place_among_remedies(snapshot: Snapshot) -> int:
    """Which remedy is proposed, counted from 1."""
    return 0 if snapshot.proposal is None else 1 + list(Remedy).index(Remedy(snapshot.proposal["remedy"]))


def newly_rolled(before: Snapshot | None, now: Snapshot) -> bool:
    """Whether `now` shows dice that were not there in `before`; what is taken up after a start was rolled before."""
    if before is None or now.dice is None or len(now.history) < len(before.history):  # taken back
        return False
    return (now.dice, len(now.history)) != (before.dice, len(before.history))


class Sounder(Protocol):
    """Something that sounds a note."""

    def sound(self, note: str | None) -> None:
        """Sound `note` from now on; None is silence."""

    def close(self) -> None:
        """Fall silent and let the pin go."""


class ActiveSounder:
    """A buzzer that has one tone: every note is that one."""

    def __init__(self, pin: int, pin_factory: Factory | None = None) -> None:
        self._buzzer = Buzzer(pin, pin_factory=pin_factory)

    def sound(self, note: str | None) -> None:
        """Sound, or be silent."""
        self._buzzer.value = note is not None

    def close(self) -> None:
        """Fall silent and let the pin go."""
        self._buzzer.close()


class PassiveSounder:
    """A piezo disc that sounds as fast as its pin is switched; the pin must be able to dim."""

    def __init__(self, pin: int, pin_factory: Factory | None = None) -> None:
        self._buzzer = TonalBuzzer(pin, mid_tone=Tone(MIDDLE), octaves=OCTAVES, pin_factory=pin_factory)

    def sound(self, note: str | None) -> None:
        """Sound `note`, or be silent."""
        if note is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(Tone(note))

    def close(self) -> None:
        """Fall silent and let the pin go."""
        self._buzzer.close()


class Band:
    """Plays tunes on a sounder; a new one cuts the old one short."""

    def __init__(self, sounder: Sounder) -> None:
        self._sounder = sounder
        self._performer: Performer[str | None] = Performer("buzzer", sounder.sound)

    def play(self, notes: Tune) -> None:
        """Play `notes`, then be silent; no notes let the tune before end by itself."""
        if notes:
            self._performer.play([*notes, *SILENCE])

    def close(self) -> None:
        """Fall silent and let the pin go."""
        self._performer.close()
        self._sounder.close()
