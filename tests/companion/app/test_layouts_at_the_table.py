"""A simulated table of every layout: learned, read, and used by both players."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from played_table import PlayedTable

from companion.app.table_opening import expected_board
from companion.core import BoardLayout, Side
from companion.game import Phase
from companion.interface import Light, Saw, Stirred
from companion.rules import board_layout, rules_named
from companion.texts import counted_forward
from vision import learn_board
from vision.board.overlay import name_on_picture, tag
from vision.simulation import SimulatedTable
from vision.simulation.boards import simulated_board_for

if TYPE_CHECKING:
    from companion.interface import Snapshot

SMALL = 800, 600


class Seated:
    """Two players at a simulated table whose moves are read from the drawn picture."""

    def __init__(self, sheet: str, *, mirrored: bool, dice: list[int], located: bool = False) -> None:
        """`located`: the board is found in the picture."""
        rules = rules_named(sheet)
        self.layout = board_layout(rules.sheet, mirrored=mirrored)
        self.board = simulated_board_for("backgammon", self.layout)
        view = self.board.view
        small = replace(view, width=SMALL[0], height=SMALL[1], scale=view.scale * SMALL[0] / view.width)
        self.view = view if located else small
        self.drawn = SimulatedTable(seed=4, layout=self.layout, view=self.view)
        expected = expected_board(rules.sheet, self.layout)
        corners = None if located else np.array(self.drawn.corners())
        self.eye = learn_board(self.drawn.render(), expected.game, expected.kind, corners, expected.mirror)
        self.players = PlayedTable(dice, rules, layout=self.layout, simulated=True)

    def look(self) -> Snapshot:
        return self.players.does(Stirred(1.0), Saw(self.eye.look(self.drawn.render()), 2.0, b"jpeg"))

    def move(self, side: Side, source: int, target: int) -> None:
        """Carry a checker from one point to another, in standard numbers of `side`."""
        cell, goal = (n - 1 if side is Side.WHITE else 24 - n for n in (source, target))
        there = [c for c in self.drawn.checkers() if self.board.cell_at(c.side, c.x, c.y) == cell]
        last = max(there, key=lambda c: self.board.place_at(cell, c.x, c.y, c.layer))
        self.drawn.drag(last.id, *self.board.slot(goal, 0))

    def labels(self) -> dict[str, tuple[float, float]]:
        """The labels on the camera's picture, and their places (pixels)."""
        numbers = self.players.snapshot.point_numbers
        learned = self.eye.calibration
        places = {name_on_picture(point, numbers): tag(learned, point).badge for point in range(24)}
        return {name: (float(x), float(y)) for name, (x, y) in places.items()}

    def seen_at(self, side: Side, point: int) -> tuple[float, float]:
        """The first place of a point, in standard numbers of `side`, in the picture (pixels)."""
        x, y = self.board.slot(point - 1 if side is Side.WHITE else 24 - point, 0)
        ((across, down),) = self.view.project([(x, y, 0.0)])
        return float(across), float(down)


def assert_labelled_for(side: Side, seated: Seated) -> None:
    """The numbers on the picture are those that `side` counts: each label is nearest to the point that it names."""
    labels = seated.labels()
    for point in (1, 6, 13, 24):
        name = counted_forward(str(point)) if seated.layout.tiles else str(point)
        across, down = seated.seen_at(side, point)
        nearest = min(labels, key=lambda each: np.hypot(labels[each][0] - across, labels[each][1] - down))
        assert nearest == name, (side, point)


def play_a_turn_each(seated: Seated) -> str:
    """Play a turn of each player, Black's with a mistake in between; the play accepted last."""
    assert seated.look().phase is Phase.OPENING
    seated.players.taps()
    assert seated.players.game.on_roll is Side.WHITE
    assert_labelled_for(Side.WHITE, seated)
    seated.move(Side.WHITE, 24, 18)
    assert seated.look().light is Light.AMBER
    seated.move(Side.WHITE, 6, 5)
    shown = seated.look()
    assert (shown.light, shown.verdict.play) == (Light.GREEN, "24/18 6/5")
    seated.players.taps()
    assert seated.players.game.on_roll is Side.BLACK
    assert_labelled_for(Side.BLACK, seated)
    seated.move(Side.BLACK, 8, 5)
    seated.move(Side.BLACK, 6, 3)
    shown = seated.look()
    assert (shown.light, shown.verdict.reason) == (Light.RED, "wrong_distance")
    seated.move(Side.BLACK, 3, 5)
    shown = seated.look()
    assert shown.light is Light.GREEN
    return str(shown.verdict.play)


@pytest.mark.parametrize(
    ("sheet", "mirrored"), [("standard", True), pytest.param("green-box", False, marks=pytest.mark.slow)]
)
def test_each_player_s_play_is_judged_by_that_player_s_numbers(sheet: str, mirrored: bool) -> None:
    assert play_a_turn_each(Seated(sheet, mirrored=mirrored, dice=[6, 1, 3, 1])) == "8/5 6/5"


@pytest.mark.slow
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("sheet", ["standard", "green-box"])
def test_a_board_found_by_the_camera_is_usable_in_every_layout(sheet: str, mirrored: bool) -> None:
    assert play_a_turn_each(Seated(sheet, mirrored=mirrored, dice=[6, 1, 3, 1], located=True)) == "8/5 6/5"


def test_a_chequered_board_has_one_orientation() -> None:
    sheet = rules_named("acf").sheet
    assert board_layout(sheet, mirrored=True) == BoardLayout()
    assert expected_board(sheet, board_layout(sheet, mirrored=True)).mirror is False
