"""Trains the network that compares slots: `python -m training.learn_slots OUT.npz STEPS RATE FOLDER` (needs torch).

FOLDER has samples of `training.slots` and `training.traced_slots` (sl*.npz); files written while it trains are used
too. The first file is held out: the loss and the errors on it are printed. Training continues from OUT.start.npz if it
exists.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from training.networks import as_maps, batch_of, descend, encoded, initial_weights, judged
from training.shapes import MAPS, shapes
from vision.board import BLACK, EMPTY, LIFT_SCALE, MOST_LIFT, OTHER, PATCH_PX, SEEN_PX, WHITE, nearby, network_input
from vision.comparator import brightness_factor

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.networks import Batch, Board, Weights
    from vision.arrays import Ints, Singles


BOARDS, KNOWN, PLACES = 6, 12, 40
"""Boards in a batch; of each, known single checkers and places."""
DOUBT = 0.01
"""Assumed share of wrong labels, so that no place has an unlimited loss."""
TRACED = 0.45
"""Share of the boards that are path-traced."""
_MARGIN_PX = (PATCH_PX - SEEN_PX) // 2


def scores(weights: Weights, batch: Batch) -> torch.Tensor:
    """Logits (boards x places x contents) of a batch from `prepared`."""
    known, near, seen, bare, lifts = batch
    boards, count = seen.shape[:2]
    maps = encoded(weights, torch.cat([known, seen, bare], 1).flatten(0, 1))
    maps = maps.reshape(boards, -1, *maps.shape[1:])
    singles, own, empty = maps[:, : known.shape[1]], maps[:, known.shape[1] : -count], maps[:, -count:]
    means = torch.einsum("bsqk,bkcyx->sbqcyx", near, singles)
    others = [one.flatten(0, 1) for one in (*means, empty)]
    own = own.flatten(0, 1)
    parts = [own, *others, *((own - one).abs() for one in others), as_maps(lifts.flatten(0, 1), own)]
    return judged(weights, parts).reshape(boards, count, -1)


def prepared(board: Board, chance: Generator, changed: bool) -> tuple:
    """Places of a board as arguments of `scores`, and their labels; `changed`: shifted, mirrored, recoloured."""
    sides, bright = board["known_side"], np.float32(brightness_factor(board["known"]))
    picked = np.concatenate([chance.choice(np.flatnonzero(sides == side), KNOWN // 2) for side in (WHITE, BLACK)])
    rare = np.where(board["label"] == EMPTY, 1.0, 2.0)
    chosen = chance.choice(len(rare), PLACES, p=rare / rare.sum())
    known, seen, bare = (
        np.minimum(patches.astype(np.float32) * bright, 255) / 255
        for patches in (board["known"][picked], board["seen"][chosen], board["bare"][chosen])
    )
    at = chance.integers(0, 2 * _MARGIN_PX + 1, 2) if changed else np.full(2, _MARGIN_PX)
    known, seen, bare = _crop(known, np.full(2, _MARGIN_PX)), _crop(seen, at), _crop(bare, at)
    labels = board["label"][chosen]
    places = board["place"][chosen]
    near = np.stack(
        [
            nearby(places, np.full(PLACES, side), board["known_place"][picked], sides[picked]).astype(np.float32)
            for side in (WHITE, BLACK)
        ]
    )
    if changed:
        known, seen, bare = recoloured(chance, known, seen, bare)
        if chance.random() < 0.5:  # exchange the sides
            near, labels = near[::-1], np.array([BLACK, WHITE, EMPTY, OTHER])[labels]
    lifts = np.minimum(board["lift"][chosen], MOST_LIFT)[:, None].astype(np.float32) * LIFT_SCALE
    inputs = [network_input(one).astype(np.float32).transpose(0, 3, 1, 2) for one in (known, seen, bare)]
    return inputs[0], near, inputs[1], inputs[2], lifts, labels.astype(np.int64)


def _crop(patches: Singles, at: Ints) -> Singles:
    """Crop patches (n x h x w x 3) to the network's input, from pixel `at` (x, y)."""
    return patches[:, at[1] : at[1] + SEEN_PX, at[0] : at[0] + SEEN_PX]


