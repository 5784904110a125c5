"""Light that varies smoothly over the board, relative to the learned picture."""

from __future__ import annotations

import cv2
import drawn_stripes
import numpy as np
import pytest
from drawn_stripes import HEIGHT, WIDTH, striped_board
from labelled import scenes
from places import PICTURES

from vision.backgammon.reader import FramedBoardReader
from vision.geometry import Window
from vision.imaging import Illumination, match_gain

Y, X = np.meshgrid(np.linspace(-1, 1, HEIGHT), np.linspace(-1, 1, WIDTH), indexing="ij")


@pytest.fixture
def ground() -> np.ndarray:
    return striped_board(150)


def lit(picture: np.ndarray, right: float, down: float, gain: float = 1.0) -> np.ndarray:
    """The picture in light whose logarithm rises to the right and downwards."""
    return np.clip(picture * gain * np.exp(right * X + down * Y)[..., None], 0, 255).astype(np.uint8)


def with_checkers(picture: np.ndarray) -> np.ndarray:
    return drawn_stripes.with_checkers(picture, (25, 25, 30), (230, 235, 240))


def light_of(view: np.ndarray, ground: np.ndarray) -> Illumination:
    return Illumination.of(view, ground, match_gain(view, ground))


@pytest.mark.parametrize("gain", [0.7, 1.0])
def test_light_from_one_side_is_estimated_despite_the_checkers(ground, gain):
    light = light_of(lit(with_checkers(ground), 0.2, -0.1, gain), ground)
    assert light.field is not None
    assert not light.shadowed
    assert np.ptp(light.field, axis=1).mean() == pytest.approx(0.4, abs=0.06)
    assert np.ptp(light.field, axis=0).mean() == pytest.approx(0.2, abs=0.06)


def test_a_levelled_board_looks_as_it_was_learned(ground):
    view = lit(ground, -0.25, 0.1, 0.8)
    away = light_of(view, ground).level(view).astype(float) - ground
    assert np.abs(away).mean() < 2


def test_a_finer_raster_is_levelled_equally(ground):
    view = lit(ground, 0.2, 0.1)
    light = light_of(view, ground)
    fine = cv2.resize(view, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    back = cv2.resize(light.level(np.asarray(fine, np.uint8)), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    assert np.abs(back.astype(float) - light.level(view)).mean() < 2


def test_levelling_makes_nothing_brighter_than_the_maximum(ground):
    view = lit(ground, 0.3, 0.0)
    levelled = light_of(view, ground).level(view, np.full(3, 100, np.float32))
    assert levelled.max() <= 100


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.3])
def test_a_dimmed_lamp_counts_as_even_light(ground, gain):
    assert light_of(lit(with_checkers(ground), 0.0, 0.0, gain), ground).field is None


