"""Boards of twelve tiles: cubes are counted on any table and in any light, or the reading is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from changed_calibration_file import write_changed
from faded import paler
from gleams import added
from labelled import Scene, tile_board
from places import PICTURES

from companion.cli import main
from companion.core import BLACK_BAR, WHITE_BAR
from vision.board import CERTAIN_NATS, SURE_NATS, WHITE, CalibrationError, WrongSize
from vision.registry import is_of_kind, learn_board, load_board
from vision.tiles import TileBoard
from vision.tiles.colours import AROUND, TOPS, TileEvidence
from vision.tiles.contrast import ContrastStretch
from vision.tiles.layout import TILE
from vision.tiles.unexplained import UnexplainedAreas

SCENES = {folder.name: Scene.load(folder) for folder in sorted(PICTURES.glob("tiles-*"))}
SEEN = [(name, index) for name, scene in SCENES.items() for index in range(1, len(scene.frames))]
PLAIN = "tiles-blue-white"
WALLS_OF_BLACK, TOPS_OF_WHITE = 2, 1 + TOPS


@pytest.fixture(scope="module")
def boards():
    """Each board, learned once from the marked corners."""
    return {name: tile_board(scene) for name, scene in SCENES.items()}


@pytest.fixture(scope="module")
def plain(boards):
    """The board that is easiest to read."""
    return boards[PLAIN]


def answer(board, picture):
    return board.answer(board.look(picture))


def spot(board, point, index=0):
    """Place of a cube's top in the picture, and its width in pixels."""
    layout, pose = board.calibration.layout, board.calibration.pose
    x, y = layout.slot(point, index)
    middle, beside = pose.project(np.array([[x, y, layout.top], [x + layout.checker, y, layout.top]]))
    return middle, float(np.hypot(*(beside - middle)))


@pytest.mark.parametrize(("name", "index"), SEEN)
def test_cubes_are_counted_and_a_hand_is_reported(boards, name, index):
    frame = SCENES[name].frames[index]
    assert frame.grade(answer(boards[name], frame.picture)) == "right"


def test_a_table_that_is_black_in_dim_light_does_not_hide_the_tiles(plain):
    frame = SCENES[PLAIN].frames[1]
    dim = (0.22 * frame.picture).astype(np.uint8)
    assert frame.grade(answer(plain, dim)) == "right"


IN_DOUBT = pytest.mark.xfail(strict=True, reason="the picture is read, with cells in doubt: the cause is unknown")


@pytest.mark.parametrize("light", [0.14, pytest.param(0.16, marks=IN_DOUBT), 0.2])
def test_noise_in_a_dim_picture_is_called_dark(boards, light):
    dim = (light * SCENES["tiles-blue-brown"].frames[1].picture).astype(np.uint8)
    assert answer(boards["tiles-blue-brown"], dim)["unreadable"] == "dark"


@pytest.mark.parametrize("light", [0.14, 0.16, 0.2])
def test_noise_in_a_dim_picture_is_not_called_a_hand(boards, light):
    dim = (light * SCENES["tiles-blue-brown"].frames[1].picture).astype(np.uint8)
    assert answer(boards["tiles-blue-brown"], dim)["unreadable"] in ("dark", "unknown")


def test_the_board_is_located_automatically_at_its_starting_position():
    scene = SCENES["tiles-white-black"]
    board = learn_board(scene.start, "backgammon", "tiles")
    assert scene.frames[1].grade(answer(board, scene.frames[1].picture)) == "right"


def test_corners_marked_a_few_pixels_off_are_sufficient():
    scene = SCENES[PLAIN]
    off = scene.corners + np.array([[4.0, -3.0], [-4.0, 3.0], [3.0, 4.0], [-3.0, -4.0]])
    board = learn_board(scene.start, "backgammon", "tiles", off)
    assert scene.frames[1].grade(answer(board, scene.frames[1].picture)) == "right"
    assert np.abs(board.corners - scene.corners).max() < 8


