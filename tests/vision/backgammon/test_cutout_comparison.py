"""Comparison of doubtful slots with cutouts of the known checkers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from labelled import scenes
from places import PICTURES
from sweeps import part

from companion.core import WHITE_BAR
from vision.backgammon.cutout_comparison import CutoutComparison
from vision.backgammon.cutouts import cut_out_checkers
from vision.backgammon.layout import SLOTS
from vision.backgammon.reader import FramedBoardReader
from vision.board import POINTS, START, WHITE, Slot

if TYPE_CHECKING:
    from labelled import Labelled, Scene

    from companion.core import Board
    from vision.arrays import Singles
    from vision.backgammon.cutouts import LabelledView
    from vision.cameras import Picture

NO_CEILING = np.full(3, 255, np.float32)
SURE = 5.0
ALIKE_TRUST = 0.75
"""Below this, checker and board differ by less than 16 standard deviations."""


@pytest.fixture(scope="module")
def glare() -> Scene:
    """White checkers on white points that shine."""
    return next(scene for scene in scenes(PICTURES) if scene.name == "02-leather")


@pytest.fixture(scope="module")
def bare(glare: Scene) -> list[tuple[int, int]]:
    """Slots that were empty when the board was learned, and on which a white checker looks much like the board."""
    learned = glare.eye.calibration
    alike = learned.under(np.ones(3, np.float32)).slots.trust[:POINTS, : SLOTS - 2] < ALIKE_TRUST
    return [(row, slot) for row, slot, side in np.argwhere(alike) if side == WHITE and slot >= sum(START[row])]


@dataclass(frozen=True)
class Set:
    """A raster of the start with white checkers set on some slots, and noise."""

    labelled: LabelledView
    view: Picture

    @classmethod
    def on(cls, scene: Scene, slots: list[tuple[int, int]], which: int = -1) -> Set:
        """`which` of the cut-outs of the same kind is set; the last is none that is tried first."""
        labelled = scene.eye.calibration.labelled
        view = labelled.view.astype(np.float32)
        for row, slot in slots:
            pool = [cut for kind, cuts in cut_out_checkers(labelled).pools.items() if kind[0] == WHITE for cut in cuts]
            cut = pool[which]
            x, y = np.rint(labelled.rows.place(row, slot)).astype(int)
            reach = cut.body.shape[0] // 2
            here = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
            if view[here].shape == cut.own.shape:
                view[here] = cut.own + cut.through * view[here]
        noise = np.random.default_rng(5).normal(0, 2, view.shape)
        return cls(labelled, np.clip(view + noise, 0, 255).astype(np.uint8))

    def ratio(self, scene: Scene, row: int, slot: int, ceiling: Singles = NO_CEILING) -> float:
        """Log-likelihood ratio of a white checker to none."""
        x, y = np.rint(self.labelled.rows.place(row, slot)).astype(int)
        others = [Slot(0, 0, (-20.0, -20.0, 0.0), foreign=False)] * slot
        doubtful = Slot(int(x), int(y), (0.0, -20.0, 0.0), foreign=False)
        read = [[*others, doubtful] if at == row else [] for at in range(POINTS)]
        cuts = scene.eye.calibration.cuts
        return CutoutComparison(self.labelled, cuts, self.view, ceiling, read).log_ratio(row, slot, WHITE)


def reachable(bare: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """First slots only: the raster has room for a whole cut-out everywhere there, and nothing lies beside."""
    return [(row, slot) for row, slot in bare if slot == 1]


def test_a_bare_slot_that_stays_bare_is_detected(glare, bare):
    same = Set.on(glare, [])
    told = [same.ratio(glare, row, slot) for row, slot in bare]
    assert len(told) > 10
    assert max(told) <= 0
    assert np.median(told) < -3


def test_a_checker_added_on_a_point_of_its_colour_is_detected(glare, bare):
    told = [Set.on(glare, [place]).ratio(glare, *place) for place in reachable(bare)]
    assert len(told) > 3
    assert min(told) > 0


def test_a_smooth_change_of_light_adds_no_checker(glare, bare):
    same = Set.on(glare, [])
    height, width = same.view.shape[:2]
    slope = np.linspace(0.85, 1.0, width)[None, :, None] * np.linspace(1.0, 0.9, height)[:, None, None]
    lit = replace(same, view=(same.view * slope).astype(np.uint8))
    assert max(lit.ratio(glare, row, slot) for row, slot in bare) < 0


def test_a_raster_half_a_pixel_off_adds_no_checker(glare, bare):
    same = Set.on(glare, [])
    off = np.array([[1, 0, 0.5], [0, 1, -0.5]], np.float32)
    view = cv2.warpAffine(same.view, off, same.view.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    shifted = replace(same, view=np.asarray(view, np.uint8))
    assert max(shifted.ratio(glare, row, slot) for row, slot in bare) <= 0


def test_a_shadow_over_half_a_slot_adds_no_certain_checker(glare, bare):
    for row, slot in reachable(bare):
        same = Set.on(glare, [])
        x = round(float(same.labelled.rows.place(row, slot)[0]))
        view = same.view.copy()
        view[:, x:] = (view[:, x:] * 0.8).astype(np.uint8)
        assert replace(same, view=view).ratio(glare, row, slot) < SURE / 2


def test_washed_out_slots_give_no_evidence(glare, bare):
    white = np.full_like(glare.eye.calibration.labelled.view, 255)
    same = Set(replace(glare.eye.calibration.labelled, view=white), white)
    assert max(abs(same.ratio(glare, row, slot, np.full(3, 60, np.float32))) for row, slot in bare) < 1


def board_of(frame: Labelled) -> Board:
    """The position in a picture, as far as cells are certain."""
    bar = ((frame.bar[0], 0), (0, frame.bar[1]))
    return (*((max(count, 0), max(-count, 0)) for count in frame.points), *bar, None, None)


def silently(scene: Scene, frame: Labelled, to: tuple[int, int], away: tuple[int, int] | None) -> Picture:
    """A picture in which a white checker was added on a slot, and one was removed from another."""
    labelled = scene.eye.calibration.fine_labelled
    top, rows = labelled.top, labelled.rows
    view = top.rectify(frame.picture).astype(np.float32)
    touched = np.zeros(view.shape[:2], np.uint8)
    cut = next(
        cuts[0]
        for (owner, far, _), cuts in cut_out_checkers(labelled).pools.items()
        if owner == WHITE and far == (to[0] >= 12)
    )
    reach = cut.body.shape[0] // 2
    for place, comes in ((to, True), (away, False)):
        if place is None:
            continue
        x, y = np.rint(rows.place(*place)).astype(int)
        here = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
        if comes:
            view[here] = cut.own + cut.through * view[here]
        else:
            disc = cv2.circle(np.zeros_like(touched), (int(x), int(y)), round(rows.diameter * 0.6), 1, -1) > 0
            view[disc] = labelled.appearance.background.picture[disc]
        cv2.circle(touched, (int(x), int(y)), round(rows.diameter * 0.7), 255, -1)
    size = frame.picture.shape[1::-1]
    back = cv2.warpPerspective(np.clip(view, 0, 255).astype(np.uint8), top.to_picture, size)
    where = cv2.warpPerspective(touched, top.to_picture, size) > 127
    picture = frame.picture.copy()
    picture[where] = back[where]
    return picture


@part(slice(2, 4))
def test_an_unannounced_change_on_a_point_of_any_colour_is_seen_or_refused(glare, part):
    frame = glare.frames[1]
    board = board_of(frame)
    source = next(point for point, content in enumerate(board[:WHITE_BAR]) if content == (5, 0))
    targets = [row for row, content in enumerate(board[:WHITE_BAR]) if content == (0, 0)]
    assert {row % 2 for row in targets} == {0, 1}  # light points and dark ones
    for target in targets[part]:  # the few: a light point and a dark one
        cells = glare.eye.look(silently(glare, frame, (target, 0), (source, 4))).cells
        for point, was in ((target, (0, 0)), (source, (5, 0))):
            overlooked = cells[point].best == was and cells[point].margin_nats > SURE
            assert not overlooked, (target, point)


@pytest.mark.slow
def test_a_reading_does_not_depend_on_earlier_readings(glare):
    """Of two readers one has seen the darker pictures before, the other a slightly brighter one."""
    picture, look = glare.frames[-1].picture, glare.looks[-1]
    used = FramedBoardReader(replace(glare.eye.calibration))
    used.look(np.clip(picture * 1.06, 0, 255).astype(np.uint8))
    for one, other in zip(used.look(picture).cells, look.cells, strict=True):
        assert dict(one.likelihoods) == pytest.approx(dict(other.likelihoods), abs=1e-3)
