"""Trains the comparing network: `python -m training.comparator OUT.npz MINUTES FOLDER` (needs `pip install jax`).

FOLDER has samples of `training.chequered` (ck*.npz) and `training.points` (pt*.npz); files written while it trains are
used too. The first file of each kind is held out: the loss and the errors on it are printed. Training continues from
OUT.start.npz if it exists.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from training import chequered, points
from training.shapes import MAPS, shapes
from vision.board import CERTAIN_NATS
from vision.checkers.layout import PLACES
from vision.comparator import PATCH_PX
from vision.comparator.network import CLASSES, OTHER, compare, encode, nearby

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = dict[str, jax.Array]
    Batch = tuple[NDArray[Any], ...]

BOARDS, LOOKS, CELLS = 4, 3, 44
"""Boards in a batch, looks at each that are read, and places read in each."""
RATE, DECAY, CLIP = 2.5e-3, 1e-3, 1.0
WITHOUT_OWN = 0.15
"""Share of the boards whose places are not compared with themselves in the reference look."""
OTHER_REFERENCE = 0.35
"""Share of the chequered boards for which another look is the reference in place of the learned one."""
DOUBT = 0.002
"""Assumed share of wrong labels, so that no place has an unlimited loss."""
EXCHANGED = np.array([0, 2, 1, 3])


def first(chance: np.random.Generator) -> Weights:
    """Random initial weights."""
    weights = {}
    for name, shape in shapes(PATCH_PX, 3, 8 * MAPS + 3, CLASSES, 64).items():
        small = 0.1 if name == "last" else 1.0
        weights[name] = jnp.asarray(chance.normal(0, small * np.sqrt(2 / np.prod(shape[:-1])), shape), jnp.float32)
        weights[f"{name}_bias"] = jnp.zeros(shape[-1])
    return weights


def scores(
    weights: Weights, reference: jax.Array, near: jax.Array, held: jax.Array, seen: jax.Array, slots: jax.Array
) -> jax.Array:
    """Scores (boards x looks x places x classes), compared with the reference look of their board.

    Args:
        weights: of the network.
        reference: boards x slots x patch.
        near: boards x 3 x slots x slots (see `nearby`).
        held: boards x slots x 3, one-hot; where it is zero, the place's own reference is left out.
        seen: boards x looks x places x patch.
        slots: boards x looks x places, the slot of each place.
    """
    boards = reference.shape[0]
    known = encode(jnp, weights, reference.reshape(-1, *reference.shape[2:])).reshape(*reference.shape[:2], -1)
    maps = encode(jnp, weights, seen.reshape(-1, *seen.shape[3:]))
    means = jnp.einsum("bkqr,brf->kbqf", near, known)
    pick = jax.vmap(lambda one, at: one[at])
    flat, shape = slots.reshape(boards, -1), maps.shape[1:]
    prototypes = [pick(mean, flat).reshape(-1, *shape) for mean in means]
    one_hot = pick(held, flat).reshape(-1, 3)
    same = pick(known, flat).reshape(-1, *shape) * one_hot.sum(axis=1)[:, None, None, None]
    return compare(jnp, weights, maps, prototypes, same, one_hot).reshape(*slots.shape, -1)


def loss(weights: Weights, batch: tuple[jax.Array, ...]) -> tuple[jax.Array, jax.Array]:
    """Mean cross-entropy over the labelled places, and the scores."""
    *inputs, labels = batch
    out = scores(weights, *inputs)
    known = labels.sum(axis=-1)
    soft = labels * (1 - DOUBT) + DOUBT / CLASSES
    return -((soft * jax.nn.log_softmax(out)).sum(axis=-1) * known).sum() / known.sum(), out


@jax.jit
def step(state: tuple[Any, ...], batch: tuple[jax.Array, ...], rate: float) -> tuple[tuple[Any, ...], jax.Array]:
    """One step of Adam with decoupled weight decay, and a running mean of the weights."""
    weights, slow, first_moment, second_moment, count = state
    (value, _), slope = jax.value_and_grad(loss, has_aux=True)(weights, batch)
    norm = jnp.sqrt(sum((one**2).sum() for one in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda one: one * jnp.minimum(1, CLIP / (norm + 1e-9)), slope)
    count = count + 1
    first_moment = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, first_moment, slope)
    second_moment = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, second_moment, slope)
    change = jax.tree.map(
        lambda a, b: (a / (1 - 0.9**count)) / (jnp.sqrt(b / (1 - 0.99**count)) + 1e-8), first_moment, second_moment
    )
    weights = jax.tree.map(lambda a, b: a * (1 - rate * DECAY) - rate * b, weights, change)
    share = jnp.minimum(0.99, (count + 1) / (count + 10))
    slow = jax.tree.map(lambda a, b: a * share + b * (1 - share), slow, weights)
    return (weights, slow, first_moment, second_moment, count), value


@dataclass(frozen=True, slots=True)
class Sample:
    """A drawn board: patches and classes of its slots in a reference look, and places in later looks with labels."""

    reference: NDArray[np.uint8]
    held: NDArray[np.intp]
    places: NDArray[np.float64]
    kinds: NDArray[np.intp]
    seen: NDArray[np.uint8]
    slots: NDArray[np.intp]
    labels: NDArray[np.float32]


def chequered_sample(patches: NDArray[np.uint8], labels: NDArray[np.float32], chance: np.random.Generator) -> Sample:
    """A sample of a chequered board, from all squares in all its looks."""
    order = np.concatenate([[0], 1 + chance.permutation(len(patches) - 1)])
    if chance.random() < OTHER_REFERENCE:
        fit = [k for k in order if not labels[k, :, OTHER].any() and (labels[k, :, 1:OTHER].sum(axis=0) > 1).all()]
        order = np.array([*fit[-1:], *(k for k in order if k not in fit[-1:])], int)
    first_labels = labels[order[0]]
    held = np.where(first_labels.max(axis=1) > 0.9, first_labels.argmax(axis=1), OTHER)
    slots = np.tile(np.arange(len(held)), (len(order) - 1, 1))
    kinds = chequered.DARK.ravel().astype(int)
    return Sample(patches[order[0]], held, PLACES, kinds, patches[order[1:]], slots, labels[order[1:]])


class Samples:
    """Drawn boards of one kind from files."""

    def __init__(self, pattern: str) -> None:
        """`pattern`: of the files' names; the first two letters tell the kind."""
        self.pattern = pattern
        self.files: list[Path] = []
        self.boards: list[dict[str, NDArray[Any]]] = []

    def add(self, files: list[Path]) -> None:
        """Load those of the files that are not loaded yet."""
        for file in [one for one in files if one not in self.files]:
            kept = dict(np.load(file))
            self.boards += [dict(zip(kept, one, strict=True)) for one in zip(*kept.values(), strict=True)]
            self.files.append(file)

    def batch(self, chance: np.random.Generator, changed: bool = True) -> Batch:
        """A batch; `changed`: mirrored, recoloured and with the sides exchanged at random."""
        parts = [
            self._part(self.boards[number], chance, changed)
            for number in chance.integers(len(self.boards), size=BOARDS)
        ]
        return tuple(np.stack(one) for one in zip(*parts, strict=True))

    def _part(self, board: dict[str, NDArray[Any]], chance: np.random.Generator, changed: bool) -> Batch:
        if self.pattern.startswith("ck"):
            sample = chequered_sample(board["patches"], board["labels"], chance)
        else:
            sample = Sample(kinds=points.kinds(), **board)
        return prepared(sample, chance, changed)


