"""`boardside calibrate` and `read` on a chequered board, as they are run: their JSON and their errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from labelled_checkers import scenes

from companion.cli import main

SCENE = next(scene for scene in scenes() if scene.name == "checkers-club")
CORNERS = " ".join(f"{x},{y}" for x, y in SCENE.corners)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("kept") / "board.cal"
    start = str(SCENE.frames[0].file)
    assert main(["calibrate", start, "--game", "checkers", "--corners", CORNERS, "-o", str(path)]) == 0
    return str(path)


def said(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_read_answers_squares_a_line_for_each_picture(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", kept, *(str(frame.file) for frame in SCENE.frames)]) == 0
    told = said(capsys)
    assert [line["squares"] for line in told] == [frame.squares for frame in SCENE.frames]
    assert all(line["unreadable"] is None and len(line["confidence"]) == 64 for line in told)


def test_a_picture_that_cannot_be_opened_has_no_squares(kept: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", kept, "nowhere.jpg"]) == 1
    (told,) = said(capsys)
    assert (told["squares"], told["unreadable"]) == (None, "unknown")
    assert "nowhere.jpg cannot be read" in told["error"]


def test_a_sheet_of_checkers_determines_the_game(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    frame = SCENE.frames[2]
    options = ["--sheet", "acf", "--corners", CORNERS, "--position", json.dumps(frame.position)]
    assert main(["calibrate", str(SCENE.frames[0].file), *options, "-o", str(tmp_path / "board.cal")]) == 1
    (told,) = said(capsys)
    assert told["ok"] is False
    assert "known position is not visible" in told["cause"]


def test_a_sheet_for_another_game_is_refused(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--sheet", "travel-set", "--game", "checkers", "-o", str(tmp_path / "board.cal")]
    assert main(["calibrate", str(SCENE.frames[0].file), *options]) == 1
    assert "'travel-set' is for backgammon, but --game says 'checkers'" in capsys.readouterr().err
