"""Counts pairs of dice read correctly, wrongly, or refused: `python benchmarks/dice.py [FOLDER]`.

The first table reads the pictures as they are, one line for each board. The second reads throws of drawn dice (see
`thrown_dice`). The third reads all pictures under disturbances of increasing strength. Where no pair of dice lies on
the board, every reading counts as wrong. Each board is calibrated from its first picture, without a disturbance.

Columns of the second table: "right", the numbers of flat dice; "reported", a die that does not lie flat is reported as
such; "refused", no reading; "misjudged", a flat die is reported as not flat; "accepted", the worst, a throw counts
although a die does not lie flat; "wrong", wrong numbers.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import with_test_support  # noqa: F401
from accuracy import DISTURBANCES, GRADES, learn, row
from labelled import Labelled, Scene, scenes
from places import PICTURES
from thrown_dice import BESIDE, FLAT, WAYS, DrawnThrow, throws

if TYPE_CHECKING:
    from vision.backgammon.reader import FramedBoardReader
    from vision.cameras import Picture

STRENGTHS: dict[str, tuple[float, ...]] = {
    "blur, px": (0.7, 1, 1.5, 2, 3, 4),
    "noise, levels": (3, 6, 12, 25),
    "exposure, stops": (-2, -1, -0.5, 0.5, 1),
    "hue, degrees": (-20, -10, 10, 20),
}
OUTCOMES = ("right", "reported", "refused", "misjudged", "accepted", "wrong")


def grade(frame: Labelled, reader: FramedBoardReader, picture: Picture) -> str | None:
    """Grade of the dice read in `picture`; None if there are no dice and none are read."""
    read = reader.look(picture).dice
    if read is None:
        return None if frame.dice is None else "refused"
    return "right" if tuple(sorted(read)) == frame.dice else "wrong"


def outcome(thrown: DrawnThrow, reader: FramedBoardReader) -> str:
    """Outcome of reading a throw, one of OUTCOMES."""
    seen = reader.look(thrown.picture)
    flat, numbers = thrown.way in (FLAT, BESIDE), None if seen.dice is None else tuple(sorted(seen.dice))
    if numbers is None:
        leans = any(not die.flat for die in seen.lying)
        return "refused" if not leans else "misjudged" if flat else "reported"
    if numbers != thrown.numbers:
        return "wrong"
    return "right" if flat else "accepted"


def thrown_table(known: list[tuple[Scene, FramedBoardReader]], count: int) -> None:
    """Print the outcomes of `count` throws on each board for every way in which the second die lies."""
    print(f"\n{'second die':30}" + "".join(f"{grade:>10}" for grade in OUTCOMES))
    read = Counter(
        (one.way, outcome(one, reader))
        for scene, reader in known
        for one in throws(scene, reader.calibration, count, 1)
    )
    for way in WAYS:
        print(f"{way:30}" + "".join(f"{read[way, grade]:10}" for grade in OUTCOMES), flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    parser.add_argument("--throws", type=int, default=4, help="drawn throws of each kind on every board")
    parser.add_argument("--plain", action="store_true", help="the first two tables only")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    learned = [(scene, learn(scene, scene.corners)) for scene in scenes(args.folder)]
    known = [(scene, reader) for scene, reader in learned if reader is not None]
    print(f"{'board':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for scene, reader in known:
        row(scene.name, Counter(filter(None, (grade(frame, reader, frame.picture) for frame in scene.frames))))
    thrown_table(known, args.throws)
    if args.plain:
        return
    print(f"\n{'disturbance':30}" + "".join(f"{grade:>10}" for grade in GRADES))
    for what, strengths in STRENGTHS.items():
        for strength in strengths:
            disturbed = (
                grade(frame, reader, DISTURBANCES[what](frame.picture, strength))
                for scene, reader in known
                for frame in scene.frames
            )
            row(f"{what} {strength:g}", Counter(filter(None, disturbed)))


if __name__ == "__main__":
    main()