def prepared(sample: Sample, chance: np.random.Generator, changed: bool) -> Batch:
    """The arguments of `loss` for a board."""
    own = chance.random() > WITHOUT_OWN
    near = nearby(sample.places, sample.kinds, sample.held, own)
    one_hot = np.eye(CLASSES, dtype=np.float32)[sample.held][:, :OTHER] * np.float32(own)
    picks = [chance.choice(sample.slots.shape[1], CELLS, replace=False) for _ in range(LOOKS)]
    seen, slots, labels = (
        np.stack([one[k][pick] for k, pick in enumerate(picks)]) for one in (sample.seen, sample.slots, sample.labels)
    )
    reference, seen = sample.reference.astype(np.float32) / 255, seen.astype(np.float32) / 255
    if changed:
        if chance.random() < 0.5:
            near, one_hot, labels = near[EXCHANGED[:3]], one_hot[:, EXCHANGED[:3]], labels[..., EXCHANGED]
        for axis in (-3, -2):
            if chance.random() < 0.5:
                reference, seen = np.flip(reference, axis), np.flip(seen, axis)
        if chance.random() < 0.5:
            reference, seen = np.swapaxes(reference, -3, -2), np.swapaxes(seen, -3, -2)
        if chance.random() < 0.6:
            channels = chance.permutation(3)
            reference, seen = reference[..., channels], seen[..., channels]
        gain = np.float32(np.exp(chance.normal(0, 0.2)))
        tint = np.exp(chance.normal(0, 0.06, (LOOKS, 1, 1, 1, 3))).astype(np.float32)
        reference, seen = np.minimum(reference * gain, 1), np.minimum(seen * gain * tint, 1)
    return reference, near, one_hot, seen, slots, labels


