"""Accuracy and time of locating boards: one line for each picture of tests/pictures/locate, or of scenes in folders.

Boards are located as `boardside locate` does it, after estimating the distortion of the lens. The error is the largest
distance of a corner from its true place, in percent of the board's width.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import with_test_support  # noqa: F401
from places import PICTURES

from vision.board import LocateError
from vision.cameras import load_picture
from vision.registry import find_board

if TYPE_CHECKING:
    from collections.abc import Iterator

BOARDS = PICTURES / "locate"


def boards(folders: list[Path]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Pictures of starting positions with their ground truth: `game`, `mirror` and `corners`."""
    if not folders:
        labels = json.loads((BOARDS / "boards.json").read_text(encoding="utf-8"))
        yield from ((BOARDS / f"{name}.jpg", board) for name, board in labels.items())
    for folder in folders:
        for file in sorted(folder.glob("*/scene.json")):
            scene = json.loads(file.read_text(encoding="utf-8"))
            yield file.parent / scene["frames"][0]["file"], {**scene, "game": scene["board"]}


def error_percent(found: np.ndarray, true: np.ndarray, game: str) -> float:
    """The largest corner error; in checkers either side may be called White's."""
    turns = (0, 2) if game == "checkers" else (0,)
    width = np.hypot(*(true[1] - true[0]))
    return min(100 * float(np.hypot(*(np.roll(found, k, axis=0) - true).T).max() / width) for k in turns)


def main() -> int:
    """Print the table."""
    cv2.setNumThreads(1)
    print(f"{'picture':44} {'error %':>8} {'confid.':>6} {'s':>6}")
    for path, board in boards([Path(name) for name in sys.argv[1:]]):
        name = path.stem if path.parent == BOARDS else path.parent.name
        picture = load_picture(path)
        game, kind = ("backgammon", "tiles") if board["game"] == "tiles" else (board["game"], None)
        began_s = time.perf_counter()
        try:
            found = find_board(picture, game, kind, board["mirror"])
        except LocateError:
            print(f"{name:44} {'refused':>8}")
            continue
        took_s = time.perf_counter() - began_s
        error = error_percent(found.corners, np.array(board["corners"]), game)
        print(f"{name:44} {error:8.2f} {found.confidence:6.2f} {took_s:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