def test_light_is_brighter_only_where_the_sensor_saturates(ground):
    view = lit(ground, 0.2, 0.0)
    assert light_of(view, ground).brighter == 1.0
    for at, expected in ((WIDTH * 9 // 10, np.exp(0.16)), (WIDTH // 10, 1.0)):
        glossy = view.copy()
        glossy[:, at - 5 : at + 5] = 255
        assert light_of(glossy, ground).brighter == pytest.approx(expected, rel=0.06)
    assert light_of(ground, ground).brighter == 1.0


def shadow(edge: float) -> np.ndarray:
    """A shadow of half of the light over the left third; its edge is that wide, as a share of half of the width."""
    return 1 - 0.5 / (1 + np.exp((X + 1 / 3) / edge * 4))[..., None]


def test_a_shadow_with_a_soft_edge_is_levelled(ground):
    view = (with_checkers(ground) * shadow(0.3)).astype(np.uint8)
    light = light_of(view, ground)
    assert light.shadowed
    away = np.abs(light.level(view).astype(float) - with_checkers(ground))
    assert np.median(away[:, : WIDTH // 3]) < 6
    assert np.median(np.abs(view.astype(float) - with_checkers(ground))[:, : WIDTH // 3]) > 30


def test_a_shadow_with_a_sharp_edge_is_levelled_if_the_board_is_visible_in_it(ground):
    view = with_checkers(ground)
    view[:, : WIDTH // 3] = (view[:, : WIDTH // 3] * 0.5).astype(np.uint8)
    light = light_of(view, ground)
    assert light.shadowed
    away = np.abs(light.level(view).astype(float) - with_checkers(ground))
    assert np.median(away[:, : WIDTH // 3]) < 6


def test_sharp_borders_of_light_are_detected(ground):
    view = ground.copy()
    view[:, : WIDTH // 3] = (view[:, : WIDTH // 3] * 0.5).astype(np.uint8)
    light = light_of(view, ground)
    assert light.changes_near(WIDTH // 3 + 6, 120, 8)
    assert not light.changes_near(WIDTH // 3 + 30, 120, 8)
    assert not light_of(ground, ground).changes_near(WIDTH // 3, 120, 8)
    gradual = (ground * shadow(0.3)).astype(np.uint8)
    assert not light_of(gradual, ground).changes_near(WIDTH // 3, 120, 8)


@pytest.mark.parametrize("stripe", [0, 7, 15])
@pytest.mark.parametrize("grain", [0, 8])
def test_an_object_that_hides_the_board_is_not_taken_for_a_shadow(ground, grain, stripe):
    """A dark sleeve, without and with stripes of its own (half as bright again, that many pixels wide)."""
    view = ground.copy()
    sleeve = view[:, : WIDTH // 3]
    cloth = np.random.default_rng(6).normal(50, grain, sleeve.shape[:2])
    if stripe:
        cloth *= np.where(np.arange(sleeve.shape[1]) // stripe % 2, 1.0, 1.5)
    sleeve[:] = np.clip(cloth, 0, 255)[..., None]
    assert light_of(view, ground).field is None


def test_an_object_of_another_colour_is_not_taken_for_a_shadow(ground):
    """Half of the red light is taken away, and none of the blue."""
    light = light_of((ground * (shadow(0.3) ** (0, 0.5, 1))).astype(np.uint8), ground)
    assert light.field is None or light.field.min() > np.log(0.8)


def test_a_hand_in_its_own_shadow_is_not_levelled_away(ground):
    bare = (ground * shadow(0.3)).astype(np.uint8)
    covered = bare.copy()
    cv2.ellipse(covered, (60, 120), (45, 28), 20, 0, 360, (110, 140, 190), -1)
    hand = (covered != bare).any(axis=2)
    away = np.abs(light_of(covered, ground).level(covered).astype(float) - ground).max(axis=2)
    assert np.median(away[hand]) > 40


def test_dark_checkers_side_by_side_are_not_taken_for_a_shadow(ground):
    view = ground.copy()
    for x in range(20, WIDTH // 2, 19):
        for y in range(20, HEIGHT - 20, 19):
            cv2.circle(view, (x, y), 9, (25, 25, 30), -1, cv2.LINE_AA)
    light = light_of(cv2.GaussianBlur(view, (0, 0), 1.5), ground)
    assert not light.shadowed


def test_a_black_picture_gives_no_estimate_of_light(ground):
    assert light_of(np.zeros_like(ground), ground).field is None


@pytest.mark.parametrize(("name", "share"), [("09-leather", 0.3), ("02-leather", 0.5)])
def test_a_lamp_moved_to_one_side_causes_no_misreading(name, share):
    scene = next(scene for scene in scenes(PICTURES) if scene.name == name)
    frame = scene.frames[1]
    fall = np.linspace(1 - share, 1, frame.picture.shape[1])[None, :, None]
    cells = FramedBoardReader(scene.eye.calibration).look((frame.picture * fall).astype(np.uint8)).cells
    assert cells
    truth = [(max(count, 0), max(-count, 0)) for count in frame.points]
    told = [cell.best == held for cell, held in zip(cells, truth, strict=False)]
    assert all(told), told


def test_a_window_of_a_finer_raster_is_levelled_like_the_whole(ground):
    view = (ground * shadow(0.4)).astype(np.uint8)
    light = light_of(view, ground)
    assert light.shadowed
    finer, window = cv2.resize(view, None, fx=2, fy=2), Window(40, 30, 200, 170)
    size = finer.shape[1::-1]
    part = light.within(window, size).level(window.of(finer))
    assert (part == window.of(light.level(finer))).all()
    even = light_of(ground, ground)
    assert (even.within(window, size).level(window.of(finer)) == window.of(even.level(finer))).all()


def test_pixels_are_added_to_the_border_of_light(ground):
    light = light_of(ground, ground)
    assert not light.changes_near(60, 90, 12)
    mask = np.zeros((HEIGHT, WIDTH), bool)
    mask[85:95, 55:65] = True
    marked = light.with_border(mask)
    assert marked.changes_near(60, 90, 12)
    assert not marked.changes_near(120, 90, 12)
    mask[85:95, 55:65], mask[85:95, 115:125] = False, True
    assert marked.with_border(mask).changes_near(60, 90, 12)
    assert marked.with_border(mask).changes_near(120, 90, 12)
