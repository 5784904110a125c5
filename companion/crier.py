"""Says what happens at the table: to a voice, where there is one, and to the page for those who listen there."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.announce import Announcer
from companion.snapshot import SpokenLine
from companion.spoken.tongue import Style, Tongue

if TYPE_CHECKING:
    from companion.snapshot import Snapshot
    from hardware.speech import Voice

KEPT = 12
"""The page gets as many of the last lines: two snapshots may reach it as one."""


class Crier:
    """Follows the snapshots of one table; the caller sees to it that one thread at a time uses it."""

    def __init__(self, language: str, style: Style, voice: Voice | None = None) -> None:
        """`style` OFF: nothing is heard, and the page speaks friendly."""
        self._announcer = Announcer(Tongue(language, Style.FRIENDLY if style is Style.OFF else style))
        self._language = language
        self._voice = voice
        self._lines: deque[SpokenLine] = deque(maxlen=KEPT)
        self._said = 0

    def see(self, snapshot: Snapshot) -> None:
        """Say what has changed."""
        lines = self._announcer.see(snapshot)
        for line in lines:
            self._said += 1
            self._lines.append(SpokenLine(self._said, line.text, self._language))
        if self._voice is not None:
            self._voice.say(lines)

    def shown(self, snapshot: Snapshot) -> Snapshot:
        """`snapshot` with the last lines."""
        return replace(snapshot, spoken=tuple(self._lines))
