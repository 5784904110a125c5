"""Known checkers cut out of their board, to be set on other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from labelled import scenes
from places import PICTURES

from vision.backgammon.cutouts import cut_out_checkers

if TYPE_CHECKING:
    from vision.backgammon.cutouts import LabelledView, RowCutout


@pytest.fixture(scope="module")
def labelled() -> LabelledView:
    return next(scene for scene in scenes(PICTURES) if scene.name == "00-travel").eye.calibration.fine_labelled


@pytest.fixture(scope="module")
def cuts(labelled: LabelledView) -> list[RowCutout]:
    return [cut for pool in cut_out_checkers(labelled).pools.values() for cut in pool]


def test_every_known_checker_within_the_picture_is_cut_out(labelled: LabelledView, cuts: list[RowCutout]) -> None:
    assert len(cuts) > 0.9 * len(labelled.placed)


def test_a_cutout_covers_about_the_disc_of_its_checker(labelled: LabelledView, cuts: list[RowCutout]) -> None:
    disc = np.pi / 4 * labelled.rows.diameter**2
    for cut in cuts:
        assert 0.75 < cut.body.sum() / disc < 1.6  # its wall is seen too


def test_a_cutout_contains_nothing_of_the_background(cuts: list[RowCutout]) -> None:
    for cut in cuts:
        middle = cut.body.shape[0] // 2
        assert (cut.through[middle - 3 : middle + 4, middle - 3 : middle + 4] == 0).all()


def test_a_distant_checker_neither_adds_nor_removes_light(cuts: list[RowCutout]) -> None:
    for cut in cuts:
        corner = cut.own[:2, :2], cut.through[:2, :2]
        assert (corner[0] == 0).all()
        assert np.abs(corner[1] - 1).max() < 0.5


def test_a_cutout_pasted_on_its_own_board_looks_the_same(labelled: LabelledView) -> None:
    again = labelled.appearance.background.picture.astype(np.float32)
    checker = labelled.placed[0]
    pool = cut_out_checkers(labelled).pools[checker.owner, checker.point >= 12, checker.index == 0]
    best = np.inf
    for cut in pool:
        reach = cut.body.shape[0] // 2
        x, y = np.rint(labelled.rows.place(checker.point, checker.index)).astype(int)
        here = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
        made = cut.own + cut.through * again[here]
        best = min(best, float(np.abs(made - labelled.view[here])[cut.body].mean()))
    assert best < 25  # another light on another place at most
