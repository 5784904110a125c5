"""Analyses in the background: a child process at the lowest priority, killed whenever it may not run.

The process is `boardside analyse --progress`, which stores the analysis of each game: after a stop it continues with
the next game. A crash causes only a message.
"""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LOG = logging.getLogger(__name__)
LOOK_S = 0.5
"""Seconds between checks whether the process may still run."""
LONGEST_LINE = 1000
END_S = 5.0
"""Seconds to wait for a process that has closed its output, and for a killed one."""


class Standing(StrEnum):
    """The state of a match's analysis."""

    NOT_ASKED = "not_asked"
    WAITS = "waits"
    RUNS = "runs"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """The progress of an analysis: game `game` of `games`, action `done` of `of`; `why` it failed."""

    standing: Standing = Standing.NOT_ASKED
    game: int = 0
    games: int = 0
    done: int = 0
    of: int = 0
    why: str = ""


NOT_ASKED = AnalysisProgress()
WAITS = AnalysisProgress(Standing.WAITS)


class BackgroundAnalysis:
    """Runs one analysis at a time, the latest request first; `run` needs a thread of its own."""

    def __init__(
        self, command: Sequence[str], may_run: Callable[[], bool], changed: Callable[[int, AnalysisProgress], None]
    ) -> None:
        """`command` is run with "--entry N", the number of a match's first entry; without it for match 0, the last.

        `changed(match, progress)` is called from the thread of `run`.
        """
        self._command = tuple(command)
        self._may_run = may_run
        self._changed = changed
        self._condition = threading.Condition()
        self._wanted: list[int] = []
        self._progress: dict[int, AnalysisProgress] = {}
        self._stopping = False

    def ask(self, match: int) -> None:
        """Queue a match for analysis, or its new games; returns at once."""
        with self._condition:
            if match not in self._wanted:
                self._wanted.append(match)
                self._progress[match] = WAITS
            self._condition.notify_all()

    def look_again(self) -> None:
        """Check again whether the analysis may run; call it whenever `may_run` may have changed."""
        with self._condition:
            self._condition.notify_all()

    def progress(self, match: int) -> AnalysisProgress:
        """The progress of a match's analysis."""
        with self._condition:
            return self._progress.get(match, NOT_ASKED)

    def run(self) -> None:
        """Analyse requested matches until `stop`."""
        while (match := self._next()) is not None:
            progress = self._run_child(match)
            with self._condition:
                if progress.standing is not Standing.WAITS and match in self._wanted:
                    self._wanted.remove(match)
            self._report(match, progress)

    def stop(self) -> None:
        """End the thread and the process."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()

    def _next(self) -> int | None:
        """Wait for a match that may be analysed now; None after `stop`."""
        with self._condition:
            while not self._stopping:
                if self._wanted and self._may_run():
                    return self._wanted[-1]
                self._condition.wait()
        return None

    def _run_child(self, match: int) -> AnalysisProgress:
        """Run the child process to its end, or kill it once it may not run; returns the progress reached."""
        try:
            child = subprocess.Popen(  # noqa: S603 - this program itself, no shell
                [*self._command, *(("--entry", str(match)) if match else ())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # the engine is in the same session, and is killed with it
            )
        except OSError as error:
            return AnalysisProgress(Standing.FAILED, why=one_line(str(error)))
        try:
            said = self._follow(match, child)
            return WAITS if said is None else _outcome(child.wait(END_S), said, self.progress(match))
        except subprocess.TimeoutExpired:
            return _failed(f"it had nothing more to say, but did not end within {END_S:g} s")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):  # stuck in the kernel
                child.wait(END_S)
            if child.stdout is not None:
                child.stdout.close()

    def _follow(self, match: int, child: subprocess.Popen[bytes]) -> str | None:
        """Report the progress that the process prints; returns its last other line, or None if it may not run."""
        assert child.stdout is not None  # noqa: S101 - opened above
        unread = said = b""
        while True:
            with self._condition:
                if self._stopping or not self._may_run():
                    return None
            if not select.select([child.stdout], [], [], LOOK_S)[0]:
                continue
            chunk = os.read(child.stdout.fileno(), LONGEST_LINE)
            if not chunk:
                return (unread.strip() or said).decode(errors="replace")
            *lines, unread = (unread + chunk)[-2 * LONGEST_LINE :].split(b"\n")
            found = {line: _parse_progress(line) for line in lines if line.strip()}
            said = next((line for line in reversed(found) if found[line] is None), said)
            progress = next(filter(None, reversed(found.values())), None)
            if progress is not None:
                self._report(match, progress)

    def _report(self, match: int, progress: AnalysisProgress) -> None:
        with self._condition:
            self._progress[match] = progress
        self._changed(match, progress)


def _outcome(status: int, said: str, before: AnalysisProgress) -> AnalysisProgress:
    if status == 0:
        return AnalysisProgress(Standing.DONE, before.game, before.games, before.done, before.of)
    return _failed(one_line(said) if said else f"it ended with status {status}")


def _failed(why: str) -> AnalysisProgress:
    LOG.warning("The analysis failed: %s", why)
    return AnalysisProgress(Standing.FAILED, why=why.removeprefix("boardside: "))


def _parse_progress(line: bytes) -> AnalysisProgress | None:
    try:
        found = json.loads(line)
        game, games, done, of = (int(found[name]) for name in ("game", "games", "done", "of"))
    except (ValueError, KeyError, TypeError):
        return None
    return AnalysisProgress(Standing.RUNS, game, games, done, of)
