"""Plays short tunes on an active buzzer (makes its own tone) or a passive one (driven by a square wave)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gpiozero import Buzzer, TonalBuzzer
from gpiozero.tones import Tone

from companion.game import ENDINGS, Phase, Remedy
from companion.interface import Light
from hardware.light_worker import LightWorker

if TYPE_CHECKING:
    from gpiozero.pins import Factory

    from companion.core import Side
    from companion.interface import Snapshot

Tune = tuple[tuple[str | None, float], ...]
"""Pairs of a note such as "E6" (None: a rest) and its duration in seconds."""

SILENCE = ((None, 0.0),)
ROLL: Tune = (("E6", 0.06),)
FAULT: Tune = (("A4", 0.15), (None, 0.05), ("A4", 0.15))
ASK: Tune = (("E5", 0.08), (None, 0.12))
"""Repeated once for the first member of `companion.game.Remedy`, twice for the second and so on, so that players
can count which remedy is proposed."""
OFFER: Tune = (("G5", 0.25), (None, 0.05), ("E5", 0.25))
"""A resignation, a draw or a double is offered."""
OVER: Tune = (("C6", 0.12), (None, 0.05), ("E6", 0.12), (None, 0.05), ("G6", 0.25))
FLAG: Tune = (("A5", 0.8),)
"""An active buzzer has one pitch, so tunes differ in the number and length of their notes as well."""
MIDDLE, OCTAVES = "A5", 2
"""Middle tone and octaves on either side (A3 to A7, 220 to 3520 Hz); small piezo discs are loud from about 400 Hz to
4 kHz."""


def tune(before: Snapshot | None, now: Snapshot) -> Tune:
    """The tune for the change from `before` to `now`; empty if nothing needs a sound.

    In order of precedence: fallen flag, new proposal or double, end of a game, fault, roll.
    """
    if before is None:
        return ()
    if _fallen(now) - _fallen(before):
        return FLAG
    if newly_asked(before, now):
        offered = now.proposal is not None and now.proposal.remedy in ENDINGS
        return OFFER if offered else ASK * _place_among_choices(now)
    if now.offered_by not in (None, before.offered_by):
        return OFFER
    if now.phase is Phase.OVER and before.phase is not Phase.OVER:
        return OVER
    if now.light is Light.RED and before.light is not Light.RED:
        return FAULT
    return ROLL if newly_rolled(before, now) else ()


def _fallen(snapshot: Snapshot) -> frozenset[Side]:
    """Whose flags have fallen."""
    return frozenset(() if snapshot.clock is None else snapshot.clock.fallen)


def newly_asked(before: Snapshot, now: Snapshot) -> bool:
    """Whether `now` has a proposal that `before` had not."""
    return now.proposal is not None and (before.proposal is None or before.proposal.number != now.proposal.number)


def _place_among_choices(snapshot: Snapshot) -> int:
    """The number of the remedy in `Remedy`, or of the reading among those offered, from 1; 0: nothing is proposed."""
    proposal = snapshot.proposal
    if proposal is None:
        return 0
    return proposal.place or 1 + list(Remedy).index(proposal.remedy)


def newly_rolled(before: Snapshot | None, now: Snapshot) -> bool:
    """Whether `now` has a new roll. Dice in the first snapshot (`before` None) are from before a restart."""
    if before is None or now.dice is None or len(now.history) < len(before.history):  # a turn was taken back
        return False
    return (now.dice, len(now.history)) != (before.dice, len(before.history))


class Sounder(Protocol):
    """A device that sounds one note at a time."""

    def sound(self, note: str | None) -> None:
        """Sound `note` until the next call; None: silence."""

    def close(self) -> None:
        """Switch off and release the pin."""


class ActiveSounder:
    """A buzzer with one fixed tone; every note sounds the same."""

    def __init__(self, pin: int, pin_factory: Factory | None = None) -> None:
        self._buzzer = Buzzer(pin, pin_factory=pin_factory)

    def sound(self, note: str | None) -> None:
        """Switch the tone on; None: off."""
        self._buzzer.value = note is not None

    def close(self) -> None:
        """Switch off and release the pin."""
        self._buzzer.close()


class PassiveSounder:
    """A piezo disc that sounds at the frequency of its pin, which needs PWM."""

    def __init__(self, pin: int, pin_factory: Factory | None = None) -> None:
        self._buzzer = TonalBuzzer(pin, mid_tone=Tone(MIDDLE), octaves=OCTAVES, pin_factory=pin_factory)

    def sound(self, note: str | None) -> None:
        """Sound `note`; None: silence."""
        if note is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(Tone(note))

    def close(self) -> None:
        """Switch off and release the pin."""
        self._buzzer.close()


class TunePlayer:
    """Plays tunes on a sounder; a new tune replaces the current one."""

    def __init__(self, sounder: Sounder) -> None:
        self._sounder = sounder
        self._worker: LightWorker[str | None] = LightWorker("buzzer", sounder.sound)

    def play(self, notes: Tune) -> None:
        """Play `notes`, then silence; with no notes the current tune goes on."""
        if notes:
            self._worker.play([*notes, *SILENCE])

    def close(self) -> None:
        """Switch off and release the pin."""
        self._worker.close()
        self._sounder.close()
