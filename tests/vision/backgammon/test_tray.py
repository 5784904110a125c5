"""Borne-off checkers beside the board are counted if they are clearly visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from boards_by_cell import board_of
from gleams import with_gleam
from labelled import Scene, scenes
from places import PICTURES

from companion.core import BLACK_OFF, WHITE_OFF, CellReading
from vision import learn_board
from vision.board import BLACK, POINTS, SURE_NATS, WHITE, placed_checkers
from vision.geometry import project
from vision.simulation import SimulatedTable
from vision.simulation.background import Palette
from vision.simulation.projection import SimulatedView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.arrays import Floats, Picture

    Lying = tuple[int, float, float]
    """A side, and a place in board units."""

NONE = CellReading(), CellReading()
NEAR_HOME, NEXT = 1.13, 0.072
"""Board coordinates (x) of a row of checkers beside the board, and the distance of touching ones."""


@pytest.fixture(scope="module")
def board() -> Scene:
    return next(scene for scene in scenes(PICTURES) if scene.name == "14-green")


@pytest.fixture(scope="module")
def start(board: Scene) -> Picture:
    return board.frames[0].picture


def row(side: int, count: int, along: float, x: float = NEAR_HOME) -> list[Lying]:
    """Checkers that touch, from `along` (y in board units) on."""
    return [(side, x, along + NEXT * number) for number in range(count)]


def beside(board: Scene, picture: Picture, lying: Iterable[Lying], light: float = 1.0) -> Picture:
    """The picture with copies of this board's own checkers on the table, in another light."""
    learned, taken = board.eye.calibration, picture.copy()
    known = {one.owner: one for one in placed_checkers(learned.points)}
    for side, x, y in lying:
        at = learned.top.to_board @ (*learned.rows.place(known[side].point, known[side].index), 1.0)
        source, target = (
            project(learned.pose.plane(height), place)[0]
            for height, place in ((learned.layout.top, at[None, :2]), (0.0, np.array([[x, y]])))
        )
        reach = round(0.62 * width_px(board, source))
        patch = cv2.getRectSubPix(picture, (2 * reach + 1, 2 * reach + 1), source.astype(np.float32).tolist()) * light
        mask = np.zeros(patch.shape[:2], np.float32)
        cv2.ellipse(mask, ((reach, reach), (1.0 * width_px(board, source), 0.9 * width_px(board, source)), 0), 1.0, -1)
        mask = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
        left, top = (round(float(one)) - reach for one in target)
        here = taken[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
        here[:] = np.clip(mask * patch + (1 - mask) * here, 0, 255)
    return taken


def width_px(board: Scene, at: Floats) -> float:
    """Width of a checker seen at a pixel."""
    learned = board.eye.calibration
    places = project(np.linalg.inv(learned.pose.plane(learned.layout.top)), at[None])
    ends = project(learned.pose.plane(learned.layout.top), places + np.array([[0, 0], [learned.layout.checker, 0]]))
    return float(np.linalg.norm(ends[1] - ends[0]))


def look(board: Scene, picture: Picture) -> tuple[CellReading, CellReading]:
    learned = board.eye.calibration
    assert learned.slot_comparison is not None
    return learned.tray.look(picture, np.ones(3, np.float32), np.full(3, 255, np.float32), learned.slot_comparison)


def numbers(cells: Sequence[CellReading]) -> list[int | None]:
    return [cell.best and cell.best[side] for side, cell in enumerate(cells)]


def likely(cell: CellReading, side: int, within: float) -> set[int]:
    return {content[side] for content, nats in cell.likelihoods if nats > -within}


def test_an_empty_table_gives_no_reading(board: Scene, start: Picture) -> None:
    assert look(board, start) == NONE
    assert all(look(board, frame.picture) == NONE for frame in board.frames[1:3])


def test_checkers_of_both_sides_are_counted(board: Scene, start: Picture) -> None:
    white, black = look(board, beside(board, start, row(WHITE, 5, 0.1) + row(BLACK, 3, 0.6)))
    assert (white.best, black.best) == ((5, 0), (0, 3))


def test_one_of_each_side_is_counted_in_a_rendered_picture(board: Scene) -> None:
    assert numbers(look(board, board.frames[3].picture)) == [1, 1]


def test_fewer_checkers_than_visible_are_ruled_out_and_more_are_possible(board: Scene, start: Picture) -> None:
    white, _ = look(board, beside(board, start, row(WHITE, 5, 0.1)))
    assert likely(white, WHITE, 2.5) == {5}
    assert likely(white, WHITE, 5.0) == set(range(4, 16))
    assert white.log_likelihood((4, 0)) < -3 <= white.log_likelihood((6, 0))


def test_rows_side_by_side_are_counted(board: Scene, start: Picture) -> None:
    lying = row(BLACK, 5, 0.45) + row(BLACK, 4, 0.45, NEAR_HOME + 1.1 * NEXT)
    assert numbers(look(board, beside(board, start, lying))) == [None, 9]


def test_checkers_in_the_boards_shadow_are_counted_or_in_doubt(board: Scene, start: Picture) -> None:
    """The table there is as dark as it was; a checker has less light than any known one."""
    white, black = look(board, beside(board, start, row(WHITE, 4, 0.1) + row(BLACK, 3, 0.6), light=0.6))
    assert 4 in likely(white, WHITE, 2.0)
    assert 3 in likely(black, BLACK, 2.0)


def test_a_largely_hidden_checker_is_not_ruled_out(board: Scene, start: Picture) -> None:
    taken = beside(board, start, row(WHITE, 5, 0.1))
    (x, y) = (
        project(board.eye.calibration.pose.plane(0.0), np.array([[NEAR_HOME, 0.1 + 4 * NEXT]]))[0].round().astype(int)
    )
    taken[y - 40 : y + 40, x : x + 60] = start[y - 40 : y + 40, x : x + 60]
    white, _ = look(board, taken)
    assert {4, 5} <= likely(white, WHITE, 5.0)
    assert white.log_likelihood((2, 0)) < -5


def test_a_row_that_reaches_the_edge_of_the_picture_may_continue_outside(board: Scene, start: Picture) -> None:
    tray, (width, _) = board.eye.calibration.tray, board.eye.calibration.size
    bed = board.eye.calibration.pose.plane(0.0)
    edge = float(max(x for x in np.arange(1.0, 1.5, 0.002) if project(bed, np.array([[x, 0.3]]))[0, 0] < width - 45))
    assert edge < tray.raster.places()[..., 0].max()
    white, _ = look(board, beside(board, start, row(WHITE, 1, 0.3, edge - NEXT) + row(WHITE, 1, 0.3, edge)))
    assert white.best == (2, 0)
    assert white.log_likelihood((3, 0)) > -1.0


def test_a_box_a_coin_and_a_die_are_not_counted(board: Scene, start: Picture) -> None:
    learned = board.eye.calibration
    taken = start.copy()
    box, coin, die = (
        project(learned.pose.plane(0.0), np.array([[NEAR_HOME + 0.02, y]]))[0].round().astype(int).tolist()
        for y in (0.15, 0.45, 0.7)
    )
    cv2.rectangle(taken, (box[0] - 60, box[1] - 40), (box[0] + 60, box[1] + 40), (40, 60, 190), -1)
    cv2.circle(taken, coin, 9, (150, 190, 205), -1, cv2.LINE_AA)
    cv2.rectangle(taken, (die[0] - 11, die[1] - 10), (die[0] + 11, die[1] + 10), (235, 240, 240), -1)
    cv2.circle(taken, die, 3, (20, 20, 20), -1, cv2.LINE_AA)
    assert look(board, taken) == NONE


@pytest.mark.parametrize(("from_y", "to_y"), [(0.0, 0.5), (0.55, 1.0)])
def test_checkers_are_counted_in_the_sun_and_in_the_shade(
    board: Scene, start: Picture, from_y: float, to_y: float
) -> None:
    """Half of the light, from one height of the picture to another; no checker is at the edge of the shadow."""
    taken = beside(board, start, row(WHITE, 3, 0.12))
    rows = np.linspace(0, 1, len(taken))
    shade = (1 + np.exp(-150 * (rows - from_y))) * (1 + np.exp(150 * (rows - to_y)))
    assert numbers(look(board, (taken * (1 - 0.5 / shade)[:, None, None]).astype(np.uint8))) == [3, None]


def test_checkers_at_the_edge_of_a_shadow_are_not_counted(board: Scene, start: Picture) -> None:
    taken = beside(board, start, row(WHITE, 3, 0.12))
    learned = board.eye.calibration
    middle = np.array([[NEAR_HOME, 0.12 + NEXT]])
    edge = round(float(project(learned.pose.plane(0.0), middle)[0, 1]))
    taken[edge:] = (taken[edge:] * 0.5).astype(np.uint8)
    assert look(board, taken) == NONE


def test_small_chances_on_a_table_in_stripes_make_no_checker(board: Scene, start: Picture) -> None:
    y, x = np.indices(start.shape[:2])
    stripes = (0.2 * x + y) % 90 < 22
    light = 1 - 0.45 * cv2.GaussianBlur(stripes.astype(np.float32), (0, 0), 1.0)[..., None]
    noise = np.random.default_rng(4).normal(0, 6, start.shape)
    assert look(board, np.clip(start * light + noise, 0, 255).astype(np.uint8)) == NONE


def test_more_than_a_side_has_is_rejected(board: Scene, start: Picture) -> None:
    sixteen = [one for column in range(3) for one in row(BLACK, 6, 0.3, NEAR_HOME + 1.1 * NEXT * column)]
    assert look(board, beside(board, start, sixteen))[BLACK] == CellReading()


def test_a_clipped_bright_table_is_not_read_as_a_row_of_checkers(board: Scene, start: Picture) -> None:
    """Learned in less light; then the table's channels are lost one by one."""
    learned = board.eye.calibration
    assert learned.slot_comparison is not None
    for brighter in (1.3, 1.8, 2.4):
        taken = np.clip(start * np.float32(brighter), 0, 255).astype(np.uint8)
        lit = board.eye.light_of(learned.top.rectify(taken))
        tray = learned.tray.under(lit.exposure.ceiling, lit.exposure.appearance.tables)
        assert tray.look(taken, lit.gain, lit.exposure.ceiling, learned.slot_comparison) == NONE


@pytest.mark.parametrize("tilt", [24, 38])
@pytest.mark.parametrize("seed", [1, 3])
def test_gaps_and_walls_between_borne_off_checkers_are_none(tilt: int, seed: int) -> None:
    view = SimulatedView(640, 480, tilt_deg=tilt, distance=16.5, scale=29.5, target=(7.5, 4.6))
    table = SimulatedTable(seed, view=view)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    for borne_off in (8, 12, 13):
        table.set_up(board_of({0: 5, 3: 5, 5: 5}, {23: 2, 20: 13 - borne_off, BLACK_OFF: borne_off}))
        assert learned.look(table.render()).cells[BLACK_OFF].best == (0, borne_off)


@pytest.mark.parametrize(
    ("brighter", "level", "wide"), [(1.0, 120, 50), (1.0, 160, 80), (1.4, 120, 30), (1.4, 120, 50), (1.4, 200, 50)]
)
def test_a_gleam_on_the_frame_is_no_borne_off_checker(brighter: float, level: float, wide: float) -> None:
    """A saturated frame looks like a pale checker. The number is unknown, and the board is read."""
    palette = Palette(
        white=(209, 236, 223),
        black=(75, 83, 76),
        felt=(132, 156, 157),
        points=((197, 150, 149), (114, 113, 87)),
        frame=(69, 120, 89),
        table=(136, 159, 133),
    )
    view = SimulatedView(640, 480, tilt_deg=10, distance=16.5, scale=29.5, target=(7.5, 4.6))
    table = SimulatedTable(1, view=view, palette=palette)
    corners = np.array(table.corners())
    learned = learn_board(table.render(), "backgammon", corners=corners)
    position = board_of({0: 5, 2: 5, 3: 3, WHITE_OFF: 2}, {23: 2, 20: 5, 22: 5, 18: 3})
    table.set_up(position)
    x, y = 0.9 * corners[3] + 0.1 * corners[0] - (14, 0)
    seen = learned.look(with_gleam(table.render(), (x, y), level, wide, gain=brighter))
    assert seen.unreadable is None
    assert seen.cells[WHITE_OFF] == CellReading()
    points = zip(seen.cells[:POINTS], position, strict=False)
    assert all(cell.best == content or cell.margin_nats < SURE_NATS for cell, content in points)
