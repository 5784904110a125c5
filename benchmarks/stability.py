"""How much readings depend on tiny changes of the calibration picture: `python benchmarks/stability.py [FOLDER]`.

Each board is learned again from variants of its first picture that look the same to a person: JPEG at several
qualities, shifted by a pixel, a little brighter or darker. The board's other pictures are then read as they are. A row
has how many variants were learned, the readings by grade, and the pictures that some variants read and others do not.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import with_test_support  # noqa: F401
from accuracy import GRADES, bumped, exposed
from labelled import Scene, scenes
from labelled_checkers import SquaresScene
from labelled_checkers import scenes as chequered_scenes
from places import PICTURES

from vision.board import CalibrationError
from vision.registry import learn_board

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras import Picture

QUALITIES = (70, 80, 90, 95)
STOPS = 0.15
"""Change of exposure: 5 % brighter or darker."""


def packed(picture: Picture, quality: int) -> Picture:
    """The picture after JPEG at that quality."""
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


VARIANTS: dict[str, Callable[[Picture], Picture]] = {
    "as it is": lambda picture: picture,
    **{f"JPEG {quality}": lambda picture, quality=quality: packed(picture, quality) for quality in QUALITIES},
    "moved by a pixel": lambda picture: bumped(picture, 1),
    "moved back by a pixel": lambda picture: bumped(picture, -1),
    "brighter": lambda picture: exposed(picture, STOPS),
    "darker": lambda picture: exposed(picture, -STOPS),
}


def readings(scene: Scene | SquaresScene, vary: Callable[[Picture], Picture]) -> list[str] | None:
    """The grades of the pictures after the first, the board learned from a variant of it; None: it is not learned."""
    game, mirror = ("backgammon", scene.mirror) if isinstance(scene, Scene) else ("checkers", False)
    try:
        board = learn_board(vary(scene.start), game, corners=scene.corners, mirror=mirror)
    except CalibrationError:
        return None
    return [frame.grade(board.answer(board.look(frame.picture))) for frame in scene.frames[1:]]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    folder = parser.parse_args().folder
    print(f"{'board':20}{'learned':>10}" + "".join(f"{grade:>10}" for grade in GRADES) + f"{'unlike':>10}")
    for scene in [*scenes(folder), *chequered_scenes(folder)]:
        tried = {name: readings(scene, vary) for name, vary in VARIANTS.items()}
        learned = [grades for grades in tried.values() if grades is not None]
        counts = Counter(grade for grades in learned for grade in grades)
        unlike = sum(len(set(of_picture)) > 1 for of_picture in zip(*learned, strict=True))
        figures = (f"{len(learned)}/{len(tried)}", *(counts[grade] for grade in GRADES), unlike)
        refused = ", ".join(name for name, grades in tried.items() if grades is None)
        print(f"{scene.name:20}" + "".join(f"{figure:>10}" for figure in figures) + f"   {refused}", flush=True)


if __name__ == "__main__":
    main()
