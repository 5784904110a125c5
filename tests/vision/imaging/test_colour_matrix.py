"""Channels that are mixed as in the known picture, whatever saturation the camera has chosen since."""

from __future__ import annotations

import drawn_stripes
import numpy as np
import pytest
from drawn_stripes import striped_board
from labelled import answer, scenes
from places import PICTURES

from vision.imaging import same_colours

OTHER_LAMP = np.array([[1.25, -0.2, -0.05], [-0.1, 1.25, -0.15], [0, -0.3, 1.3]])


@pytest.fixture
def known() -> np.ndarray:
    return striped_board(170)


def saturated(share: float) -> np.ndarray:
    """The matrix of a picture with that share of its saturation."""
    return np.eye(3) * share + (1 - share) / 3


def mixed(picture: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    return np.clip(picture @ matrix.T, 0, 255).astype(np.uint8)


def with_checkers(picture: np.ndarray) -> np.ndarray:
    """Half of the checkers are pale, half of a strong colour."""
    return drawn_stripes.with_checkers(picture, (30, 30, 190), (220, 225, 230))


@pytest.mark.parametrize("matrix", [saturated(0.6), saturated(1.4), OTHER_LAMP], ids=["pale", "strong", "lamp"])
def test_the_colours_of_checkers_are_restored(known, matrix):
    expected = with_checkers(known)
    view = mixed(expected, matrix)
    back = same_colours(view, view, known).astype(float)
    gains = np.median(known / np.maximum(back, 1), axis=(0, 1))
    assert np.median(np.abs(view.astype(float) - expected)) > 6
    assert np.percentile(np.abs(back * gains - expected).max(axis=2), 95) < 12


@pytest.mark.parametrize("gain", [0.7, 1.0, (0.7, 0.95, 1.15)])
def test_changes_by_gains_alone_are_not_corrected(known, gain):
    view = np.clip(with_checkers(known) * np.array(gain), 0, 255).astype(np.uint8)
    assert same_colours(view, view, known) is view


def test_a_grey_board_gives_no_matrix(known):
    grey = np.repeat(known[..., :1], 3, axis=2)
    view = with_checkers(grey)
    assert same_colours(view, view, grey) is view


def test_a_black_picture_is_not_changed(known):
    black = np.zeros_like(known)
    assert same_colours(black, black, known) is black


@pytest.mark.parametrize("share", [0.6, 1.4])
@pytest.mark.parametrize("name", ["00-travel", "08-classic", "14-green"])
def test_boards_are_read_in_another_saturation(name, share):
    scene = next(scene for scene in scenes(PICTURES) if scene.name == name)
    frames = [frame for frame in scene.frames[1:] if not frame.hand]
    grades = [frame.grade(answer(scene.eye, mixed(frame.picture, saturated(share)))) for frame in frames]
    assert "wrong" not in grades
    assert grades.count("right") >= 0.5 * len(grades)
