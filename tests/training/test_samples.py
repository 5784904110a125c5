"""Training samples of second layers are reproducible, and the shipped network recognises them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from places import ROOT

from training import samples
from vision.backgammon.stacking.network import LayerNet

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SURE_NATS = 5.0
"""Below this a reading is refused."""

Boards = dict[str, np.ndarray]


def drawn(path: Path, seed: int) -> Boards:
    command = [sys.executable, "-m", "training.samples", str(path), "1", str(seed)]
    subprocess.run(command, cwd=ROOT, check=True)
    with np.load(path) as kept:
        return {name: kept[name] for name in kept.files}


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Boards:
    """A board that nothing was learned from."""
    return drawn(tmp_path_factory.mktemp("drawn") / "boards.npz", 900_001)


def test_a_seed_draws_the_same_samples_again(boards: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another process; the first rows tell."""
    monkeypatch.setattr(samples, "ROWS_A_CORNER", rows := 4)
    again = samples.board_of(np.random.default_rng(900_001))
    assert boards.keys() == again.keys()
    assert all(np.array_equal(boards[name][0][:rows], again[name][:rows]) for name in boards)


def test_unseen_rows_are_recognised_and_none_is_certain_and_wrong(boards: Boards) -> None:
    net = LayerNet.load()
    bare = [
        net.embeddings(spokes, measures).mean(axis=1, keepdims=True)
        for spokes, measures in zip(boards["bare"][0], boards["bare_measures"][0], strict=True)
    ]
    margins = []
    rows = (boards[name][0] for name in ("spokes", "measures", "places", "labels"))
    for spokes, measures, places, (count, bearing, owner) in zip(*rows, strict=True):
        words = net.embeddings(spokes[:count], measures[:count])
        said = np.cumsum([0.0, *net.ratios(words, measures[:count], bare[owner])]) + places[: count + 1]
        margins.append(said[bearing] - np.delete(said, bearing).max())
    assert min(margins) > -SURE_NATS
    assert sum(margin > 0 for margin in margins) > len(margins) * 3 / 4
