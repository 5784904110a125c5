"""The mechanisms of the eye that the ablation switches off."""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter

import pytest
from benchmark import import_benchmark

from vision.backgammon.locate import search

MECHANISMS = import_benchmark("ablation_mechanisms").MECHANISMS


def parts(mechanism):
    """What stands in the eye where the mechanism replaces something."""
    targets = [target.partition(":") for target, _ in mechanism.off]
    return [attrgetter(path)(import_module(f"vision.{module}")) for module, _, path in targets]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=[one.name for one in MECHANISMS])
def test_the_eye_has_every_part_that_is_switched_off(mechanism):
    before = parts(mechanism)
    with mechanism.switch_off():
        assert all(off is not on for off, on in zip(parts(mechanism), before, strict=True))


def test_a_part_stays_off_until_it_is_switched_on():
    stretched = next(one for one in MECHANISMS if "stretched" in one.name)
    before = search.STRETCHES
    with stretched.switch_off():
        assert search.STRETCHES == (1.0,)
    assert before == search.STRETCHES
