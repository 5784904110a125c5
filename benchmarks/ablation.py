"""What each mechanism of the eye gains: `python benchmarks/ablation.py [FOLDER ...]`.

Each mechanism in turn is switched off: a function or a figure of it is replaced. Then all boards are learned and read
again. The table has one line for each mechanism, with the changes against the first line, where all are on: readings
that became wrong, and right ones that were lost (a negative number: gained). A mechanism without which nothing is lost
on any set should go.

A folder is a set, or has sets in its sub-folders: labelled pictures of one board (`scene.json`), a filmed game
(`game.json`), or photographs (`*.gt.json`, see `photographs_labels`). Columns: the pictures as they are; the same
disturbed (see `VARIANTS`), or on a board of which the corners were marked badly; starting positions that are located
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
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import cv2
import numpy as np
import with_test_support  # noqa: F401
from accuracy import DISTURBANCES, displaced_corners
from labelled import Scene
from labelled_checkers import SquaresScene
from photographs_labels import groups
from places import PICTURES

from companion.app.replay import Recording, Replay
from companion.app.table import Table
from companion.core import BoardsideError, CellReading
from companion.rules import rules_named
from vision.checkers.cell_reading import Cells
from vision.dice.resting import RestState
from vision.imaging import Illumination
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
NEAR = 0.03
"""Largest distance of located corners from labelled ones, in widths of the board."""
SAME_S = 0.05
"""Moments of a film that are nearer to each other than this are the same, in seconds."""
FRAMED, TILES, SQUARES = KINDS = ("backgammon", "tiles", "checkers")
COLUMNS = ("pictures", "disturbed", "located", "dice", "turns")


@dataclass(frozen=True)
class Mechanism:
    """A part of the eye that can be switched off.

    Attributes:
        name: what it does.
        kinds: the kinds of boards it is part of.
        off: what is replaced (`module:name` or `module:class.name`, below `vision`), and by what.
    """

    name: str
    kinds: tuple[str, ...]
    off: tuple[tuple[str, object], ...]

    def switch_off(self) -> ExitStack:
        """Replace its parts until the stack is closed. Raises AttributeError if the eye has no such part."""
        stack = ExitStack()
        for target, value in self.off:
            module, _, path = target.partition(":")
            owner: Any = import_module(f"vision.{module}")
            *owners, name = path.split(".")
            for each in owners:
                owner = getattr(owner, each)
            stack.enter_context(patch.object(owner, name, value))
        return stack


def of_kinds(*kinds: str, **mechanisms: tuple[object, ...]) -> tuple[Mechanism, ...]:
    """Mechanisms by name; each is a target and its replacement, or several pairs in a row."""
    return tuple(
        Mechanism(name.replace("_", " "), kinds, tuple(zip(off[::2], off[1::2], strict=True)))  # type: ignore[arg-type]
        for name, off in mechanisms.items()
    )


def nothing(*_: object) -> None:
    """Do nothing."""


def never(*_: object) -> bool:
    """Deny."""
    return False


def always(*_: object) -> bool:
    """Confirm."""
    return True


def none_found(*_: object) -> list[Any]:
    """Find nothing."""
    return []


def unchanged(first: object, *_: object) -> object:
    """Return what was given."""
    return first


def unchanged_second(_: object, second: object, *__: object) -> object:
    """Return what was given to a method, or after another argument."""
    return second


def no_mask(values: np.ndarray, *_: object) -> np.ndarray:
    """Mask nothing."""
    return np.zeros(values.shape[:2], bool)


def zeros(values: np.ndarray, *_: object) -> np.ndarray:
    """Count nothing for anything."""
    return np.zeros(values.shape[:2], np.float32)


MECHANISMS = (
    *of_kinds(
        FRAMED,
        contour_check=("backgammon.calibration:Calibration.contour_check", nothing),
        slots_compared_with_a_known_frame=(
            "backgammon.contour_check:ContourCheck.compare",
            unchanged_second,
        ),
        less_trust_where_checkers_look_like_the_board=(
            "backgammon.slot_model:_trust",
            lambda centre, _: np.ones((*centre.shape[:2], 2)),
        ),
        foreign_things_in_slots=("backgammon.slot_reading:_FOREIGN_DISTANCE", np.inf),
        rows_on_points_are_not_on_the_bar=("backgammon.slot_reading:_beside_rows", unchanged),
        checkers_between_points=("backgammon.reader:find_checkers_between", none_found),
        tray_beside_the_board=(
            "backgammon.reader:FramedBoardReader._borne_off",
            lambda *_: (CellReading(), CellReading()),
        ),
        second_layer_by_place_in_the_row=(
            "backgammon.stacking.count:log_likelihoods",
            lambda out, _: np.zeros(len(out) + 1),
        ),
        second_layer_by_the_network_on_spokes=(
            "backgammon.stacking.count:LayerModel.network_log_ratios",
            lambda _, __, found: np.zeros(len(found.row)),
        ),
        second_layer_by_the_comparing_network=(
            "backgammon.stacking.count:LayerModel._compared",
            lambda _, row: np.zeros(len(row.sides)),
        ),
        second_layer_errors_shared_by_a_row=("backgammon.stacking.count:discount_shared_error", unchanged),
        second_layer_trust_from_known_rows=("backgammon.stacking.count:_surprise", lambda _: 0.0),
        second_layer_prior_of_full_rows=("backgammon.slot_reading:_ON_TOP_NATS", (0.0, 0.0)),
        second_layer_prior_of_short_rows=("backgammon.slot_reading:_ON_TOP_SHORT_NATS", 1.2),
        corners_corrected_by_the_checkers_places=("backgammon.fit:estimate_corner_offsets", nothing),
        corners_corrected_for_the_best_fit=("backgammon.fit:refine_corners", nothing),
        bed_copied_from_the_points_opposite=("board.synthesis:_copy_across", nothing),
        doubt_about_the_light_of_copied_bed=("board.synthesis:_unlike_light", zeros),
        foreign_things_of_the_calibration_are_ignored=("backgammon.calibration:unexplained_pixels", no_mask),
        plane_of_light=("imaging:Illumination.of", lambda _, __, gain: Illumination(gain)),
        measured_level_of_saturation=("imaging:Appearance.saturation_gain", lambda _, __, gain: gain),
        hand_over_a_framed_board=("backgammon.reader:is_covered", never),
        locating_by_three_stacks=("backgammon.locate.search:rectangles_of_three", none_found),
        locating_weighs_colours=("backgammon.locate.search:_weigh_colours", unchanged),
        locating_in_stretched_pictures=("backgammon.locate.search:STRETCHES", (1.0,)),
        dice_edges_of_a_face=("dice.reader:_edged", always),
        dice_cube_under_the_face=("dice.reader:_stands", always),
        dice_of_one_size=("dice.reader:_SIZES_ALIKE", np.inf),
        dice_resting_flat_or_leaning=("dice.reader:rest_state", lambda *_: RestState.FLAT),
        dice_pips_that_are_some_of_a_larger_face=("dice.search:_best", lambda nats, _: int(nats.argmax())),
    ),
    *of_kinds(
        SQUARES,
        squares_by_contours=(
            *("checkers.contour_reading:Outlines.read", lambda *_: Cells(np.zeros((64, 3)))),
            *("checkers.board:_refuse_unlike", nothing),
        ),
        squares_by_comparison=("checkers.board:agreed", unchanged, "checkers.reader:ComparedSquares.hand", False),
        contours_alone_do_not_overrule=("checkers.board:_DOUBTED_NATS", np.inf, "checkers.board:_BACKED_NATS", 0.0),
        hand_seen_by_comparison=("checkers.reader:ComparedSquares.hand", False),
        hand_hides_edges_of_squares=("checkers.contour_reading:_HIDDEN_HAND", 1000),
        blurred_pictures_are_refused=("checkers.board:_BLURRED", 0.0),
        squares_unchanged_are_known=("comparator:ReferenceLook.unchanged", lambda _, patches: no_mask(patches)[:, 0]),
        squares_compared_in_eight_turns=("checkers.reader:_TURNS", 1),
        squares_compared_in_the_learned_light=("comparator:CellGrid.in_light", unchanged_second),
        men_between_two_squares=("checkers.cell_reading:_doubt_strays", nothing),
        prior_of_light_squares=("checkers.cell_reading:LIGHT_NATS", 0.0, "checkers.reader:LIGHT_NATS", 0.0),
        contours_adapted_to_the_picture=("checkers.contour_model:OutlineModel._adapted", unchanged),
        gloss_of_bare_squares=("checkers.contour_model:_gloss", lambda bare, _: (np.zeros_like(bare),) * 2),
        contours_off_their_squares=(
            "checkers.contour_model:OutlineModel._set_down",
            lambda _, off: np.zeros(len(off)),
        ),
        glare_on_dark_squares=("checkers.board:CheckersBoard._glare", nothing),
    ),
    *of_kinds(
        TILES,
        loose_areas_of_a_cubes_colour=("tiles.reader:TileBoardReader._loose", lambda *_: set()),
        one_cube_more_hidden_on_top=("tiles.reader:_HIDDEN_NATS", 1e3),
        known_cubes_badly_seen=("tiles.cubes:CubeFinder._doubt", lambda *_: 0.0),
        cost_of_a_cube_astray=("tiles.cubes:_STRAY_COST", 0.0),
        gleams_on_cubes=("tiles.colours:_GLEAMS", (0,)),
        shade_and_rims_of_tiles=("tiles.colours:_DARKER", 1e3),
        hand_over_tiles=("tiles.reader:is_covered", never),
        borne_off_cubes_are_no_hand=("tiles.reader:TileBoardReader._off_cubes", lambda _, e: no_mask(e.changed)),
    ),
    *of_kinds(
        *KINDS,
        models_by_exposure=("imaging.exposure:_STEP", 1e9),
        gain_that_counts_saturated_pixels=("imaging.exposure:_MOST_ALIKE", -1.0),
        dark_and_glaring_pictures_are_refused=(
            *("backgammon.reader:cause_of_light", nothing),
            *("tiles.reader:cause_of_light", nothing),
            *("checkers.board:cause_of_light", nothing),
        ),
        edges_in_place=("imaging:Edges.cause", nothing),
        lens_distortion=("registry:find_lens", nothing),
        locating_in_brightened_pictures=("board.location:_brighten", unchanged),
    ),
)


@dataclass(frozen=True)
class LabelledSet:
    """A folder of labelled pictures, photographs or frames of a film, and the kind of its board."""

    folder: Path
    kind: str
    score: str

    def scores(self) -> Counter[tuple[str, str]]:
        """Number of readings by column and grade."""
        found: Counter[tuple[str, str]] = Counter()
        found.update(SCORERS[self.score](self.folder))
        return found


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
    about = (*({TILES: (FRAMED, TILES)}.get(kind, (kind, None))), None, getattr(scene, "mirror", False))
    yield "located", _located(scene, about)
    game, sheet, _, mirror = about
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


def _located(scene: Scene | SquaresScene, about: tuple[str, str | None, None, bool]) -> str:
    game, sheet, _, mirror = about
    try:
        corners = find_board(scene.start, game, sheet, mirror).corners
    except BoardsideError:
        return "refused"
    width = np.linalg.norm(scene.corners[1] - scene.corners[0])
    turned = (scene.corners, np.roll(scene.corners, 2, axis=0)) if game == SQUARES else (scene.corners,)
    off = min(np.linalg.norm(corners - each, axis=1).max() for each in turned)
    return "right" if off < NEAR * width else "wrong"


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
        other = {"w": "b", "b": "w"}
        turned = {f"{7 - int(name[0])},{7 - int(name[2])}": other[piece] for name, piece in answer["squares"].items()}
        grade = truth.grade({**answer, "squares": turned})
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
    """Score a set without the mechanism of that index; None: with all."""
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
