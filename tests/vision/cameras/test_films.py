"""A filmed game as frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from labelled import FILM

from vision.cameras import Film, PictureError, load_picture
from vision.cameras.files import FRAMES_A_SECOND, NOISE_LEVELS

if TYPE_CHECKING:
    from pathlib import Path

PICTURES = [(FILM / "0000.jpg", 0.0, 0.4), (FILM / "0001.jpg", 0.4, 0.3)]


def test_each_picture_is_shown_for_as_long_as_it_was_held() -> None:
    frames = list(Film(PICTURES))
    assert [frame.at_s for frame in frames] == pytest.approx(np.arange(7) / FRAMES_A_SECOND)
    assert [frame.number for frame in frames] == list(range(7))


def test_a_picture_is_first_shown_unchanged_and_then_with_new_noise() -> None:
    first, second, third, *_ = (frame.image for frame in Film(PICTURES))
    picture = load_picture(FILM / "0000.jpg")
    assert (first == picture).all()
    for one, other in ((second, first), (third, first), (third, second)):
        assert 0.5 * NOISE_LEVELS < np.std(one.astype(int) - other) < 2 * NOISE_LEVELS


def test_the_same_seed_gives_the_same_film() -> None:
    def shown(seed: int) -> list[bytes]:
        return [frame.image.tobytes() for frame in Film(PICTURES, seed=seed)]

    assert shown(3) == shown(3)
    assert shown(3) != shown(4)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"0009\.jpg cannot be read"):
        list(Film([(tmp_path / "0009.jpg", 0.0, 1.0)]))


def test_a_truncated_picture_is_named(tmp_path: Path) -> None:
    torn = tmp_path / "torn.jpg"
    torn.write_bytes((FILM / "0000.jpg").read_bytes()[:40])
    with pytest.raises(PictureError, match=r"torn\.jpg is not a whole JPEG"):
        load_picture(torn)
