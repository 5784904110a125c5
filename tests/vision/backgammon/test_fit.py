"""Corners that are slightly off are corrected from the seen checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from faded import hazy
from labelled import Scene, answer
from places import PICTURES
from sweeps import part

from companion.core import BoardLayout, Cause, CellReading, Observation
from vision.backgammon.fit import estimate_corner_offsets
from vision.backgammon.known_position import KnownPosition
from vision.backgammon.learning import calibrate, fit_calibration
from vision.backgammon.reader import FramedBoardReader
from vision.board import CalibrationError
from vision.simulation import SimulatedTable
from vision.simulation.boards import STARTING_BOARD
from vision.simulation.projection import BOARD_HEIGHT, BOARD_WIDTH, SimulatedView

if TYPE_CHECKING:
    from vision.cameras import Picture

TRUE_DEPTH = BOARD_HEIGHT / BOARD_WIDTH
DEPTH, CHECKER = 0.85, 0.07
CORNERS = np.array([[0, 0], [1, 0], [1, DEPTH], [0, DEPTH]])


def places() -> np.ndarray:
    """Nominal places of the thirty checkers of a starting position."""
    lengths = {0: 5, 4: 3, 6: 5, 11: 2}
    rows = [((column + 0.5) / 12, far) for column in lengths for far in (False, True)]
    near = [(x, (0.6 + k) * CHECKER, far) for x, far in rows for k in range(lengths[round(12 * x - 0.5)])]
    return np.array([(x, DEPTH - along if far else along) for x, along, far in near])


def seen_off(corners: np.ndarray, care: float, seed: int = 1) -> np.ndarray:
    """Offsets of the checkers for these true corners, with a placing error of `care` diameters."""
    onto = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), corners.astype(np.float32))
    there = cv2.perspectiveTransform(places()[None], onto)[0]
    return there - places() + np.random.default_rng(seed).normal(0, care * CHECKER, there.shape)


@pytest.mark.parametrize("care", [0.08, 0.2])
def test_carelessly_placed_checkers_do_not_move_the_corners(care: float) -> None:
    for seed in range(20):
        assert estimate_corner_offsets(places(), seen_off(CORNERS, care, seed), DEPTH, CHECKER) is None


def test_inaccurate_corners_are_estimated_again_from_the_checkers() -> None:
    true = CORNERS + np.array([[0.02, -0.01], [0.0, 0.015], [-0.02, 0.01], [0.01, 0.02]])
    estimated = estimate_corner_offsets(places(), seen_off(true, 0.04), DEPTH, CHECKER)
    assert estimated is not None
    assert np.abs(estimated - true).max() < 0.006


def test_few_checkers_do_not_determine_the_corners() -> None:
    few = places()[:7]
    assert estimate_corner_offsets(few, np.full_like(few, CHECKER), DEPTH, CHECKER) is None
    assert estimate_corner_offsets(few[:0], few[:0], DEPTH, CHECKER) is None


def test_checkers_that_carry_others_are_ignored(oblique: Scene) -> None:
    learned = oblique.eye.calibration
    known = KnownPosition.of(oblique.start, learned.labelled.placed, learned.layout, learned.pose)
    nominal, off = known.checker_offsets([0, 5])
    assert len(nominal) == len(off) == len(learned.labelled.placed) - 2 - 5
    assert [len(none) for none in known.checker_offsets(range(24))] == [0, 0]


def test_a_few_misplaced_checkers_do_not_move_the_corners() -> None:
    off = seen_off(CORNERS, 0.03)
    off[:3] += [0.4 * CHECKER, 0]
    assert estimate_corner_offsets(places(), off, DEPTH, CHECKER) is None


@pytest.mark.parametrize(
    ("edge", "off"),
    [
        ((1, 2), (0.04, 0.0)),
        ((1, 2), (-0.04, 0.0)),
        ((0, 3), (0.04, 0.0)),
        ((2, 3), (0.0, -0.04)),
        ((0, 1), (0.0, 0.04)),
        ((0, 1), (0.0, -0.04)),
    ],
)
def test_an_edge_marked_half_a_checker_off_is_corrected(edge: tuple[int, int], off: tuple[float, float]) -> None:
    """Formerly, checkers of a neighbouring point were assigned to it, and points were misread afterwards."""
    table = SimulatedTable(seed=5)
    true, start = np.array(table.corners()), table.render()
    width = np.linalg.norm(true[1] - true[0])
    marked = true.copy()
    marked[list(edge)] += np.array(off) * width
    learned = calibrate(start, marked)
    assert np.abs(learned.corners - true).max() < 0.015 * width
    table.set_up((*[(1, 0)] * 12, *[(0, 1)] * 12, (3, 0), (0, 3), (0, 0), (0, 0)))
    answered = answer(FramedBoardReader(learned), table.render())
    assert answered["position"]["points"] == [1] * 12 + [-1] * 12


def test_an_edge_of_a_mirrored_board_is_corrected() -> None:
    table = SimulatedTable(seed=5, layout=BoardLayout(mirrored=True))
    true = np.array(table.corners())
    width = np.linalg.norm(true[1] - true[0])
    marked = true + 0.04 * width * np.array([[0, 1], [0, 1], [0, 0], [0, 0]])
    learned = calibrate(table.render(), marked, mirror=True)
    assert np.abs(learned.corners - true).max() < 0.015 * width


def test_corners_marked_for_a_position_of_a_game_under_way_are_corrected(oblique: Scene) -> None:
    frame = oblique.frames[2]
    position = [(max(count, 0), max(-count, 0)) for count in frame.points]
    width = np.linalg.norm(oblique.corners[1] - oblique.corners[0])
    marked = oblique.corners + np.random.default_rng(3).normal(0, 0.015 * width, (4, 2))
    learned = fit_calibration(frame.picture, marked, oblique.mirror, [*position, (0, 0)])
    off = np.abs(learned.corners - oblique.corners).max()
    assert off < 0.5 * np.abs(marked - oblique.corners).max()


@part(slice(2))
def test_a_board_whose_corners_were_marked_carelessly_is_read(part: slice) -> None:
    scene = Scene.load(PICTURES / "02-leather")
    width = np.linalg.norm(scene.corners[1] - scene.corners[0])
    marked = scene.corners + np.random.default_rng(1).normal(0, 0.014 * width, (4, 2))
    learned = calibrate(scene.start, marked, scene.mirror)
    assert np.abs(learned.corners - scene.corners).max() < 0.7 * np.abs(marked - scene.corners).max()
    eye = FramedBoardReader(learned)
    assert {frame.grade(answer(eye, frame.picture)) for frame in scene.frames[part]} == {"right"}


@part(slice(2))
def test_a_half_shaded_board_is_learned(part: slice) -> None:
    scene = Scene.load(PICTURES / "09-leather")
    shade = np.linspace(1.0, 0.55, scene.start.shape[1])[None, :, None]
    frames = scene.frames[part]
    shaded = [(frame.picture * shade).astype(np.uint8) for frame in frames]
    eye = FramedBoardReader(calibrate(shaded[0], scene.corners, scene.mirror))
    grades = [frame.grade(answer(eye, picture)) for frame, picture in zip(frames, shaded, strict=True)]
    assert grades[0] == "right"
    assert "wrong" not in grades


def test_men_in_light_in_which_none_of_their_side_was_learned_are_read_by_contours() -> None:
    """White's men were learned in other light, in which they differ more from light points than these two do."""
    scene = Scene.load(PICTURES / "09-leather")
    shade = np.linspace(1.0, 0.55, scene.start.shape[1])[None, :, None]
    eye = FramedBoardReader(calibrate((scene.start * shade).astype(np.uint8), scene.corners, scene.mirror))
    frame = scene.frames[3]
    assert frame.points[2] == 2
    assert eye.look((frame.picture * shade).astype(np.uint8)).cells[2].best == (2, 0)


