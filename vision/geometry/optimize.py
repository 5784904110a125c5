"""Optimisers for few parameters: least squares (Levenberg 1944, Marquardt 1963), and coordinate ascent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from _typeshed import DataclassInstance

    from vision.arrays import Floats


def least_squares(residuals: Callable[[Floats], Floats], vector: Floats, rounds: int = 25) -> Floats:
    """Minimise the sum of squared `residuals` from `vector` on by Levenberg-Marquardt with numeric derivatives.

    `residuals` maps the parameters (n) to the residuals (m). Returns the parameters (n).
    """
    value = residuals(vector)
    cost, damping = float(value @ value), 1e-3
    for _ in range(rounds):
        steps = 1e-5 * np.maximum(np.abs(vector), 0.1)
        jacobian = np.stack([(residuals(vector + step) - value) / step.max() for step in np.diag(steps)], axis=1)
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ value
        while damping < 1e6:
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
            trial = residuals(vector + change)
            if float(trial @ trial) < cost:
                break
            damping *= 8.0
        else:
            break
        gain = cost - float(trial @ trial)
        vector, value, cost, damping = vector + change, trial, cost - gain, damping / 5.0
        if gain < 1e-6 * cost:
            break
    return vector


Measured = TypeVar("Measured", bound="DataclassInstance")
"""A dataclass whose fields are the parameters, such as a layout."""


def fit_measures(
    trials: Iterable[Measured], fit: Callable[[Measured], float], ranges: Mapping[str, tuple[float, float, float]]
) -> tuple[Measured, float]:
    """Maximise `fit` over some fields of a dataclass by coordinate ascent with shrinking steps.

    It starts from the best of `trials`. `ranges`: by field name, the first step and the least and largest value.
    Returns the best instance and its fit.
    """
    score, best = max(((fit(trial), trial) for trial in trials), key=lambda pair: pair[0])
    for shrink in 0.6 ** np.arange(6):
        for name, (step, low, high) in ranges.items():
            for change in (-step * shrink, step * shrink):
                while True:
                    trial = replace(best, **{name: min(max(getattr(best, name) + change, low), high)})
                    found = fit(trial)
                    if found <= score + 1e-6:
                        break
                    score, best = found, trial
    return best, score
