"""Trains the network that judges faces: `python -m training.learn_faces OUT.npz STEPS RATE FOLDER` (needs torch).

FOLDER has drawings of `training.dice_faces` (df*.npz); files written while it trains are used too. The first file is
held out. Training continues from OUT.start.npz if it exists.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import torch
from torch.nn import functional

from training.networks import batch_of, descend, encoded, initial_weights, judged
from training.shapes import MAPS, shapes
from vision.dice.judging import PATCH_PX, PATCH_SIDES, network_input
from vision.dice.search import squares_of_faces

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.networks import Batch, Board, Weights
    from vision.arrays import Floats, Picture, Singles


BATCH, CLASSES, DENSE = 96, 7, 28
"""Squares in a batch; classes; width of the last layer but one."""
MOVED, FARTHEST = 0.3, 20.0
"""Share of drawings in motion blur, and the largest distance (pixels) moved while the shutter is open: most of a side,
so that pips run into bars, which look like the rows of a six."""
KEPT = 24
"""Squares kept of those that the search finds in a drawing."""
DOUBT = 0.01
"""Assumed share of wrong labels."""
FOUND, UPPER = 0.35, 0.6
"""Share of squares found by the search; share of upper faces among the others."""
LEANING_WEIGHT = 2.5
"""Weight of the loss on lying flat, which is learned more slowly than the numbers."""
IGNORED = -1
SAME, DIFFERENT = (0.2, 0.17, 0.25), (0.32, 0.3, 0.5)
"""Shift (in sides), change of side (logarithm) and of angle (radians): a square shows a face if all are below the first
limits, and does not if one is above the second."""


def label_of(square: Floats, truth: Floats) -> tuple[int, int]:
    """Class of a square (x, y, turn, side) by the faces of its drawing, and whether it is flat; IGNORED if unclear."""
    label, flat = 0, IGNORED
    for x, y, turn, side, number, lies in truth:
        if number < 1:
            continue
        shift = np.hypot(square[0] - x, square[1] - y) / side
        size = abs(np.log(square[3] / side))
        angle = abs((square[2] - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        off = (shift, size, angle)
        if all(one < most for one, most in zip(off, SAME, strict=True)):
            return int(number), int(lies)
        if all(one < least for one, least in zip(off, DIFFERENT, strict=True)):
            label = IGNORED
    return label, flat


def random_square(chance: Generator, truth: Floats, found: Floats) -> Floats:
    """A square of a drawing: one that was found, an upper face, or any other."""
    if len(found) and chance.random() < FOUND:
        return found[chance.integers(len(found))]
    upper, sides = truth[truth[:, 4] > 0], truth[truth[:, 4] == 0]
    kind = chance.random()
    if len(upper) and kind < UPPER:
        square = upper[chance.integers(len(upper)), :4].copy()
        return square + chance.normal(0, 1, 4) * (0.05 * square[3], 0.05 * square[3], 0.06, 0.05 * square[3])
    if len(sides) and kind < UPPER + 0.2:
        square = sides[chance.integers(len(sides)), :4].copy()
        square[3] *= np.exp(chance.normal(0.1, 0.15))
        return square + chance.normal(0, 1, 4) * (0.08 * square[3], 0.08 * square[3], 0.1, 0)
    if len(upper) and kind < UPPER + 0.4:
        square = upper[chance.integers(len(upper)), :4].copy()
        factor = np.exp(chance.uniform(0.3, 1.0) * chance.choice([-1, 1]))
        return square * (1, 1, 1, factor) + chance.normal(0, 0.3, 4) * (square[3], square[3], 1.0, 0)
    return np.array([*chance.uniform(12, 84, 2), chance.uniform(0, np.pi), chance.uniform(14, 40)])


def patch_of(seen: Picture, square: Floats) -> Singles:
    """The patch (PATCH_PX x PATCH_PX x 3, BGR) of a square (x, y, turn, side)."""
    x, y, turn, side = square
    step = side * PATCH_SIDES / PATCH_PX
    across = step * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corner = np.array([x, y]) - across @ np.full(2, (PATCH_PX - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    to = np.column_stack([across, corner])
    taken = cv2.warpAffine(seen, to, (PATCH_PX, PATCH_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32)


def prepared(board: Board, chance: Generator, changed: bool) -> tuple | None:
    """A square of a drawing as input, class and whether it is flat; None if it is unclear what it shows."""
    truth, found = board["squares"].astype(np.float64), board["found"].astype(np.float64)
    square = random_square(chance, truth, found[found[:, 3] > 0])
    label, flat = label_of(square, truth)
    if label == IGNORED:
        return None
    turn = float(square[2])
    patch = patch_of(board["seen"], square)
    drift = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ board["drift"]
    if changed:
        patch, drift = varied(chance, patch, drift)
    seen = network_input(patch[None], drift[None])[0].transpose(2, 0, 1)
    return seen, np.int64(label), np.int64(flat)


def varied(chance: Generator, patch: Singles, drift: Floats) -> tuple[Singles, Floats]:
    """Augment a patch and its drift: mirrored, turned by quarters, recoloured, blurred, noisy."""
    for _ in range(int(chance.integers(4))):
        patch, drift = np.rot90(patch), np.array([drift[1], -drift[0]])
    if chance.random() < 0.5:
        patch, drift = patch[:, ::-1], drift * (-1, 1)
    patch = patch[..., chance.permutation(3)]
    if chance.random() < 0.2:
        patch = 255 - patch
    if chance.random() < 0.3:
        patch = patch.mean(axis=2, keepdims=True) + (patch - patch.mean(axis=2, keepdims=True)) * chance.uniform(0, 1)
    if chance.random() < 0.3:
        patch = cv2.GaussianBlur(np.ascontiguousarray(patch), (0, 0), chance.uniform(0.4, 1.2))
    if chance.random() < 0.4:
        patch = patch + chance.normal(0, chance.uniform(0, 5), patch.shape)
    return np.ascontiguousarray(np.clip(patch, 0, 255), np.float32), drift


def scored(weights: Weights, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """As `vision.dice.judging.scores`, channels first."""
    out = judged(weights, [encoded(weights, seen)])
    return out[:, :CLASSES], out[:, CLASSES]


def load(files: list[Path], moved: float) -> list[Board]:
    """The drawings of some files; `moved`: share of them that get motion blur."""
    drawings = []
    for file in files:
        chance = np.random.default_rng(3)
        with np.load(file) as opened:
            kept = dict(opened)
        kept["seen"] = np.array([in_motion(chance, one) if chance.random() < moved else one for one in kept["seen"]])
        kept["found"] = np.array([found_in(seen) for seen in kept["seen"]], np.float32)
        drawings += [dict(zip(kept, one, strict=True)) for one in zip(*kept.values(), strict=True)]
    return drawings


def in_motion(chance: Generator, seen: Picture) -> Picture:
    """A drawing (BGR) with motion blur in a random direction."""
    turn, steps = chance.uniform(0, np.pi), np.linspace(-0.5, 0.5, int(FARTHEST))
    way = chance.uniform(0, FARTHEST) * np.array([np.cos(turn), np.sin(turn)])
    height, width = seen.shape[:2]
    mean = np.zeros(seen.shape, np.float32)
    for step in steps:
        to = np.column_stack([np.eye(2), way * step])
        mean += cv2.warpAffine(seen, to, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.rint(mean / len(steps)).astype(np.uint8)


def found_in(seen: Picture) -> Floats:
    """Squares (KEPT x 4) that the product's search finds in a drawing; sides are 0 where there are fewer."""
    kept = np.zeros((KEPT, 4))
    squares = squares_of_faces(seen)[:KEPT]
    kept[: len(squares)] = squares
    return kept


