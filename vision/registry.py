"""The registry of kinds of boards: learn, load and find a board of any kind.

Code outside `vision` uses boards only through this module. A new kind of board is a class that implements
`vision.board.Kind`, with instances that implement `LearnedBoard`, and an entry in `KINDS`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import numpy as np

from companion.core import BoardsideError
from vision.board import (
    CalibrationError,
    LearnedBoard,
    Located,
    LocateError,
    TrackedBoard,
    open_calibration,
    track_learned,
    track_saved,
)
from vision.geometry import NoPoseError, find_lens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.core import Content
    from vision.arrays import Floats, Picture
    from vision.backgammon import FramedBoard
    from vision.board import Kind
    from vision.checkers import CheckersBoard
    from vision.geometry import LensDistortion
    from vision.tiles import TileBoard

    _ALL: tuple[Kind, ...] = (FramedBoard, TileBoard, CheckersBoard)  # the type checker verifies the protocol


_ONLY_FROM_START = (
    "a board is located by its starting position only: for any other position, tell the corners of the playing area too"
)
_LEAST_SIDE_PX, _LONGEST = 32, 100
"""Least width and height of a picture in which a board is looked for, and the longer side over the shorter one at most:
made smaller, as it is for the search, it must still have pixels."""
_SAME_CORNERS = 0.05
"""Distance of located corners from marked ones, in edges of the playing area, up to which they are the same board's."""
_LEAST_AREA_PX = 1.0
"""Least value of twice the area, in square pixels, of the triangle of any three corners."""
KINDS = {
    "backgammon": {"points": "vision.backgammon.FramedBoard", "tiles": "vision.tiles.TileBoard"},
    "checkers": {"squares": "vision.checkers.CheckersBoard"},
}
"""Kinds of boards by game, the default first, then by the value of a sheet's field `board`. They are imported on
demand: a table uses only one of them, and starts a tenth of a second earlier."""


def kind_of(game: str, board: str | None = None) -> Kind:
    """The kind of board for a game; `board` as in the sheet, None or "" for the game's default.

    Raises CalibrationError if there is none.
    """
    kinds = KINDS.get(game, {})
    named = kinds.get(board) if board else next(iter(kinds.values()), None)
    if named is None:
        known = ", ".join(f"{one} on {name}" for one, names in KINDS.items() for name in names)
        wanted = f"{game!r} on {board!r}" if board else repr(game)
        raise CalibrationError(f"no board for {wanted} can be learned: expected one of {known}")
    kind: Kind = resolve_name(named)
    return kind


def is_of_kind(learned: LearnedBoard, game: str, board: str | None = None) -> bool:
    """Whether a learned board, with or without lens correction, is of that kind (see `kind_of`)."""
    kind: object = kind_of(game, board)
    bare = learned.inner if isinstance(learned, TrackedBoard) else learned
    return isinstance(kind, type) and isinstance(bare, kind)


def kinds_of(game: str) -> tuple[str, ...]:
    """The names of a game's kinds of boards."""
    return tuple(KINDS.get(game, ()))


def learn_board(
    picture: Picture,
    game: str = "backgammon",
    board: str | None = None,
    corners: Floats | None = None,
    mirror: bool = False,
    position: Sequence[Content | None] | None = None,
) -> LearnedBoard:
    """Learn a board from a picture of a known position.

    Args:
        picture: BGR.
        game: "backgammon" or "checkers".
        board: value of the sheet's field `board`; None for the game's default.
        corners: of the playing area, 4 x 2 pixels: bottom-left, bottom-right, top-right, top-left as White sits. None:
            the board is located automatically, which needs the starting position. So it is near corners from which the
            starting position cannot be learned.
        mirror: whether White's home is at the left (backgammon).
        position: contents of the cells (see `companion.core.observation`); None for the starting position.

    Raises:
        CalibrationError: there is no such kind of board, no pose fits, or the picture does not show the position.
        LocateError: the board is not found.
    """
    _refuse_small(picture)
    if corners is not None:
        _refuse_outside(corners, picture)
        _refuse_collinear(corners)
    kind = kind_of(game, board)

    def learned(straight: Picture, marked: Floats | None, lens: LensDistortion | None = None) -> LearnedBoard:
        try:
            return track_learned(_learned_near(kind, straight, marked, mirror, position), straight, lens)
        except NoPoseError as error:
            raise CalibrationError(f"the board cannot lie there: {error}") from error
        except LocateError as error:
            if position is None:
                raise
            raise LocateError(f"{_ONLY_FROM_START} ({error})", error.guess) from error

    with ThreadPoolExecutor(1) as beside:
        lens_found = beside.submit(find_lens, picture)
        try:  # most lenses have little distortion: learn without correction while it is estimated
            uncorrected = learned(picture, corners)
        except BoardsideError:
            lens = lens_found.result()
            if lens is None:
                raise
        else:
            lens = lens_found.result()
            if lens is None:
                return uncorrected
    with _distorting_guess(lens):
        marked = None if corners is None else lens.undistort(corners)
        return learned(lens.undistort_picture(picture), marked, lens)


