"""Trains the stacking networks: `python -m training.learn OUT.npz EPOCHS SAMPLES.npz…` (needs `pip install jax`).

The network gives a log-likelihood ratio for each checker of a row. The loss is on their cumulative sums from the edge,
which are the log-odds of how many checkers carry another one. So the ratios of a row may be added, even though their
errors are correlated. Training continues from OUT.start.npz if it exists.
"""

from __future__ import annotations

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from training.chance import BARE_SHARE
from vision.backgammon.stacking.features import ANGLES, ASIDE, MAPS, MEASURES, RADII
from vision.backgammon.stacking.network import EMBEDDING, MOST_NATS, network_input

NETS = 1
"""Number of networks whose outputs are averaged."""
DOUBT = 0.02
"""Assumed share of wrong labels, so that no row has an unlimited loss."""
BATCH, RATE, DECAY = 48, 2e-3, 1e-3
"""Rows in a batch, learning rate, weight decay."""
DROPPED, NOISE, CONTRAST = 0.2, 6.0, 0.2
"""Augmentation: dropout of embeddings, largest standard deviation of noise (units of a signed byte), and standard
deviation of the logarithm of the contrast."""
CONTINUED_RATE, CONTINUED_SHARE = 6e-4, 0.65
"""Learning rate, and share of the new weights in the result, if training continues: with new samples of another kind,
the mean is as good on them as the new weights, and on the earlier samples as good as the earlier weights."""
MOST_STACKED = 5
"""Largest number of checkers in a row with another one on top."""
SPOKE_FEATURES, HIDDEN = 32, 32
"""Units per layer: features of a spoke, hidden units of the comparison with other checkers."""
INPUT = network_input(np.zeros((MAPS, ANGLES, RADII), np.float32), np.zeros(MEASURES, np.float32))
SHAPES = (
    (INPUT.shape[-1], SPOKE_FEATURES),
    (ANGLES * SPOKE_FEATURES, EMBEDDING),
    (4 * EMBEDDING + MEASURES, HIDDEN),
    (HIDDEN, 1),
)
"""Inputs and outputs of each layer."""

Layers = list[tuple[jax.Array, jax.Array]]
Rows = tuple[np.ndarray, ...]


def first(chance: np.random.Generator) -> Layers:
    """Random initial weights and zero biases."""
    return [
        (
            jnp.asarray(
                chance.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape) * (0.1 if shape[-1] == 1 else 1), jnp.float32
            ),
            jnp.zeros(shape[-1]),
        )
        for shape in SHAPES
    ]


def embeddings(layers: Layers, inputs: jax.Array) -> jax.Array:
    """Embeddings (n x EMBEDDING) of network inputs (n x ANGLES x features)."""
    (weights, at), (others, more) = layers[:2]
    return jax.nn.relu(inputs @ weights + at).reshape(len(inputs), -1) @ others + more


def ratios(layers: Layers, seen: jax.Array, bare: jax.Array, measures: jax.Array, present: jax.Array) -> jax.Array:
    """Log-likelihood ratio (nats; rows x checkers) that each checker carries another one."""
    count = present.sum(axis=1).astype(int)
    mean = (seen * present[..., None]).sum(axis=1, keepdims=True) / present.sum(axis=1)[:, None, None]
    last = jnp.take_along_axis(seen, (count - 1)[:, None, None], axis=1)
    hidden = jnp.concatenate([seen, seen - mean, seen - last, seen - bare[:, None], measures], axis=-1)
    for weights, at in layers[2:-1]:
        hidden = jax.nn.relu(hidden @ weights + at)
    weights, at = layers[-1]
    return MOST_NATS * jnp.tanh((hidden @ weights + at)[..., 0] / MOST_NATS) * present


def chances(layers: Layers, rows, kept: jax.Array) -> jax.Array:  # noqa: ANN001
    """Log-probability (rows x counts) of each number of stacks in rows; `kept`: rows x EMBEDDING, dropout factors."""
    pictures, bare, measures, places, count = rows
    batch, longest = pictures.shape[:2]
    seen = embeddings(layers, pictures.reshape(-1, *pictures.shape[2:])).reshape(batch, longest, EMBEDDING)
    known = embeddings(layers, bare.reshape(-1, *bare.shape[2:])).reshape(batch, bare.shape[1], EMBEDDING).mean(axis=1)
    seen, known = seen * kept[:, None], known * kept
    present = (jnp.arange(longest) < count[:, None]).astype(jnp.float32)
    log_ratios = ratios(layers, seen, known, measures, present)
    sums = jnp.concatenate([jnp.zeros((batch, 1)), jnp.cumsum(log_ratios, axis=1)], axis=1) + jnp.maximum(places, -1e6)
    most = jnp.minimum(count, MOST_STACKED)
    hypotheses = jnp.arange(longest + 1)[None]
    prior = jnp.where(hypotheses == 0, jnp.log(BARE_SHARE), jnp.log((1 - BARE_SHARE) / most[:, None]))
    return jax.nn.log_softmax(sums + jnp.where(hypotheses <= most[:, None], prior, -1e9), axis=1)


def loss(layers: Layers, rows, bearing: jax.Array, kept: jax.Array) -> jax.Array:  # noqa: ANN001
    """Mean negative log-likelihood of the labels, with weight decay."""
    right = jnp.exp(jnp.take_along_axis(chances(layers, rows, kept), bearing[:, None], axis=1)[:, 0])
    decay = sum(jnp.sum(weights**2) for weights, _ in layers)
    most = jnp.minimum(rows[-1], MOST_STACKED)
    return -jnp.log((1 - DOUBT) * right + DOUBT / (most + 1)).mean() + DECAY * decay


