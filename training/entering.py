"""Decisions of players on the bar: `python -m training.entering SEED COUNT OUT.npz FOLDER`, from rows of `gather`.

Players who cannot enter, or in one way only, have no choice, but every second reply in the look-ahead is such a case.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from companion.hints.network.rows import BAR, CELLS, turned
from training.labels import Labeller
from training.positions import KEPT, standard_plays


def main() -> None:
    """Write the file."""
    seed, count, out, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    rng = np.random.default_rng(seed)
    found = []
    for path in sorted(folder.glob("decisions-*.npz")):
        with np.load(path) as file:
            rows = file["rows"].reshape(-1, CELLS)
        found.append(np.unique(rows[rows[:, BAR] > 0], axis=0))
    rows = np.concatenate(found)
    rows = rows[rng.permutation(len(rows))[:count]]
    rolls = np.sort(rng.integers(1, 7, (len(rows), 2)), axis=1)[:, ::-1]
    results = standard_plays().results(rows, rolls)
    order = np.argsort(results.of + rng.random(len(results.of)) * 0.9)
    after, bounds = turned(results.rows[order]), np.searchsorted(results.of[order], np.arange(len(rows) + 1))
    counts = np.minimum(np.diff(bounds), KEPT)
    index = np.array([np.resize(np.arange(n), KEPT) for n in counts]) + bounds[:-1, None]
    kept = np.unique(index)
    with Labeller() as labeller:
        chances = np.zeros((len(after), 5), np.float32)
        chances[kept] = labeller.label(after[kept], 0)
    np.savez_compressed(out, rows=after[index], chances=chances[index], counts=counts.astype(np.int8))


if __name__ == "__main__":
    main()