@pytest.mark.parametrize(("width", "told"), [(1190, True), (1170, False)])
def test_the_place_of_hit_cubes_may_be_less_than_a_cube_outside_the_picture(width, told):
    scene = SCENES["tiles-blue-brown"]
    cut = scene.start.shape[1] - width
    seen = slice(cut, width)  # a camera looks at the middle of its picture
    board = learn_board(scene.start[:, seen], "backgammon", "tiles", scene.corners - (cut, 0))
    waiting = board.look(scene.frames[1].picture[:, seen]).cells[BLACK_BAR]
    assert waiting.best == (0, 0)
    assert (waiting.margin_nats > SURE_NATS) is told


def test_a_stored_board_reads_the_same(plain, tmp_path):
    plain.save(tmp_path / "board.cal")
    again = load_board(tmp_path / "board.cal")
    picture = SCENES[PLAIN].frames[1].picture
    assert again.look(picture) == plain.look(picture)
    assert again.summary == plain.summary


def test_a_board_stored_before_haze_was_removed_is_read(plain, tmp_path):
    plain.save(tmp_path / "board.cal")
    factor = plain.calibration.contrast.factor
    board = load_board(write_changed(tmp_path / "earlier.cal", tmp_path / "board.cal", ("contrast",), brighter=factor))
    assert board.calibration.contrast == ContrastStretch(0.0, factor)


def test_a_board_stored_before_tops_were_labelled_is_read(plain, tmp_path):
    parts = plain.calibration.parts
    earlier = replace(plain.calibration, parts=np.where(parts > AROUND, parts - TOPS, parts))
    TileBoard(earlier).save(tmp_path / "earlier.cal")
    scene, board = SCENES[PLAIN], load_board(tmp_path / "earlier.cal")
    assert scene.frames[1].grade(answer(board, scene.frames[1].picture)) == "right"


def test_a_board_stored_before_its_table_was_in_doubt_is_read(plain, tmp_path):
    plain.save(tmp_path / "board.cal")
    board = load_board(write_changed(tmp_path / "earlier.cal", tmp_path / "board.cal", ("doubt",)))
    frame = SCENES[PLAIN].frames[1]
    assert frame.grade(answer(board, frame.picture)) == "right"


def test_a_stored_board_with_a_doubt_of_another_size_is_damaged(plain, tmp_path):
    plain.save(tmp_path / "board.cal")
    with pytest.raises(CalibrationError, match="damaged"):
        load_board(write_changed(tmp_path / "other.cal", tmp_path / "board.cal", doubt=np.zeros((3, 3), np.uint8)))


def test_a_stored_board_without_contrast_is_damaged(plain, tmp_path):
    plain.save(tmp_path / "board.cal")
    flat = {"black": 0.0, "factor": 0.0}
    with pytest.raises(CalibrationError, match="damaged"):
        load_board(write_changed(tmp_path / "flat.cal", tmp_path / "board.cal", contrast=flat))


def test_hit_cubes_wait_beyond_the_end_on_the_other_side(boards):
    waiting = [
        (frame.bar, boards[name].look(frame.picture).cells[WHITE_BAR].best)
        for name, scene in SCENES.items()
        for frame in scene.frames
        if any(frame.bar) and not frame.hand
    ]
    assert waiting
    assert all(tuple(bar) == (seen[0], 0) for bar, seen in waiting)


SHADOWS = [(0, 2), (5, 5), (7, 3), (11, 5), (15, 0), (16, 3), (20, 0), (23, 2)]


@pytest.mark.parametrize("name", ["tiles-blue-brown", PLAIN])
@pytest.mark.parametrize(("point", "index"), SHADOWS)
def test_a_shadow_in_the_colour_of_walls_is_no_cube_because_it_has_no_top(boards, name, point, index):
    scene, board = SCENES[name], boards[name]
    walls = board.calibration.view[board.calibration.parts == WALLS_OF_BLACK]
    dark = walls[walls.sum(axis=1) <= np.percentile(walls.sum(axis=1), 30)].mean(axis=0)
    (x, y), broad = spot(board, point, index)
    shadow = cv2.circle(scene.start.copy(), (round(x), round(y)), round(0.75 * broad), dark.tolist(), -1)
    seen = board.look(cv2.GaussianBlur(shadow, (0, 0), 1.0)).cells[point]
    assert seen.best == board.calibration.points[point]


