"""The networks' probabilities for many positions at once.

Two networks, for positions in contact and for races, and a small one that chooses which positions they evaluate;
weights and biases are in `weights.npz`, trained by `training.backgammon_network`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.core import CHECKERS
from companion.hints.network.features import checkers, inputs
from companion.hints.network.rows import HALF, in_contact, is_over

if TYPE_CHECKING:
    from companion.hints.network.rows import Rows

WEIGHTS = Path(__file__).with_name("weights.npz")
AT_ONCE = 1024
"""Positions evaluated at once: their inputs and the units stay in a processor's cache."""
Floats = npt.NDArray[np.float32]
Layers = tuple[tuple[Floats, Floats], ...]


@cache
def networks() -> dict[str, Layers]:
    """The layers, weights and biases, of "contact", "race" and "sieve" (cached)."""
    found: dict[str, Layers] = {}
    with np.load(WEIGHTS) as file:
        for name in sorted(name for name in file.files if "_weights_" in name):
            kind = name.partition("_")[0]
            weights, biases = (file[part].astype(np.float32) for part in (name, name.replace("weights", "biases")))
            found[kind] = (*found.get(kind, ()), (np.ascontiguousarray(weights), biases))
    return found


def chances(rows: Rows) -> Floats:
    """Probabilities for the player on roll, shape (positions, 5): win, gammon, backgammon, lose gammon, backgammon."""
    found = np.zeros((len(rows), 5), np.float32)
    contact = in_contact(rows)
    over = is_over(rows)
    for kind, chosen in (("contact", contact & ~over), ("race", ~contact & ~over)):
        index = chosen.nonzero()[0]
        for start in range(0, len(index), AT_ONCE):
            some = index[start : start + AT_ONCE]
            found[some] = _forward(networks()[kind], inputs(rows[some]))
    return _made_possible(found, rows, over)


def rough_chances(rows: Rows) -> Floats:
    """As `chances`, but by the small network in a tenth of the time, to choose which positions the others evaluate."""
    parts = [rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE)]
    found = [_forward(networks()["sieve"], checkers(some)) for some in parts]
    return _made_possible(np.concatenate(found), rows, is_over(rows))


def _made_possible(found: Floats, rows: Rows, over: npt.NDArray[np.bool_]) -> Floats:
    """`found` made consistent: no gammon against a player who has borne off, and certainty in a finished game."""
    found[rows[:, HALF] > 0, 1] = 0
    found[rows[:, 0] > 0, 3] = 0
    clip_to_possible(found)
    ended = over.nonzero()[0]
    if len(ended):
        found[ended] = _result(rows[ended])
    return found


def clip_to_possible(found: Floats) -> None:
    """Clip probabilities to 0 to 1, gammons to wins, and backgammons to gammons; `found` is changed in place."""
    np.clip(found, 0, 1, out=found)
    found[:, 1] = np.minimum(found[:, 1], found[:, 0])
    found[:, 3] = np.minimum(found[:, 3], 1 - found[:, 0])
    found[:, [2, 4]] = np.minimum(found[:, [2, 4]], found[:, [1, 3]])


def _forward(layers: Layers, values: Floats) -> Floats:
    """Probabilities from inputs."""
    with np.errstate(invalid="ignore"):  # OpenBLAS's kernels for few rows read memory beyond their end
        for weights, biases in layers[:-1]:
            values = values @ weights
            values += biases
            np.maximum(values, 0, out=values)
        weights, biases = layers[-1]
        logits = values @ weights + biases
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _result(rows: Rows) -> Floats:
    """The probabilities, each 0 or 1, of positions in which one player has borne off everything."""
    won = rows[:, 0] == CHECKERS
    loser = np.where(won[:, None], rows[:, HALF:], rows[:, :HALF])
    gammon = loser[:, 0] == 0
    backgammon = gammon & loser[:, 19:].any(axis=1)
    return np.stack((won, won & gammon, won & backgammon, ~won & gammon, ~won & backgammon), axis=1).astype(np.float32)
