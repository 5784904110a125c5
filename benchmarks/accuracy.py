"""Counts pictures read correctly, wrongly, or refused: `python benchmarks/accuracy.py [FOLDER]`.

The first table reads the pictures as they are, one line for each board. The second reads them again under disturbances
of increasing strength; readings should be refused before they become wrong. A picture with a hand in it is read
correctly if the answer reports the hand. Each board is calibrated from its first picture, without a disturbance except
in the lines on corner errors.
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

from vision.backgammon.learning import calibrate
from vision.backgammon.reader import FramedBoardReader
from vision.board import CalibrationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras import Picture

    Disturbance = Callable[[Picture], Picture]

STRENGTHS: dict[str, tuple[float, ...]] = {
    "blur, px": (1, 2, 3, 4, 6, 12),
    "noise, levels": (3, 6, 12, 25),
    "exposure, stops": (-1, -0.5, 0.5, 1),
    "hue, degrees": (-20, -10, 10, 20),
    "light falloff, share": (0.3, 0.5),
    "rotation, degrees": (0.1, 0.3, 1, 3, 10),
    "shift, px": (1, 3, 6, 15, 60),
}
CORNER_ERRORS = (0.01, 0.02, 0.03)
GRADES = ("right", "refused", "wrong")


def blurred(picture: Picture, spread_px: float) -> Picture:
    """The picture blurred as if out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), spread_px), np.uint8)


def noisy(picture: Picture, levels: float) -> Picture:
    """The picture with Gaussian noise of that standard deviation, in grey levels."""
    noise = np.random.default_rng(1).normal(0, levels, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def exposed(picture: Picture, stops: float) -> Picture:
    """The picture at another exposure, with a gamma of 2.2."""
    curve = 255 * np.clip((np.arange(256) / 255) ** 2.2 * 2**stops, 0, 1) ** (1 / 2.2)
    return np.asarray(cv2.LUT(picture, curve.round().astype(np.uint8)), np.uint8)


def hued(picture: Picture, degrees: float) -> Picture:
    """The picture with all hues shifted."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + round(degrees / 2)) % 180
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def lit_from_one_side(picture: Picture, share: float) -> Picture:
    """The picture lit from the right: at the left edge the light is reduced by `share`."""
    fall = np.linspace(1 - share, 1, picture.shape[1])
    return np.asarray((picture * fall[None, :, None]).astype(np.uint8))


def turned(picture: Picture, degrees: float) -> Picture:
    """The picture of a camera rotated about its optical axis."""
    height, width = picture.shape[:2]
    return _warped(picture, cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1))


def bumped(picture: Picture, pixels: float) -> Picture:
    """The picture shifted, mostly sideways."""
    return _warped(picture, np.array([[1, 0, 0.8 * pixels], [0, 1, -0.6 * pixels]]))


def _warped(picture: Picture, matrix: np.ndarray) -> Picture:
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


DISTURBANCES: dict[str, Callable[[Picture, float], Picture]] = {
    "blur, px": blurred,
    "noise, levels": noisy,
    "exposure, stops": exposed,
    "hue, degrees": hued,
    "light falloff, share": lit_from_one_side,
    "rotation, degrees": turned,
    "shift, px": bumped,
}


def learn(scene: Scene, corners: np.ndarray) -> FramedBoardReader | None:
    """The reader of the scene's board; None if the board cannot be calibrated."""
    try:
        return FramedBoardReader(calibrate(scene.start, corners, scene.mirror))
    except CalibrationError:
        return None


def grades(
    scene: Scene, reader: FramedBoardReader | None, disturb: Disturbance = lambda picture: picture
) -> Counter[str]:
    """Number of pictures after the first by grade; all count as refused if the board could not be calibrated."""
    frames = scene.frames[1:]
    if reader is None:
        return Counter({"refused": len(frames)})
    return Counter(frame.grade(answer(reader, disturb(frame.picture))) for frame in frames)


def displaced_corners(scene: Scene, share: float) -> np.ndarray:
    """The corners, each moved by that share of the board's width in a random direction."""
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
    plain = [(scene.name, grades(scene, reader)) for scene, reader in known]
    for name, found in plain:
        row(name, found)
    row("all", sum((found for _, found in plain), Counter()))
    if args.plain:
        return
    print(f"\n{'disturbance':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for what, strengths in STRENGTHS.items():
        for strength in strengths:
            disturbed = (
                grades(scene, reader, lambda p, w=what, s=strength: DISTURBANCES[w](p, s)) for scene, reader in known
            )
            row(f"{what} {strength:g}", sum(disturbed, Counter()))
    for share in CORNER_ERRORS:
        displaced = (grades(scene, learn(scene, displaced_corners(scene, share))) for scene, _ in known)
        row(f"corners off by {share:.0%}", sum(displaced, Counter()))


if __name__ == "__main__":
    main()
