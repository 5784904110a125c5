"""The scorer of photographs, on rendered pictures dressed up as labelled photographs."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace

import cv2
import labelled
import labelled_checkers
import numpy as np
import pytest
from benchmark import import_benchmark
from photographs_labels import Photograph, groups
from places import PICTURES

pytestmark = pytest.mark.slow
photographs = import_benchmark("photographs")
CLASSIC = labelled.Scene.load(PICTURES / "08-classic")
CLUB = labelled_checkers.SquaresScene.load(PICTURES / "checkers-club")


def _write(folder, name, frame, label):
    """A rendered picture under a photograph's name, and its label."""
    shutil.copy(frame.file, folder / f"{name}.jpg")
    height, width = frame.picture.shape[:2]
    told = {"file": f"{name}.jpg", "image_size": [width, height], **label}
    (folder / f"{name}.gt.json").write_text(json.dumps(told), encoding="utf-8")


def _told(count):
    return f"{'W' if count > 0 else 'B'}{abs(count)}" if count else ""


def backgammon(folder, name, number, **other):
    """One of the classic board's pictures, White at the bottom."""
    frame = CLASSIC.frames[number]
    told = [_told(count) for count in frame.points]
    label = {
        "game": "backgammon",
        "board": "classic, brown",
        "colours": {"W": "white", "B": "black"},
        "playing_area": CLASSIC.corners[::-1].tolist(),
        "bottom": told[11::-1],
        "top": told[12:],
        "bar": dict(zip("WB", frame.bar, strict=True)),
    }
    _write(folder, name, frame, {**label, **other})


def checkers(folder, name, number, turn):
    """One of the club's pictures, with a label as if its left corner had been the lower left one, or the next."""
    frame = CLUB.frames[number]
    pieces = {name: piece.upper() if name in frame.kings else piece for name, piece in frame.squares.items()}
    cells = [[pieces.get(f"{7 - row},{column}", "") for column in range(8)] for row in range(8)]
    label = {
        "game": "checkers",
        "board": "club",
        "colours": {"w": "light", "b": "dark"},
        "grid": np.roll(CLUB.corners[::-1], -turn, axis=0).tolist(),
        "cells": np.rot90(np.array(cells), turn).tolist(),
    }
    _write(folder, name, frame, label)


def _run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["photographs.py", *map(str, arguments)])
    return photographs.main()


def test_a_label_of_backgammon_is_turned_to_where_white_sits(tmp_path):
    backgammon(tmp_path, "last", 4)
    loaded = Photograph.load(tmp_path / "last.gt.json")
    assert (loaded.truth.points, loaded.truth.bar) == (CLASSIC.frames[4].points, [1, 0])
    np.testing.assert_allclose(loaded.corners, CLASSIC.corners)
    assert not loaded.start


def test_a_starting_position_determines_the_side_and_the_home_of_white(tmp_path):
    start = [_told(count) for count in CLASSIC.frames[0].points]
    ways = {
        "plain": (start[11::-1], start[12:], 0, False),
        "mirrored": (start[:12], start[:11:-1], 0, True),
        "turned": (start[:11:-1], start[:12], 2, False),
    }
    for name, (bottom, top, turn, mirror) in ways.items():
        backgammon(tmp_path, name, 0, bottom=bottom, top=top)
        loaded = Photograph.load(tmp_path / f"{name}.gt.json")
        assert (loaded.start, loaded.mirror, loaded.truth.points) == (True, mirror, CLASSIC.frames[0].points)
        np.testing.assert_allclose(loaded.corners, np.roll(CLASSIC.corners, -turn, axis=0))


@pytest.mark.parametrize("turn", range(4))
def test_a_chequered_board_is_turned_to_where_white_sits(tmp_path, turn):
    checkers(tmp_path, "start", 0, turn)
    loaded = Photograph.load(tmp_path / "start.gt.json")
    assert loaded.truth.squares == CLUB.frames[0].squares
    assert loaded.start
    np.testing.assert_allclose(loaded.corners, CLUB.corners)


def test_photographs_are_grouped_by_board_and_size_and_pauses(tmp_path):
    for name, other in {
        "a_1700000000000": {},
        "b_1700000060000": {},
        "c_1700000600000": {},
        "d": {"board": "another"},
        "e": {"image_size": [640, 480]},
        "f": {"uncertain": ["bottom 3"]},
    }.items():
        backgammon(tmp_path, name, 1, **other)
    sittings = [[[one.name for one in sitting] for sitting in group.sittings] for group in groups(tmp_path)]
    assert sorted(sittings) == [[["a_1700000000000", "b_1700000060000"], ["c_1700000600000"]], [["d"]], [["e"]]]


def test_every_photograph_is_read_with_boards_learned_from_every_other(tmp_path, monkeypatch, capsys):
    backgammon(tmp_path, "one", 0)
    backgammon(tmp_path, "two", 1)
    assert _run(monkeypatch, tmp_path) == 0
    rows = [line.removeprefix("backgammon: classic 1280x960").split() for line in capsys.readouterr().out.splitlines()]
    ways = {" ".join(words[:-3]): words[-3:] for words in rows[1:]}
    assert ways == {"located at the start": ["1", "0", "0"], "in place": ["2", "0", "0"], "as it is": ["2", "0", "0"]}


def test_a_wrong_reading_fails_and_names_its_cells(tmp_path, monkeypatch, capsys):
    backgammon(tmp_path, "one", 0)
    points = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 1, 1]
    told = [_told(count) for count in points]
    backgammon(tmp_path, "mislabelled", 0, bottom=told[11::-1], top=told[12:])
    assert _run(monkeypatch, tmp_path) == 1
    assert "one -> mislabelled: point 23 read 0 is 1, point 24 read 2 is 1" in capsys.readouterr().out


def test_a_board_is_learned_from_a_photograph_with_checkers_on_the_bar(tmp_path, monkeypatch, capsys):
    backgammon(tmp_path, "hit", 4)
    assert _run(monkeypatch, tmp_path, "--verbose") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[-6:] == ["the", "same", "photograph", "1", "0", "0"]


def test_a_photograph_is_set_where_another_was_taken_from(tmp_path):
    backgammon(tmp_path, "one", 0)
    one = Photograph.load(tmp_path / "one.gt.json")
    shift = np.array([[1.0, 0, 9], [0, 1, -5]])
    height, width = one.picture.shape[:2]
    cv2.imwrite(str(tmp_path / "moved.jpg"), cv2.warpAffine(one.picture, shift, (width, height)))
    moved = replace(one, truth=replace(one.truth, file=tmp_path / "moved.jpg"), corners=one.corners + shift[:, 2])
    inside = np.s_[200:-200, 200:-200]
    difference = photographs.placed(moved, one)[inside].astype(float) - one.picture[inside]
    assert np.abs(difference).mean() < 3


def test_a_missing_folder_is_skipped_and_an_empty_one_is_an_error(tmp_path, monkeypatch, capsys):
    assert _run(monkeypatch) == 0
    assert "no folder" in capsys.readouterr().out
    assert _run(monkeypatch, tmp_path) == 1