def test_corners_refined_to_a_worse_fit_are_not_used() -> None:
    """With checkers packed like this, the refined corners of this board give a wrong layout."""
    scene = Scene.load(PICTURES / "08-classic")
    packed = cv2.imdecode(cv2.imencode(".jpg", scene.start, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], cv2.IMREAD_COLOR)
    assert calibrate(packed, scene.corners, scene.mirror).fit > 0.5


def test_a_board_that_fits_badly_is_learned_if_its_own_picture_is_read() -> None:
    """Half of the light is lost towards the far edge, so checkers there look little like those at White's edge."""
    scene = Scene.load(PICTURES / "08-classic")
    shade = np.linspace(0.5, 1.0, len(scene.start))[:, None, None]
    learned = calibrate((scene.start * shade).astype(np.uint8), scene.corners, scene.mirror)
    assert learned.fit < 0.42
    eye = FramedBoardReader(learned)
    for frame in scene.frames[1:3]:
        assert frame.grade(answer(eye, (frame.picture * shade).astype(np.uint8))) == "right"


def brightened(scene: Scene, factor: float) -> Picture:
    return np.clip(scene.start * factor, 0, 255).astype(np.uint8)


def test_a_board_is_not_learned_from_a_picture_in_which_it_cannot_be_read() -> None:
    overexposed = Scene.load(PICTURES / "02-leather")
    with pytest.raises(CalibrationError, match="cannot be told from its checkers on 8, 9, 20, 24 as White counts"):
        calibrate(brightened(overexposed, 3.0), overexposed.corners, overexposed.mirror)


