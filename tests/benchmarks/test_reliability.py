"""The arithmetic of the comparison of stated and measured errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from benchmark import import_benchmark

from companion.core import CellReading

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def reliability() -> ModuleType:
    return import_benchmark("reliability")


def test_the_stated_error_is_the_probability_of_all_other_contents(reliability):
    reading = CellReading.of({(1, 0): 0.0, (0, 0): float(np.log(0.25)), (2, 0): float(np.log(0.25))})
    assert reliability.stated_error(reading) == pytest.approx(1 / 3, abs=1e-3)
    assert reliability.stated_error(CellReading.of({(1, 0): -3.0})) == 0.0


def test_samples_of_similar_confidence_share_a_bin_with_wilsons_interval(reliability):
    sure, doubtful = reliability.binned([(0.002, False)] * 9 + [(0.2, True)] * 3 + [(0.25, False)] * 7)
    assert (sure.count, sure.errors) == (9, 0)
    assert (doubtful.count, doubtful.errors, doubtful.stated) == (10, 3, pytest.approx(0.235))
    assert doubtful.interval == pytest.approx((0.108, 0.603), abs=1e-3)  # as printed in tables for 3 of 10
    assert sure.interval[0] == 0.0
