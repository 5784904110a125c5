"""Counts pictures of checkers read correctly, wrongly, or refused: `python benchmarks/accuracy_checkers.py [FOLDER]`.

The tables are those of `accuracy.py`. A board that was moved is located again, as at a real table. There are more
disturbances of the light: a shadow over half of the board, a reflection, a lamp that moved.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import with_test_support  # noqa: F401
from accuracy import CORNER_ERRORS, DISTURBANCES, GRADES, STRENGTHS, displaced_corners, row
from labelled_checkers import SquaresScene, scenes
from places import PICTURES

from companion.app.board_tracker import BoardTracker
from vision.board import CalibrationError
from vision.registry import learn_board

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.board import LearnedBoard
    from vision.cameras import Picture

    Disturbance = Callable[[Picture], Picture]

LIGHT_STRENGTHS: dict[str, tuple[float, ...]] = {
    "shadow, share of light lost": (0.1, 0.2, 0.35, 0.5),
    "reflection, levels": (30, 80, 160),
    "lamp moved, share across": (0.1, 0.2, 0.4),
}


def shaded(picture: Picture, share: float) -> Picture:
    """The picture with a soft-edged shadow over its left half."""
    edge = 1 / (1 + np.exp(-(np.arange(picture.shape[1]) - picture.shape[1] * 0.48) / 12))
    return np.asarray((picture * (1 - share * (1 - edge))[None, :, None]).astype(np.uint8))


def reflected(picture: Picture, levels: float) -> Picture:
    """The picture with a blurred reflection of a lamp in the middle."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    spot = np.exp(-(((x - width * 0.52) / 90) ** 2 + ((y - height * 0.55) / 60) ** 2))
    return np.clip(picture + levels * spot[..., None], 0, 255).astype(np.uint8)


def tilted(picture: Picture, share: float) -> Picture:
    """The picture with light that increases from left to right."""
    ramp = 1 + share * np.linspace(-0.5, 0.5, picture.shape[1])
    return np.clip(picture * ramp[None, :, None], 0, 255).astype(np.uint8)


LIGHTS: dict[str, Callable[[Picture, float], Picture]] = {
    "shadow, share of light lost": shaded,
    "reflection, levels": reflected,
    "lamp moved, share across": tilted,
}


def learn(scene: SquaresScene, corners: np.ndarray) -> LearnedBoard | None:
    """The scene's board; None if it cannot be calibrated."""
    try:
        return learn_board(scene.start, "checkers", corners=corners)
    except CalibrationError:
        return None


def grades(
    scene: SquaresScene, board: LearnedBoard | None, disturb: Disturbance = lambda picture: picture
) -> Counter[str]:
    """Number of pictures after the first by grade; all count as refused if the board could not be calibrated."""
    frames = scene.frames[1:]
    if board is None:
        return Counter({"refused": len(frames)})
    return Counter(frame.grade(board.answer(BoardTracker.of(board).look(disturb(frame.picture)))) for frame in frames)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    parser.add_argument("--plain", action="store_true", help="the first table only")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    known = [(scene, learn(scene, scene.corners)) for scene in scenes(args.folder)]
    print(f"{'board':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    plain = [(scene.name, grades(scene, board)) for scene, board in known]
    for name, found in plain:
        row(name, found)
    row("all", sum((found for _, found in plain), Counter()))
    if args.plain:
        return
    print(f"\n{'disturbance':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for what, disturb in {**DISTURBANCES, **LIGHTS}.items():
        for strength in {**STRENGTHS, **LIGHT_STRENGTHS}[what]:
            disturbed = (grades(scene, board, lambda p, h=disturb, s=strength: h(p, s)) for scene, board in known)
            row(f"{what} {strength:g}", sum(disturbed, Counter()))
    for share in CORNER_ERRORS:
        displaced = (grades(scene, learn(scene, displaced_corners(scene, share))) for scene, _ in known)
        row(f"corners off by {share:.0%}", sum(displaced, Counter()))


if __name__ == "__main__":
    main()