def test_a_board_in_a_quarter_of_the_grey_levels_is_learned_and_read() -> None:
    scene = Scene.load(PICTURES / "08-classic")
    eye = FramedBoardReader(calibrate(brightened(scene, 0.25), scene.corners, scene.mirror))
    for frame in scene.frames[1:3]:
        assert frame.grade(answer(eye, (0.25 * frame.picture).astype(np.uint8))) == "right"


ANYTHING = CellReading.of({(count, 0): 0.0 for count in range(16)})


@pytest.mark.parametrize(
    ("seen", "cause"),
    [(Observation((ANYTHING,) * 28), "unknown"), (Observation((), Cause.DARK), "dark")],
    ids=["anything", "dark"],
)
def test_a_board_is_not_learned_if_its_own_picture_gives_no_reading(
    monkeypatch: pytest.MonkeyPatch, seen: Observation, cause: str
) -> None:
    scene = Scene.load(PICTURES / "02-leather")
    monkeypatch.setattr(FramedBoardReader, "look", lambda *_: seen)
    with pytest.raises(CalibrationError, match=rf"cannot be read \({cause}\)"):
        calibrate(scene.start, scene.corners, scene.mirror)


@pytest.mark.parametrize(("contrast", "haze"), [(0.2, 104), (0.15, 0)])
@pytest.mark.parametrize("name", ["02-leather", "08-classic"])
def test_a_board_in_strong_haze_or_dim_light_is_learned(name: str, contrast: float, haze: float) -> None:
    scene = Scene.load(PICTURES / name)
    reader = FramedBoardReader(calibrate(hazy(scene.start, contrast, haze), scene.corners, scene.mirror))
    read = [frame.grade(answer(reader, hazy(frame.picture, contrast, haze))) for frame in scene.frames]
    assert "wrong" not in read
    assert read.count("right") >= 4


@pytest.mark.parametrize(("distance", "scale"), [(12.0, 52.0), (30.0, 58.0)], ids=["91 degrees", "40 degrees"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_board_is_as_deep_as_it_is_under_wide_and_long_lenses(distance: float, scale: float, seed: int) -> None:
    table = SimulatedTable(seed=seed, view=SimulatedView(tilt_deg=35, distance=distance, scale=scale))
    learned = fit_calibration(table.render(), np.array(table.corners()), mirror=False, position=STARTING_BOARD[:24])
    assert learned.layout.depth == pytest.approx(TRUE_DEPTH, rel=0.06)
