"""Compares the time to read a picture with the time to decode it: `python benchmarks/read_picture.py [FOLDER]`.

The board is calibrated, one thread runs, and processor time is measured. Decoding and reading alternate in one run, so
that both see the same load. The ratio can be compared between machines; the target is 1. "first" is the first picture
after the calibration was loaded from its file, as in `boardside read`; "next" is any later picture.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import with_test_support  # noqa: F401
from one_thread import start_in_one_thread
from places import PICTURES

from vision.cameras import load_picture
from vision.registry import learn_board, load_board

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from vision.board import LearnedBoard

ROUNDS, FIRST_ROUNDS = 9, 3


def took_ms(work: Callable[[], object]) -> float:
    """Processor time of one call of `work`, in milliseconds."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def learn(folder: Path, path: Path) -> None:
    """Calibrate the board of a scene from its first picture and save it to `path`."""
    scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    game = "checkers" if scene["board"] == "checkers" else "backgammon"
    board = scene["board"] if scene["board"] == "tiles" else None
    corners = np.array(scene["corners"], np.float64)
    learn_board(load_picture(folder / "00.jpg"), game, board, corners, scene["mirror"]).save(path)


def measure(board: LearnedBoard, coded: list[NDArray[np.uint8]]) -> tuple[float, float]:
    """Median times of decoding and of reading the pictures, in milliseconds."""
    pictures = [cv2.imdecode(jpeg, cv2.IMREAD_COLOR) for jpeg in coded]
    for picture in pictures:
        board.look(np.asarray(picture, np.uint8))  # fills the caches for this board and light
    decoding, reading = [], []
    for _ in range(ROUNDS):
        for jpeg, picture in zip(coded, pictures, strict=True):
            decoding.append(took_ms(lambda jpeg=jpeg: cv2.imdecode(jpeg, cv2.IMREAD_COLOR)))
            reading.append(took_ms(lambda picture=picture: board.look(picture)))
    return statistics.median(decoding), statistics.median(reading)


def first_ms(path: Path, jpeg: NDArray[np.uint8]) -> float:
    """Time of the first reading after loading the board, in milliseconds."""
    picture = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    boards = [load_board(path) for _ in range(FIRST_ROUNDS)]
    return statistics.median(took_ms(lambda board=board: board.look(picture)) for board in boards)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    cv2.setNumThreads(1)
    print(f"{'board':20}{'decode ms':>11}{'next ms':>9}{'ratio':>8}{'first ms':>10}{'ratio':>8}")
    for label in sorted(parser.parse_args().folder.glob("*/scene.json")):
        frames = json.loads(label.with_name("truth.json").read_text(encoding="utf-8"))["frames"][1:]
        coded = [
            np.frombuffer((label.parent / frame["file"]).read_bytes(), np.uint8)
            for frame in frames
            if not frame.get("hand")
        ]
        with tempfile.TemporaryDirectory() as temporary:
            path = Path(temporary) / "board.cal"
            learn(label.parent, path)
            decode_ms, read_ms = measure(load_board(path), coded)
            first = first_ms(path, coded[0])
        print(
            f"{label.parent.name:20}{decode_ms:11.2f}{read_ms:9.2f}{read_ms / decode_ms:8.2f}"
            f"{first:10.1f}{first / decode_ms:8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    start_in_one_thread()
    main()
