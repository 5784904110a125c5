"""In brighter, hazy, and uneven light cubes are counted as before, and a gleam is no cube for certain, nor a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from boards_by_cell import board_of
from gleams import with_gleam

from companion.core import BoardLayout, Cause
from vision import learn_board
from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE, Slot
from vision.simulation import SimulatedTable
from vision.simulation.projection import SimulatedView
from vision.tiles.doubts import with_doubt_beyond_gaps, with_doubt_in_odd_light

if TYPE_CHECKING:
    from vision.board import LearnedBoard
    from vision.cameras import Picture

STEEP = SimulatedView(800, 600, tilt_deg=5.0, distance=15.3, scale=37.0, target=(7.0, 5.0))
LOW = SimulatedView(800, 600, tilt_deg=28.0, distance=22.0, scale=36.8, target=(6.8, 4.5))
POSITION = board_of({1: 3, 2: 4, 3: 4, 4: 2, 5: 1, 7: 1}, {0: 4, 17: 2, 18: 2, 21: 1, 22: 4, 23: 2})


@pytest.fixture(scope="module", params=[STEEP, LOW], ids=["steep", "low"])
def learned_table(request: pytest.FixtureRequest) -> tuple[LearnedBoard, SimulatedTable]:
    """A learned board with pale cubes on a beige table, and the table with `POSITION` on it."""
    table = SimulatedTable(1, game="backgammon", layout=BoardLayout(tiles=True), view=request.param)
    learned = learn_board(table.render(), "backgammon", "tiles", np.array(table.corners()))
    table.set_up(POSITION)
    return learned, table


@pytest.fixture(scope="module")
def seen(learned_table: tuple[LearnedBoard, SimulatedTable]) -> tuple[LearnedBoard, Picture]:
    """The learned board, and a picture of `POSITION` on it."""
    learned, table = learned_table
    return learned, table.render()


def in_light(picture: Picture, gain: float, slope: float = 0.0, shadow: float = 0.0, haze: float = 0.0) -> Picture:
    """A picture `gain` times as bright, by `slope` brighter from left to right, with shadow on its right half.

    `haze`: share of the light that comes from it.
    """
    along = np.linspace(-0.5, 0.5, picture.shape[1], dtype=np.float32)[:, None]
    shaded = 1 - shadow / (1 + np.exp(-along / 0.02))
    lit = picture * gain * (1 + slope * along) * shaded
    return np.clip(lit * (1 - haze) + 170 * haze, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "light",
    [
        {"gain": 1.34},
        {"gain": 1.3, "slope": 0.25},
        {"gain": 0.65, "slope": -0.3},
        {"gain": 1.0, "haze": 0.12},
        {"gain": 0.8, "haze": 0.28},
        {"gain": 1.2, "slope": 0.25, "haze": 0.2},
        {"gain": 1.0, "shadow": 0.35},
        {"gain": 1.0, "shadow": 0.35, "haze": 0.2},
    ],
    ids=str,
)
def test_cubes_are_counted_in_other_light(seen: tuple[LearnedBoard, Picture], light: dict[str, float]) -> None:
    learned, picture = seen
    cells = learned.look(in_light(picture, **light)).cells
    assert tuple(cell.best for cell in cells[:POINTS]) == POSITION[:POINTS]
    assert min(cell.margin_nats for cell in cells) > SURE_NATS


@pytest.mark.parametrize("at", [(200, 180), (600, 420), (400, 440)], ids=str)
@pytest.mark.parametrize(("level", "wide"), [(70, 60), (110, 40), (110, 90)])
def test_a_gleam_is_no_hand_where_the_table_s_grain_is_seen(
    learned_table: tuple[LearnedBoard, SimulatedTable], at: tuple[int, int], level: float, wide: float
) -> None:
    learned, table = learned_table
    read = learned.look(with_gleam(table.render(), at, level, wide, gain=0.8))
    assert read.unreadable is None
    assert tuple(cell.best for cell in read.cells[:POINTS]) == POSITION[:POINTS]
    table.hand(6.0, 4.0)
    with_hand = learned.look(with_gleam(table.render(), at, level, wide, gain=0.8))
    table.hand(None)
    assert with_hand.unreadable is Cause.HAND


def read_as(*holders: int) -> list[Slot]:
    """The slots of a space with these contents, for certain."""
    nats = np.full((len(holders), 3), -20.0)
    nats[np.arange(len(holders)), holders] = 0.0
    return [Slot(9, 9 * index, tuple(one), False) for index, one in enumerate(nats.tolist())]


def test_cubes_beyond_an_empty_pair_are_in_doubt_together() -> None:
    plain, beyond = with_doubt_beyond_gaps(
        [
            read_as(WHITE, WHITE, WHITE, EMPTY, EMPTY, EMPTY),
            read_as(BLACK, BLACK, EMPTY, EMPTY, WHITE, EMPTY, WHITE, WHITE),
        ]
    )
    assert min(slot.margin_nats for slot in plain) == 20.0
    assert [slot.holder for slot in beyond] == [BLACK, BLACK, EMPTY, EMPTY, WHITE, EMPTY, WHITE, WHITE]
    assert sum(slot.margin_nats for slot in beyond[4:] if slot.holder == WHITE) < SURE_NATS
    assert [slot.margin_nats for slot in beyond if slot.holder != WHITE] == [20.0] * 5


@pytest.mark.parametrize(("gain", "cause"), [(1.34, None), (2.6, Cause.GLARE)])
def test_a_table_that_has_lost_its_colours_to_the_sensor_is_not_read(
    seen: tuple[LearnedBoard, Picture], gain: float, cause: Cause | None
) -> None:
    learned, picture = seen
    assert learned.look(in_light(picture, gain)).unreadable is cause


def test_in_light_that_looks_like_a_hand_empty_places_and_the_cubes_near_it_are_in_doubt() -> None:
    odd = np.zeros((40, 20), bool)
    odd[:20] = True
    near, far = (
        with_doubt_in_odd_light([replace(slot, y=slot.y + down) for slot in read_as(WHITE, WHITE, EMPTY)], odd)
        for down in (0, 30)
    )
    assert [slot.holder for slot in near] == [WHITE, WHITE, EMPTY]
    assert near[0].margin_nats + near[1].margin_nats < SURE_NATS
    assert [slot.margin_nats for slot in far[:2]] == [20.0, 20.0]
    assert max(near[2].margin_nats, far[2].margin_nats) < SURE_NATS
