"""Layers and optimisation that the comparing networks trained with torch share."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Weights = dict[str, torch.Tensor]
    Board = dict[str, NDArray[Any]]
    Batch = tuple[torch.Tensor, ...]

DECAY, CLIP = 2e-3, 1.0
"""Decay of the weights, and largest norm of a step's gradient."""
REPORT_EVERY = 200
"""Steps between reports."""
_QUEUED = 3


def random_weights(chance: np.random.Generator, shapes: Mapping[str, tuple[int, ...]]) -> Weights:
    """Random weights (He initialisation) of these shapes, and zero biases."""
    weights = {}
    for name, shape in shapes.items():
        small = 0.1 if name == "last" else 1.0
        values = chance.normal(0, small * np.sqrt(2 / np.prod(shape[:-1])), shape)
        weights[name] = torch.tensor(values, dtype=torch.float32)
        weights[f"{name}_bias"] = torch.zeros(shape[-1])
    return weights


def initial_weights(out: Path, chance: np.random.Generator, shapes: Mapping[str, tuple[int, ...]]) -> Weights:
    """The weights of OUT.start.npz if it exists, else random ones; gradients are tracked."""
    weights = random_weights(chance, shapes)
    start = out.with_suffix(".start.npz")
    if start.exists():
        with np.load(start) as kept:
            weights |= {name: torch.tensor(kept[name].astype(np.float32)) for name in kept.files}
    for one in weights.values():
        one.requires_grad_(True)
    print(f"{sum(one.numel() for one in weights.values())} parameters", flush=True)
    return weights


def _convolved(weights: Weights, name: str, maps: torch.Tensor, stride: int) -> torch.Tensor:
    kernel = weights[name].permute(3, 2, 0, 1)
    return functional.conv2d(maps, kernel, weights[f"{name}_bias"], stride, 1)


def _normalised(maps: torch.Tensor) -> torch.Tensor:
    away = maps - maps.mean(1, keepdim=True)
    return torch.relu(away / torch.sqrt((away * away).mean(1, keepdim=True) + 1e-4))


def encoded(weights: Weights, inputs: torch.Tensor) -> torch.Tensor:
    """As `vision.comparator.encoded`, channels first."""
    maps = torch.relu(_convolved(weights, "first", inputs, 2))
    maps = torch.relu(_convolved(weights, "second", maps, 2))
    return torch.relu(_convolved(weights, "third", maps, 1))


def judged(weights: Weights, parts: list[torch.Tensor]) -> torch.Tensor:
    """As `vision.comparator.judged`, channels first."""
    kernel = weights["compare"].T[:, :, None, None]
    maps = _normalised(functional.conv2d(torch.cat(parts, 1), kernel, weights["compare_bias"]))
    maps = _normalised(_convolved(weights, "around", maps, 2))
    flat = torch.cat([maps.permute(0, 2, 3, 1).flatten(1), maps.mean((2, 3)), maps.amax((2, 3))], 1)
    dense = torch.relu(flat @ weights["dense"] + weights["dense_bias"])
    return dense @ weights["last"] + weights["last_bias"]


def as_maps(numbers: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Numbers (n x k) as constant maps (n x k x h x w) of the size of `like`."""
    return numbers[:, :, None, None].expand(-1, -1, *like.shape[2:])


def batch_of(parts: Iterable[tuple]) -> Batch:
    """Stack the arrays of several boards into a batch."""
    return tuple(torch.from_numpy(np.ascontiguousarray(np.stack(one))) for one in zip(*parts, strict=True))


def save(weights: Weights, path: Path) -> None:
    """Write the weights in half precision."""
    np.savez(path, **{name: one.detach().numpy().astype(np.float16) for name, one in weights.items()})


def descend(
    weights: Weights,
    draw: Callable[[], Batch],
    loss: Callable[[Batch], torch.Tensor],
    out: Path,
    length: tuple[int, float],
    report: Callable[[Weights], str],
) -> None:
    """Train with AdamW, and write the running mean of the weights every REPORT_EVERY steps.

    Args:
        weights: changed in place.
        draw: makes a batch; it runs in another thread.
        loss: of a batch.
        out: where the weights are written.
        length: steps, and the largest learning rate.
        report: returns a line to print, from the mean weights.
    """
    steps, rate = length
    optimiser = torch.optim.AdamW(weights.values(), rate, (0.9, 0.99), weight_decay=DECAY)
    averaged = {name: one.detach().clone() for name, one in weights.items()}
    ready: queue.Queue[Batch] = queue.Queue(_QUEUED)

    def feed() -> None:
        while True:
            ready.put(draw())

    threading.Thread(target=feed, daemon=True).start()
    began_s, values = time.monotonic(), []
    for count in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, count / 60) * (0.02 + 0.98 * (1 + np.cos(np.pi * count / steps)) / 2)
        value = loss(ready.get())
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), CLIP)
        optimiser.step()
        share = min(0.995, count / (count + 9))
        with torch.no_grad():
            for name, kept in averaged.items():
                kept.mul_(share).add_(weights[name], alpha=1 - share)
        values.append(value.item())
        if count % REPORT_EVERY == 0:
            save(averaged, out)
            mean = float(np.mean(values[-REPORT_EVERY:]))
            print(f"{count} steps, {time.monotonic() - began_s:.0f} s: {mean:.4f}; {report(averaged)}", flush=True)
    save(averaged, out)
