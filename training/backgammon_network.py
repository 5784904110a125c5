"""Trains the backgammon networks: `python -m training.backgammon_network OUT.npz MINUTES SEED FOLDER…` (needs torch).

One network for positions in contact, one for races, and a small one for both, which gets the checkers only and selects
the plays that the others evaluate. The loss is on the five probabilities, on the equity, and on the differences of
equity between the plays of one roll, because the choice of a play depends on these.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn

from companion.hints.network.features import INPUTS, ON_BOARD, checkers, inputs
from companion.hints.network.rows import CELLS, in_contact

SIEVE = "sieve"
UNITS = {"contact": (INPUTS, 256, 48, 5), "race": (INPUTS, 96, 16, 5), SIEVE: (ON_BOARD, 32, 5)}
"""Numbers of inputs, of units in the hidden layers, and of outputs."""
FIRST_RATE, LAST_RATE, BATCH = 2e-3, 2e-5, 256
"""Learning rates at the start and the end (a cosine between them), decisions in a batch."""
DIFFERENCE_WEIGHT, EQUITY_WEIGHT = 2.0, 0.5
"""Weights of the losses on differences and on equity; that on the probabilities has weight 1."""
PLAY_SCALE = 0.2
"""Scale of a play's weight in the loss, in points of equity below the best play: a third is left there."""
KINDS = os.environ.get("KINDS", " ".join(UNITS)).split()
QUICK = "--quick" in sys.argv
"""Whether to compute with bfloat16: several times as fast on some processors, but too imprecise at the end."""
CHECKED = 5_000
"""Number of held-out decisions on which progress is measured."""
TO_EQUITY = torch.tensor([2.0, 1.0, 1.0, -1.0, -1.0])


@dataclass(frozen=True, slots=True)
class Samples:
    """Decisions as tensors: inputs (n, plays, inputs), chances (n, plays, 5), weights (n, plays; 0: no such play)."""

    inputs: torch.Tensor
    chances: torch.Tensor
    weights: torch.Tensor


def network(units: tuple[int, ...]) -> nn.Sequential:
    """A network with logits of the five probabilities as outputs."""
    linear = [nn.Linear(*pair) for pair in pairwise(units)]
    return nn.Sequential(*(part for layer in linear for part in (layer, nn.ReLU())))[:-1]


def read(path: Path, kind: str) -> Samples:
    """The decisions of one kind in a file: plays in contact, plays in a race, or all for the sieve."""
    with np.load(path) as file:
        rows, chances, counts = file["rows"], file["chances"], file["counts"]
    contact = in_contact(rows.reshape(-1, CELLS)).reshape(rows.shape[:2])
    valid = np.arange(rows.shape[1]) < counts[:, None]
    if kind != SIEVE:
        valid &= contact == (kind == "contact")
    chosen = valid.any(axis=1)
    rows, chances, valid = rows[chosen], chances[chosen], valid[chosen]
    value = np.where(valid, 1 - chances @ TO_EQUITY.numpy(), -np.inf)
    weights = np.exp((value - value.max(axis=1, keepdims=True)) / PLAY_SCALE) * 0.9 + 0.1
    encoded = torch.empty((*rows.shape[:2], UNITS[kind][0]), dtype=torch.float16)
    encode = checkers if kind == SIEVE else inputs
    for start in range(0, len(rows), 200):
        some = rows[start : start + 200]
        encoded[start : start + 200] = torch.from_numpy(encode(some.reshape(-1, CELLS))).view(*some.shape[:2], -1)
    return Samples(
        encoded,
        torch.from_numpy(chances),
        torch.from_numpy((weights * valid).astype(np.float32)),
    )


