"""Ablation study of the eye's mechanisms: `python benchmarks/ablation.py [FOLDER ...]`.

Each mechanism in turn is switched off, by replacing a function or a constant. Then all boards are learned and read
again. The table has one line for each mechanism, with the changes against the first line, where all are on: readings
that became wrong, and right ones that were lost (negative: gained). A mechanism whose removal loses nothing on any set
should be deleted.

A folder is a set, or has sets in its sub-folders: labelled pictures of one board (`scene.json`), a filmed game
(`game.json`), or photographs (`*.gt.json`, see `photographs_labels`). Columns: the pictures as they are; the same
disturbed (see `VARIANTS`), or on a board whose corners were marked badly; starting positions that are located
without corners; pairs of dice; turns of films.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import with_test_support  # noqa: F401
from ablation_mechanisms import FRAMED, KINDS, MECHANISMS, SQUARES, TILES
from accuracy import DISTURBANCES, displaced_corners
from labelled import Scene
from labelled_checkers import SquaresScene, from_across
from photographs import TOLERANCE, corners_off
from photographs_labels import groups
from places import PICTURES

from companion.app.recording import Recording
from companion.app.replay import Replay
from companion.app.table import Table
from companion.core import BoardsideError
from companion.rules import rules_named
from vision.registry import find_board, learn_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelled import Labelled
    from labelled_checkers import LabelledSquares

    from vision.board import LearnedBoard

VARIANTS = (
    ("blur, px", 2.0),
    ("noise, levels", 25.0),
    ("exposure, stops", 0.5),
    ("light falloff, share", 0.5),
    ("shift, px", 3.0),
)
"""Disturbances of a scene's pictures after the first (see `accuracy`)."""
BADLY_MARKED = 0.02
"""Error of badly marked corners, in widths of the board."""
SAME_S = 0.05
"""Tolerance in seconds within which two moments of a film count as the same."""
COLUMNS = ("pictures", "disturbed", "located", "dice", "turns")


@dataclass(frozen=True)
class LabelledSet:
    """A folder of labelled pictures, photographs or frames of a film, and the kind of its board."""

    folder: Path
    kind: str
    score: str

    def scores(self) -> Counter[tuple[str, str]]:
        """Number of readings by column and grade."""
        return Counter(SCORERS[self.score](self.folder))


def sets_in(folders: Sequence[Path]) -> list[LabelledSet]:
    """The sets in some folders and in their sub-folders."""
    found = []
    for folder in sorted(each for given in folders for each in (given, *given.glob("*/"))):
        for name, score in (("scene.json", "pictures"), ("game.json", "turns")):
            if (folder / name).exists() and (folder / "truth.json").exists():
                found.append(LabelledSet(folder, json.loads((folder / name).read_text())["board"], score))
        if any(folder.glob("*.gt.json")):
            found.append(LabelledSet(folder, groups(folder)[0].photographs[0].game, "photographs"))
    return sorted(found, key=lambda each: each.score, reverse=True)  # films take longest


def of_pictures(folder: Path) -> Iterator[tuple[str, str]]:
    """Column and grade of each reading of a scene."""
    kind, scene = _scene(folder)
    game, sheet = (FRAMED, TILES) if kind == TILES else (kind, None)
    mirror = getattr(scene, "mirror", False)
    yield "located", _located(scene, game, sheet, mirror)
    frames = scene.frames[1:]
    try:
        board = learn_board(scene.start, game, sheet, scene.corners, mirror)
    except BoardsideError:
        yield from (("pictures", "refused") for _ in frames)
        return
    for frame in frames:
        answer = board.answer(board.look(frame.picture))
        yield "pictures", frame.grade(answer)
        if kind == FRAMED and not frame.hand:
            yield from _dice(frame.dice, answer.get("dice"))
        for name, strength in VARIANTS:
            yield "disturbed", frame.grade(board.answer(board.look(DISTURBANCES[name](frame.picture, strength))))
    with suppress(BoardsideError):
        marked = learn_board(scene.start, game, sheet, displaced_corners(scene, BADLY_MARKED), mirror)
        yield from (("disturbed", frame.grade(marked.answer(marked.look(frame.picture)))) for frame in frames)


@cache
def _scene(folder: Path) -> tuple[str, Any]:
    kind = json.loads((folder / "scene.json").read_text())["board"]
    return kind, (SquaresScene if kind == SQUARES else Scene).load(folder)


def _located(scene: Scene | SquaresScene, game: str, sheet: str | None, mirror: bool) -> str:
    try:
        corners = find_board(scene.start, game, sheet, mirror).corners
    except BoardsideError:
        return "refused"
    return "right" if corners_off(corners, scene.corners, game) <= TOLERANCE else "wrong"


