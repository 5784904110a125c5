"""The steps of locating a board: places, rows, lattices, the fit of a camera."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.backgammon import board as framed
from vision.backgammon.board import FramedBoard
from vision.backgammon.learning import calibrate
from vision.backgammon.locate.refine import RIM_HEIGHT, find_framed_board, fit_board, outline_centres
from vision.backgammon.locate.stacks import find_stacks
from vision.board import BLACK, WHITE, CalibrationError, Located, start_places
from vision.geometry import BoardFit, NoPoseError, least_squares, project
from vision.imaging import find_discs, find_lattice, find_saddles, roundness_maps, to_lab
from vision.simulation import SimulatedTable

SIZE = (1280, 960)


def starting_points(mirror):
    """White's count on every column of White's side, left to right, by the rules: 24 signed points."""
    points = np.zeros(24, int)
    for point, count in ((24, 2), (13, 5), (8, 3), (6, 5)):
        points[point - 1] += count
        points[24 - point] -= count
    bottom, top = points[:12][::-1], points[12:]
    return (bottom[::-1], top[::-1]) if mirror else (bottom, top)


@pytest.mark.parametrize("mirror", [False, True])
def test_the_places_match_the_starting_position(mirror):
    places = start_places(mirror)
    counted = np.zeros((2, 12), int)
    np.add.at(counted, (places.top.astype(int), places.column), np.where(places.colour == WHITE, 1, -1))
    assert np.array_equal(counted, starting_points(mirror))


@pytest.mark.parametrize("mirror", [False, True])
def test_a_half_turn_with_exchanged_colours_gives_the_other_layout(mirror):
    here, other = start_places(mirror), start_places(not mirror)
    turned = {
        (11 - c, not t, r, WHITE + BLACK - k)
        for c, t, r, k in zip(here.column, here.top, here.rank, here.colour, strict=True)
    }
    assert turned == set(zip(other.column, other.top, other.rank, other.colour, strict=True))


@pytest.fixture
def camera():
    """A camera tilted by 35 degrees over a board of thirteen columns."""
    rotation = cv2.Rodrigues(np.array([np.pi - np.radians(35), 0.0, 0.0]))[0]
    centre = np.array([6.3, -5.0, 15.0])
    return BoardFit(0.82, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ centre, 1.0, 10.6, 0.92, SIZE)


def test_the_camera_s_place_is_recovered(camera):
    assert camera.camera == pytest.approx([6.3, -5.0, 15.0])


def test_a_board_is_fitted_to_its_checkers(camera):
    places = start_places()
    seen = project(camera.plane(RIM_HEIGHT * camera.pitch), outline_centres(camera, places))
    start = replace(camera, shift=camera.shift + 0.2, bar=0.7, height=10.9, focal=0.9)
    fitted = fit_board(start, places, seen, np.ones(30))
    corners = np.array([[0.0, 0.0], [camera.width, 0.0], [camera.width, camera.height], [0.0, camera.height]])
    again = np.array([[0.0, 0.0], [fitted.width, 0.0], [fitted.width, fitted.height], [0.0, fitted.height]])
    off = project(fitted.plane(0.0), again) - project(camera.plane(0.0), corners)
    assert np.hypot(*off.T).max() < 2.0


def test_a_checker_far_from_its_place_does_not_distort_the_fit(camera):
    places = start_places()
    seen = project(camera.plane(RIM_HEIGHT * camera.pitch), outline_centres(camera, places))
    seen[7] += 40.0
    fitted = fit_board(camera, places, seen, np.ones(30))
    places_on_board = np.array([[6.5, 5.3], [0.0, 5.3], [camera.width, 5.3]])
    before, after = (project(fit.plane(0.0), places_on_board) for fit in (camera, fitted))
    assert np.hypot(*(after[0] - before[0])) < 0.003 * np.hypot(*(before[2] - before[1]))


def test_discs_are_found_whatever_their_colour():
    image = np.full((240, 320, 3), (90, 120, 140), np.uint8)
    for x, colour in ((60, (20, 20, 20)), (160, (240, 240, 240)), (260, (40, 40, 200))):
        cv2.circle(image, (x, 120), 14, colour, -1, cv2.LINE_AA)
    radii = (11.0, 14.0, 18.0)
    lab = to_lab(image)
    found = find_discs(lab, roundness_maps(lab, radii), radii)[:3]
    assert sorted((round(d.x), round(d.y), d.radius) for d in found) == [
        (60, 120, 14.0),
        (160, 120, 14.0),
        (260, 120, 14.0),
    ]


def test_a_row_with_one_hidden_checker_may_continue_at_either_end():
    image = np.full((240, 320, 3), (90, 120, 140), np.uint8)
    for k in range(4):
        cv2.circle(image, (80 + 30 * k, 120), 14, (240, 240, 240), -1, cv2.LINE_AA)
    radii = (11.0, 14.0, 18.0)
    lab = to_lab(image)
    stacks = find_stacks(find_discs(lab, roundness_maps(lab, radii), radii))
    ends = {tuple(sorted((round(s.centres[0, 0]), round(s.centres[-1, 0])))) for s in stacks}
    assert ends == {(50, 170), (80, 200)}


def test_the_corners_of_a_chequered_board_form_one_lattice():
    squares = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((24, 24))).astype(np.uint8)
    image = np.full((260, 300, 3), 90, np.uint8)
    image[30:222, 50:242] = np.where(squares[..., None], np.uint8(220), np.uint8(40))
    points = find_saddles(to_lab(image))
    lattice = find_lattice(points)
    inner = {(50 + 24 * i, 30 + 24 * j) for i in range(1, 8) for j in range(1, 8)}
    found = {(round(float(x)), round(float(y))) for x, y in points[list(lattice.values())]}
    assert sum(any(abs(x - a) <= 1 and abs(y - b) <= 1 for a, b in found) for x, y in inner) == 49


def test_least_squares_finds_the_bottom_of_a_curved_valley():
    def misfits(v):
        return np.array([10 * (v[1] - v[0] ** 2), 1 - v[0]])

    assert least_squares(misfits, np.array([-1.2, 1.0]), rounds=200) == pytest.approx([1.0, 1.0], abs=1e-3)


@pytest.mark.parametrize("seed", [56, 102, 182, 229])
def test_a_first_fit_half_a_column_off_is_corrected_by_the_checkers(seed):
    """In these starts the rows of five make the right half too narrow; it stayed so, and points were read wrongly."""
    table = SimulatedTable(seed=seed)
    found = find_framed_board(table.render(), mirror=False)
    corners = np.array(table.corners())
    off = np.hypot(*(found.corners - corners).T)
    assert off.max() < 0.016 * np.hypot(*(corners[1] - corners[0]))


def test_a_board_is_learned_from_rows_located_a_checker_off(monkeypatch):
    scene = Scene.load(PICTURES / "00-travel")
    off = np.array([(-1.5, 9.2), (-1.2, -51.5), (1.6, -18.1), (-3.0, 19.8)])  # as once located beside a lamp
    with pytest.raises(CalibrationError):
        calibrate(scene.start, scene.corners + off, scene.mirror, marked=False)
    monkeypatch.setattr(FramedBoard, "find", lambda *_: Located(scene.corners + off, 1.0))
    board = FramedBoard.learn(scene.start, None, scene.mirror, None)
    assert scene.frames[1].grade(board.answer(board.look(scene.frames[1].picture))) == "right"


def test_a_board_located_where_none_lies_is_not_learned(monkeypatch):
    scene = Scene.load(PICTURES / "00-travel")
    elsewhere = scene.corners.mean(axis=0) + (scene.corners - scene.corners.mean(axis=0)) * 0.5
    monkeypatch.setattr(FramedBoard, "find", lambda *_: Located(elsewhere, 1.0))
    with pytest.raises(CalibrationError, match="not visible"):
        FramedBoard.learn(scene.start, None, scene.mirror, None)


def test_the_reason_is_of_the_located_corners_not_of_improved_ones(monkeypatch):
    def fails(*_, marked=True):
        raise (NoPoseError("the improved corners fit no pose") if marked else CalibrationError("a checker is missing"))

    scene = Scene.load(PICTURES / "00-travel")
    monkeypatch.setattr(FramedBoard, "find", lambda *_: Located(scene.corners, 1.0))
    monkeypatch.setattr(framed, "calibrate", fails)
    with pytest.raises(CalibrationError, match="a checker is missing"):
        FramedBoard.learn(scene.start, None, scene.mirror, None)
