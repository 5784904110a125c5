"""The commands `boardside locate`, `calibrate` and `read`: JSON output, errors, exit statuses."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

from companion.cli import main
from companion.notation.xgid import START_XGID
from vision.backgammon import FramedBoard

SCENE = Scene.load(PICTURES / "09-leather")
START = SCENE.frames[0].file
CORNERS = " ".join(f"{x},{y}" for x, y in SCENE.corners)


@dataclass(frozen=True)
class Ran:
    status: int
    lines: list[dict[str, Any]]
    complaint: str


def boardside(*arguments: object) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([*map(str, arguments)])
    return Ran(status, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue())


def process(*arguments: object) -> Ran:
    """The same in a separate process."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return Ran(done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr)


@pytest.fixture(scope="module")
def torn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A truncated picture."""
    path = tmp_path_factory.mktemp("torn") / "torn.jpg"
    path.write_bytes(START.read_bytes()[:100])
    return path


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """The file written by `calibrate`, and its output."""
    path = tmp_path_factory.mktemp("learned") / "board.cal"
    return path, process("calibrate", START, "--game", "backgammon", "--corners", CORNERS, "-o", path)


@pytest.fixture(scope="module")
def read(learned: tuple[Path, Ran], torn: Path) -> Ran:
    """The output of `read` for all pictures of the board, a missing one and a truncated one."""
    return boardside("read", learned[0], *(frame.file for frame in SCENE.frames), "nowhere.jpg", torn)


def test_calibrate_prints_what_it_found_and_the_file_that_it_wrote(learned: tuple[Path, Ran]) -> None:
    path, ran = learned
    assert ran.status == 0
    (told,) = ran.lines
    assert told["ok"] is True
    assert told["file"] == str(path)
    assert told["corners"] == [[pytest.approx(value, abs=0.1) for value in corner] for corner in SCENE.corners]
    assert path.stat().st_size > 0


def test_read_prints_one_line_per_picture_in_order(read: Ran, torn: Path) -> None:
    expected = [*(str(frame.file) for frame in SCENE.frames), "nowhere.jpg", str(torn)]
    assert [told["file"] for told in read.lines] == expected
    for told in read.lines:
        assert {"file", "position", "off_seen", "dice", "confidence", "unreadable"} <= set(told)


def test_no_picture_is_misread_and_most_are_read(read: Ran) -> None:
    grades = [frame.grade(told) for frame, told in zip(SCENE.frames, read.lines, strict=False)]
    assert "wrong" not in grades
    assert grades.count("right") > len(grades) / 2


def test_a_position_is_printed_in_the_form_of_the_interface(read: Ran) -> None:
    told = read.lines[0]
    assert told["position"] == {"points": SCENE.frames[0].points, "bar": [0, 0], "off": [0, 0]}
    assert told["unreadable"] is None
    assert all(0 <= share <= 1 for share in told["confidence"])


def test_an_unreadable_picture_gives_an_answer_with_its_cause(read: Ran) -> None:
    hand = next(told for frame, told in zip(SCENE.frames, read.lines, strict=False) if frame.hand)
    assert hand["unreadable"] == "hand"
    assert hand["position"] is None


def test_pictures_that_cannot_be_opened_are_named_and_set_the_status(read: Ran) -> None:
    missing, cut_short = read.lines[-2:]
    assert "nowhere.jpg cannot be read" in missing["error"]
    assert "is not a whole JPEG" in cut_short["error"]
    assert missing["unreadable"] == cut_short["unreadable"] == "unknown"
    assert read.status == 1


def test_the_status_of_read_is_zero_if_every_picture_got_an_answer(learned: tuple[Path, Ran], tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros_like(SCENE.start))
    ran = boardside("read", learned[0], tmp_path / "dark.png")
    assert (ran.status, ran.lines[0]["unreadable"]) == (0, "dark")


def test_read_without_a_calibration_explains_how_to_make_one(tmp_path: Path) -> None:
    ran = boardside("read", tmp_path / "none.cal", START)
    assert ran.status == 1
    assert ran.lines == []
    assert "none.cal cannot be read" in ran.complaint
    assert "boardside calibrate" in ran.complaint


@pytest.mark.parametrize("corners", ["1,2 3,4", "a,b c,d e,f g,h", "1,2 3,4 5,6 7,nan", ""])
def test_invalid_corners_are_quoted(tmp_path: Path, corners: str) -> None:
    ran = boardside("calibrate", START, "--corners", corners, "-o", tmp_path / "board.cal")
    assert ran.status == 1
    assert ran.lines[0]["ok"] is False
    assert f'corners "{corners}" are not four points' in ran.lines[0]["cause"]
    assert list(tmp_path.iterdir()) == []


def test_calibrate_with_corners_beside_the_board_prints_a_cause_and_writes_nothing(tmp_path: Path) -> None:
    beside = "10,200 200,200 200,10 10,10"
    ran = boardside("calibrate", START, "--corners", beside, "-o", tmp_path / "board.cal")
    assert ran.status == 1
    assert ran.lines[0]["ok"] is False
    assert "known position is not visible" in ran.lines[0]["cause"]
    assert list(tmp_path.iterdir()) == []


def test_an_xgid_is_a_known_position(
    learned: tuple[Path, Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FramedBoard, "save", lambda *_: None)  # slow, and tested above
    ran = boardside("calibrate", START, "--corners", CORNERS, "--position", START_XGID, "-o", tmp_path / "board.cal")
    assert ran.lines[0]["corners"] == learned[1].lines[0]["corners"]


@pytest.mark.parametrize("position", ['{"points": [1, 2]}', "nonsense", "{}", "XGID=nonsense"])
def test_an_invalid_position_is_quoted(tmp_path: Path, position: str) -> None:
    ran = boardside("calibrate", START, "--corners", CORNERS, "--position", position, "-o", tmp_path / "board.cal")
    assert ran.status == 1
    assert position in ran.lines[0]["cause"]


def test_calibrate_names_a_missing_picture(tmp_path: Path) -> None:
    ran = boardside("calibrate", tmp_path / "nowhere.jpg", "--corners", CORNERS, "-o", tmp_path / "board.cal")
    assert ran.status == 1
    assert "nowhere.jpg cannot be read" in ran.complaint
    assert "Traceback" not in ran.complaint


def test_locate_finds_the_corners_of_the_playing_area() -> None:
    ran = boardside("locate", START, "--game", "backgammon")
    assert ran.status == 0
    (told,) = ran.lines
    assert 0 <= told["confidence"] <= 1
    away = [
        max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in zip(told["corners"], SCENE.corners, strict=True)
    ]
    assert max(away) < 0.02 * 1280


def test_locate_names_a_missing_picture(torn: Path) -> None:
    ran = boardside("locate", torn, "--game", "backgammon")
    assert ran.status == 1
    assert ran.lines == []
    assert "torn.jpg is not a whole JPEG" in ran.complaint