def _dice(lying: tuple[int, ...] | None, read: Sequence[int] | None) -> Iterator[tuple[str, str]]:
    if lying is not None:
        yield "dice", "refused" if not read else "right" if tuple(sorted(read)) == lying else "wrong"
    elif read:
        yield "dice", "wrong"


def of_photographs(folder: Path) -> Iterator[tuple[str, str]]:
    """Column and grade of the photographs of each camera that took the starting position too."""
    taken = [one for group in groups(folder) for sitting in group.sittings for one in sitting]
    for start in (one for one in taken if one.start):
        camera, _, _ = start.name.partition("__")
        others = [one for one in taken if one is not start and one.name.startswith(f"{camera}__")]
        try:
            board = learn_board(start.picture, start.game)
        except BoardsideError:
            yield "located", "refused"
            yield from (("pictures", "refused") for _ in others)
            continue
        yield "located", "right"
        yield from (("pictures", _grade(one.truth, board, one.picture)) for one in others)


def _grade(truth: Labelled | LabelledSquares, board: LearnedBoard, picture: Any) -> str:
    """The grade of a photograph; of a chequered board either side may be White."""
    answer = board.answer(board.look(picture))
    grade = truth.grade(answer)
    if grade == "wrong" and answer.get("squares") is not None:
        grade = truth.grade({**answer, "squares": from_across(answer["squares"])})
    return grade


def of_turns(folder: Path) -> Iterator[tuple[str, str]]:
    """Column and grade of each verdict on a turn of a film."""
    recording = Recording.load(folder)
    rules = rules_named(recording.sheet)
    said: list[dict[str, Any]] = []
    with suppress(BoardsideError):  # turns without a verdict count as refused
        Replay(recording, rules, Table(rules.sheet.game, rules.sheet.name), said.append).run()
    for turn in json.loads((folder / "truth.json").read_text())["events"]:
        verdicts = [
            one for one in said if one["event"] == "verdict" and turn["after"] <= one["t"] + 1e-6 <= turn["t"] + SAME_S
        ]
        finding = verdicts[-1]["finding"] if verdicts else None
        decided = finding in ("legal", "illegal")
        yield "turns", "refused" if not decided else "right" if (finding == "legal") == turn["legal"] else "wrong"


SCORERS = {"pictures": of_pictures, "photographs": of_photographs, "turns": of_turns}


def scored(task: tuple[int | None, LabelledSet]) -> tuple[int | None, Counter[tuple[str, str]]]:
    """Score a set without the mechanism of that index (None: with all)."""
    cv2.setNumThreads(1)
    index, labelled = task
    with ExitStack() if index is None else MECHANISMS[index].switch_off():
        return index, labelled.scores()


def line(name: str, found: Counter[tuple[str, str]], all_on: Counter[tuple[str, str]] | None) -> str:
    """A line of the table: by column the number right and wrong, or what was lost and what became wrong."""
    cells = []
    for column in COLUMNS:
        right, wrong = found[column, "right"], found[column, "wrong"]
        if all_on is None:
            total = sum(found[column, grade] for grade in ("right", "refused", "wrong"))
            cells.append(f"{right}/{total} {wrong}")
        else:
            lost, worse = all_on[column, "right"] - right, wrong - all_on[column, "wrong"]
            cells.append(f"{lost or '.':>4} {worse or '.':>4}")
    return f"{name:52}" + "".join(f"{cell:>14}" for cell in cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[PICTURES], help="folders of labelled sets")
    parser.add_argument("--only", default="", metavar="TEXT", help="mechanisms with this text in their names")
    parser.add_argument("--kind", choices=KINDS, help="mechanisms of this kind of board, on its sets only")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    args = parser.parse_args()
    kinds = (args.kind,) if args.kind else KINDS
    sets = [each for each in sets_in(args.folders) if each.kind in kinds]
    chosen = [i for i, one in enumerate(MECHANISMS) if args.only in one.name and set(kinds) & set(one.kinds)]
    with multiprocessing.Pool(args.jobs) as pool:
        on = [labelled for _, labelled in pool.imap(scored, [(None, each) for each in sets])]
        by_kind = {kind: sum((on[i] for i, s in enumerate(sets) if s.kind == kind), Counter()) for kind in kinds}
        print(f"{'mechanism':52}" + "".join(f"{column:>14}" for column in COLUMNS))
        for kind, found in by_kind.items():
            print(line(f"{kind}: right of all, wrong", found, None), flush=True)
        for index in chosen:
            own = [kind for kind in kinds if kind in MECHANISMS[index].kinds]
            tasks = [(index, each) for each in sets if each.kind in own]
            found = sum((one for _, one in pool.imap_unordered(scored, tasks)), Counter())
            before = sum((by_kind[kind] for kind in own), Counter())
            print(line(f"{MECHANISMS[index].name} ({', '.join(own)})", found, before), flush=True)


if __name__ == "__main__":
    main()
