"""Reading real dice that lie on the board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from labelled import QUICK_BOARDS, Scene, answer, scenes
from places import PICTURES

from companion.core import CellReading, Half
from vision.board.json_io import describe
from vision.dice import reader

if TYPE_CHECKING:
    from labelled import Labelled

    from companion.core import Die
    from vision.dice.search import Face

    Picture = np.ndarray


@pytest.fixture(scope="session")
def above() -> Scene:
    """A board seen from straight above, so that a die looks the same at every place."""
    return Scene.load(PICTURES / "08-classic")


@pytest.fixture(scope="session")
def pair(above: Scene) -> Labelled:
    """Its picture with two sixes that lie well apart."""
    return next(frame for frame in above.frames if frame.dice == (6, 6))


def lying(scene: Scene, picture: Picture) -> tuple[Die, ...]:
    return scene.eye.look(picture).lying


def place_in(scene: Scene, die: Die) -> tuple[int, int, int]:
    """Where a die's middle is in the picture, and how far its outline and shadow reach, in pixels."""
    pose = scene.eye.calibration.pose
    middle, beside = pose.project(np.array([[die.x, die.y, die.side / 2], [die.x + die.side, die.y, die.side / 2]]))
    return round(middle[0]), round(middle[1]), round(1.1 * float(np.linalg.norm(beside - middle)))


def without(scene: Scene, picture: Picture, die: Die) -> Picture:
    """The picture with a die taken away: what lay there at the start is seen."""
    x, y, reach = place_in(scene, die)
    harmed = picture.copy()
    spot = np.s_[y - reach : y + reach, x - reach : x + reach]
    harmed[spot] = scene.start[spot]
    return harmed


def with_copy(scene: Scene, picture: Picture, die: Die, shift: tuple[int, int], turned: int = 0) -> Picture:
    """The picture with the same die once more, some pixels aside."""
    x, y, reach = place_in(scene, die)
    harmed = picture.copy()
    cut = np.rot90(picture[y - reach : y + reach, x - reach : x + reach], turned)
    x, y = x + shift[0], y + shift[1]
    harmed[y - reach : y + reach, x - reach : x + reach] = cut
    return harmed


def halfway(scene: Scene, first: Die, second: Die) -> tuple[int, int]:
    """Half the distance between two dice, in pixels."""
    here, there = place_in(scene, first), place_in(scene, second)
    return (there[0] - here[0]) // 2, (there[1] - here[1]) // 2


def test_pairs_of_dice_are_read_and_none_is_misread(scene: Scene) -> None:
    for frame, look in zip(scene.frames, scene.looks, strict=True):
        read = look.dice
        assert read is None or tuple(sorted(read)) == frame.dice, (frame.file.name, frame.dice, read)
        assert read is not None or frame.dice is None, (frame.file.name, frame.dice)


@pytest.mark.parametrize("scene", scenes(PICTURES / "dice"), ids=lambda scene: scene.name)
def test_reflections_and_sides_of_dice_are_not_read_as_a_third_die(scene: Scene) -> None:
    """Reflections on domes look like ones on black and lime beds; on a green one the near side of a two is a three."""
    for frame in scene.frames[1:]:
        read = scene.eye.look(frame.picture).dice
        assert (None if read is None else tuple(sorted(read))) == frame.dice, frame.file.name
    assert all(frame.dice for frame in scene.frames[1:])


def test_a_die_at_the_end_of_a_row_of_five_is_no_sixth_checker_and_is_not_called_cocked() -> None:
    scene = Scene.load(PICTURES / "dice-at-rows" / "purple-bed")
    beside = scene.frames[1]
    assert beside.grade(answer(scene.eye, beside.picture)) == "right"
    assert all(die.flat for die in scene.eye.look(beside.picture).lying)


def test_read_prints_the_dice(above: Scene, pair: Labelled) -> None:
    assert sorted(answer(above.eye, pair.picture)["dice"]) == [6, 6]
    assert answer(above.eye, above.start)["dice"] is None


def test_dice_are_reported_also_without_a_position(above: Scene, pair: Labelled) -> None:
    seen = above.eye.look(pair.picture)
    doubtful = CellReading((((2, 0), 0.0), ((3, 0), -0.1)))
    told = describe(replace(seen, cells=(doubtful, *seen.cells[1:])))
    assert told["position"] is None
    assert told["dice"] == [6, 6]


def test_one_die_is_not_a_roll(above: Scene, pair: Labelled) -> None:
    first, second = lying(above, pair.picture)
    left = above.eye.look(without(above, pair.picture, first))
    assert [die.value for die in left.lying] == [second.value]
    assert left.dice is None


def test_three_dice_are_not_a_roll(above: Scene, pair: Labelled) -> None:
    first, second = lying(above, pair.picture)
    three = with_copy(above, pair.picture, first, halfway(above, first, second))
    assert len(lying(above, three)) == 3
    assert above.eye.look(three).dice is None


