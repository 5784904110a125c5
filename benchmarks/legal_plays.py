"""Times the legal plays of a roll and the verdict on an observation: `python benchmarks/legal_plays.py`.

Times are the best of several runs, each with empty caches. The ratio compares a time with a plain counting loop in the
same run, so that figures of different machines can be compared.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from companion.core import CellReading, Dice, Observation, Side
from companion.referee.judge import judge
from companion.rules import BackgammonPosition, CheckersPosition, load_sheet
from companion.rules.backgammon.position import START
from companion.rules.registry import ruleset_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Board
    from companion.rules import Ruleset

RUNS = 15
SPREAD = BackgammonPosition((0, 0, 0, 0, *[1] * 15, 0, 0, 0, 0, 0))
SPREAD_FAR_OUT = BackgammonPosition((*[0] * 9, *[1] * 15))
MIDDLE_GAME = CheckersPosition.from_fen("W:W18,19,21,22,24,26,28,30,31,32:B1,3,4,5,8,9,10,11,12,16")
KINGS = CheckersPosition.from_fen("W:WK2,9,K10,K15,18,32:BK1,3,7,K8,17,19,K20,K22,23")
ROLLS: tuple[tuple[str, str, Any, Dice | None], ...] = (
    ("ordinary roll, opening 6-1", "standard", START, Dice((6, 1))),
    ("ordinary roll, opening 3-1", "standard", START, Dice((3, 1))),
    ("opening double 2-2", "standard", START, Dice((2, 2))),
    ("most plays, fifteen blots 5-4", "standard", SPREAD, Dice((5, 4))),
    ("slowest double, fifteen blots 1-1", "standard", SPREAD, Dice((1, 1))),
    ("slowest double, outer boards 2-2", "standard", SPREAD_FAR_OUT, Dice((2, 2))),
    ("checkers, middle game", "acf", MIDDLE_GAME, None),
    ("checkers, many kings and jumps", "acf", KINGS, None),
)
OBSERVATIONS = (
    ("verdict, certain and legal", "8/5 6/5", ()),
    ("verdict, certain and illegal", "8/4 6/3", ()),
    ("verdict, six stacks in doubt", "8/5 6/5", (0, 4, 5, 7, 12, 23)),
)


def best_ms(work: Callable[[], object]) -> float:
    """Best time of several runs, in milliseconds."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return 1000 * min(times)


def reference_loop() -> int:
    """Reference work: 10,000 additions in plain Python."""
    total = 0
    for number in range(10_000):
        total += number & 7
    return total


def observation_of(board: Board, doubtful: tuple[int, ...]) -> Observation:
    """An observation in which the doubtful cells may hold one checker more."""
    cells = [CellReading(((content or (0, 0), 0.0),)) for content in board]
    for cell in doubtful:
        white, black = board[cell] or (0, 0)
        more = (white, black + 1) if black else (white + 1, black)
        cells[cell] = CellReading((((white, black), 0.0), (more, -1.0)))
    return Observation(tuple(cells))


def timed_verdicts(fresh: Callable[[], Ruleset[Any]]) -> list[tuple[str, int, float]]:
    """Title, number of plays in the verdict, and milliseconds of each observation."""
    rows = []
    for title, play, doubtful in OBSERVATIONS:
        observation = observation_of(fresh().board_after(START, Side.WHITE, play), doubtful)
        plays = judge(fresh(), START, Side.WHITE, Dice((3, 1)), observation, done=True).plays
        ms = best_ms(lambda seen=observation: judge(fresh(), START, Side.WHITE, Dice((3, 1)), seen, done=True))
        rows.append((title, len(plays), ms))
    return rows


def main() -> None:
    """Print the table."""
    reference_ms = best_ms(reference_loop)
    sheets = {name: load_sheet(name) for name in ("standard", "acf")}
    rows = []
    for title, name, position, dice in ROLLS:
        count = len(ruleset_for(sheets[name]).successors(position, Side.WHITE, dice))
        ms = best_ms(lambda s=sheets[name], p=position, d=dice: ruleset_for(s).successors(p, Side.WHITE, d))
        rows.append((title, count, ms))
    rows += timed_verdicts(lambda: ruleset_for(sheets["standard"]))
    print(f"{'case':36}{'plays':>7}{'ms':>9}{'ratio':>8}   (reference loop {reference_ms:.3f} ms)")
    for title, count, ms in rows:
        print(f"{title:36}{count:7}{ms:9.3f}{ms / reference_ms:8.2f}")


if __name__ == "__main__":
    main()
