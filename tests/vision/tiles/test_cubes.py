"""Cubes in a space that are seen less clearly than the others there, and more cubes than a side has."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board import CERTAIN_NATS, EMPTY, Slot, count_row
from vision.tiles.cubes import FoundCubes
from vision.tiles.doubts import with_faint_in_doubt

CLEAR, FAINT = 12.0, 6.4


def slots_of(*shown: float) -> list[Slot]:
    """White cubes in both files from the tile outwards, by the nats that they show; 0 for none."""
    return [Slot(0, 0, (0.0, -30.0, -nats) if nats else (-20.0, -30.0, 0.0), foreign=False) for nats in shown]


def black_cubes(*shown: float) -> list[Slot]:
    """Black cubes, by the nats that they show."""
    return [Slot(0, 0, (-30.0, 0.0, -nats), foreign=False) for nats in shown]


def certain(slots: list[Slot]) -> list[bool]:
    return [slot.margin_nats > CERTAIN_NATS for slot in slots]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ((CLEAR, CLEAR, CLEAR, CLEAR, FAINT, 0, 0, 0), [True] * 4 + [False] + [True] * 3),
        ((CLEAR, CLEAR, CLEAR, CLEAR, FAINT, FAINT, 0, 0), [True] * 4 + [False] * 2 + [True] * 2),
        ((CLEAR, CLEAR, FAINT, CLEAR, CLEAR, CLEAR), [True] * 6),
        ((FAINT, FAINT, FAINT, FAINT, 0, 0), [True] * 6),
        ((FAINT, 0, 0, 0), [True] * 4),
        ((2 * CLEAR, 2 * CLEAR, 2 * CLEAR, CLEAR, 0, 0), [True] * 6),
    ],
    ids=[
        "shadow in one file",
        "shadows in both",
        "faint before others",
        "all as faint",
        "a single cube",
        "still clear",
    ],
)
def test_only_the_outermost_cube_of_a_file_is_doubted_if_the_others_are_clearer(shown, expected):
    assert certain(*with_faint_in_doubt([slots_of(*shown)])) == expected


def test_what_may_be_a_shadow_is_still_the_likelier_a_cube():
    (shadowed,) = with_faint_in_doubt([slots_of(CLEAR, CLEAR, CLEAR, CLEAR, FAINT, 0, 0, 0)])
    likeliest = sorted(count_row(shadowed, gaps=True).items(), key=lambda one: -one[1])
    assert [counts for counts, _ in likeliest[:2]] == [(5, 0), (4, 0)]
    assert shadowed[4].holder != EMPTY


def test_each_side_is_compared_with_its_own_cubes():
    (slots,) = with_faint_in_doubt([slots_of(CLEAR, CLEAR, CLEAR, CLEAR) + black_cubes(FAINT, FAINT)])
    assert certain(slots) == [True] * 6


def test_a_single_faint_cube_among_the_other_sides_is_doubted_if_its_own_side_is_clearer_elsewhere():
    elsewhere, among, alone = black_cubes(CLEAR, CLEAR, CLEAR), slots_of(CLEAR, CLEAR, CLEAR), slots_of(0, 0, 0)
    found = with_faint_in_doubt([elsewhere, among + black_cubes(FAINT), alone + black_cubes(FAINT)])
    assert [certain(slots) for slots in found] == [[True] * 3, [True] * 3 + [False], [True] * 4]


@pytest.mark.parametrize(
    ("margins", "nats"),
    [([30.0] * 15, 0.0), ([30.0] * 15 + [9.0], 9.0), ([30.0] * 13 + [4.0] * 5, 12.0), ([30.0] * 3, 0.0)],
    ids=["fifteen", "one more", "three more, none of them certain", "few"],
)
def test_more_than_fifteen_cubes_are_as_sure_as_those_that_would_have_to_be_none(margins, nats):
    white = [slots_of(*margins[start : start + 4]) for start in range(0, len(margins), 4)]
    found = FoundCubes(np.zeros((1, 1), np.float32), [*white, black_cubes(30.0, 30.0)], (slots_of(30.0), []))
    assert found.nats_of_more_than_fifteen(0) == nats
    assert found.nats_of_more_than_fifteen(1) == 0.0
