"""Trains the network for stacked checkers: `python -m training.learn_stacks OUT.npz STEPS FOLDER` (needs torch).

FOLDER has samples of `training.stacks` (st*.npz); files written while it trains are used too. The first file is kept
aside: the loss and the area under the ROC curve on it are printed, by length of the lift. Training goes on from
OUT.start.npz if there is one.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from vision.backgammon.stacking.singles import LIFT_SCALE, MOST_LIFT, MOST_NATS, SHAPES, nearby, network_input

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = dict[str, torch.Tensor]
    Batch = tuple[torch.Tensor, ...]
    Boards = list[dict[str, NDArray[Any]]]

BOARDS, KNOWN = 6, 12
"""Boards in a batch, of each a later picture; known single checkers of each."""
RATE, DECAY, CLIP = 2.5e-3, 2e-3, 1.0
DOUBT = 0.01
"""Assumed share of wrong labels, so that no checker has an unlimited loss."""
LIFTS = 0.0, 0.05, 0.1, 0.2, 9.0
"""Limits of the lifts (diameters) by which the check is told."""


def first(chance: np.random.Generator) -> Weights:
    """Random weights, in the shapes of the product."""
    weights = {}
    for name, shape in SHAPES.items():
        small = 0.1 if name == "last" else 1.0
        values = chance.normal(0, small * np.sqrt(2 / np.prod(shape[:-1])), shape)
        weights[name] = torch.tensor(values, dtype=torch.float32)
        weights[f"{name}_bias"] = torch.zeros(shape[-1])
    return weights


def _convolved(weights: Weights, name: str, maps: torch.Tensor, stride: int) -> torch.Tensor:
    kernel = weights[name].permute(3, 2, 0, 1)
    return functional.conv2d(maps, kernel, weights[f"{name}_bias"], stride, 1)


def _normalised(maps: torch.Tensor) -> torch.Tensor:
    away = maps - maps.mean(1, keepdim=True)
    return torch.relu(away / torch.sqrt((away * away).mean(1, keepdim=True) + 1e-4))


def encoded(weights: Weights, patches: torch.Tensor) -> torch.Tensor:
    """As `vision.backgammon.stacking.singles.encode`, channels first."""
    maps = torch.relu(_convolved(weights, "first", patches, 2))
    maps = torch.relu(_convolved(weights, "second", maps, 2))
    return torch.relu(_convolved(weights, "third", maps, 1))


def compared(
    weights: Weights, seen: torch.Tensor, others: tuple[torch.Tensor, ...], lifts: torch.Tensor
) -> torch.Tensor:
    """As `vision.backgammon.stacking.singles.compare`, channels first."""
    single, inner, empty = others
    lifts = torch.clamp(lifts, max=MOST_LIFT) * LIFT_SCALE
    told = lifts[:, :, None, None].expand(-1, -1, *seen.shape[2:])
    parts = torch.cat([seen, single, inner, empty, (seen - single).abs(), (seen - inner).abs(), told], 1)
    kernel = weights["compare"].T[:, :, None, None]
    maps = _normalised(functional.conv2d(parts, kernel, weights["compare_bias"]))
    maps = _normalised(_convolved(weights, "around", maps, 2))
    flat = torch.cat([maps.permute(0, 2, 3, 1).flatten(1), maps.mean((2, 3)), maps.amax((2, 3))], 1)
    dense = torch.relu(flat @ weights["dense"] + weights["dense_bias"])
    out = (dense @ weights["last"] + weights["last_bias"])[:, 0]
    return MOST_NATS * torch.tanh(out / MOST_NATS)


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
    told = np.column_stack([lifts, near @ board["lifts"][few]]).astype(np.float32)
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
    parts = [known, near, seen, empty, ends.astype(np.int64), told, high.astype(np.float32)]
    for index in (0, 2, 3):
        parts[index] = network_input(parts[index]).transpose(0, 3, 1, 2)
    return tuple(parts)


def batch_of(parts: list[tuple]) -> tuple[torch.Tensor, ...]:
    """Several boards as one batch."""
    return tuple(torch.from_numpy(np.ascontiguousarray(np.stack(one))) for one in zip(*parts, strict=True))


def load(files: list[Path], boards: Boards, loaded: set[Path]) -> None:
    """Append the boards of the files that are not loaded yet."""
    for file in files:
        if file not in loaded:
            with np.load(file) as opened:
                kept = dict(opened)
            boards += [dict(zip(kept, one, strict=True)) for one in zip(*kept.values(), strict=True)]
            loaded.add(file)


def area(ratios: NDArray[Any], high: NDArray[Any]) -> float:
    """Area under the ROC curve."""
    ranks = np.argsort(np.argsort(ratios)) + 1.0
    stacks = int(high.sum())
    return float((ranks[high].sum() - stacks * (stacks + 1) / 2) / max(1, stacks * (len(high) - stacks)))


@torch.no_grad()
def check(weights: Weights, boards: Boards, prior: float) -> str:
    """Loss and area under the ROC curve for all, and the area by the lift."""
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
    told = [f"loss {np.mean(values):.4f}, area {area(all_ratios, all_high):.4f}"]
    for low, most in pairwise(LIFTS):
        among = (all_lifts >= low) & (all_lifts < most)
        told.append(f"lift {low}-{most}: {area(all_ratios[among], all_high[among]):.3f} of {among.sum()}")
    return "; ".join(told)


def save(weights: Weights, path: Path) -> None:
    """Write the weights in half precision."""
    np.savez(path, **{name: one.detach().numpy().astype(np.float16) for name, one in weights.items()})


def main() -> None:
    """Train for some steps, writing the weights now and then."""
    out, steps, folder = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    torch.set_num_threads(1)
    chance = np.random.default_rng(1)
    boards: Boards = []
    aside: Boards = []
    one, *others = sorted(folder.glob("st*.npz"))
    loaded = set[Path]()
    load([one], aside, loaded)
    load(others, boards, loaded)
    share_high = float(np.mean([board["high"].mean() for board in boards]))
    prior = float(np.log(share_high / (1 - share_high)))
    weights = first(chance)
    start = out.with_suffix(".start.npz")
    if start.exists():
        with np.load(start) as kept:
            weights |= {name: torch.tensor(kept[name].astype(np.float32)) for name in kept.files}
    print(f"{sum(one.numel() for one in weights.values())} parameters, prior {prior:.2f}", flush=True)
    for one in weights.values():
        one.requires_grad_(True)
    optimiser = torch.optim.AdamW(weights.values(), RATE, (0.9, 0.99), weight_decay=DECAY)
    slow = {name: one.detach().clone() for name, one in weights.items()}
    ready: queue.Queue[tuple] = queue.Queue(3)

    def feed() -> None:
        while True:
            numbers = chance.integers(len(boards), size=BOARDS)
            ready.put(batch_of([prepared(boards[n], int(chance.integers(3)), chance, changed=True) for n in numbers]))

    threading.Thread(target=feed, daemon=True).start()
    begun, values = time.monotonic(), []
    for count in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (count + 1) / 60) * (0.02 + 0.98 * (1 + np.cos(np.pi * count / steps)) / 2)
        *batch, high = ready.get()
        value = loss_of(scores(weights, tuple(batch)), high, prior)
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), CLIP)
        optimiser.step()
        share = min(0.995, (count + 1) / (count + 10))
        with torch.no_grad():
            for name, kept in slow.items():
                kept.mul_(share).add_(weights[name], alpha=1 - share)
        values.append(value.item())
        if (count + 1) % 200 == 0:
            save(slow, out)
            load([one for one in sorted(folder.glob("st*.npz")) if one not in loaded], boards, loaded)
            print(f"{count + 1} steps, {time.monotonic() - begun:.0f} s, {len(boards)}: {np.mean(values[-200:]):.4f}")
            print("   ", check(slow, aside, prior), flush=True)
    save(slow, out)


if __name__ == "__main__":
    main()
