"""Learning a board from one picture, and storing what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from changed_calibration_file import write_changed
from labelled import Scene, scenes
from places import PICTURES

from vision.backgammon.calibration import Calibration
from vision.backgammon.learning import calibrate
from vision.backgammon.reader import FramedBoardReader
from vision.board import START, CalibrationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def learned(oblique: Scene) -> Calibration:
    """A board as learned, not loaded from a file."""
    return oblique.learned()


@pytest.fixture(scope="module")
def kept(learned: Calibration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with what was learned of a board."""
    path = tmp_path_factory.mktemp("kept") / "board.cal"
    learned.save(path)
    return path


def test_a_stored_board_reads_like_the_learned_one(oblique: Scene, learned: Calibration, kept: Path) -> None:
    eye, again = FramedBoardReader(learned), FramedBoardReader(Calibration.load(kept))
    for frame in oblique.frames[:3]:
        look, same = eye.look(frame.picture), again.look(frame.picture)
        for cell, other in zip(look.cells, same.cells, strict=True):
            assert dict(cell.likelihoods) == pytest.approx(dict(other.likelihoods), abs=1.1e-4)  # the last digit told


def test_loading_a_stored_board_does_not_learn_it_again(learned: Calibration, kept: Path) -> None:
    again = Calibration.load(kept)
    plain = np.ones(3, np.float32)
    assert again.slots is not None
    assert again.under(plain).slots is again.slots
    for name in ("centre", "precision", "log_norm", "trust"):
        assert (getattr(again.slots, name) == getattr(learned.under(plain).slots, name)).all()


def test_a_file_is_written_atomically(learned: Calibration, kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "board.cal"
    learned.save(path)
    learned.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["board.cal"]
    assert Calibration.load(path).fit == Calibration.load(kept).fit


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        CalibrationError, match=r"nowhere\.cal cannot be read .*calibrate again with `boardside calibrate`"
    ):
        Calibration.load(tmp_path / "nowhere.cal")


@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_file_cut_short_is_damaged(kept: Path, tmp_path: Path, share: float) -> None:
    content = kept.read_bytes()
    torn = tmp_path / "torn.cal"
    torn.write_bytes(content[: int(share * len(content))])
    with pytest.raises(CalibrationError, match=r"torn\.cal is damaged"):
        Calibration.load(torn)


@pytest.mark.parametrize("content", [b"hello", b'{"version": 1}', b"\x00" * 200, b"PK\x03\x04" + b"x" * 100])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    other = tmp_path / "other.cal"
    other.write_bytes(content)
    with pytest.raises(CalibrationError, match=r"other\.cal is not a board file: give one that"):
        Calibration.load(other)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_a_file_with_a_few_changed_bytes_is_damaged(kept: Path, tmp_path: Path, share: float) -> None:
    content = bytearray(kept.read_bytes())
    at = int(share * len(content))
    content[at : at + 64] = bytes(byte ^ 0xFF for byte in content[at : at + 64])
    bad = tmp_path / "bad.cal"
    bad.write_bytes(content)
    with pytest.raises(CalibrationError, match=r"bad\.cal is damaged"):
        Calibration.load(bad)


def with_a_flipped_bit(content: bytes, chance: np.random.Generator, size: int = 60) -> Iterator[bytes]:
    """Copies with one bit flipped: in the first bytes, in the directory of members at the end, and anywhere."""
    head = chance.integers(0, 400, size)
    tail = len(content) - chance.integers(1, 900, size)
    for at in np.concatenate([head, tail, chance.integers(0, len(content), size)]):
        damaged = bytearray(content)
        damaged[at] ^= 1 << int(chance.integers(8))
        yield bytes(damaged)


def test_a_file_with_any_bit_flipped_is_damaged(kept: Path, tmp_path: Path) -> None:
    bad = tmp_path / "flipped.cal"
    for content in with_a_flipped_bit(kept.read_bytes(), np.random.default_rng(5)):
        bad.write_bytes(content)
        with pytest.raises(CalibrationError, match=r"flipped\.cal is damaged"):
            Calibration.load(bad)