def _learned_near(
    kind: Kind, picture: Picture, marked: Floats | None, mirror: bool, position: Sequence[Content | None] | None
) -> LearnedBoard:
    """Learn from marked corners; if that fails, from those that are located there. Raises as `Kind.learn` does."""
    if marked is None or position is not None:
        return kind.learn(picture, marked, mirror, position)
    try:
        return kind.learn(picture, marked, mirror, None)
    except CalibrationError:
        with suppress(BoardsideError):
            found = kind.learn(picture, None, mirror, None)
            off, edges = found.corners - marked, marked - np.roll(marked, 1, axis=0)
            if np.linalg.norm(off, axis=1).max() < _SAME_CORNERS * np.linalg.norm(edges, axis=1).mean():
                return found
        raise


@contextmanager
def _distorting_guess(lens: LensDistortion) -> Iterator[None]:
    """Convert the guess of a LocateError from undistorted to distorted pixels."""
    try:
        yield
    except LocateError as error:
        raise LocateError(str(error), None if error.guess is None else lens.distort(error.guess), lens) from error


def find_board(picture: Picture, game: str = "backgammon", board: str | None = None, mirror: bool = False) -> Located:
    """Find a board's starting position in a picture of any lens; arguments as in `learn_board`.

    Raises:
        CalibrationError: there is no such kind of board, or the picture is too small.
        LocateError: the board is not found.
    """
    _refuse_small(picture)
    kind, lens = kind_of(game, board), find_lens(picture)
    if lens is None:
        return kind.find(picture, mirror)
    with _distorting_guess(lens):
        found = kind.find(lens.undistort_picture(picture), mirror)
    return Located(lens.distort(found.corners), found.confidence)


def find_game(picture: Picture, lens: LensDistortion | None, besides: str | None = None) -> str | None:
    """The game whose starting position is in a picture of that lens: "backgammon", "checkers" or None.

    `besides`: a game to leave out.
    """
    straight = picture if lens is None else lens.undistort_picture(picture)
    for game in ("checkers", "backgammon"):
        if game == besides:
            continue
        with suppress(LocateError):
            kind_of(game).find(straight, mirror=False)
            return game
    return None


def _refuse_small(picture: Picture) -> None:
    """Raise CalibrationError if a picture is too small or too long to look for a board in it."""
    height, width = picture.shape[:2]
    shorter, longer = sorted((width, height))
    if shorter < _LEAST_SIDE_PX or longer > _LONGEST * shorter:
        raise CalibrationError(f"no board can be seen in {width} x {height} pixels: take a larger picture of all of it")


def _refuse_outside(corners: Floats, picture: Picture) -> None:
    """Raise CalibrationError if the corners' middle is not in the picture, or one is farther from it than its size."""
    size = np.array(picture.shape[1::-1])
    middle = corners.mean(axis=0)
    if not (((corners > -size) & (corners < 2 * size)).all() and ((middle >= 0) & (middle < size)).all()):
        raise CalibrationError(
            f"the corners {np.round(corners, 1).tolist()} do not lie in the picture of {size[0]} x {size[1]} pixels: "
            "mark them in it"
        )


def _refuse_collinear(corners: Floats) -> None:
    """Raise CalibrationError if three corners are collinear or two are equal (a place clicked twice)."""
    (ax, ay), (bx, by) = (np.roll(corners, turn, axis=0).T - corners.T for turn in (1, -1))
    if np.abs(ax * by - ay * bx).min() < _LEAST_AREA_PX:
        raise CalibrationError(
            f"three of the corners {np.round(corners, 1).tolist()} lie on one line: mark bottom left, bottom right, "
            "top right and top left"
        )


def load_board(path: Path) -> LearnedBoard:
    """Load a learned board from a file. Raises CalibrationError if it is missing, damaged or of an unknown kind."""
    with open_calibration(path) as kept:
        named = kept.kind
        game = next((game for game, kinds in KINDS.items() if named in kinds), None)
        if game is not None:
            return track_saved(kind_of(game, named).load(path), kept)
    raise CalibrationError(f"calibration {path} is of an unknown kind {named!r}: calibrate again with this Boardside")
