"""Trains the network for stacked checkers: `python -m training.learn_stacks OUT.npz STEPS FOLDER` (needs torch).

FOLDER has samples of `training.stacks` (st*.npz); files written while it trains are used too. The first file is held
out: the loss and the area under the ROC curve on it are printed, by length of the lift. Training continues from
OUT.start.npz if it exists.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from training.networks import as_maps, batch_of, descend, encoded, initial_weights, judged
from training.shapes import MAPS, shapes
from vision.backgammon.stacking.singles import MOST_NATS
from vision.board import LIFT_SCALE, MOST_LIFT, PATCH_PX, nearby, network_input

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.networks import Batch, Weights

    Boards = list[dict[str, NDArray[Any]]]

BOARDS, KNOWN = 6, 12
"""Boards in a batch, each with one later picture; known single checkers of each board."""
RATE = 2.5e-3
DOUBT = 0.01
"""Assumed share of wrong labels, so that no checker has an unlimited loss."""
LIFTS = 0.0, 0.05, 0.1, 0.2, 9.0
"""Limits of the bins of lifts (diameters) in the report on held-out boards."""


def compared(
    weights: Weights, seen: torch.Tensor, others: tuple[torch.Tensor, ...], lifts: torch.Tensor
) -> torch.Tensor:
    """As `vision.backgammon.stacking.singles.compare`, channels first."""
    single, inner, empty = others
    lifts = torch.clamp(lifts, max=MOST_LIFT) * LIFT_SCALE
    parts = [seen, single, inner, empty, (seen - single).abs(), (seen - inner).abs(), as_maps(lifts, seen)]
    out = judged(weights, parts)
    return MOST_NATS * torch.tanh(out[:, 0] / MOST_NATS)


def scores(weights: Weights, batch: Batch) -> torch.Tensor:
    """Log-likelihood ratios (boards x checkers) of a batch from `prepared`."""
    known, near, seen, empty, ends, lifts = batch
    boards, count = seen.shape[:2]
    parts = torch.cat([known, seen, empty], 1)
    maps = encoded(weights, parts.flatten(0, 1))
    maps = maps.reshape(boards, -1, *maps.shape[1:])
    singles, own, bare = maps[:, : known.shape[1]], maps[:, known.shape[1] : -count], maps[:, -count:]
    means = torch.einsum("bqk,bkcyx->bqcyx", near, singles)
    inner = own[torch.arange(boards)[:, None], ends]
    others = tuple(one.flatten(0, 1) for one in (means, inner, bare))
    return compared(weights, own.flatten(0, 1), others, lifts.flatten(0, 1)).reshape(boards, count)


def loss_of(out: torch.Tensor, high: torch.Tensor, prior: float) -> torch.Tensor:
    """Mean cross-entropy; prior: log-odds of a stack in the samples."""
    return functional.binary_cross_entropy_with_logits(out + prior, high * (1 - 2 * DOUBT) + DOUBT)


def prepared(board: dict[str, NDArray[Any]], look: int, chance: np.random.Generator, changed: bool) -> tuple:
    """A board's later picture as arguments of `scores`, and the labels; `changed`: mirrored, recoloured at random."""
    known, seen, empty = (board[name].astype(np.float32) / 255 for name in ("known", "seen", "empty"))
    seen, empty = seen[look], empty[look]
    places, sides, lifts, ends, high = (
        board[name][look] for name in ("seen_places", "seen_sides", "seen_lifts", "ends", "high")
    )
    own = board["sides"]
    few = np.concatenate([chance.choice(np.flatnonzero(own == side), KNOWN // 2, replace=False) for side in (0, 1)])
    known = known[few]
    near = nearby(places, sides, board["places"][few], own[few])
    lengths = np.column_stack([lifts, near @ board["lifts"][few]]).astype(np.float32)
    if changed:
        if chance.random() < 0.5:
            known, seen, empty = np.flip(known, 2), np.flip(seen, 2), np.flip(empty, 2)
        if chance.random() < 0.6:
            channels = chance.permutation(3)
            known, seen, empty = known[..., channels], seen[..., channels], empty[..., channels]
        gain = np.float32(np.exp(chance.normal(0, 0.2)))
        tint = np.exp(chance.normal(0, 0.05, 3) + chance.normal(0, 0.06)).astype(np.float32)
        known, seen = np.minimum(known * gain, 1), np.minimum(seen * gain * tint, 1)
        empty = (
            np.minimum(empty * gain, 1)
            if chance.random() < 0.85
            else np.zeros_like(empty) + empty.mean((1, 2, 3))[:, None, None, None]
        )
    parts = [known, near, seen, empty, ends.astype(np.int64), lengths, high.astype(np.float32)]
    for index in (0, 2, 3):
        parts[index] = network_input(parts[index]).transpose(0, 3, 1, 2)
    return tuple(parts)


def load(files: list[Path], boards: Boards, loaded: set[Path]) -> None:
    """Append the boards of the files that are not loaded yet."""
    for file in files:
        if file not in loaded:
            with np.load(file) as opened:
                kept = dict(opened)
            boards += [dict(zip(kept, one, strict=True)) for one in zip(*kept.values(), strict=True)]
            loaded.add(file)


def roc_area(ratios: NDArray[Any], high: NDArray[Any]) -> float:
    """Area under the ROC curve."""
    ranks = np.argsort(np.argsort(ratios)) + 1.0
    stacks = int(high.sum())
    return float((ranks[high].sum() - stacks * (stacks + 1) / 2) / max(1, stacks * (len(high) - stacks)))


@torch.no_grad()
def check(weights: Weights, boards: Boards, prior: float) -> str:
    """Loss and area under the ROC curve of all samples, and the area by bins of lifts."""
    chance = np.random.default_rng(1)
    values, ratios, lifts, high = [], [], [], []
    for start in range(0, len(boards) - BOARDS + 1, BOARDS):
        *batch, stacked = batch_of([prepared(one, 0, chance, changed=False) for one in boards[start : start + BOARDS]])
        out = scores(weights, tuple(batch))
        values.append(float(loss_of(out, stacked, prior)))
        ratios.append(out.numpy().ravel())
        lifts.append(batch[5][..., 0].numpy().ravel())
        high.append(stacked.numpy().ravel() > 0.5)
    all_ratios, all_lifts, all_high = (np.concatenate(one) for one in (ratios, lifts, high))
    lines = [f"loss {np.mean(values):.4f}, area {roc_area(all_ratios, all_high):.4f}"]
    for low, most in pairwise(LIFTS):
        among = (all_lifts >= low) & (all_lifts < most)
        lines.append(f"lift {low}-{most}: {roc_area(all_ratios[among], all_high[among]):.3f} of {among.sum()}")
    return "; ".join(lines)


def main() -> None:
    """Train for some steps, writing the weights now and then."""
    out, steps, folder = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    torch.set_num_threads(1)
    chance = np.random.default_rng(1)
    boards: Boards = []
    held_out: Boards = []
    one, *others = sorted(folder.glob("st*.npz"))
    loaded = set[Path]()
    load([one], held_out, loaded)
    load(others, boards, loaded)
    share_high = float(np.mean([board["high"].mean() for board in boards]))
    prior = float(np.log(share_high / (1 - share_high)))
    weights = initial_weights(out, chance, shapes(PATCH_PX, 4, 6 * MAPS + 2, 1))

    def draw() -> Batch:
        numbers = chance.integers(len(boards), size=BOARDS)
        return batch_of([prepared(boards[n], int(chance.integers(3)), chance, changed=True) for n in numbers])

    def loss(batch: Batch) -> torch.Tensor:
        *inputs, high = batch
        return loss_of(scores(weights, tuple(inputs)), high, prior)

    def report(slow: Weights) -> str:
        load([one for one in sorted(folder.glob("st*.npz")) if one not in loaded], boards, loaded)
        return f"{len(boards)} boards; {check(slow, held_out, prior)}"

    descend(weights, draw, loss, out, (steps, RATE), report)


if __name__ == "__main__":
    main()
