"""Counts pictures read correctly, wrongly, or refused: `python benchmarks/accuracy.py [FOLDER]`.

The first table has the pictures as they are, board by board. The second reads them again under disturbances of rising
strength: what counts is that readings are refused before they are wrong. A picture with a hand in it is right where the
answer says so. Every board is learned from its first picture, undisturbed except where the table says otherwise.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import with_test_support  # noqa: F401
from labelled import Scene, answer, scenes
from places import PICTURES

from vision.backgammon.calibration import calibrate
from vision.backgammon.reader import FramedBoardReader
from vision.board import CalibrationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras import Picture

    Harm = Callable[[Picture], Picture]

STRENGTHS: dict[str, tuple[float, ...]] = {
    "blur, px": (1, 2, 3, 4, 6, 12),
    "noise, levels": (3, 6, 12, 25),
    "exposure, stops": (-1, -0.5, 0.5, 1),
    "hue, degrees": (-20, -10, 10, 20),
    "lamp at one side, share": (0.3, 0.5),
    "turned, degrees": (0.1, 0.3, 1, 3, 10),
    "bump, px": (1, 3, 6, 15, 60),
}
CORNER_ERRORS = (0.01, 0.02, 0.03)
GRADES = ("right", "refused", "wrong")


def blurred(picture: Picture, spread_px: float) -> Picture:
    """Blurred as if out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), spread_px), np.uint8)


def noisy(picture: Picture, levels: float) -> Picture:
    """With sensor noise of that spread."""
    noise = np.random.default_rng(1).normal(0, levels, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def exposed(picture: Picture, stops: float) -> Picture:
    """Under another exposure; the curve is a camera's usual one."""
    curve = 255 * np.clip((np.arange(256) / 255) ** 2.2 * 2**stops, 0, 1) ** (1 / 2.2)
    return np.asarray(cv2.LUT(picture, curve.round().astype(np.uint8)), np.uint8)


def hued(picture: Picture, degrees: float) -> Picture:
    """With every hue shifted."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + round(degrees / 2)) % 180
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def lit_from_one_side(picture: Picture, share: float) -> Picture:
    """With a lamp moved to the right: at the left edge so much less light is left."""
    fall = np.linspace(1 - share, 1, picture.shape[1])
    return np.asarray((picture * fall[None, :, None]).astype(np.uint8))


def turned(picture: Picture, degrees: float) -> Picture:
    """With the camera rotated about its axis."""
    height, width = picture.shape[:2]
    return _warped(picture, cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1))


def bumped(picture: Picture, pixels: float) -> Picture:
    """With the camera shifted, mostly sideways."""
    return _warped(picture, np.array([[1, 0, 0.8 * pixels], [0, 1, -0.6 * pixels]]))


def _warped(picture: Picture, matrix: np.ndarray) -> Picture:
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


HARMS: dict[str, Callable[[Picture, float], Picture]] = {
    "blur, px": blurred,
    "noise, levels": noisy,
    "exposure, stops": exposed,
    "hue, degrees": hued,
    "lamp at one side, share": lit_from_one_side,
    "turned, degrees": turned,
    "bump, px": bumped,
}


def learn(scene: Scene, corners: np.ndarray) -> FramedBoardReader | None:
    """An eye for the scene's board; None where it cannot be learned."""
    try:
        return FramedBoardReader(calibrate(scene.start, corners, scene.mirror))
    except CalibrationError:
        return None


def grades(scene: Scene, eye: FramedBoardReader | None, harm: Harm = lambda picture: picture) -> Counter[str]:
    """How the pictures after the first are read; all are refused where the board could not be learned."""
    frames = scene.frames[1:]
    if eye is None:
        return Counter({"refused": len(frames)})
    return Counter(frame.grade(answer(eye, harm(frame.picture))) for frame in frames)


def off_by(scene: Scene, share: float) -> np.ndarray:
    """The corners, each off by that share of the board's width, every one another way."""
    width = np.linalg.norm(scene.corners[1] - scene.corners[0])
    ways = np.random.default_rng(3).normal(size=(4, 2))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    return np.asarray(scene.corners + ways * width * share)


def row(title: str, found: Counter[str]) -> None:
    """Print one row."""
    print(f"{title:30}" + "".join(f"{found[grade]:10}" for grade in GRADES), flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    parser.add_argument("--plain", action="store_true", help="the first table only")
    args = parser.parse_args()
    known = [(scene, learn(scene, scene.corners)) for scene in scenes(args.folder)]
    print(f"{'board':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    plain = [(scene.name, grades(scene, eye)) for scene, eye in known]
    for name, found in plain:
        row(name, found)
    row("all", sum((found for _, found in plain), Counter()))
    if args.plain:
        return
    print(f"\n{'disturbance':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for what, strengths in STRENGTHS.items():
        for strength in strengths:
            harmed = (grades(scene, eye, lambda p, w=what, s=strength: HARMS[w](p, s)) for scene, eye in known)
            row(f"{what} {strength:g}", sum(harmed, Counter()))
    for share in CORNER_ERRORS:
        astray = (grades(scene, learn(scene, off_by(scene, share))) for scene, _ in known)
        row(f"corners off by {share:.0%}", sum(astray, Counter()))


if __name__ == "__main__":
    main()
