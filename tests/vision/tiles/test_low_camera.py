"""Boards of tiles before low cameras and long lenses: cubes lean over tiles and hide the walls of those behind."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core import BLACK_BAR, BoardLayout
from vision.board import CERTAIN_NATS, placed_checkers
from vision.geometry import estimate_pose
from vision.simulation import SimulatedTable
from vision.simulation.boards import STARTING_BOARD
from vision.simulation.projection import SimulatedView
from vision.tiles import TileBoard
from vision.tiles.edges import pose_with_square_tiles
from vision.tiles.layout import TILE

TILES = BoardLayout(tiles=True)
DEPTH = 5 * TILE
"""Depth of the drawn playing area over its width."""
USUAL_FOCAL = 0.83
DRAWN_FROM_TILE = 0.27
"""From a tile's edge to the middles of the first drawn cubes, in tiles."""


def low_camera(tilt_deg: float, focal: float, width: int = 800) -> SimulatedView:
    """A camera whose focal length is `focal` times the width of its picture."""
    scale = 0.048 * width
    return SimulatedView(
        width, width * 3 // 4, tilt_deg, 0.5, distance=focal * width / scale, scale=scale, target=(6.6, 5.1)
    )


def table_before(view: SimulatedView, seed: int = 4) -> SimulatedTable:
    return SimulatedTable(seed, layout=TILES, view=view)


def learned(table: SimulatedTable) -> TileBoard:
    return TileBoard.learn(table.render(), np.array(table.corners()), False, None)


def board_with(**changes: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """An empty board but for `c5=(6, 0)`: the content of cell 5."""
    cells = [(0, 0)] * len(STARTING_BOARD)
    for name, content in changes.items():
        cells[int(name[1:])] = content
    return tuple(cells)


@pytest.mark.parametrize(("tilt", "focal"), [(40, 1.63), (35, 1.3), (45, 0.7)])
def test_the_depth_follows_from_the_tiles_under_any_lens(tilt: float, focal: float) -> None:
    table = table_before(low_camera(tilt, focal))
    picture, corners = table.render(), np.array(table.corners())
    size = picture.shape[1], picture.shape[0]
    assert estimate_pose(corners, size).depth != pytest.approx(DEPTH, rel=0.06)
    placed = placed_checkers(STARTING_BOARD[:24], row=15)
    assert pose_with_square_tiles(picture, corners, placed, False).depth == pytest.approx(DEPTH, rel=0.05)


def test_the_usual_lens_stays() -> None:
    table = table_before(low_camera(20, USUAL_FOCAL))
    picture, corners = table.render(), np.array(table.corners())
    found = pose_with_square_tiles(picture, corners, placed_checkers(STARTING_BOARD[:24], row=15), False)
    assert found.focal == estimate_pose(corners, (picture.shape[1], picture.shape[0])).focal


def test_tiles_that_are_not_seen_say_nothing_about_the_lens() -> None:
    table = table_before(low_camera(40, 1.63))
    corners, grey = np.array(table.corners()), np.full((600, 800, 3), 128, np.uint8)
    found = pose_with_square_tiles(grey, corners, placed_checkers(STARTING_BOARD[:24], row=15), False)
    assert found.focal == estimate_pose(corners, (800, 600)).focal


@pytest.mark.parametrize(("tilt", "focal"), [(37, 1.78), (47, 1.65), (20, USUAL_FOCAL)])
def test_a_start_is_located_under_any_lens(tilt: float, focal: float) -> None:
    table = table_before(low_camera(tilt, focal))
    corners = np.array(table.corners())
    tile = np.linalg.norm(corners[1] - corners[0]) * TILE
    assert np.abs(TileBoard.find(table.render(), False).corners - corners).max() < 0.2 * tile


@pytest.mark.parametrize("tilt", [20, 40])
def test_cubes_are_as_high_and_as_far_from_the_tiles_as_drawn(tilt: float) -> None:
    """Seen from the side, tops of cubes lean over the tiles, where they cannot be told from them."""
    layout = learned(table_before(low_camera(tilt, USUAL_FOCAL))).calibration.layout
    assert layout.thickness == pytest.approx(1, abs=0.06)
    assert layout.edge * layout.cube == pytest.approx(DRAWN_FROM_TILE, abs=0.02)


def contradicted(board: TileBoard, table: SimulatedTable, content: tuple[tuple[int, int], ...]) -> dict[int, float]:
    """By how much (nats) something else leads over the content of a cell, where it does so clearly."""
    table.set_up(content)
    seen = board.look(table.render())
    assert seen.unreadable is None
    leads = {cell: -seen.cells[cell].log_likelihood(content[cell]) for cell in range(BLACK_BAR + 1)}
    return {cell: lead for cell, lead in leads.items() if lead > CERTAIN_NATS}


LOW_CAMERAS = pytest.mark.parametrize(
    ("tilt", "focal", "width", "seed"),
    [
        (47, 1.65, 640, 4),
        (42, 0.85, 800, 42),
        (45, 1.1, 800, 7),
        (35, 1.37, 640, 140),
        (40, 1.52, 800, 119),
        (38, 1.21, 800, 150),
    ],
)


@LOW_CAMERAS
@pytest.mark.parametrize("count", range(1, 9))
def test_no_count_is_contradicted_before_a_low_camera(
    count: int, tilt: float, focal: float, width: int, seed: int
) -> None:
    table = table_before(low_camera(tilt, focal, width), seed)
    board = learned(table)
    others, rest = (15 - count) // 2, 15 - count - (15 - count) // 2
    near = board_with(c0=(count, 0), c1=(0, count), c6=(others, 0), c8=(rest, 0), c18=(0, others), c20=(0, rest))
    far = board_with(c12=(count, 0), c13=(0, count), c17=(others, 0), c19=(rest, 0), c8=(0, others), c10=(0, rest))
    assert contradicted(board, table, near) == {}
    assert contradicted(board, table, far) == {}


@LOW_CAMERAS
@pytest.mark.parametrize("count", range(1, 5))
def test_no_count_of_hit_cubes_is_contradicted_before_a_low_camera(
    count: int, tilt: float, focal: float, width: int, seed: int
) -> None:
    table = table_before(low_camera(tilt, focal, width), seed)
    rest = 8 - count
    hit = board_with(c0=(rest, 0), c8=(7, 0), c12=(0, rest), c20=(0, 7), c24=(count, 0), c25=(0, count))
    assert contradicted(learned(table), table, hit) == {}