def recoloured(chance: Generator, known: Singles, seen: Singles, bare: Singles) -> tuple[Singles, Singles, Singles]:
    """Augment patches: other colours and light, mirrored, sometimes overexposed, noisy or blurred."""
    if chance.random() < 0.5:
        known, seen, bare = (np.flip(one, 2) for one in (known, seen, bare))
    if chance.random() < 0.6:
        channels = chance.permutation(3)
        known, seen, bare = (one[..., channels] for one in (known, seen, bare))
    gain = np.float32(np.exp(chance.normal(0, 0.2)) * (chance.uniform(1.3, 2.2) if chance.random() < 0.2 else 1))
    tint = np.exp(chance.normal(0, 0.05, 3) + chance.normal(0, 0.06)).astype(np.float32)
    known, bare, seen = np.minimum(known * gain, 1), np.minimum(bare * gain, 1), np.minimum(seen * gain * tint, 1)
    if chance.random() < 0.3:
        seen = seen ** np.float32(np.exp(chance.normal(0, 0.1)))
    if chance.random() < 0.3:
        seen = np.clip(seen + chance.normal(0, chance.uniform(0, 0.03), seen.shape).astype(np.float32), 0, 1)
    if chance.random() < 0.15:
        channels_first = torch.from_numpy(np.ascontiguousarray(seen.transpose(0, 3, 1, 2)))
        seen = functional.avg_pool2d(channels_first, 3, 1, 1).numpy().transpose(0, 2, 3, 1)
    return known, seen, bare


def load(files: list[Path]) -> list[Board]:
    """The boards of some files that have known checkers of both sides."""
    boards = []
    for file in files:
        with np.load(file) as opened:
            kept = dict(opened)
        boards += [dict(zip(kept, one, strict=True)) for one in zip(*kept.values(), strict=True)]
    return [board for board in boards if set(board["known_side"]) == {WHITE, BLACK}]


@torch.no_grad()
def check(weights: Weights, boards: list[Board]) -> str:
    """Loss, share of errors, and share of errors by more than three nats, on held-out boards."""
    chance = np.random.default_rng(1)
    *batch, labels = batch_of([prepared(board, chance, changed=False) for board in boards])
    logs = torch.log_softmax(scores(weights, tuple(batch)), -1)
    own = logs.gather(-1, labels[..., None])[..., 0]
    others = logs.scatter(-1, labels[..., None], -torch.inf).amax(-1)
    wrong, badly = (float((own - others < limit).float().mean()) for limit in (0, -3))
    return f"aside {-float(own.mean()):.4f}, wrong {wrong:.4f}, by three nats {badly:.4f}"


def main() -> None:
    """Train for some steps, writing the weights now and then."""
    out, steps, rate, folder = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])
    torch.set_num_threads(1)
    chance = np.random.default_rng(1)
    one, *others = sorted(folder.glob("sl*.npz"))
    held, boards, loaded = load([one]), load(others), {one, *others}
    weights = initial_weights(out, chance, shapes(SEEN_PX, 4, 7 * MAPS + 1, OTHER + 1))

    def draw() -> Batch:
        traced, drawn = ([b for b in boards if ("traced" in b) == kind] or boards for kind in (True, False))
        kinds = chance.random(BOARDS) < TRACED
        each = [traced[chance.integers(len(traced))] if kind else drawn[chance.integers(len(drawn))] for kind in kinds]
        return batch_of([prepared(board, chance, changed=True) for board in each])

    def loss(batch: Batch) -> torch.Tensor:
        *inputs, labels = batch
        out = scores(weights, tuple(inputs))
        return functional.cross_entropy(out.flatten(0, 1), labels.flatten(), label_smoothing=DOUBT)

    def report(slow: Weights) -> str:
        more = [file for file in sorted(folder.glob("sl*.npz")) if file not in loaded]
        loaded.update(more)
        boards.extend(load(more))
        return f"{len(boards)} boards; {check(slow, held)}"

    descend(weights, draw, loss, out, (steps, rate), report)


if __name__ == "__main__":
    main()
