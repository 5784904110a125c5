"""Equity loss, time and memory of the embedded engines: `python benchmarks/hints.py`.

`backgammon_decisions.npz` has decisions of games on which no network was trained, with gnubg's probabilities after
each play and its equities of doubles, at 2 plies (`python -m training.references`). `checkers_decisions.json` has moves
of games that the values were not fitted to, scored by the same search with some twenty times as many positions
(`python -m training.checkers_decisions`): it measures the search, not the values. Memory is the growth of the
process until the engine has answered.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import psutil
from one_thread import start_in_one_thread

from companion.core import Dice, Side
from companion.game import Match
from companion.hints import CubeQuestion, Engine, choose_engine
from companion.hints.checkers_bits import bits_of
from companion.hints.network.rows import HALF, rows_of
from companion.rules import BackgammonPosition, CheckersPosition, rules_named
from companion.rules.backgammon.position import turned

DECISIONS = Path(__file__).with_name("backgammon_decisions.npz")
MOVES = Path(__file__).with_name("checkers_decisions.json")
LOST_AT_MOST = 200
"""Limit of the loss counted for one decision, in hundredths of a man."""
UNITS = 10_000
"""Probabilities in the file are in units of 1 / UNITS."""
MONEY = np.array([2, 1, 1, -1, -1])


def position_of(row: np.ndarray) -> BackgammonPosition:
    """The position of a row, whose first player is White."""
    return BackgammonPosition.from_view(row[:HALF].tobytes() + turned(row[HALF:].tobytes()), Side.WHITE)


def memory_mb() -> float:
    """Resident memory of this process."""
    return psutil.Process().memory_info().rss / 1e6


def plays(engine: Engine, file: dict[str, np.ndarray]) -> tuple[list[float], list[float]]:
    """Equity loss of each decision, in thousandths of a point, and its milliseconds."""
    lost, took = [], []
    equity = file["chances"] @ MONEY / UNITS
    for number, (row, roll) in enumerate(zip(file["before"], file["rolls"], strict=True)):
        begun = time.perf_counter()
        (best,) = engine.rank(position_of(row), Side.WHITE, Dice(tuple(map(int, roll))), 1).plays
        took.append(1000 * (time.perf_counter() - begun))
        of = file["of"] == number
        known = dict(zip(map(bytes, file["after"][of]), equity[of], strict=True))
        lost.append(1000 * (max(known.values()) - known[bytes(rows_of([best.after], Side.BLACK)[0])]))
    return lost, took


def cubes(engine: Engine, file: dict[str, np.ndarray]) -> tuple[float, float]:
    """Shares of the decisions to double, and to take, that agree with gnubg's."""
    same = []
    for row, (nothing, taken) in zip(file["cube"], file["doubles"], strict=True):
        advice = engine.cube(CubeQuestion(position_of(row), Side.WHITE, Match()))
        if advice is not None:
            same.append((advice.doubles == (min(taken, 1.0) > nothing), advice.takes == (taken <= 1.0)))
    doubles, takes = np.mean(same, axis=0)
    return float(doubles), float(takes)


def checkers_position(mine: int, theirs: int, kings: int, white: int) -> CheckersPosition:
    """The position of bit masks (every ninth bit is no square), with White or Black to move."""
    squares = [
        mask & 0xFF | mask >> 1 & 0xFF00 | mask >> 2 & 0xFF0000 | mask >> 3 & 0xFF000000
        for mask in (mine, theirs, kings)
    ]
    if white:
        return CheckersPosition(*squares, Side.WHITE)
    return CheckersPosition(squares[1], squares[0], squares[2], Side.BLACK)


def moves(engine: Engine) -> tuple[list[float], list[float]]:
    """Loss of each decision, in hundredths of a man, and its milliseconds."""
    lost, took = [], []
    for at, after in json.loads(MOVES.read_text(encoding="utf-8")):
        position = checkers_position(*at)
        begun = time.perf_counter()
        (best,) = engine.rank(position, position.to_move, None, 1).plays
        took.append(1000 * (time.perf_counter() - begun))
        known = {tuple(masks): score for *masks, score in after}
        lost.append(min(LOST_AT_MOST, max(known.values()) - known[bits_of(best.after)]))
    return lost, took


def checkers() -> None:
    """Print the lines of checkers."""
    rules = rules_named("acf")
    for level in (2, 1, 0):  # the first loads tables that all share
        before_mb = memory_mb()
        engine = choose_engine(rules, "embedded", level)
        lost, took = moves(engine)
        said, more_mb = f"{engine.name}, level {level}", memory_mb() - before_mb
        print(f"{said:<36}{np.mean(lost):>10.2f} of 100 a man{np.median(took):>6.0f}{max(took):>10.0f}{more_mb:>11.1f}")


def main() -> None:
    """Print a table."""
    start_in_one_thread()
    rules = rules_named("standard")
    with np.load(DECISIONS) as loaded:
        file = {name: loaded[name] for name in loaded.files}
    rules.successors(rules.start(), Side.WHITE, Dice((2, 1)))
    print(f"{len(file['before'])} plays, {len(file['cube'])} cubes")
    print(f"{'engine':<36}{'lost a decision':>18}{'median ms':>11}{'worst ms':>10}{'memory MB':>11}")
    for level in (0, 2):
        before_mb = memory_mb()
        engine = choose_engine(rules, "embedded", level)
        lost, took = plays(engine, file)
        said = f"{engine.name}, level {level}"
        more_mb = memory_mb() - before_mb
        print(f"{said:<36}{np.mean(lost):>12.2f} mpts{np.median(took):>12.0f}{max(took):>10.0f}{more_mb:>11.1f}")
        doubles, takes = cubes(engine, file)
        print(f"{'':<4}as gnubg doubles: {100 * doubles:.1f} %, takes: {100 * takes:.1f} %")
    checkers()


if __name__ == "__main__":
    main()
