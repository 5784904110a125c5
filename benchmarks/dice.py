"""How many pairs of dice are read right, refused, or read wrong: `python benchmarks/dice.py [FOLDER]`.

The first table has the pictures as they are, board by board, the second all of them under disturbances of rising
strength. Where no pair lies, the answer must be that none is read: anything else is counted as wrong, as it was
invented. Every board is learned from its first picture, undisturbed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
from accuracy import GRADES, HARMS, learn, row
from labelled import PICTURES, Labelled, scenes

if TYPE_CHECKING:
    from vision.camera import Picture
    from vision.eye import Eye

STRENGTHS: dict[str, tuple[float, ...]] = {
    "blur, px": (0.7, 1, 1.5, 2, 3, 4),
    "noise, levels": (3, 6, 12, 25),
    "exposure, stops": (-2, -1, -0.5, 0.5, 1),
    "hue, degrees": (-20, -10, 10, 20),
}


def grade(frame: Labelled, eye: Eye, picture: Picture) -> str | None:
    """What a reading of the frame's dice is, from `picture`; None where none lie there and none are read."""
    read = eye.look(picture).dice
    if read is None:
        return None if frame.dice is None else "refused"
    return "right" if tuple(sorted(read)) == frame.dice else "wrong"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    cv2.setNumThreads(1)
    learned = [(scene, learn(scene, scene.corners)) for scene in scenes(parser.parse_args().folder)]
    known = [(scene, eye) for scene, eye in learned if eye is not None]
    print(f"{'board':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for scene, eye in known:
        row(scene.name, Counter(filter(None, (grade(frame, eye, frame.picture) for frame in scene.frames))))
    print(f"\n{'disturbance':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for what, strengths in STRENGTHS.items():
        for strength in strengths:
            harmed = (
                grade(frame, eye, HARMS[what](frame.picture, strength))
                for scene, eye in known
                for frame in scene.frames
            )
            row(f"{what} {strength:g}", Counter(filter(None, harmed)))


if __name__ == "__main__":
    main()
