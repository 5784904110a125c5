"""Learn to tell second layers: `python -m training.learn OUT.npz EPOCHS SAMPLES.npz…` (wants `pip install jax`).

A row's checkers are judged one by one, and the sums of what is said from the edge on are what is learned: how many of
them bear another. So the ratios of one row may be added up, however alike their mistakes are.
"""

from __future__ import annotations

import sys
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np

from training.chance import BARE_SHARE
from vision.layer_net import FAINT_LIFT, MOST_NATS
from vision.layer_views import ASIDE, LIFT_SCALE, MEASURES

NETS = 4
"""Networks that are averaged."""
WORDS = (24, 12)
DOUBT = 0.02
"""Share of rows that are taken to be otherwise than they are said to be: no row may be all certain."""
BATCH, RATE, DECAY = 32, 1e-3, 2e-3
NOISE, CONTRAST = 0.15, 0.2
LONGEST_BEARING = 5

Layers = list[tuple[jax.Array, jax.Array]]
Rows = tuple[np.ndarray, ...]


def first(chance: np.random.Generator, figures: int) -> Layers:
    """Weights before anything is learned."""
    sizes = (figures, *WORDS, 1)
    return [
        (
            jnp.asarray(chance.normal(0, np.sqrt(2 / given), (given, told)) * (0.1 if told == 1 else 1), jnp.float32),
            jnp.zeros(told),
        )
        for given, told in pairwise(sizes)
    ]


def ratios(layers: Layers, figures: jax.Array) -> jax.Array:
    """How much likelier each checker bears another than not, in nats."""
    said = figures
    for weights, at in layers[:-1]:
        said = jax.nn.relu(said @ weights + at)
    weights, at = layers[-1]
    lift = jnp.maximum(figures[..., 0], 0) / LIFT_SCALE
    believed = lift**4 / (lift**4 + FAINT_LIFT**4)
    return believed * MOST_NATS * jnp.tanh((said @ weights + at)[..., 0] / MOST_NATS)


def loss(layers: Layers, figures: jax.Array, places: jax.Array, count: jax.Array, bearing: jax.Array) -> jax.Array:
    """Minus the log-likelihood of how many bear another in rows (rows x checkers x figures).

    `places`: rows x (checkers + 1), what their places say of it.
    """
    rows, longest = figures.shape[:2]
    said = ratios(layers, figures) * (jnp.arange(longest) < count[:, None])
    sums = jnp.concatenate([jnp.zeros((rows, 1)), jnp.cumsum(said, axis=1)], axis=1) + jnp.maximum(places, -1e6)
    most = jnp.minimum(count, LONGEST_BEARING)
    hypotheses = jnp.arange(longest + 1)[None]
    prior = jnp.where(hypotheses == 0, jnp.log(BARE_SHARE), jnp.log((1 - BARE_SHARE) / most[:, None]))
    chances = jax.nn.softmax(sums + jnp.where(hypotheses <= most[:, None], prior, -1e9), axis=1)
    right = jnp.take_along_axis(chances, bearing[:, None], axis=1)[:, 0]
    decay = sum(jnp.sum(weights**2) for weights, _ in layers)
    return -jnp.log((1 - DOUBT) * right + DOUBT / (most + 1)).mean() + DECAY * decay


@jax.jit
def step(layers, mean, spread, rate, k, *rows):  # noqa: ANN001, ANN002, ANN201
    """One step of Adam."""
    slope = jax.grad(loss)(layers, *rows)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slope)
    spread = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, spread, slope)
    layers = jax.tree.map(
        lambda w, m, v: w - rate * (m / (1 - 0.9**k)) / (jnp.sqrt(v / (1 - 0.99**k)) + 1e-8), layers, mean, spread
    )
    return layers, mean, spread


def varied(figures: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """The same rows, some mirrored, in another contrast and with a little noise."""
    seen = figures.copy()
    seen[chance.random(len(seen)) < 0.5, :, ASIDE] *= -1
    seen[..., MEASURES:] *= np.exp(chance.normal(0, CONTRAST, (len(seen), 1, 1)))
    seen[..., MEASURES:] += chance.normal(0, NOISE, seen[..., MEASURES:].shape)
    return seen


def learned(rows: Rows, epochs: int, seed: int) -> Layers:
    """A network."""
    chance, count = np.random.default_rng(seed), len(rows[0])
    layers = first(chance, rows[0].shape[-1])
    mean, spread = (jax.tree.map(jnp.zeros_like, layers) for _ in range(2))
    k, total = 0, epochs * (count // BATCH)
    for _ in range(epochs):
        order = chance.permutation(count)
        for start in range(0, count - BATCH + 1, BATCH):
            figures, *rest = (part[order[start : start + BATCH]] for part in rows)
            k += 1
            rate = RATE * min(1, k / 50) * (0.5 + 0.5 * np.cos(np.pi * k / total))
            layers, mean, spread = step(layers, mean, spread, rate, k, varied(figures, chance), *rest)
    return layers


def main() -> None:
    """Learn, and tell how well rows are told that were kept aside."""
    out, epochs, kept = sys.argv[1], int(sys.argv[2]), [np.load(file) for file in sys.argv[3:]]
    figures, places, told = (np.concatenate([one[name] for one in kept]) for name in ("figures", "places", "bearing"))
    rows = figures, places, told[:, 0].astype(np.int32), told[:, 1].astype(np.int32)
    aside = len(figures) // 12
    nets = []
    for seed in range(NETS):
        nets.append(learned(tuple(part[aside:] for part in rows), epochs, seed))
        print(seed, float(loss(nets[-1], *(part[:aside] for part in rows))), flush=True)
    stacked = jax.tree.map(lambda *all_: np.asarray(np.stack(all_), np.float16), *nets)
    named = {
        f"{name}{k}": one for k, pair in enumerate(stacked) for name, one in zip(("weights", "at"), pair, strict=True)
    }
    np.savez_compressed(out, **named)


if __name__ == "__main__":
    main()