def sampled(drawings: list[Board], chance: Generator, count: int, changed: bool) -> Batch:
    """Squares of random drawings."""
    parts: list[tuple] = []
    while len(parts) < count:
        one = prepared(drawings[chance.integers(len(drawings))], chance, changed)
        parts += [one] if one is not None else []
    return batch_of(parts)


@torch.no_grad()
def check(weights: Weights, batch: Batch) -> str:
    """Loss and errors on held-out squares."""
    seen, label, flat = batch
    numbers, lies = scored(weights, seen)
    logs = torch.log_softmax(numbers, -1)
    own = logs.gather(-1, label[:, None])[:, 0]
    best = logs.argmax(-1)
    face, rests = label > 0, flat >= 0
    wrong = float((best != label)[face].float().mean())
    made_up = float((best > 0)[~face].float().mean())
    sure = float(((logs[:, 0] < -3) & ~face).float().sum() / (~face).float().sum())
    leaning = rests & (flat == 0)
    taken_as_flat = float((lies[leaning] > 0).float().mean())
    taken_as_leaning = float((lies[rests & (flat == 1)] < 0).float().mean())
    return (
        f"aside {-float(own.mean()):.4f}: faces wrong {wrong:.4f}, none as face {made_up:.4f}, surely {sure:.4f}; "
        f"leaning as flat {taken_as_flat:.3f}, flat as leaning {taken_as_leaning:.3f}"
    )


def main() -> None:
    """Train for some steps, writing the weights now and then."""
    out, steps, rate, folder = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    chance = np.random.default_rng(1)
    one, *others = sorted(folder.glob("df*.npz"))
    still, moving = (sampled(load([one], moved), np.random.default_rng(2), 2000, False) for moved in (0.0, 1.0))
    drawings, loaded = load(others, MOVED), {one, *others}
    weights = initial_weights(out, chance, shapes(PATCH_PX, 4, MAPS, CLASSES + 1, DENSE))

    def loss(batch: Batch) -> torch.Tensor:
        seen, label, flat = batch
        numbers, lies = scored(weights, seen)
        rests = flat >= 0
        assumed = flat[rests].float() * (1 - 2 * DOUBT) + DOUBT
        return functional.cross_entropy(numbers, label, label_smoothing=DOUBT) + LEANING_WEIGHT * (
            functional.binary_cross_entropy_with_logits(lies[rests], assumed)
        )

    def report(slow: Weights) -> str:
        more = [file for file in sorted(folder.glob("df*.npz")) if file not in loaded]
        loaded.update(more)
        drawings.extend(load(more, MOVED))
        return f"{len(drawings)} scenes; {check(slow, still)}; in motion {check(slow, moving)}"

    descend(weights, lambda: sampled(drawings, chance, BATCH, True), loss, out, (steps, rate), report)


if __name__ == "__main__":
    main()
