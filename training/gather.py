"""Writes decisions labelled at 0 plies: `python -m training.gather SEED FILES DIRECTORY`, 50,000 decisions a file."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from training.labels import Labeller
from training.positions import Decisions, decisions

A_FILE = 50_000


def main() -> None:
    """Write the files."""
    seed, files, directory = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    directory.mkdir(parents=True, exist_ok=True)
    with Labeller() as labeller:
        some: list[Decisions] = []
        number = 0
        for turn in decisions(labeller, seed):
            some.append(turn)
            if sum(len(d.counts) for d in some) >= A_FILE:
                parts = {name: np.concatenate([getattr(d, name) for d in some]) for name in Decisions.__slots__}
                np.savez_compressed(directory / f"decisions-{seed}-{number}.npz", **parts)
                number, some = number + 1, []
                if number == files:
                    return


if __name__ == "__main__":
    main()
