"""The commands on pictures: `locate`, `calibrate` and `read`; they answer in JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core import Cause, Observation, OutsideError, one_line, parse_json, quoted
from vision.board import CalibrationError, LocateError, WrongSize
from vision.cameras import PictureError, load_picture
from vision.registry import find_board, kind_of, learn_board, load_board

if TYPE_CHECKING:
    import argparse

    from companion.core import Board
    from vision.arrays import Floats
    from vision.board import LearnedBoard

_CORNERS = 4


def locate(args: argparse.Namespace) -> int:
    """`boardside locate IMG`: print the corners of the playing area."""
    found = find_board(load_picture(args.image), args.game, args.board, args.mirror)
    _print({"corners": np.round(found.corners, 1).tolist(), "confidence": found.confidence})
    return 0


def calibrate(args: argparse.Namespace) -> int:
    """`boardside calibrate IMG -o CAL`: learn a board and save it; on failure print the cause and raise the error."""
    try:
        learned = _learn(args)
    except (CalibrationError, LocateError) as error:
        _print({"ok": False, "cause": str(error)})
        raise
    learned.save(args.output)
    corners = np.round(learned.corners, 1).tolist()
    _print({"ok": True, "file": str(args.output), "corners": corners, **learned.summary})
    return 0


def read(args: argparse.Namespace) -> int:
    """`boardside read CAL IMG…`: print one line per picture; a picture that cannot be opened gets its error."""
    board = load_board(args.calibration)
    failed = False
    for path in args.images:
        try:
            answer = board.answer(board.look(load_picture(path)))
        except (PictureError, WrongSize) as error:
            failed = True
            answer = {**board.answer(Observation((), Cause.UNKNOWN)), "error": str(error)}
        _print({"file": str(path), **answer})
    return int(failed)


def _learn(args: argparse.Namespace) -> LearnedBoard:
    picture = load_picture(args.image)
    position = None if args.position is None else _position(args.position, args.game, args.board)
    corners = None if args.corners is None else _corners(args.corners)
    return learn_board(picture, args.game, args.board, corners, args.mirror, position)


def _corners(text: str) -> Floats:
    """Parse corners "x,y x,y x,y x,y" to 4 x 2 pixels. Raises CalibrationError quoting the text."""
    try:
        corners = np.array([[float(part) for part in pair.split(",")] for pair in text.split()])
    except ValueError:
        corners = np.zeros(0)
    if corners.shape != (_CORNERS, 2) or not np.isfinite(corners).all():
        raise CalibrationError(
            f'corners "{one_line(text, 80)}" are not four points "x,y x,y x,y x,y" '
            "(bottom left, bottom right, top right, top left)"
        )
    return corners


def _position(text: str, game: str, board: str | None) -> Board:
    """Parse a JSON position, or an XGID as plain text, to cells. Raises CalibrationError quoting the text."""
    try:
        value = {"xgid": text} if text.startswith("XGID=") else parse_json(text)
    except OutsideError as error:
        raise CalibrationError(f"position {quoted(text)} is not JSON: {error}") from error
    return kind_of(game, board).position(value)


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)