@pytest.mark.parametrize(("added", "values"), [(120, [6, 6]), (210, [])], ids=["clear pips", "faint pips"])
def test_a_die_in_a_reflection_is_read_only_while_its_pips_are_clear(above, pair, added, values) -> None:
    """Pips of one die that are not all alike vanish one by one."""
    gleaming = pair.picture.astype(np.float32)
    for die in lying(above, pair.picture):
        x, y, reach = place_in(above, die)
        gleaming[y - reach : y + reach, x - reach : x + reach] += added
    assert [die.value for die in lying(above, gleaming.clip(0, 255).astype(np.uint8))] == values


@pytest.mark.parametrize("turned", [1, 2, 3])
def test_a_die_is_read_at_any_rotation(above: Scene, pair: Labelled, turned: int) -> None:
    first, second = lying(above, pair.picture)
    there = with_copy(above, pair.picture, first, halfway(above, first, second), turned)
    there = without(above, there, first)
    assert sorted(die.value for die in lying(above, there)) == [6, 6]


def test_the_half_of_the_board_of_each_die_is_reported(above: Scene, pair: Labelled) -> None:
    first, second = lying(above, pair.picture)
    assert {first.half, second.half} == {Half.LEFT}
    x, y, _ = place_in(above, first)
    across = above.eye.calibration.pose.project(np.array([[1 - first.x, first.y, first.side / 2]]))[0]
    copied = with_copy(above, pair.picture, first, (round(across[0]) - x, round(across[1]) - y))
    assert [die.half for die in lying(above, without(above, copied, first))].count(Half.RIGHT) == 1


def test_dice_that_lie_on_the_bed_lie_flat(scene: Scene) -> None:
    for frame, look in zip(scene.frames, scene.looks, strict=True):
        if frame.dice is not None:
            assert all(die.flat for die in look.lying), frame.file.name


def test_pips_painted_on_the_board_are_not_a_die(above: Scene) -> None:
    """There is no edge where the face of a die would end."""
    pose = above.eye.calibration.pose
    picture = above.start.copy()
    for x, y in ((0.25, 0.4), (0.262, 0.412), (0.7, 0.4), (0.712, 0.412)):
        u, v = pose.project(np.array([[x, y, 0.0]]))[0]
        cv2.circle(picture, (round(u), round(v)), 3, (10, 10, 10), -1, cv2.LINE_AA)
    assert lying(above, picture) == ()


def test_a_hand_hides_the_dice(oblique: Scene, hand: Labelled) -> None:
    assert oblique.eye.look(hand.picture).dice is None


BLURRED = [
    pytest.param(board, spread_px, marks=[] if board.name in QUICK_BOARDS and number % 2 == place else pytest.mark.slow)
    for number, board in enumerate(scenes(PICTURES))
    for place, spread_px in enumerate((1.5, 3))
]
"""Every board slightly and strongly blurred; a quick run has each board once."""


@pytest.mark.parametrize(("scene", "spread_px"), BLURRED, ids=lambda one: getattr(one, "name", one))
def test_blurred_dice_are_refused_and_not_misread(scene: Scene, spread_px: float) -> None:
    for frame in scene.frames[1:]:
        read = scene.eye.look(cv2.GaussianBlur(frame.picture, (0, 0), spread_px)).dice
        assert read is None or tuple(sorted(read)) == frame.dice, (frame.file.name, frame.dice, read)


def test_a_face_whose_pips_tell_its_square_badly_is_found_by_its_looks(above: Scene) -> None:
    """In a slight blur the pips of the one and the two are found a little off their places."""
    frame = next(frame for frame in above.frames if frame.dice == (1, 2))
    assert sorted(die.value for die in lying(above, cv2.GaussianBlur(frame.picture, (0, 0), 1.2))) == [1, 2]


def test_a_pair_that_is_not_plain_must_stay_the_same_when_its_faces_are_refined(
    above: Scene, pair: Labelled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the side of a die in front of its upper face does not."""
    monkeypatch.setattr(reader, "_FLAT_AT_ONCE_NATS", np.inf)
    assert [die.value for die in lying(above, pair.picture)] == [6, 6]
    refine = reader.refine_faces

    def with_another_number(*args: Any) -> list[Face]:
        first, *others = refine(*args)
        return [replace(first, value=2), *others]

    monkeypatch.setattr(reader, "refine_faces", with_another_number)
    assert lying(above, pair.picture) == ()


MOVED = [
    pytest.param(board, moved_px, marks=[] if board.name in QUICK_BOARDS else pytest.mark.slow)
    for board in scenes(PICTURES)
    for moved_px in (10, 14)
]


@pytest.mark.parametrize(("scene", "moved_px"), MOVED, ids=lambda one: getattr(one, "name", one))
def test_dice_in_motion_blur_are_refused_and_not_misread(scene: Scene, moved_px: int) -> None:
    """Pips that run into bars look like the rows of a six."""
    along = np.full((1, moved_px), 1 / moved_px, np.float32)
    for frame in scene.frames[1:]:
        for way in (along, along.T):
            read = Counter(die.value for die in lying(scene, cv2.filter2D(frame.picture, -1, way)))
            assert not read - Counter(frame.dice or ()), (frame.file.name, frame.dice, read)