_loss = jax.jit(loss)


def check(weights: Weights, samples: Samples, batches: int = 20) -> str:
    """Loss, and numbers of wrong places, of wrong ones that are rated certain, and of all."""
    chance = np.random.default_rng(1)
    values, total = [], np.zeros(3, int)
    for _ in range(batches):
        batch = samples.batch(chance, changed=False)
        value, out = _loss(weights, batch)
        values.append(float(value))
        ordered, wanted = np.sort(np.asarray(out), axis=-1), batch[-1]
        known = wanted.max(axis=-1) > 0.9
        wrong = known & (np.asarray(out).argmax(axis=-1) != wanted.argmax(axis=-1))
        total += [wrong.sum(), (wrong & (ordered[..., -1] - ordered[..., -2] > CERTAIN_NATS)).sum(), known.sum()]
    return "loss {:.4f}, wrong {} (for certain {}) of {}".format(np.mean(values), *total)


def save(weights: Weights, path: Path) -> None:
    """Write the weights in half precision."""
    np.savez(path, **{name: np.asarray(one, np.float16) for name, one in weights.items()})


def initial_weights(path: Path, chance: np.random.Generator) -> Weights:
    """The weights of a file if it is there, else random ones."""
    weights = first(chance)
    if path.exists():
        with np.load(path) as kept:
            weights = {name: jnp.asarray(kept[name], jnp.float32) for name in kept.files}
    return weights


def main() -> None:
    """Train for some minutes, writing the weights now and then."""
    out, minutes, folder = Path(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])
    chance = np.random.default_rng(1)
    kinds = [Samples(pattern) for pattern in ("ck*.npz", "pt*.npz") if any(folder.glob(pattern))]
    held_out = [Samples(kind.pattern) for kind in kinds]

    def load() -> None:
        for kind, own_held_out in zip(kinds, held_out, strict=True):
            one, *others = sorted(folder.glob(kind.pattern))
            own_held_out.add([one])
            kind.add(others)

    load()
    weights = initial_weights(out.with_suffix(".start.npz"), chance)
    print(f"{sum(one.size for one in weights.values())} parameters", flush=True)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    state = (weights, weights, zeros, zeros, jnp.zeros(()))
    ready: queue.Queue[Batch] = queue.Queue(3)

    def feed() -> None:
        while True:
            for kind in kinds:
                ready.put(kind.batch(chance))

    threading.Thread(target=feed, daemon=True).start()
    begun, count, values = time.monotonic(), 0, []
    while (share := (time.monotonic() - begun) / (60 * minutes)) < 1:
        rate = RATE * min(1, (count + 1) / 60) * (0.02 + 0.98 * (1 + np.cos(np.pi * share)) / 2)
        state, value = step(state, ready.get(), rate)
        values.append(float(value))
        count += 1
        if count % 200 == 0:
            save(state[1], out)
            load()
            boards = "+".join(str(len(kind.boards)) for kind in kinds)
            print(f"{count} steps, {time.monotonic() - begun:.0f} s, {boards} boards: {np.mean(values[-200:]):.4f}")
            for own_held_out in held_out:
                print("   ", own_held_out.pattern, check(state[1], own_held_out), flush=True)
    save(state[1], out)
    for own_held_out in held_out:
        print(own_held_out.pattern, check(state[1], own_held_out, 100), flush=True)


if __name__ == "__main__":
    main()
