"""Where cubes belong beside a line of tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board import START, placed_checkers
from vision.geometry import Raster
from vision.tiles.layout import TILE, TileLayout, likeness

LAYOUT = TileLayout(depth=5 * TILE)


def test_cubes_are_placed_in_pairs_from_the_tile_outwards():
    places = np.array([LAYOUT.slot(0, index) for index in range(6)])
    assert places[0::2, 0] == pytest.approx(places[0, 0])
    assert places[1::2, 0] == pytest.approx(places[1, 0])
    assert places[0, 0] < places[1, 0]
    assert (np.diff(places[0::2, 1]) < 0).all()


def test_spaces_lie_outside_the_tiles_on_both_sides():
    near, far = LAYOUT.axis - TILE / 2, LAYOUT.axis + TILE / 2
    assert all(LAYOUT.slot(point, 0)[1] < near for point in range(12))
    assert all(LAYOUT.slot(point, 0)[1] > far for point in range(12, 24))


@pytest.mark.parametrize("mirror", [False, True])
def test_white_s_home_is_on_the_right_or_if_mirrored_on_the_left(mirror):
    layout = TileLayout(depth=5 * TILE, mirror=mirror)
    x = np.array([layout.column_x(layout.column_of(point)) for point in (0, 11, 12, 23)])
    assert (x > 0.5).tolist() == [not mirror, mirror, mirror, not mirror]


def test_hit_cubes_wait_beyond_the_right_end_on_the_other_side():
    (white_x, white_near), (black_x, black_near) = LAYOUT.hit_place(0), LAYOUT.hit_place(1)
    assert white_x == black_x > 1
    assert not white_near
    assert black_near


def test_a_raster_may_extend_beyond_both_ends():
    wide = Raster(np.eye(3, 4), 0.0, 0.4, 100.0, 0.1, ends=0.2)
    assert wide.size == (160, 60)
    place = np.array([0.25, 0.1])
    back = wide.to_board @ np.array([*wide.pixels(place), 1.0])
    assert back[:2] / back[2] == pytest.approx(place)


def test_cubes_in_the_colour_of_their_tile_differ_from_the_table_between():
    """The table under cubes is filled in from around them; with the tiles' pixels, it was white beside white tiles."""
    bed = Raster(np.eye(3, 4), 0.0, LAYOUT.depth, 44 / TILE, 0.75 * TILE)
    white, table = (225, 225, 225), (60, 90, 120)
    view = np.full((bed.size[1], bed.size[0], 3), table, np.uint8)

    def draw(middle: tuple[float, float], side: float, colour: tuple[int, int, int]) -> tuple[slice, slice]:
        x, y = np.rint(bed.pixels(np.array(middle))).astype(int)
        half = round(side * bed.scale / 2)
        here = slice(y - half, y + half), slice(x - half, x + half)
        view[here] = colour
        return here

    for column in range(12):
        draw((LAYOUT.column_x(column), LAYOUT.axis), TILE, white)
    placed = placed_checkers(START, row=15)
    colours = white, (40, 40, 160)
    cubes = [draw(LAYOUT.slot(one.point, one.index), LAYOUT.checker, colours[one.owner]) for one in placed]
    _, _, unlike = likeness(cv2.GaussianBlur(view, (0, 0), 1.0), bed, LAYOUT, placed)
    assert min(unlike[here].mean() for here in cubes) > 0.9
