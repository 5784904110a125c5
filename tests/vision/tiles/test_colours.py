"""Colour models of cubes, table and shadows on boards of tiles."""

from __future__ import annotations

import numpy as np

from vision.tiles.colours import AROUND, TileLooks

TABLE, SHADOW, CUBE = 160, 70, 20
OF_BLACK = 2


def board_with_shadows(shaded_rows: int) -> TileLooks:
    """Black cubes, three tenths of which have their shadows' colour, on a table that is shaded in a few rows."""
    view = np.full((120, 100, 3), TABLE, np.uint8)
    parts = np.full((120, 100), AROUND, np.uint8)
    parts[:20], parts[119, :] = OF_BLACK, 1
    view[:14], view[14:20], view[20 : 20 + shaded_rows], view[119, :] = CUBE, SHADOW, SHADOW, 250
    ground = np.full_like(view, TABLE)
    return TileLooks.of(view, ground, parts, np.zeros_like(parts))


def test_a_shadow_is_no_cube_however_small_the_shaded_part_of_the_table_is():
    evidence = board_with_shadows(3).evidence(np.full((120, 100, 3), SHADOW, np.uint8))
    assert evidence.sides[1].max() < 0


def test_a_colour_that_only_cubes_have_is_still_a_cube():
    evidence = board_with_shadows(3).evidence(np.full((120, 100, 3), CUBE, np.uint8))
    assert evidence.sides[1].min() > 3


def test_where_no_shadow_was_seen_none_is_taken_for_the_table():
    evidence = board_with_shadows(0).evidence(np.full((120, 100, 3), SHADOW, np.uint8))
    assert evidence.sides[1].min() > 3
