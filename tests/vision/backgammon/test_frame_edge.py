"""A frame that hides the outer part of the checkers at an edge of the board."""

from __future__ import annotations

import numpy as np
import pytest
from labelled import scenes
from places import PICTURES

from vision.backgammon.cutouts import cut_out_checkers, hidden_from
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.stacking.count import LayerModel
from vision.board import BLACK, WHITE, Placed
from vision.imaging import BoardDrawing

RADIUS, EDGE = 9, 110
COLUMNS = (15, 45, 75, 105)
NEAR = [Placed(point, 0, point % 2) for point in (0, 5, 7, 11)]


def board(frame_from: int, centre_y: int = 104, colours: tuple[int, ...] = (30, 230, 60, 200)):
    """View, ground, bodies and centres of four checkers at White's edge, hidden by a frame from a row of pixels on."""
    y, x = np.mgrid[:120, :120]
    ground = np.full((120, 120, 3), 128, np.uint8)
    ground[frame_from:] = (40, 70, 110)
    view, bodies, centres = ground.copy(), [], []
    for column, colour in zip(COLUMNS, colours, strict=True):
        body = (x - column) ** 2 + (y - centre_y) ** 2 <= RADIUS**2
        view[body & (y < frame_from)] = colour
        bodies.append(np.where(body, 255, 0).astype(np.uint8))
        centres.append(np.array([column, centre_y], np.float64))
    return view, ground, bodies, centres


def edges(view, ground, bodies, centres):
    return hidden_from(view, ground, NEAR, bodies, centres)


def test_checkers_are_hidden_beyond_the_line_at_which_all_show_the_frame():
    assert edges(*board(EDGE)) == {False: EDGE - 0.5, True: -np.inf}


def test_fully_visible_checkers_are_not_hidden():
    assert edges(*board(118)) == {False: np.inf, True: -np.inf}


def test_one_checker_of_the_frame_s_colour_does_not_move_the_frame():
    view, ground, bodies, centres = board(EDGE)
    view[np.where(bodies[1] > 0)] = ground[np.where(bodies[1] > 0)]
    assert edges(view, ground, bodies, centres)[False] == EDGE - 0.5


def test_two_checkers_are_not_enough_to_find_a_frame():
    view, ground, bodies, centres = board(EDGE)
    assert hidden_from(view, ground, NEAR[:2], bodies[:2], centres[:2])[False] == np.inf


def test_the_far_edge_is_at_the_top_of_the_raster():
    view, ground, bodies, centres = (np.flip(one, 0) if isinstance(one, np.ndarray) else one for one in board(EDGE))
    placed = [Placed(point + 12, 0, 0) for point in range(4)]
    bodies = [np.flip(body, 0) for body in bodies]
    centres = [np.array([x, 119 - y]) for x, y in centres]
    assert hidden_from(view, ground, placed, bodies, centres) == {False: np.inf, True: 119 - EDGE + 0.5}


@pytest.fixture(scope="module")
def learned():
    """A board seen from low, so that its near frame hides the edge."""
    return next(scene for scene in scenes(PICTURES) if scene.name == "14-green").eye.calibration


@pytest.fixture(scope="module")
def low(learned):
    return learned.labelled


def test_a_cutout_excludes_the_frame(low):
    """The hidden part of a checker is extrapolated from its last visible row."""
    cuts = cut_out_checkers(low)
    edge = cuts.hidden_from[False]
    assert low.rows.edges[0] < edge + low.rows.diameter
    for (_, far, at_edge), pool in cuts.pools.items():
        for cut in pool if at_edge and not far else ():
            reach = cut.body.shape[0] // 2
            assert (cut.own[2 * reach] == cut.own[2 * reach - 1]).all()


def test_the_frame_s_edges_do_not_show_that_nothing_lies_behind_it(learned):
    """On a board from a low camera, they hid a checker of which the far half was seen: it was none, by 9 nats."""
    background, checkers = learned.appearance.background, learned.labelled.places
    with_frame = BoardDrawing.of(background, 0.44 * learned.rows.diameter, learned.rectified.view, checkers)
    beyond = slice(round(learned.cuts.hidden_from[False]), None)
    assert with_frame.length[beyond].any()
    assert not learned.drawing.length[beyond].any()


@pytest.mark.slow
def test_ground_in_the_frame_s_shadow_is_not_taken_for_checkers():
    """Checkers covered it when the board was learned, and its look was taken from points in full light."""
    (scene,) = scenes(PICTURES / "shaded")
    bared = [point for point in (11, 12) if scene.frames[1].points[point] == 0]
    assert bared == [11, 12]
    cells = scene.looks[1].cells
    assert [cells[point].best for point in bared] == [(0, 0), (0, 0)]
    assert min(cells[point].margin_nats for point in bared) > 5
    assert "wrong" not in scene.grades


def test_a_wall_that_the_frame_hides_is_no_evidence_for_a_single_checker(monkeypatch):
    """White's first checker on the 6 point stands behind the near frame, that on the 13 point stands in view."""
    scene = next(scene for scene in scenes(PICTURES) if scene.name == "14-green")
    monkeypatch.setattr(FramedBoardReader, "_lacking", lambda *_: [WHITE, BLACK])
    monkeypatch.setattr(LayerModel, "log_ratios", lambda _, row, **_alone: np.full(len(row.detected.owner), -4.0))
    seen = scene.eye.look(scene.start)
    lead = {point: -dict(seen.cells[point].likelihoods)[6, 0] for point in (5, 12)}
    assert [seen.cells[point].best for point in lead] == [(5, 0), (5, 0)]
    assert lead[5] < 2
    assert lead[12] > 5