@pytest.mark.parametrize(("name", "index"), [one for one in SEEN if not SCENES[one[0]].frames[one[1]].hand])
def test_something_wide_in_a_cube_s_colour_is_no_hit_cubes(boards, name, index):
    """A book or a cloth of that colour: what lies there is asked about, unless all fifteen are on the board."""
    board, frame = boards[name], SCENES[name].frames[index]
    learned, layout = board.calibration, board.calibration.layout
    x, on_near_side = layout.hit_place(0)
    y, half = layout.axis + (-0.75 if on_near_side else 0.75) * TILE, 2 * layout.checker
    square = [[x + right * half, y + up * half, 0] for right, up in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    of_white = learned.contrast.undone(learned.view[learned.parts == TOPS_OF_WHITE][None])[0]
    painted = frame.picture.copy()
    cv2.fillConvexPoly(
        painted, np.rint(learned.pose.project(np.array(square))).astype(int), np.median(of_white, 0).tolist()
    )
    told = answer(board, painted)
    assert frame.grade(told) == "right" or told["doubtful"] == ["bar"]


def without(board, picture, point, index):
    """The picture with a cube painted over as the table is beside it."""
    (x, y), broad = spot(board, point, index)
    reach = round(1.4 * broad)
    table = picture[round(y), round(x) - 4 * reach : round(x) - 3 * reach].mean(axis=0)
    return cv2.circle(picture.copy(), (round(x), round(y)), round(0.9 * broad), table.tolist(), -1)


def test_a_removed_cube_is_noticed(plain):
    start = SCENES[PLAIN].start
    before, after = (plain.look(one).cells for one in (start, without(plain, start, 5, 4)))
    assert before[5].best == (5, 0)
    assert after[5].best == (4, 0)
    assert [cell.best for cell in after[6:24]] == [cell.best for cell in before[6:24]]


@pytest.mark.parametrize(("columns", "read"), [(0.0, [1, 4]), (0.5, None)])
def test_a_cube_far_from_its_tile_is_counted_if_the_tile_is_unambiguous(plain, columns, read):
    """One from the 6 point lies below the 4 point, out of reach of the pairs, or between that and the 3 point."""
    start, layout = SCENES[PLAIN].start, plain.calibration.layout
    x, y = layout.slot(3, 7)
    (left, top), _ = plain.calibration.pose.project(
        np.array([[x + columns * layout.column - layout.files * layout.checker, y, layout.top], [0, 0, 0]])
    )
    (own_x, own_y), broad = spot(plain, 5)
    picture = without(plain, start, 5, 4)
    half, colour = round(broad / 2), start[round(own_y), round(own_x)].tolist()
    cv2.rectangle(picture, (round(left) - half, round(top) - half), (round(left) + half, round(top) + half), colour, -1)
    position = answer(plain, picture)["position"]
    assert (position and [position["points"][3], position["points"][5]]) == read


@pytest.mark.parametrize(
    ("spoiled", "cause"),
    [
        (lambda picture: (picture * 0.06).astype(np.uint8), "dark"),
        (lambda picture: np.roll(picture, 25, axis=1), "moved_camera"),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 9), "blur"),
    ],
)
def test_an_unreadable_picture_has_a_cause(plain, spoiled, cause):
    assert answer(plain, spoiled(SCENES[PLAIN].start))["unreadable"] == cause


@pytest.mark.parametrize(("name", "read"), [("tiles-green-red", "unknown"), ("tiles-white-black", None)])
def test_cubes_known_by_their_hue_are_not_looked_for_in_a_grey_picture(boards, name, read):
    picture = SCENES[name].frames[1].picture
    assert answer(boards[name], picture)["unreadable"] is None
    assert answer(boards[name], paler(picture, 0))["unreadable"] == read


def test_a_picture_of_another_size_is_refused(plain):
    with pytest.raises(WrongSize, match="640 x 480, but the board was calibrated at 1280 x 960"):
        plain.look(np.zeros((480, 640, 3), np.uint8))


