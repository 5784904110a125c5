"""Pipes, devices, folders and pictures of a billion pixels in place of a file: one clear line, at once."""

from __future__ import annotations

import os
import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from fuzz_commands import command_line
from fuzzing import bounded
from labelled import FILM

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = {
    "locate": ("locate", "FILE"),
    "calibrate": ("calibrate", "FILE", "-o", "OUT"),
    "read": ("read", "FILE", str(FILM / "0001.jpg")),
    "replay": ("replay", "FILM"),
    "import": ("import", "FILE", "--format", "mat", "--state", "STATE"),
    "import json": ("import", "FILE", "--format", "json", "--state", "STATE"),
    "dice verify": ("dice", "verify", "FILE"),
    "sheets": ("sheets", "--check", "FILE"),
    "config": ("panel", "wiring", "--config", "FILE"),
}


@pytest.fixture(params=["pipe", "device", "folder", "nothing"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A path that is not a file, in a folder of its own, with the name of a recorded game."""
    path = tmp_path / "film" / "game.json"
    path.parent.mkdir()
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    elif request.param == "folder":
        path.mkdir()
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_path_that_is_not_a_file_is_refused_in_one_line(command: str, no_file: Path, tmp_path: Path) -> None:
    words = {"FILE": str(no_file), "FILM": str(no_file.parent), "OUT": str(tmp_path / "b.cal"), "STATE": str(tmp_path)}
    with bounded():
        status, _, said = command_line([words.get(word, word) for word in COMMANDS[command]])
    assert status == 1
    assert said.startswith("boardside: ")
    assert len(said.splitlines()) == 1


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def large_pictures() -> dict[str, bytes]:
    """Headers of 30,000 x 30,000 pixels; the PNG is whole."""
    side = 30_000
    packer = zlib.compressobj()
    rows = b"".join(packer.compress(b"\0" * (1 + side * 3)) for _ in range(side // 100)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    frame = struct.pack(">BHH", 8, side, side) + bytes((3, 1, 17, 0, 2, 17, 0, 3, 17, 0))
    jpeg = b"\xff\xd8\xff\xfe\x00\x04hi\xff\xff\xc2" + struct.pack(">H", len(frame) + 2) + frame
    bmp = b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, side, -side, 1, 24, *[0] * 6)
    sides = (side - 1).to_bytes(3, "little") * 2
    webp = b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + sides
    lossless = b"RIFF\x20\0\0\0WEBPVP8L\x0a\0\0\0\x2f" + struct.pack("<I", 16_000 | 16_000 << 14) + b"\0" * 9
    return {"png": png, "jpg": jpeg, "bmp": bmp, "webp": webp, "lossless.webp": lossless}


PICTURES = large_pictures()


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_too_large_is_refused_before_it_is_decoded(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"large.{kind}"
    path.write_bytes(PICTURES[kind])
    with bounded(more_bytes=100 << 20):
        status, _, said = command_line(["locate", str(path)])
    assert status == 1
    assert "more than 50 million: take it smaller" in said


def test_lines_that_are_not_text_get_an_error_each_and_the_next_is_answered() -> None:
    lines = b'\xff\n{"position": {"id": "4HPwATDgc/ABMA"}, "player": "white", "dice": [6, 1]}\n"\\ud800"\n' + b"[" * 975
    status, answers, said = command_line(["moves"], lines)
    first, second, *others = answers.splitlines()
    assert status == 1
    assert said == ""
    assert first.startswith('{"error"')
    assert second.startswith('{"plays"')
    assert [answer.startswith('{"error"') for answer in others] == [True, True]


def test_a_line_without_a_newline_is_the_last() -> None:
    with bounded():
        status, answers, _ = command_line(["judge"], b"\0" * 3_000_000)
    assert status == 1
    assert "no line after it is read" in answers