def test_a_file_without_its_digest_is_damaged(kept: Path, tmp_path: Path) -> None:
    bad = tmp_path / "unsealed.cal"
    bad.write_bytes(kept.read_bytes()[:-80])
    with pytest.raises(CalibrationError, match=r"unsealed\.cal is damaged"):
        Calibration.load(bad)


def test_a_file_of_another_version_is_refused_with_the_version(kept: Path, tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match=r"old\.cal has version 0, expected \d+: calibrate again"):
        Calibration.load(write_changed(tmp_path / "old.cal", kept, version=0))


@pytest.mark.parametrize("part", ["corners", "kind", "layout", "slots.centre"])
def test_a_file_with_a_missing_part_is_damaged(kept: Path, tmp_path: Path, part: str) -> None:
    with pytest.raises(CalibrationError, match=r"lacking\.cal is damaged"):
        Calibration.load(write_changed(tmp_path / "lacking.cal", kept, without=(part,)))


def test_corners_are_returned_as_given(scene: Scene) -> None:
    assert (scene.eye.calibration.corners == scene.corners).all()


def test_the_detected_layout_is_that_of_the_board(scene: Scene) -> None:
    layout = scene.eye.calibration.layout
    assert 0.6 < layout.diameter <= 1.05
    assert 0.0 < layout.bar < 0.2
    assert 0.7 < layout.depth < 1.1


def assert_refused(picture: np.ndarray, corners: np.ndarray, *, mirror: bool = False) -> None:
    with pytest.raises(CalibrationError, match="check that the checkers stand in that position"):
        calibrate(picture, corners, mirror)


def every_third(first: int) -> pytest.MarkDecorator:
    """All boards; a quick run has every third of them."""
    boards = enumerate(scenes(PICTURES))
    every = [pytest.param(board, marks=[] if k % 3 == first else pytest.mark.slow) for k, board in boards]
    return pytest.mark.parametrize("scene", every, ids=lambda board: board.name)


@every_third(0)
def test_corners_a_quarter_turn_off_are_refused(scene: Scene) -> None:
    assert_refused(scene.start, np.roll(scene.corners, 1, axis=0))


@every_third(1)
def test_a_board_with_home_on_the_right_is_not_taken_for_one_with_home_on_the_left(scene: Scene) -> None:
    assert_refused(scene.start, scene.corners, mirror=True)


def test_corners_of_half_the_board_are_refused(oblique: Scene) -> None:
    corners = oblique.corners.copy()
    corners[1] = (corners[0] + corners[1]) / 2
    corners[2] = (corners[2] + corners[3]) / 2
    assert_refused(oblique.start, corners)


def test_a_picture_without_a_board_is_refused(oblique: Scene) -> None:
    plain = np.full((960, 1280, 3), (60, 80, 120), np.uint8)
    noise = np.random.default_rng(3).normal(0, 20, plain.shape)
    assert_refused(plain, oblique.corners)
    assert_refused(np.clip(plain + noise, 0, 255).astype(np.uint8), oblique.corners)


@every_third(2)
def test_a_board_in_the_middle_of_a_game_is_not_taken_for_the_start(scene: Scene) -> None:
    assert_refused(scene.frames[2].picture, scene.corners)


def test_a_position_with_too_few_checkers_is_refused(oblique: Scene) -> None:
    points = [(1, 0), *[(0, 0)] * 22, (0, 15)]
    with pytest.raises(CalibrationError, match=r"fewer than two checkers of one colour on the points \(White's: 1\)"):
        calibrate(oblique.start, oblique.corners, position=points)


def test_a_board_can_be_learned_from_any_known_position(oblique: Scene) -> None:
    known = oblique.frames[1]
    points = [(max(count, 0), max(-count, 0)) for count in known.points]
    assert tuple(points) != START
    learned = calibrate(known.picture, oblique.corners, position=points)
    assert learned.layout.bar == pytest.approx(oblique.eye.calibration.layout.bar, abs=0.02)
    assert learned.layout.diameter == pytest.approx(oblique.eye.calibration.layout.diameter, abs=0.08)
