"""Reads photographs of real boards: `python benchmarks/photographs.py FOLDER`; exit status 1 if one is read wrong.

The folder holds pictures with labels (see `photographs_labels`); the photographs are not part of the project. Pictures
are of one board if their labels name the same game and board and their sizes are equal. A pause of two minutes between
the times in their names separates sittings, because table, light and camera may have changed.

For each board, each photograph in turn is used for calibration, with its labelled corners and position, and all others
are read. Hand-held cameras move, so each is read in two ways, and a wrong reading counts in both:

- *as it is*: the second photograph is read unchanged. The board must be found at its new place, or refused.
- *in place*: the second photograph is warped so that its labelled corners coincide with the first one's, as if the
  camera had stood still. Labels are a few pixels off, and raised objects lean as the second camera saw them.

Photographs of other sittings are read as they are. A board with a single photograph is calibrated from it and read in
the same one; that proves little and is counted apart. If the starting position is seen, the board is also located.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import with_test_support  # noqa: F401
from photographs_labels import Photograph, groups

from companion.app.board_tracker import BoardTracker
from vision.board import CalibrationError, LocateError
from vision.registry import find_board, learn_board

if TYPE_CHECKING:
    from photographs_labels import Group

    from vision.board import LearnedBoard
    from vision.cameras import Picture

GRADES = ("right", "refused", "wrong")
IN_PLACE, AS_IT_IS, ELSEWHERE, SAME, FOUND = (
    "in place",
    "as it is",
    "other sitting, as it is",
    "the same photograph",
    "located at the start",
)
TOLERANCE = 0.03
"""Largest distance of located corners from labelled ones, in widths of the board; the calibration corrects as much."""


@dataclass(frozen=True)
class Reading:
    """One reading: the way of reading, its grade, and the detail of a refusal or an error."""

    way: str
    grade: str
    detail: str


def readings(group: Group) -> list[Reading]:
    """All readings of one board's photographs."""
    found = [located(one) for one in group.photographs if one.start]
    for one in group.photographs:
        others = [other for other in group.photographs if other is not one]
        try:
            board = learn_board(one.picture, one.game, corners=one.corners, mirror=one.mirror, position=one.cells)
        except CalibrationError as error:
            detail = f"{one.name} cannot be calibrated: {error}"
            found += [Reading(way, "refused", detail) for way, _ in _wanted(group, one, others)]
            continue
        for way, other in _wanted(group, one, others):
            picture = placed(other, one) if way == IN_PLACE else other.picture
            found.append(graded(way, board, one, other, picture))
    return found


def _wanted(group: Group, one: Photograph, others: list[Photograph]) -> list[tuple[str, Photograph]]:
    """Ways of reading and the photographs to read after calibration from `one`."""
    if not others:
        return [(SAME, one)]
    near = [other for other in others if group.same_sitting(one, other)]
    away = [other for other in others if not group.same_sitting(one, other)]
    return [(way, other) for other in near for way in (IN_PLACE, AS_IT_IS)] + [(ELSEWHERE, other) for other in away]


def graded(way: str, board: LearnedBoard, one: Photograph, other: Photograph, picture: Picture) -> Reading:
    """Read a picture as a real table does: if the reading is not clear, the board is searched nearby."""
    answer = board.answer(BoardTracker.of(board).look(picture))
    grade = other.truth.grade(answer)
    refusal = f"{answer['unreadable']} {answer.get('doubtful') or ''}"
    detail = "" if grade == "right" else refusal if grade == "refused" else differences(answer, other)
    return Reading(way, grade, f"{one.name} -> {other.name}: {detail}".rstrip())


def differences(answer: dict[str, Any], truth: Photograph) -> str:
    """The cells of a wrong answer that differ from the label: what was read, and what is there."""
    if answer["unreadable"] is None and truth.truth.hand:
        return "read under a hand"
    read = _cells(answer.get("position"), answer.get("squares"))
    true = _cells(truth.position, getattr(truth.truth, "squares", None))
    different = [name for name in {**true, **read} if read.get(name) != true.get(name)]
    return ", ".join(f"{name} read {read.get(name, 'empty')} is {true.get(name, 'empty')}" for name in different)


def _cells(position: dict[str, Any] | None, squares: dict[str, str] | None) -> dict[str, Any]:
    if squares is not None or position is None:
        return dict(squares or {})
    return {**{f"point {point}": count for point, count in enumerate(position["points"], 1)}, "bar": position["bar"]}


def placed(other: Photograph, one: Photograph) -> Picture:
    """The other photograph, warped so that its labelled corners coincide with the first one's."""
    warp = cv2.getPerspectiveTransform(other.corners.astype(np.float32), one.corners.astype(np.float32))
    size = (one.picture.shape[1], one.picture.shape[0])
    return np.asarray(cv2.warpPerspective(other.picture, warp, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def located(photograph: Photograph) -> Reading:
    """Locate the board in a picture of its starting position; in checkers either side may be White's."""
    try:
        corners = find_board(photograph.picture, photograph.game, mirror=photograph.mirror).corners
    except LocateError as error:
        return Reading(FOUND, "refused", f"{photograph.name}: {error}")
    off = corners_off(corners, photograph.corners, photograph.game)
    return Reading(FOUND, "right" if off <= TOLERANCE else "wrong", f"{photograph.name}: corners {off:.1%} off")


def corners_off(corners: np.ndarray, labelled: np.ndarray, game: str) -> float:
    """Largest distance of located corners from labelled ones, in widths of the board; in checkers from either side."""
    turns = (0, 2) if game == "checkers" else (0,)
    width = np.linalg.norm(labelled[1] - labelled[0])
    return float(min(np.abs(np.roll(corners, turn, axis=0) - labelled).max() for turn in turns) / width)


def table(found: dict[str, list[Reading]], verbose: bool) -> None:
    """Print the number of readings by board, way and grade; then details of wrong and, if `verbose`, refused ones."""
    print(f"{'board, way of reading':68}" + "".join(f"{grade:>9}" for grade in GRADES))
    for name, ones in found.items():
        for way in dict.fromkeys(one.way for one in ones):
            counts = Counter(one.grade for one in ones if one.way == way)
            print(f"{name[:40]:40}  {way:26}" + "".join(f"{counts[grade]:9}" for grade in GRADES))
    for name, ones in found.items():
        for one in ones:
            if one.grade == "wrong" or (verbose and one.grade == "refused"):
                print(f"{one.grade}, {one.way}: {name.split(':')[0]} {one.detail}")


def main() -> int:
    """Print the table; exit status 1 if a reading is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="photographs with their labels, also in subfolders")
    parser.add_argument("--verbose", action="store_true", help="also print why readings were refused")
    args = parser.parse_args()
    if args.folder is None:
        print("no folder of labelled photographs was given: nothing to read")
        return 0
    cv2.setNumThreads(1)
    found: dict[str, list[Reading]] = {}
    for group in groups(args.folder):
        found[group.name] = readings(group)
    if not found:
        print(f"there is no label *.gt.json in {args.folder}: name the folder with the photographs")
        return 1
    table(found, args.verbose)
    return int(any(one.grade == "wrong" for ones in found.values() for one in ones))


if __name__ == "__main__":
    sys.exit(main())