def test_a_picture_without_colours_is_refused(plain):
    with pytest.raises(WrongSize, match="expected height x width x 3 in BGR order"):
        plain.look(np.zeros((960, 1280), np.uint8))


def test_learning_requires_the_starting_position_on_the_board():
    scene = SCENES[PLAIN]
    with pytest.raises(CalibrationError, match="the known position is not visible inside these corners"):
        learn_board(scene.frames[1].picture, "backgammon", "tiles", scene.corners)


def test_a_position_with_a_waiting_cube_can_be_learned():
    scene = SCENES[PLAIN]
    known = scene.frames[1]
    assert known.bar == [1, 0]
    cells = [(max(count, 0), max(-count, 0)) for count in known.points] + [(1, 0), (0, 0)]
    board = learn_board(known.picture, "backgammon", "tiles", scene.corners, position=cells)
    for frame in (scene.frames[0], known):
        assert frame.grade(answer(board, frame.picture)) == "right"


def test_places_outside_the_picture_are_not_taken_for_empty():
    """The line ends at the picture's edge: the number of cubes waiting beyond it is unknown."""
    scene = SCENES[PLAIN]
    cut = scene.start[:, : round(float(scene.corners[:, 0].max())) + 12]
    board = learn_board(cut, "backgammon", "tiles", scene.corners)
    assert is_of_kind(board, "backgammon", "tiles")
    assert board.look(cut).cells[WHITE_BAR].margin_nats == 0.0


def test_the_reading_is_drawn_over_the_picture(plain):
    picture = SCENES[PLAIN].frames[1].picture
    before = picture.copy()
    drawn = plain.draw(picture, plain.look(picture))
    assert (picture == before).all()
    assert (drawn != picture).any(axis=2).mean() > 0.005


def test_the_sheet_determines_the_kind_of_board(capsys):
    picture = str(SCENES[PLAIN].frames[0].file)
    assert main(["locate", picture, "--game", "backgammon", "--sheet", "green-box"]) == 0
    found = np.array(json.loads(capsys.readouterr().out)["corners"])
    true = SCENES[PLAIN].corners
    # How far the spaces reach is not to be seen: their area is taken to be five tiles high.
    assert np.abs((found[[0, 1]] + found[[3, 2]]) - (true[[0, 1]] + true[[3, 2]])).max() < 12


def test_calibrate_and_read_accept_the_name_of_a_sheet(tmp_path, capsys):
    scene = SCENES[PLAIN]
    corners = " ".join(f"{x},{y}" for x, y in scene.corners)
    cal, start, later = str(tmp_path / "cal"), str(scene.frames[0].file), str(scene.frames[1].file)
    assert (
        main(["calibrate", start, "--game", "backgammon", "--sheet", "green-box", "--corners", corners, "-o", cal]) == 0
    )
    assert main(["read", cal, start, later]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines()[1:])
    assert first["position"]["points"] == scene.frames[0].points
    assert scene.frames[1].grade(second) == "right"


def grades(boards, change):
    """The grades of all pictures without a hand, changed."""
    told = [(name, frame) for name, index in SEEN if not (frame := SCENES[name].frames[index]).hand]
    return [frame.grade(answer(boards[name], change(frame.picture))) for name, frame in told]


@pytest.mark.parametrize(("light", "noise"), [(1.0, 9), (0.4, 4)])
def test_noise_is_not_taken_for_a_hand(boards, light, noise):
    chance = np.random.default_rng(1)

    def noisy(picture):
        return np.clip(light * picture + chance.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)

    found = grades(boards, noisy)
    assert "wrong" not in found
    assert found.count("right") >= 0.8 * len(found)


def test_haze_is_not_taken_for_blur(boards):
    found = grades(boards, lambda picture: (0.75 * picture + 0.25 * 200).astype(np.uint8))
    assert "wrong" not in found
    assert found.count("right") >= 0.8 * len(found)


