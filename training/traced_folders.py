"""Folders of path-traced boards (see `training.traced`): reading them, and writing the samples made of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.board import START, CalibrationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from vision.arrays import Picture
    from vision.backgammon.calibration import Calibration

    Samples = dict[str, NDArray[Any]]


def read_folder(folder: Path, learn: Callable[..., Calibration]) -> tuple[dict[str, Any], Calibration | None]:
    """A board's `board.json`, and the board as calibrated by `learn` (such as `calibrate`); None if it is refused."""
    description = json.loads((folder / "board.json").read_text())
    try:
        return description, learn(cv2.imread(str(folder / "start.jpg")), np.array(description["corners"]), False, START)
    except CalibrationError:
        return description, None


def later_pictures(folder: Path, description: dict[str, Any]) -> Iterator[tuple[Picture, dict[str, Any]]]:
    """The later pictures of a board (BGR), each with its `Look` from `board.json`."""
    for number, look in enumerate(description["looks"]):
        yield np.asarray(cv2.imread(str(folder / f"{number}.jpg")), np.uint8), look


def write_folders(prefix: str, samples: Callable[[Path], Samples | None]) -> None:
    """Write the samples of each board that has none yet; the command line has the boards' folder and the samples'."""
    folders, out = Path(sys.argv[1]), Path(sys.argv[2])
    for file in sorted(folders.glob("*/board.json")):
        path = out / f"{prefix}{file.parent.name}.npz"
        made = None if path.exists() else samples(file.parent)
        if made is not None:
            np.savez(path, **made)
