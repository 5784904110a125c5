"""Speaks lines with espeak-ng, one at a time, in a thread.

`Voice.say` returns at once. A line that a newer one replaces is dropped, or stopped if it is being spoken.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from typing import TYPE_CHECKING

from companion.speech import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.speech import Line

LOG = logging.getLogger(__name__)
PROGRAM = "espeak-ng"
JOIN_S = 2.0
"""Seconds that `close` waits for the thread."""
LONGEST_S = 40.0
"""Seconds after which espeak-ng is killed because it hangs, as without a sound card; the longest line takes 15 s."""
NOT_STARTED = 126, 127
"""Exit status if the program could not be started (POSIX shells; also under processor emulation)."""
MOST_WAITING = 12
"""Number of lines that may wait; older ones are dropped because they are out of date."""


def style_of(asked: Style | None, *, simulated: bool) -> Style:
    """`asked`, else the default: terse at a real table with espeak-ng installed, off otherwise."""
    if asked is not None:
        return asked
    return Style.OFF if simulated or shutil.which(PROGRAM) is None else Style.TERSE


class Voice:
    """Speaks lines. Thread-safe. Silent if espeak-ng is not installed."""

    def __init__(self, language: str, options: Sequence[str] = ()) -> None:
        """`language` is an espeak-ng voice; `options` go to espeak-ng (`-w FILE` writes a sound file)."""
        program = shutil.which(PROGRAM)
        self.trouble = None if program else f"Nothing is said without {PROGRAM}: sudo apt install {PROGRAM}"
        self._command = None if program is None else [program, "-v", language, *options, "--stdin"]
        self._changed = threading.Condition()
        self._waiting: list[Line] = []
        self._saying: Line | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._line_stopped = self._closed = False
        self._thread: threading.Thread | None = None

    def say(self, lines: Sequence[Line]) -> None:
        """Queue `lines`; lines that they replace are dropped or stopped."""
        with self._changed:
            if self._command is None or self._closed or not lines:
                return
            self._waiting = [other for other in self._waiting if not any(line.replaces(other) for line in lines)]
            if self._saying is not None and any(line.replaces(self._saying) for line in lines):
                self._stop_line()
            self._waiting = [*self._waiting, *lines][-MOST_WAITING:]
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def silent(self, timeout_s: float) -> bool:
        """Wait until all lines are spoken; False after `timeout_s` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and self._saying is None, timeout_s)

    def close(self) -> None:
        """Stop speaking and end the thread."""
        with self._changed:
            self._closed, self._waiting = True, []
            self._stop_line()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(JOIN_S)

    def _stop_line(self) -> None:
        """Stop the current line; the caller holds the lock. `kill` ignores a process that has ended."""
        self._line_stopped = True
        if self._process is not None:
            self._process.kill()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed or self._command is None:
                    return
                self._saying = self._waiting.pop(0)
                text, command, self._line_stopped = self._saying.text, self._command, False
            process = self._started(command)
            if process is not None:
                with self._changed:
                    self._process = process
                    if self._line_stopped:
                        process.kill()
                self._speak(process, text)
            with self._changed:
                self._saying = self._process = None
                self._changed.notify_all()

    def _started(self, command: list[str]) -> subprocess.Popen[bytes] | None:
        """Start espeak-ng; None if it cannot be started: then nothing more is spoken."""
        try:
            return subprocess.Popen(  # noqa: S603  # espeak-ng as found on the PATH; the text goes in by its input
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._disable(error.strerror or str(error))
            return None

    def _disable(self, reason: str) -> None:
        """Speak no more lines, because espeak-ng cannot be started for that `reason`."""
        LOG.warning("Nothing is said any more: %s cannot be started (%s)", PROGRAM, reason)
        with self._changed:
            self._command, self._waiting = None, []

    def _speak(self, process: subprocess.Popen[bytes], text: str) -> None:
        """Pass `text` to espeak-ng and wait until it ends."""
        try:
            _, trouble = process.communicate(text.encode(), LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            LOG.warning("%s took longer than %g s for %r, and was ended", PROGRAM, LONGEST_S, text)
            return
        if process.returncode in NOT_STARTED:
            self._disable(f"status {process.returncode}")
        elif process.returncode > 0:
            LOG.warning("%s did not speak: %s", PROGRAM, trouble.decode(errors="replace").strip())