def loss_of(net: nn.Sequential, samples: Samples, batch: torch.Tensor) -> torch.Tensor:
    """Mean loss of a batch of decisions."""
    weights = samples.weights[batch]
    with torch.autocast("cpu", torch.bfloat16, enabled=QUICK):
        logits = net(samples.inputs[batch].to(torch.bfloat16 if QUICK else torch.float32))
    off = torch.sigmoid(logits.float()) - samples.chances[batch]
    equity = off @ TO_EQUITY
    total = weights.sum(dim=1, keepdim=True)
    between = equity - (equity * weights).sum(dim=1, keepdim=True) / total
    each = ((off**2).sum(dim=-1) + EQUITY_WEIGHT * equity**2) * (weights > 0)
    return (each.sum() + DIFFERENCE_WEIGHT * (between**2 * weights).sum()) / (weights > 0).sum()


def equity_loss(net: nn.Sequential, samples: Samples) -> float:
    """Mean equity loss per decision of the network's plays, in thousandths of a point, by the labels."""
    given, count = 0.0, min(len(samples.inputs), CHECKED)
    with torch.no_grad():
        for batch in torch.arange(count).split(1000):
            own = torch.sigmoid(net(samples.inputs[batch].float())) @ TO_EQUITY
            valid = samples.weights[batch] > 0
            true = samples.chances[batch] @ TO_EQUITY
            choice = own.masked_fill(~valid, 9).argmin(dim=1, keepdim=True)
            given += float((true.gather(1, choice)[:, 0] - true.masked_fill(~valid, 9).min(dim=1)[0]).sum())
    return 1000 * given / count


def train(kind: str, net: nn.Sequential, paths: list[Path], minutes: float, rate: float) -> None:
    """Train for that many minutes; the first file is held out."""
    held_out, *parts = [read(path, kind) for path in paths]
    samples = Samples(*(torch.cat([getattr(part, name) for part in parts]) for name in Samples.__slots__))
    del parts
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    start, seen = time.monotonic(), 0
    reported_s = start
    running = 0.0
    while (done := (time.monotonic() - start) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = LAST_RATE + (rate - LAST_RATE) * (1 + np.cos(np.pi * done)) / 2
        loss = loss_of(net, samples, torch.randint(len(samples.inputs), (BATCH,)))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        seen += BATCH
        running += 0.01 * (float(loss.detach()) - running)
        if time.monotonic() - reported_s > 60:
            reported_s = time.monotonic()
            epochs, lost = seen / len(samples.inputs), equity_loss(net, held_out)
            print(f"{kind} {done:.2f}: {epochs:.1f} epochs, loss {1e4 * running:.2f}e-4, lost {lost:.2f}")
    print(f"{kind}: {seen / len(samples.inputs):.1f} epochs, lost {equity_loss(net, held_out):.2f}")


def layers(nets: dict[str, nn.Sequential]) -> dict[str, np.ndarray]:
    """Weights (transposed) and biases of all layers, by name."""
    found = {}
    for kind, net in nets.items():
        for number, layer in enumerate(part for part in net if isinstance(part, nn.Linear)):
            found[f"{kind}_weights_{number}"] = layer.weight.detach().numpy().T
            found[f"{kind}_biases_{number}"] = layer.bias.detach().numpy()
    return found


def restore(nets: dict[str, nn.Sequential], path: Path) -> None:
    """Load weights from a file of `layers`."""
    with np.load(path) as file:
        for kind, net in nets.items():
            for number, layer in enumerate(part for part in net if isinstance(part, nn.Linear)):
                layer.weight.data = torch.from_numpy(file[f"{kind}_weights_{number}"].T.astype(np.float32).copy())
                layer.bias.data = torch.from_numpy(file[f"{kind}_biases_{number}"].astype(np.float32))


def main() -> None:
    """Train all, continuing from OUT.start.npz if it exists."""
    out, minutes, seed = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    paths = [path for folder in sys.argv[4:] if folder != "--quick" for path in sorted(Path(folder).glob("*.npz"))]
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    nets = {kind: network(units) for kind, units in UNITS.items()}
    begun = out.with_suffix(".start.npz")
    if begun.exists():
        restore(nets, begun)
    for kind in KINDS:
        train(kind, nets[kind], paths, minutes, FIRST_RATE * 0.4 if begun.exists() else FIRST_RATE)
        np.savez(out, **layers(nets))


if __name__ == "__main__":
    main()
