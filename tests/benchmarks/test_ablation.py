"""The parts of the eye that the ablation switches off."""

from __future__ import annotations

import pytest
from benchmark import import_benchmark

from vision.backgammon.locate import search

MECHANISMS = import_benchmark("ablation_mechanisms").MECHANISMS


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=[one.name for one in MECHANISMS])
def test_the_eye_has_every_part_that_is_switched_off(mechanism):
    with mechanism.switch_off():
        pass


def test_a_part_is_off_until_it_is_switched_on_again():
    stretched = next(one for one in MECHANISMS if "stretched" in one.name)
    before = search.STRETCHES
    with stretched.switch_off():
        assert search.STRETCHES == (1.0,)
    assert before == search.STRETCHES