def test_a_lamp_moved_to_one_side_is_not_taken_for_a_hand(boards):
    def lit(picture):
        across = np.linspace(0.75, 1.25, picture.shape[1])
        return np.clip(picture * across[:, None], 0, 255).astype(np.uint8)

    found = grades(boards, lit)
    assert "wrong" not in found
    assert found.count("right") >= 0.6 * len(found)


def test_a_cube_on_a_tile_may_belong_to_both_sides_of_it(plain):
    """One taken from the 6 point lies on the tile between the 4 and the 21 point."""
    start, layout, pose = SCENES[PLAIN].start, plain.calibration.layout, plain.calibration.pose
    (own_x, own_y), broad = spot(plain, 5)
    ((x, y),) = pose.project(np.array([[layout.slot(3, 0)[0], layout.axis, layout.top]]))
    picture = without(plain, start, 5, 4)
    half, colour = round(broad / 2), start[round(own_y), round(own_x)].tolist()
    cv2.rectangle(picture, (round(x) - half, round(y) - half), (round(x) + half, round(y) + half), colour, -1)
    told = answer(plain, picture)
    assert told["unreadable"] == "unknown"
    assert told["between"] == [[4, 21]]


def test_another_contrast_is_not_taken_for_a_hand(boards):
    found = grades(boards, lambda picture: np.rint(255 * (picture / 255) ** 1.25).astype(np.uint8))
    assert "wrong" not in found
    assert found.count("right") >= 0.8 * len(found)