@jax.jit
def step(layers, mean, spread, rate, k, rows, bearing, kept):  # noqa: ANN001, ANN201
    """One step of Adam."""
    cost, slope = jax.value_and_grad(loss)(layers, rows, bearing, kept)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slope)
    spread = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, spread, slope)
    layers = jax.tree.map(
        lambda w, m, v: w - rate * (m / (1 - 0.9**k)) / (jnp.sqrt(v / (1 - 0.99**k)) + 1e-8), layers, mean, spread
    )
    return layers, mean, spread, cost


def batch_of(rows: Rows, which: np.ndarray, chance: np.random.Generator | None):  # noqa: ANN201
    """Inputs and labels of rows; with `chance`, augmented: mirrored, other contrast, noise."""
    spokes, measures, places, labels, bare, known = rows
    seen, measured, labels = spokes[which].astype(np.float32), measures[which].copy(), labels[which]
    beside = bare[labels[:, 3], labels[:, 2]].astype(np.float32)
    beside_measured = known[labels[:, 3], labels[:, 2]].copy()
    if chance is not None:
        mirrored = chance.random(len(seen)) < 0.5
        for one, measure in ((seen, measured), (beside, beside_measured)):
            one[mirrored] = one[mirrored][..., ::-1, :]
            measure[mirrored, :, ASIDE] *= -1
            one *= np.exp(chance.normal(0, CONTRAST, (len(seen), 1, 1, 1, 1))).astype(np.float32)
            one += np.float32(NOISE * chance.random()) * chance.standard_normal(one.shape, np.float32)
    given = network_input(seen, measured), network_input(beside, beside_measured)
    return (*given, measured, places[which], labels[:, 0]), labels[:, 1]


def read(files: list[str]) -> Rows:
    """Load samples: spokes, measures, places, labels (count, bearing, owner, board), bare and its measures."""
    parts: list[list[np.ndarray]] = []
    boards = 0
    for file in files:
        with np.load(file) as kept:
            flat = [
                kept[name].reshape(-1, *kept[name].shape[2:]) for name in ("spokes", "measures", "places", "labels")
            ]
            board = boards + np.repeat(np.arange(len(kept["labels"])), kept["labels"].shape[1])
            flat[-1] = np.column_stack([flat[-1][:, :3], board])
            parts.append([*flat, kept["bare"], kept["bare_measures"]])
            boards += len(kept["labels"])
    spokes, measures, places, labels, bare, known = (np.concatenate(all_) for all_ in zip(*parts, strict=True))
    return spokes, measures, places, labels, bare, known


def _dropout(chance: np.random.Generator) -> np.ndarray:
    """Dropout factors (BATCH x EMBEDDING) of the embeddings."""
    return ((chance.random((BATCH, EMBEDDING)) > DROPPED) / (1 - DROPPED)).astype(np.float32)


def initial_layers(out: str, net: int) -> Layers | None:
    """The weights of one network in OUT.start.npz; None if there is no such file."""
    start = Path(out).with_suffix(".start.npz")
    if not start.exists():
        return None
    with np.load(start) as kept:
        return [
            (jnp.asarray(kept[f"weights{k}"][net], jnp.float32), jnp.asarray(kept[f"at{k}"][net], jnp.float32))
            for k in range(len(SHAPES))
        ]


def trained(rows: Rows, held_out: int, epochs: int, seed: int, earlier: Layers | None) -> Layers:
    """Train one network, from `earlier` weights if given; the first `held_out` rows are not used."""
    chance, count = np.random.default_rng(seed), len(rows[0]) - held_out
    layers, highest = (first(chance), RATE) if earlier is None else (earlier, CONTINUED_RATE)
    mean, spread = (jax.tree.map(jnp.zeros_like, layers) for _ in range(2))
    k, total = 0, epochs * (count // BATCH)
    for epoch in range(epochs):
        order = held_out + chance.permutation(count)
        costs = []
        for start in range(0, count - BATCH + 1, BATCH):
            k += 1
            rate = highest * min(1, k / 100) * (0.5 + 0.5 * np.cos(np.pi * k / total))
            layers, mean, spread, cost = step(
                layers, mean, spread, rate, k, *batch_of(rows, order[start : start + BATCH], chance), _dropout(chance)
            )
            costs.append(float(cost))
        print(seed, epoch, np.mean(costs), flush=True)
    if earlier is None:
        return layers
    return jax.tree.map(lambda old, new: (1 - CONTINUED_SHARE) * old + CONTINUED_SHARE * new, earlier, layers)


def main() -> None:
    """Train the networks, print the loss on held-out rows, and save the weights."""
    out, epochs, rows = sys.argv[1], int(sys.argv[2]), read(sys.argv[3:])
    held_out = len(rows[0]) // 12
    nets = []
    for seed in range(NETS):
        nets.append(trained(rows, held_out, epochs, seed, initial_layers(out, seed)))
        print(
            seed,
            "aside",
            float(loss(nets[-1], *batch_of(rows, np.arange(held_out), None), jnp.ones((held_out, EMBEDDING)))),
            flush=True,
        )
    stacked = jax.tree.map(lambda *all_: np.asarray(np.stack(all_), np.float16), *nets)
    named = {
        f"{name}{k}": one for k, pair in enumerate(stacked) for name, one in zip(("weights", "at"), pair, strict=True)
    }
    np.savez_compressed(out, **named)


if __name__ == "__main__":
    main()
