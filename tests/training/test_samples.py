"""What second layers are learned from can be drawn again, and fits the network that is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from vision.layer_net import LayerNet

PROJECT = Path(__file__).parents[2]


def drawn(path: Path) -> dict[str, np.ndarray]:
    subprocess.run([sys.executable, "-m", "training.samples", str(path), "1", "7"], cwd=PROJECT, check=True)
    with np.load(path) as kept:
        return {name: kept[name] for name in kept.files}


def test_a_seed_draws_the_same_samples_again_and_the_network_takes_them(tmp_path: Path) -> None:
    first, again = (drawn(tmp_path / name) for name in ("first.npz", "again.npz"))
    assert first.keys() == again.keys()
    assert all(np.array_equal(first[name], again[name]) for name in first)
    row = first["figures"][0]
    assert LayerNet.load().ratios(row).shape == (len(row),)
