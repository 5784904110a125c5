"""Decisions to measure the embedded engine by: `python -m training.references SEED PLAYS CUBES OUT.npz`.

Plays: the best ten by gnubg at 0 plies are labelled at 2 plies, the others at 0. Cubes: gnubg's equities at 2 plies of
no double and of double/take, in a money game with a centred cube.
"""

from __future__ import annotations

import sys

import numpy as np

from companion.hints.network.lookahead import mirrored
from companion.hints.network.rows import turned
from training.labels import CUBE, Labeller
from training.positions import decisions, equity, standard_plays

STYLES = ((0.0, 0.6), (0.05, 0.4))
BY_LOT = (0, 0, 0, 0, 1, 4)
BEST, PLIES = 10, 2
UNITS = 10_000
"""Probabilities are written in units of 1 / UNITS."""
SHARE = 0.004
"""Share of the decisions played that is kept: a few of each game."""
CLOSE = (0.15, 0.9)
"""Range of cubeless equities in which cube decisions are recorded."""


def main() -> None:
    """Write the file."""
    seed, plays, cubes, out = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    rng = np.random.default_rng(seed)
    generator = standard_plays()
    names = ("before", "rolls", "of", "after", "chances", "cube", "doubles")
    parts: dict[str, list[np.ndarray]] = {name: [] for name in names}
    with Labeller() as labeller:
        for turn in decisions(labeller, seed, STYLES, BY_LOT):
            for k in (rng.random(len(turn.counts)) < SHARE).nonzero()[0]:
                row = turn.before[k : k + 1]
                if len(parts["before"]) < plays:
                    after = turned(generator.results(row, turn.rolls[k : k + 1].astype(np.int64)).rows)
                    chances = labeller.label(after, 0)
                    best = np.argsort(equity(chances))[:BEST]
                    chances[best] = labeller.label(after[best], PLIES)
                    parts["rolls"].append(turn.rolls[k : k + 1])
                    parts["after"].append(after)
                    parts["of"].append(np.full(len(after), len(parts["before"]), np.int16))
                    parts["chances"].append(np.rint(mirrored(chances) * UNITS).astype(np.uint16))
                    parts["before"].append(row)
                if len(parts["cube"]) < cubes and CLOSE[0] < equity(labeller.label(row, 0))[0] < CLOSE[1]:
                    parts["cube"].append(row)
                    parts["doubles"].append(labeller.label(row, CUBE + PLIES)[:, 1:3])
            if len(parts["before"]) == plays and len(parts["cube"]) == cubes:
                break
    np.savez_compressed(out, **{name: np.concatenate(some) for name, some in parts.items()})


if __name__ == "__main__":
    main()
