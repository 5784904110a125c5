"""Nonlinear least squares with few parameters (Levenberg 1944, Marquardt 1963)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def least_squares(misfits: Callable[[Floats], Floats], vector: Floats, rounds: int = 25) -> Floats:
    """Minimise the sum of squared `misfits` near `vector` by Levenberg-Marquardt with numeric derivatives.

    Args:
        misfits: maps the parameters (n) to the residuals (m).
        vector: the initial parameters.
        rounds: most iterations.
    """
    value = misfits(vector)
    cost, damping = float(value @ value), 1e-3
    for _ in range(rounds):
        steps = 1e-5 * np.maximum(np.abs(vector), 0.1)
        slope = np.stack([(misfits(vector + step) - value) / step.max() for step in np.diag(steps)], axis=1)
        normal, pull = slope.T @ slope, slope.T @ value
        while damping < 1e6:
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -pull)
            trial = misfits(vector + change)
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
