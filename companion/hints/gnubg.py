"""GNU Backgammon engine: a child process that evaluates the positions after each legal play.

The plays come from the ruleset, so that no hint breaks the sheet's rules. gnubg only evaluates each resulting position
for the player who then rolls. Equities are cubeless money equities.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.hints.cube import Chances, advise
from companion.hints.engine import EngineError, RankedPlay, Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Dice, Side
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.rules import BackgammonPosition, Ruleset, Successor

SCRIPT = Path(__file__).with_name("gnubg_script.py")
MARK = b"@boardside "
"""Begins each answer of `gnubg_script`."""
DEBIAN_PATH = "/usr/games/gnubg"
"""Debian's path; the directory is often missing from a service's PATH."""
LEVELS = (0, 1, 2)
"""Plies looked ahead."""
CANDIDATES, CANDIDATE_MARGIN = 8, 0.16
"""Plays evaluated at the engine's level: the best 8 within 0.16 points at 0 plies (gnubg's "normal" move filter)."""
TIMEOUT_S = 30.0
"""Seconds; a Raspberry Pi takes about 0.3 s for a decision at 2 plies, a few seconds for the largest doubles."""


def find_gnubg() -> str | None:
    """Path of gnubg; None where it is not installed."""
    return shutil.which("gnubg") or (DEBIAN_PATH if os.access(DEBIAN_PATH, os.X_OK) else None)


class GnubgProcess:
    """A gnubg child process with its pipes. Methods raise EngineError where it ends or does not answer."""

    def __init__(self, program: str, timeout_s: float = TIMEOUT_S) -> None:
        """Start `program`."""
        self._timeout_s = timeout_s
        self._unread = b""
        self._said = b""
        # gnubg needs a writable home, which a service may not have; an empty one also avoids user settings.
        self._home = TemporaryDirectory(prefix="boardside-gnubg-")
        try:
            self._child = subprocess.Popen(  # noqa: S603  # a program of this machine, no shell
                [program, "-t", "-q", "-r", "-p", str(SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "HOME": self._home.name},
                bufsize=0,
            )
        except OSError as error:
            self._home.cleanup()
            raise EngineError(f"cannot start {program!r}: {error}") from error

    def evaluate(self, positions: Sequence[BackgammonPosition], on_roll: Side, plies: int) -> list[Chances]:
        """Outcome probabilities of `on_roll`, who is about to roll, for each position."""
        boards = [_board(position, on_roll) for position in positions]
        question = json.dumps({"boards": boards, "plies": plies}).encode() + b"\n"
        stdin = self._child.stdin
        assert stdin is not None  # noqa: S101  # opened above
        try:
            stdin.write(question)
        except OSError as error:
            raise EngineError(f"gnubg has ended ({error})") from error
        answers: list[Chances] = json.loads(self._answer())
        return answers

    def _answer(self) -> bytes:
        """The next line that begins with MARK. Raises EngineError on timeout or where gnubg ends."""
        stdout = self._child.stdout
        assert stdout is not None  # noqa: S101  # opened above
        deadline = time.monotonic() + self._timeout_s
        while True:
            line, newline, rest = self._unread.partition(b"\n")
            if newline:
                self._unread = rest
                if line.startswith(MARK):
                    return line.removeprefix(MARK)
                self._said = line or self._said
                continue
            ready, _, _ = select.select([stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise EngineError(f"gnubg did not answer within {self._timeout_s:g} s")
            chunk = os.read(stdout.fileno(), 1 << 16)
            if not chunk:
                said = self._said.decode(errors="replace")
                raise EngineError(f"gnubg ended with exit status {self._child.wait()} and no answer; it said {said!r}")
            self._unread += chunk

    def close(self) -> None:
        """Kill the child process and remove its home."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        self._home.cleanup()


class GnubgEngine:
    """Ranks plays by gnubg's evaluation of the positions after them."""

    name = "GNU Backgammon"

    def __init__(
        self,
        rules: Ruleset[BackgammonPosition],
        plies: int = 2,
        program: str | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """`plies` is one of LEVELS; `program` defaults to this machine's gnubg. Raises EngineError if there is none."""
        found = program or find_gnubg()
        if found is None:
            raise EngineError("gnubg is not installed: `sudo apt install gnubg`, or choose --engine plain")
        self._rules = rules
        self._plies = plies
        self._program = found
        self._timeout_s = timeout_s
        self._process: GnubgProcess | None = None

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays at the engine's level. Raises EngineError; the next call restarts gnubg."""
        successors = self._rules.successors(position, side, dice)
        if not successors:
            return Ranking(engine=self.name)
        try:
            ranked = self._ranked(successors, side, 0)
            if self._plies:
                best = ranked[0][1].equity
                near = sum(play.equity > best - CANDIDATE_MARGIN for _, play in ranked[:CANDIDATES])
                ranked = self._ranked([successor for successor, _ in ranked[: max(n, near)]], side, self._plies)
        except EngineError:
            self.close()
            raise
        return Ranking(tuple(play for _, play in ranked[:n]), self.name)

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice on the cube from gnubg's probabilities at the engine's level. Raises EngineError as `rank` does."""
        try:
            (chances,) = self._chances([question.position], question.side, self._plies)
        except EngineError:
            self.close()
            raise
        return advise(chances, question.position, question.side, question.match)

    def _chances(self, positions: Sequence[BackgammonPosition], on_roll: Side, plies: int) -> list[Chances]:
        """Outcome probabilities of `on_roll` at each position; starts gnubg if needed."""
        if self._process is None:
            self._process = GnubgProcess(self._program, self._timeout_s)
        return self._process.evaluate(positions, on_roll, plies)

    def _ranked(
        self, successors: Sequence[Successor[BackgammonPosition]], side: Side, plies: int
    ) -> list[tuple[Successor[BackgammonPosition], RankedPlay]]:
        """Successors with their evaluations at `plies`, best for `side` first."""
        chances = self._chances([s.after for s in successors], side.opponent, plies)
        pairs = [(s, self._play(s, c)) for s, c in zip(successors, chances, strict=True)]
        return sorted(pairs, key=lambda pair: -pair[1].equity)

    def _play(self, successor: Successor[BackgammonPosition], theirs: Chances) -> RankedPlay:
        lose, lose_gammon, lose_backgammon, gammon, backgammon = theirs
        win = 1.0 - lose
        equity = win - lose + gammon + backgammon - lose_gammon - lose_backgammon
        text = self._rules.write_play(successor.play)
        return RankedPlay(text, successor.after, equity, win, gammon, backgammon, lose_gammon, lose_backgammon)

    def close(self) -> None:
        """End gnubg; the next request restarts it."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _board(position: BackgammonPosition, on_roll: Side) -> list[list[int]]:
    """Counts as gnubg takes them: 25 for the opponent, then for the player on roll; own 1 point first, the bar last."""
    opponent, own = position.view(on_roll.opponent), position.view(on_roll)
    return [list(opponent[1:26]), list(own[1:26])]
