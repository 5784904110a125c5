"""How photographs of real boards are read: `python benchmarks/photographs.py FOLDER`; exits 1 if one is read wrong.

The folder holds pictures with labels (see `photographs_labels`); photographs are no part of the project. They are of
one board where their labels name the same game and board and the pictures are of one size; a pause of two minutes
between the moments in their names parts them into sittings, as table, light and camera may have changed meanwhile.

Of every board, each photograph in turn is learned from, with its labelled corners and position, and each other is read.
Cameras held in a hand move, so there are two ways of reading, and a wrong reading counts in both:

- *as it is*: nothing is told of the second photograph. The board has to be found again where it now lies, or refused.
- *in place*: the second photograph is warped so that its labelled corners come where the first one's are, as if the
  camera had stood still. Labels are a few pixels off, and what stands up leans as that other camera saw it.

Photographs of other sittings are read as they are: the table may find another light, too. A board with a single
photograph is learned from it and read in the same one, which proves little and is counted apart. Where a starting
position is seen, the board is looked for in it too.
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
    "another sitting, as it is",
    "the same photograph",
    "found at its start",
)
LEAST_TRUE = 0.03
"""How far, in widths of the board, corners that were found may lie from labelled ones: a fit sets right as much."""


@dataclass(frozen=True)
class Reading:
    """One answer: in which way it was read, how it is graded, and what there is to say of it."""

    way: str
    grade: str
    told: str


def readings(group: Group) -> list[Reading]:
    """All readings of one board's photographs."""
    found = [located(one) for one in group.photographs if one.start]
    for one in group.photographs:
        others = [other for other in group.photographs if other is not one]
        try:
            board = learn_board(one.picture, one.game, corners=one.corners, mirror=one.mirror, position=one.cells)
        except CalibrationError as error:
            told = f"{one.name} cannot be learned: {error}"
            found += [Reading(way, "refused", told) for way, _ in _wanted(group, one, others)]
            continue
        for way, other in _wanted(group, one, others):
            picture = placed(other, one) if way == IN_PLACE else other.picture
            found.append(graded(way, board, one, other, picture))
    return found


def _wanted(group: Group, one: Photograph, others: list[Photograph]) -> list[tuple[str, Photograph]]:
    """Ways of reading, and what is read, once `one` has been learned."""
    if not others:
        return [(SAME, one)]
    near = [other for other in others if group.same_sitting(one, other)]
    away = [other for other in others if not group.same_sitting(one, other)]
    return [(way, other) for other in near for way in (IN_PLACE, AS_IT_IS)] + [(ELSEWHERE, other) for other in away]


def graded(way: str, board: LearnedBoard, one: Photograph, other: Photograph, picture: Picture) -> Reading:
    """Read a picture as the table does: where it is not clear, the board is looked for round about."""
    answer = board.answer(BoardTracker.of(board).look(picture))
    grade = other.truth.grade(answer)
    told = {"right": "", "refused": f"{answer['unreadable']} {answer.get('doubtful') or ''}"}
    detail = told[grade] if grade in told else differences(answer, other)
    return Reading(way, grade, f"{one.name} -> {other.name}: {detail}".rstrip())


def differences(answer: dict[str, Any], truth: Photograph) -> str:
    """The cells that a wrong answer has otherwise than the label: what was read, and what stands there."""
    if answer["unreadable"] is None and truth.truth.hand:
        return "read under a hand"
    read = _cells(answer.get("position"), answer.get("squares"))
    real = _cells(truth.position, getattr(truth.truth, "squares", None))
    unlike = [name for name in {**real, **read} if read.get(name) != real.get(name)]
    return ", ".join(f"{name} read {read.get(name, 'empty')} is {real.get(name, 'empty')}" for name in unlike)


def _cells(position: dict[str, Any] | None, squares: dict[str, str] | None) -> dict[str, Any]:
    if squares is not None or position is None:
        return dict(squares or {})
    return {**{f"point {point}": count for point, count in enumerate(position["points"], 1)}, "bar": position["bar"]}


def placed(other: Photograph, one: Photograph) -> Picture:
    """The other photograph with its labelled corners where the first one's are."""
    warp = cv2.getPerspectiveTransform(other.corners.astype(np.float32), one.corners.astype(np.float32))
    size = (one.picture.shape[1], one.picture.shape[0])
    return np.asarray(cv2.warpPerspective(other.picture, warp, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def located(photograph: Photograph) -> Reading:
    """Look for the board in a picture of its starting position; in checkers either side may be taken for White's."""
    try:
        corners = find_board(photograph.picture, photograph.game, mirror=photograph.mirror).corners
    except LocateError as error:
        return Reading(FOUND, "refused", f"{photograph.name}: {error}")
    turns = (0, 2) if photograph.game == "checkers" else (0,)
    width = np.linalg.norm(photograph.corners[1] - photograph.corners[0])
    off = min(np.abs(np.roll(corners, turn, axis=0) - photograph.corners).max() for turn in turns) / width
    return Reading(FOUND, "right" if off <= LEAST_TRUE else "wrong", f"{photograph.name}: corners {off:.1%} off")


def table(found: dict[str, list[Reading]], verbose: bool) -> None:
    """Print how many are right, refused and wrong by board and way; then what was wrong and, if asked, refused."""
    print(f"{'board, way of reading':68}" + "".join(f"{grade:>9}" for grade in GRADES))
    for name, ones in found.items():
        for way in dict.fromkeys(one.way for one in ones):
            counts = Counter(one.grade for one in ones if one.way == way)
            print(f"{name[:40]:40}  {way:26}" + "".join(f"{counts[grade]:9}" for grade in GRADES))
    for name, ones in found.items():
        for one in ones:
            if one.grade == "wrong" or (verbose and one.grade == "refused"):
                print(f"{one.grade}, {one.way}: {name.split(':')[0]} {one.told}")


def main() -> int:
    """Print the table; exit status 1 where a reading is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder", nargs="?", type=Path, help="photographs with labels beside them, also in folders below"
    )
    parser.add_argument("--verbose", action="store_true", help="say why readings were refused, too")
    args = parser.parse_args()
    if args.folder is None:
        print("no folder of labelled photographs is given: there is nothing to read")
        return 0
    cv2.setNumThreads(1)
    found: dict[str, list[Reading]] = {}
    for group in groups(args.folder):
        found[group.name] = readings(group)
    if not found:
        print(f"no label *.gt.json lies in {args.folder}: name the folder that holds the photographs")
        return 1
    table(found, args.verbose)
    return int(any(one.grade == "wrong" for ones in found.values() for one in ones))


if __name__ == "__main__":
    sys.exit(main())
