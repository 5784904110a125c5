"""How many pairs of dice are read right, refused, or read wrong: `python benchmarks/dice.py [FOLDER]`.

The first table has the pictures as they are, board by board, the second throws of drawn dice (see `thrown_dice`), the
third all pictures under disturbances of rising strength. Where no pair lies, the answer must be that none is read:
anything else is counted as wrong, as it was invented. Every board is learned from its first picture, undisturbed.

Of the throws a die that does not lie flat is told where it is said so, or refused; "passed" is the worst: the throw
would count. A flat die that is said to lie otherwise is "cocked".
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import with_test_support  # noqa: F401
from accuracy import GRADES, HARMS, learn, row
from labelled import Labelled, Scene, scenes
from places import PICTURES
from thrown_dice import BESIDE, FLAT, WAYS, Throw, throws

if TYPE_CHECKING:
    from vision.backgammon.reader import FramedBoardReader
    from vision.cameras import Picture

STRENGTHS: dict[str, tuple[float, ...]] = {
    "blur, px": (0.7, 1, 1.5, 2, 3, 4),
    "noise, levels": (3, 6, 12, 25),
    "exposure, stops": (-2, -1, -0.5, 0.5, 1),
    "hue, degrees": (-20, -10, 10, 20),
}


def grade(frame: Labelled, eye: FramedBoardReader, picture: Picture) -> str | None:
    """What a reading of the frame's dice is, from `picture`; None where none lie there and none are read."""
    read = eye.look(picture).dice
    if read is None:
        return None if frame.dice is None else "refused"
    return "right" if tuple(sorted(read)) == frame.dice else "wrong"


LIES = ("right", "told", "refused", "cocked", "passed", "wrong")


def lie(thrown: Throw, eye: FramedBoardReader) -> str:
    """What a reading of thrown dice is, one of LIES."""
    seen = eye.look(thrown.picture)
    flat, numbers = thrown.way in (FLAT, BESIDE), None if seen.dice is None else tuple(sorted(seen.dice))
    if numbers is None:
        leans = any(not die.flat for die in seen.lying)
        return "refused" if not leans else "cocked" if flat else "told"
    if numbers != thrown.numbers:
        return "wrong"
    return "right" if flat else "passed"


def thrown_table(known: list[tuple[Scene, FramedBoardReader]], count: int) -> None:
    """Print how drawn dice are read, by how the second one lies, `count` throws of each on every board."""
    print(f"\n{'second die':30}" + "".join(f"{grade:>10}" for grade in LIES))
    read = Counter((one.way, lie(one, eye)) for scene, eye in known for one in throws(scene, eye.calibration, count, 1))
    for way in WAYS:
        print(f"{way:30}" + "".join(f"{read[way, grade]:10}" for grade in LIES), flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    parser.add_argument("--throws", type=int, default=4, help="drawn throws of each kind on every board")
    parser.add_argument("--plain", action="store_true", help="the first two tables only")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    learned = [(scene, learn(scene, scene.corners)) for scene in scenes(args.folder)]
    known = [(scene, eye) for scene, eye in learned if eye is not None]
    print(f"{'board':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for scene, eye in known:
        row(scene.name, Counter(filter(None, (grade(frame, eye, frame.picture) for frame in scene.frames))))
    thrown_table(known, args.throws)
    if args.plain:
        return
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
