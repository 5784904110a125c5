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
    """What is told of a board, and the board as `learn` (such as `calibrate`) has it; None if it is refused."""
    told = json.loads((folder / "board.json").read_text())
    try:
        return told, learn(cv2.imread(str(folder / "start.jpg")), np.array(told["corners"]), False, START)
    except CalibrationError:
        return told, None


def later_pictures(folder: Path, told: dict[str, Any]) -> Iterator[tuple[Picture, dict[str, Any]]]:
    """The later pictures of a board (BGR), each with what is told of it."""
    for number, look in enumerate(told["looks"]):
        yield np.asarray(cv2.imread(str(folder / f"{number}.jpg")), np.uint8), look


def write_folders(prefix: str, samples: Callable[[Path], Samples | None]) -> None:
    """Write the samples of each board that has none yet; the command line has the boards' folder and the samples'."""
    folders, out = Path(sys.argv[1]), Path(sys.argv[2])
    for told in sorted(folders.glob("*/board.json")):
        path = out / f"{prefix}{told.parent.name}.npz"
        made = None if path.exists() else samples(told.parent)
        if made is not None:
            np.savez(path, **made)
