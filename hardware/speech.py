"""A voice: lines are said by espeak-ng, one at a time, in a thread of their own.

Whoever says a line never waits. A line that is out of date is not said any more, or broken off.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from typing import TYPE_CHECKING

from companion.spoken.tongue import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.announce import Line

LOG = logging.getLogger(__name__)
PROGRAM = "espeak-ng"
JOIN_S = 2.0
LONGEST_S = 40.0
"""The longest line takes some fifteen seconds; a voice that takes longer than this hangs, as with a sound card gone."""
MOST_WAITING = 12
"""Behind more lines than this the voice would speak of what is long past."""


def style_of(asked: Style | None, *, simulated: bool) -> Style:
    """How to speak where nothing is asked for: tersely at a real table that has a voice, else not at all."""
    if asked is not None:
        return asked
    return Style.OFF if simulated or shutil.which(PROGRAM) is None else Style.TERSE


class Voice:
    """Says lines; any thread may use it. Where there is no program that speaks, it is silent."""

    def __init__(self, language: str, options: Sequence[str] = ()) -> None:
        """`language` as espeak-ng names it; `options` are passed on (`-w FILE` writes in place of speaking)."""
        program = shutil.which(PROGRAM)
        self.trouble = None if program else f"Nothing is said without {PROGRAM}: sudo apt install {PROGRAM}"
        self._command = None if program is None else [program, "-v", language, *options, "--stdin"]
        self._changed = threading.Condition()
        self._waiting: list[Line] = []
        self._saying: Line | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._broken_off = self._closed = False
        self._thread: threading.Thread | None = None

    def say(self, lines: Sequence[Line]) -> None:
        """Say `lines` after those that wait; what they put out of date is dropped."""
        with self._changed:
            if self._command is None or self._closed or not lines:
                return
            self._waiting = [other for other in self._waiting if not any(line.replaces(other) for line in lines)]
            if self._saying is not None and any(line.replaces(self._saying) for line in lines):
                self._break_off()
            self._waiting = [*self._waiting, *lines][-MOST_WAITING:]
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def silent(self, timeout_s: float) -> bool:
        """Wait until nothing is said and nothing waits; False where it took longer than `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and self._saying is None, timeout_s)

    def close(self) -> None:
        """Fall silent at once."""
        with self._changed:
            self._closed, self._waiting = True, []
            self._break_off()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(JOIN_S)

    def _break_off(self) -> None:
        """End what is being said; the caller holds the lock. A process that has ended is left alone by `kill`."""
        self._broken_off = True
        if self._process is not None:
            self._process.kill()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed or self._command is None:
                    return
                self._saying = self._waiting.pop(0)
                text, command, self._broken_off = self._saying.text, self._command, False
            process = self._started(command)
            if process is not None:
                with self._changed:
                    self._process = process
                    if self._broken_off:
                        process.kill()
                self._hear_out(process, text)
            with self._changed:
                self._saying = self._process = None
                self._changed.notify_all()

    def _started(self, command: list[str]) -> subprocess.Popen[bytes] | None:
        """The voice at work; None where it cannot be started any more: then all that follows is left out."""
        try:
            return subprocess.Popen(  # noqa: S603  # espeak-ng as found on the PATH; the text goes in by its input
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            LOG.warning("Nothing is said any more: %s cannot be started (%s)", PROGRAM, error.strerror)
            with self._changed:
                self._command, self._waiting = None, []
            return None

    def _hear_out(self, process: subprocess.Popen[bytes], text: str) -> None:
        """Wait until the voice has done."""
        try:
            _, trouble = process.communicate(text.encode(), LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            LOG.warning("%s took longer than %g s for %r, and was ended", PROGRAM, LONGEST_S, text)
            return
        if process.returncode > 0:
            LOG.warning("%s did not speak: %s", PROGRAM, trouble.decode(errors="replace").strip())
