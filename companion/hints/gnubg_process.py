"""GNU Backgammon as a child process: questions and answers through its pipes, each line with a timeout."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any

from companion.core import quoted
from companion.hints.engine import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hints.cube import Chances

SCRIPT = Path(__file__).with_name("gnubg_script.py")
MARK = b"@boardside "
"""Begins each line of an answer of `gnubg_script`."""
TIMEOUT_S = 5.0
"""Seconds without a line: it starts in a second on a Raspberry Pi, and evaluates a position at 2 plies in 0.3 s."""
STOPPED_AFTER_S = 0.2
"""Seconds between checks whether the process is stopped."""
END_S = 2.0
"""Seconds to wait for a killed process."""
LONGEST_LINE = 1 << 16
ROUNDING = 0.01
"""How far outside 0 to 1 a network's probability may lie."""
_HOME = re.compile(r"boardside-gnubg-(\d+)-.*")


class GnubgProcess:
    """A gnubg child process with its pipes. Methods raise EngineError where it ends, is stopped or does not answer."""

    def __init__(
        self, program: str, timeout_s: float = TIMEOUT_S, script: Path = SCRIPT, *, own_session: bool = True
    ) -> None:
        """Start `program` with `script`, which reads JSON lines and begins each line of an answer with MARK.

        `own_session`: Ctrl-C in a terminal does not end it, nor does a signal to this process's group.
        """
        self._timeout_s = timeout_s
        self._unread = self._last_line = b""
        self._in_use = threading.Lock()
        remove_stale_homes()
        # gnubg needs a writable home, which a service may not have; an empty one also avoids user settings.
        self._home = TemporaryDirectory(prefix=f"boardside-gnubg-{os.getpid()}-", ignore_cleanup_errors=True)
        try:
            self._child = subprocess.Popen(  # noqa: S603  # a program of this machine, no shell
                [program, "-t", "-q", "-r", "-p", str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "HOME": self._home.name},
                bufsize=0,
                start_new_session=own_session,  # then Ctrl-C in a terminal reaches only Boardside, which ends it
            )
        except OSError as error:
            self._home.cleanup()
            raise EngineError(f"cannot start {program!r}: {error}") from error
        assert self._child.stdin is not None  # noqa: S101  # both are opened above
        assert self._child.stdout is not None  # noqa: S101
        self._stdin, self._stdout = self._child.stdin, self._child.stdout
        os.set_blocking(self._stdin.fileno(), False)  # a stopped gnubg reads nothing

    def evaluate(self, boards: Sequence[Any], plies: int) -> list[Chances]:
        """Outcome probabilities of the player on roll, for each board as gnubg takes it."""
        return [_chances(line) for line in self.answers({"boards": boards, "plies": plies}, len(boards))]

    def answers(self, question: Any, count: int) -> list[bytes]:
        """The next `count` lines of the script's answer to a question in JSON."""
        with self._in_use:
            try:
                self._send(json.dumps(question).encode() + b"\n")
                return [self._line() for _ in range(count)]
            except (OSError, ValueError) as error:
                raise EngineError(f"gnubg has ended ({error})") from error

    def _send(self, question: bytes) -> None:
        deadline_s = time.monotonic() + self._timeout_s
        while question:
            self._wait([], [self._stdin], deadline_s)
            question = question[os.write(self._stdin.fileno(), question) :]

    def _line(self) -> bytes:
        """The next line that begins with MARK, without it."""
        deadline_s = time.monotonic() + self._timeout_s
        while True:
            line, newline, rest = self._unread.partition(b"\n")
            if newline:
                self._unread = rest
                if line.startswith(MARK):
                    return line.removeprefix(MARK)
                self._last_line = line or self._last_line
                continue
            if len(self._unread) > LONGEST_LINE:
                raise EngineError(f"gnubg talks without end: {_quoted(self._unread)}")
            self._wait([self._stdout], [], deadline_s)
            chunk = os.read(self._stdout.fileno(), LONGEST_LINE)
            if not chunk:
                status = self._child.wait(END_S)
                raise EngineError(
                    f"gnubg ended with exit status {status} and no answer; it said {_quoted(self._last_line)}"
                )
            self._unread += chunk

    def _wait(self, readable: list[Any], writable: list[Any], deadline_s: float) -> None:
        """Wait until a pipe is ready."""
        while True:
            left_s = deadline_s - time.monotonic()
            if any(select.select(readable, writable, [], max(0.0, min(left_s, STOPPED_AFTER_S)))):
                if time.monotonic() < deadline_s:
                    return
            elif self._is_stopped():
                raise EngineError("gnubg is stopped")
            if left_s <= 0:
                raise EngineError(f"gnubg did not answer within {self._timeout_s:g} s")

    def _is_stopped(self) -> bool:
        """Whether somebody stopped the process (SIGSTOP)."""
        try:
            return os.waitid(os.P_PID, self._child.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return False

    def close(self) -> None:
        """Kill the child process and remove its home; a question that waits for an answer fails at once."""
        self._child.kill()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(END_S)
        with self._in_use:
            self._stdin.close()
            self._stdout.close()
        self._home.cleanup()


def _chances(line: bytes) -> Chances:
    """The probabilities in one line. Raises EngineError for anything else."""
    try:
        win, gammon, backgammon, lose_gammon, lose_backgammon = map(float, json.loads(line))
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(f"gnubg answered {_quoted(line)}: expected five probabilities") from error
    chances = win, gammon, backgammon, lose_gammon, lose_backgammon
    if not all(-ROUNDING <= chance <= 1.0 + ROUNDING for chance in chances):
        raise EngineError(f"gnubg answered {_quoted(line)}: expected five probabilities")
    return chances


def _quoted(text: bytes) -> str:
    return quoted(text.decode(errors="replace"))


def remove_stale_homes() -> None:
    """Remove the temporary home directories that killed processes of this user left behind."""
    for path in Path(gettempdir()).glob("boardside-gnubg-*"):
        match = _HOME.fullmatch(path.name)
        with suppress(OSError):
            if match and path.lstat().st_uid == os.getuid() and not Path(f"/proc/{match[1]}").exists():
                shutil.rmtree(path)
