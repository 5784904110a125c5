"""Before a low camera, walls of checkers side by side are no checker between them; one that lies there is found."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from boards_by_cell import board_of
from labelled import Scene
from places import PICTURES

from vision import learn_board
from vision.backgammon.between.points import find_checkers_read_twice
from vision.backgammon.between.uncovered import CheckersInView
from vision.backgammon.layout import FAR_BAR, NEAR_BAR
from vision.board import POINTS, Figures, Slot
from vision.simulation import SimulatedTable
from vision.simulation.background import Palette
from vision.simulation.boards import simulated_board_for, slot
from vision.simulation.projection import SimulatedView
from vision.simulation.renderer import DrawnChecker, Painter

LOW = SimulatedView(640, 480, tilt_deg=44, distance=14.0, scale=29, target=(7.3, 4.2))
PURPLE = Palette(white=(225, 220, 222), black=(60, 30, 75), felt=(150, 140, 150), points=(160, 80, 90))
SETUPS = 4
"""Times that the position is laid, each time a little differently."""


@pytest.mark.parametrize(("seed", "palette"), [(3, PURPLE), (4, Palette())])
def test_walls_of_neighbours_are_no_checker_between_them(seed: int, palette: Palette) -> None:
    table = SimulatedTable(seed, view=LOW, palette=palette)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    position = board_of({0: 5, 3: 5, 6: 5}, {16: 2, 17: 2, 19: 3, 20: 3, 21: 3, 23: 2})
    for _ in range(SETUPS):
        table.set_up(position)
        assert not learned.look(table.render()).between


@pytest.mark.parametrize("apart", [0.4, 0.5, 0.6])
def test_one_that_lies_between_the_walls_of_others_is_found(apart: float) -> None:
    table = SimulatedTable(5, view=LOW)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    table.set_up(board_of({0: 5, 3: 5, 6: 5}, {16: 3, 17: 3, 19: 3, 20: 1, 21: 2, 23: 3}))
    moved = min(table.checkers(), key=lambda one: hypot(one.x - slot(21, 1)[0], one.y - slot(21, 1)[1]))
    there = (1 - apart) * np.array(slot(20, 1)) + apart * np.array(slot(21, 1))
    lying = [replace(one, x=there[0], y=there[1]) if one.id == moved.id else one for one in table.checkers()]
    painter = Painter(LOW, Palette(), simulated_board_for("backgammon"), np.random.default_rng(5))
    picture = painter.paint([DrawnChecker(one.side, one.x, one.y, 0.0) for one in lying], None, None)
    assert learned.look(picture).between == ((20, 21),)


def test_two_detections_of_one_checker_on_the_bar_are_not_between_its_halves() -> None:
    scene = Scene.load(PICTURES / "00-travel")
    learned = scene.eye.calibration
    lit = scene.eye.light_of(learned.top.rectify(scene.start))
    seen = CheckersInView(Figures.of(lit.evidence, learned.rows.diameter / 2), lit.exposure.slots, learned.top)
    x, middle = round(learned.rows.columns[NEAR_BAR]), round(learned.rows.edges[[NEAR_BAR, FAR_BAR]].mean())
    near, far = (Slot(x, middle + down, (-9.0, 0.0, -9.0), foreign=False) for down in (4, -4))
    assert not find_checkers_read_twice(seen, [*([],) * POINTS, [near], [far]], learned.rows)
