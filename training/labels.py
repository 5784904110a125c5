"""Labels for backgammon positions: gnubg's outcome probabilities, many at once.

gnubg's `evaluate` runs in its own thread, for which gnubg waits in steps of 10 ms, a hundred times the evaluation. So a
small library, compiled with the machine's C compiler and preloaded, replaces GLib's `g_usleep` by a yield.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import numpy as np
import numpy.typing as npt

from companion.hints import EngineError, find_gnubg
from companion.hints.network.rows import HALF, Rows

SCRIPT = Path(__file__).with_name("gnubg_evaluator.py")
NO_SLEEP = "#include <sched.h>\nvoid g_usleep(unsigned long us) { (void)us; sched_yield(); }\n"
CUBE = 100
"""Added to the plies: equities of cube decisions in place of probabilities (see SCRIPT)."""
AT_ONCE = 512
"""Boards in one request."""
Chances = npt.NDArray[np.float32]
"""Shape (positions, 5): win, gammon, backgammon, lose gammon, lose backgammon of the player on roll."""


class Labeller:
    """A gnubg process that evaluates rows; use as a context."""

    def __enter__(self) -> Self:
        """Make the library and start gnubg. Raises EngineError where it is not installed."""
        program = find_gnubg()
        if program is None:
            raise EngineError("gnubg is not installed: `sudo apt install gnubg`")
        self._home = TemporaryDirectory()
        home = Path(self._home.name)
        (home / "no_sleep.c").write_text(NO_SLEEP)
        library = home / "no_sleep.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(home / "no_sleep.c")], check=True)  # noqa: S603, S607
        boards_in, boards_out = os.pipe()
        chances_in, chances_out = os.pipe()
        self._child = subprocess.Popen(  # noqa: S603
            [program, "-t", "-q", "-r", "-p", str(SCRIPT)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={
                **os.environ,
                "HOME": self._home.name,
                "LD_PRELOAD": str(library),
                "BOARDS_IN": str(boards_in),
                "CHANCES_OUT": str(chances_out),
            },
            pass_fds=(boards_in, chances_out),
        )
        os.close(boards_in)
        os.close(chances_out)
        self._boards = os.fdopen(boards_out, "wb")
        self._chances = os.fdopen(chances_in, "rb")
        return self

    def __exit__(self, *_: object) -> None:
        """End gnubg."""
        self._boards.close()
        self._chances.close()
        self._child.wait()
        self._home.cleanup()

    def label(self, rows: Rows, plies: int) -> Chances:
        """Gnubg's probabilities (n x 5) for the player on roll at each row."""
        parts = [np.zeros((0, 5), np.float32)]
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE].astype(np.uint8)
            self._boards.write(np.array([len(some), plies], np.int32).tobytes())
            self._boards.write(np.concatenate((some[:, HALF + 1 :], some[:, 1:HALF]), axis=1).tobytes())
            self._boards.flush()
            answer = self._chances.read(20 * len(some))
            parts.append(np.frombuffer(answer, np.float32).reshape(len(some), 5))
        return np.concatenate(parts)