def hazy(picture, exposure=1.0):
    """The picture through haze that takes half of its contrast; the exposure brightens the haze too."""
    return np.clip((0.5 * picture + 90) * exposure, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("exposure", [0.75, 1.0])
@pytest.mark.parametrize("name", ["tiles-blue-brown", "tiles-white-black"])
def test_a_board_in_haze_is_learned_and_read_under_any_exposure(name, exposure):
    scene = SCENES[name]
    board = learn_board(hazy(scene.start), "backgammon", "tiles", scene.corners)
    for frame in scene.frames[1:]:
        assert frame.grade(answer(board, hazy(frame.picture, exposure))) == "right"


NOISE_LEARNED_IN = pytest.param(13, marks=pytest.mark.xfail(strict=True, reason="learned, though in doubt"))


@pytest.mark.parametrize("noise", [NOISE_LEARNED_IN, 15])
def test_a_start_too_dark_and_noisy_to_be_read_is_not_learned_and_no_hand_is_blamed(noise):
    scene = SCENES["tiles-green-red"]
    factor = 640 / scene.start.shape[1]
    small = cv2.resize(scene.start, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    dim = cv2.GaussianBlur(0.3 * small.astype(np.float32), (0, 0), 1.2)
    taken = np.clip(dim + np.random.default_rng(3).normal(0, noise, dim.shape), 0, 255).astype(np.uint8)
    with pytest.raises(CalibrationError, match="cannot be told from the table"):
        learn_board(taken, "backgammon", "tiles", (scene.corners + 0.5) * factor - 0.5)


def test_a_pale_thing_where_a_gleam_saturates_the_table_may_be_a_cube():
    """It may as well be a shadow: both are darker than the table there, and as grey."""
    scene, point = SCENES["tiles-green-red"], 15
    (x, y), broad = spot(tile_board(scene), point)
    down, across = np.mgrid[: scene.start.shape[0], : scene.start.shape[1]]
    gleam = 230 * np.exp(-(np.hypot(across - x, down - y) ** 2) / (2 * (3 * broad) ** 2))
    start = added(scene.start, gleam)
    board = learn_board(start, "backgammon", "tiles", scene.corners)
    half, seen = round(broad / 2), start.copy()
    seen[round(y) - half : round(y) + half, round(x) - half : round(x) + half] = 0.7 * start[round(y), round(x)]
    assert board.look(start).cells[point].margin_nats > SURE_NATS
    assert board.look(seen).cells[point].margin_nats < CERTAIN_NATS


def behind_blinds(picture):
    """The picture in stripes of shadow with quite sharp edges, which take four tenths of the light."""
    down, across = np.mgrid[: picture.shape[0], : picture.shape[1]]
    wave = np.sin((across / picture.shape[1] + 0.3 * down / picture.shape[0]) * 2 * np.pi * 5)
    return np.clip(picture * (1 - 0.4 / (1 + np.exp(-15 * wave)))[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", sorted(SCENES))
def test_a_board_is_learned_and_read_behind_blinds(name):
    """How light the table is under the known cubes is unknown where a stripe ends there."""
    scene = SCENES[name]
    board = learn_board(behind_blinds(scene.start), "backgammon", "tiles", scene.corners)
    found = [frame.grade(answer(board, behind_blinds(frame.picture))) for frame in scene.frames[1:]]
    assert "wrong" not in found
    assert "right" in found


def test_the_table_is_in_doubt_only_where_cubes_hid_it_and_more_so_in_uneven_light(plain):
    even, start = plain.calibration.doubt, SCENES[PLAIN].start
    uneven = learn_board(behind_blinds(start), "backgammon", "tiles", SCENES[PLAIN].corners).calibration
    assert (even[plain.calibration.parts == 0] == 0).mean() > 0.95
    assert np.median(uneven.doubt[uneven.doubt > 0]) > 2 * np.median(even[even > 0])


def hit_evidence(board, shown: dict[float, float]):
    """Evidence of White's hit cubes alone, by their distance from the axis in tiles, and their stencils.

    `shown`: nats a pixel of each.
    """
    cubes, layout, bed = board.calibration.cubes, board.calibration.layout, board.calibration.bed
    x, on_near_side = layout.hit_place(0)
    nothing = np.full(bed.size[::-1], -4.0, np.float32)
    white = nothing.copy()
    stencils = [cubes.stencil(np.array([x, layout.axis + (-away if on_near_side else away) * TILE])) for away in shown]
    for stencil, nats in zip(stencils, shown.values(), strict=True):
        white[stencil.window][stencil.mask > 0] = nats
    none, clipped = np.zeros_like(nothing), np.zeros(nothing.shape, bool)
    return TileEvidence((white, nothing), (none, none), (none, none), none, clipped, none), stencils


def test_what_spills_over_the_outline_of_a_hit_cube_is_no_second_one(plain):
    """Two cubes do not stand in each other: such a place was the likelier, the less clearly the first was seen."""
    evidence, (stencil,) = hit_evidence(plain, {0.75: 1.0})
    wide = cv2.dilate(stencil.mask, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT)
    evidence.sides[0][stencil.window][wide > 0] = 1.0
    cubes = plain.calibration.cubes
    found = cubes.find(evidence)
    places = [(slot.x, slot.y) for slot in found.hit[0]]
    apart = [max(abs(a - c), abs(b - d)) for (a, b), (c, d) in combinations(places, 2)]
    assert places
    assert min(apart, default=np.inf) >= 0.5 * cubes.cube_px - 1


def test_hit_cubes_that_touch_and_are_seen_as_one_area_leave_a_rest_if_too_few_are_found(plain):
    evidence, (stencil,) = hit_evidence(plain, {0.9: 1.0})
    cubes = plain.calibration.cubes
    rows, columns = stencil.window
    side = round(cubes.cube_px)
    evidence.sides[0][rows.start : rows.stop + side, columns.start : columns.stop + side] = 1.1
    found = cubes.find(evidence)
    assert len([slot for slot in found.hit[0] if slot.holder == WHITE]) < 4
    assert UnexplainedAreas(plain.calibration).among_hit(0, evidence, found)


@pytest.mark.parametrize(("faint", "sure"), [(1.7, [True, True, False]), (4.0, [True, True, True])])
def test_a_hit_cube_that_is_seen_less_clearly_than_the_others_is_in_doubt(plain, faint, sure):
    """Walls of hit cubes that stand off the searched places look like one more."""
    evidence, _ = hit_evidence(plain, {0.5: 5.0, 0.9: 5.0, 1.3: faint})
    cubes = [slot for slot in plain.calibration.cubes.find(evidence).hit[0] if slot.holder == WHITE]
    assert [slot.margin_nats > SURE_NATS for slot in cubes] == sure
