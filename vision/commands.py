"""The commands on pictures: `locate`, `calibrate` and `read`, with JSON for answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.census import CHECKERS, missing, take
from companion.model import Cause
from companion.observation import BLACK_BAR, WHITE_BAR, WHITE_OFF, cell_name
from vision.calibration import START, Calibration, CalibrationError
from vision.calibration import calibrate as learn
from vision.eye import Eye, WrongSize
from vision.locate import LocateError
from vision.locate import locate as find
from vision.picture_file import PictureError, load_picture

if TYPE_CHECKING:
    import argparse

    from numpy.typing import NDArray

    from companion.census import Taken
    from companion.observation import Content, Observation

CERTAIN_NATS = 5.0
"""A reading is given as certain where the next most plausible board is 150 times less likely, as for the referee."""
_CORNERS = 4


def locate(args: argparse.Namespace) -> int:
    """`boardside locate IMG`: the corners of the playing area."""
    found = find(load_picture(args.image), args.game, args.mirror)
    _print({"corners": np.round(found.corners, 1).tolist(), "confidence": found.confidence})
    return 0


def calibrate(args: argparse.Namespace) -> int:
    """`boardside calibrate IMG -o CAL`: learn a board; exit status 1 with a cause where that cannot be done."""
    try:
        learned = _learn(args)
    except (CalibrationError, LocateError) as error:
        _print({"ok": False, "cause": str(error)})
        raise
    learned.save(args.output)
    layout = {
        "bar": round(learned.layout.bar, 4),
        "checker": round(learned.layout.checker, 4),
        "depth": round(learned.layout.depth, 4),
    }
    _print(
        {
            "ok": True,
            "file": str(args.output),
            "corners": np.round(learned.corners, 1).tolist(),
            "fit": round(learned.fit, 3),
            "layout": layout,
        }
    )
    return 0


def read(args: argparse.Namespace) -> int:
    """`boardside read CAL IMG…`: one line a picture; one that cannot be opened is unreadable, with its error."""
    eye = Eye(Calibration.load(args.calibration))
    failed = False
    for path in args.images:
        try:
            _print({"file": str(path), **describe(eye.look(load_picture(path)))})
        except (PictureError, WrongSize) as error:
            failed = True
            _print(
                {
                    "file": str(path),
                    "position": None,
                    "off_seen": None,
                    "dice": None,
                    "confidence": None,
                    "unreadable": str(Cause.UNKNOWN),
                    "error": str(error),
                }
            )
    return int(failed)


def describe(observation: Observation) -> dict[str, Any]:
    """An observation of backgammon as `read` answers it: a position where it is certain, else the cause."""
    nothing: dict[str, Any] = {"position": None, "off_seen": None, "dice": None, "confidence": None}
    if observation.unreadable is not None:
        return {**nothing, "unreadable": str(observation.unreadable)}
    taken = take(observation, CERTAIN_NATS)
    if taken is None or taken.margin_nats < CERTAIN_NATS:
        doubtful = [] if taken is None else list(map(cell_name, taken.doubtful))
        return {**nothing, "unreadable": str(Cause.UNKNOWN), "doubtful": doubtful}
    dice = None if observation.dice is None else list(observation.dice)
    return {
        "position": _position(taken),
        "off_seen": _off_seen(taken),
        "dice": dice,
        "confidence": _confidence(observation),
        "unreadable": None,
    }


def _position(taken: Taken) -> dict[str, Any]:
    contents = [content or (0, 0) for content in taken.board]
    points = [list(content) if all(content) else content[0] - content[1] for content in contents[:WHITE_BAR]]
    off = [max(missing(taken.board, side, CHECKERS), 0) for side in (0, 1)]
    return {"points": points, "bar": [contents[WHITE_BAR][0], contents[BLACK_BAR][1]], "off": off}


def _off_seen(taken: Taken) -> list[int] | None:
    white, black = taken.board[WHITE_OFF], taken.board[WHITE_OFF + 1]
    return [white[0], black[1]] if white is not None and black is not None else None


def _confidence(observation: Observation) -> list[float]:
    """The probability of each cell's likeliest content, points first, then White's and Black's bar."""
    shares = [np.exp([nats for _, nats in cell.likelihoods]) for cell in observation.cells[: BLACK_BAR + 1]]
    return [round(float(share[0] / share.sum()), 3) for share in shares]


def _learn(args: argparse.Namespace) -> Calibration:
    picture = load_picture(args.image)
    if args.game != "backgammon":
        raise CalibrationError(f"the game {args.game!r} cannot be learned yet: backgammon can")
    points = START if args.position is None else _points(args.position)
    corners = find(picture, args.game, args.mirror).corners if args.corners is None else _corners(args.corners)
    return learn(picture, corners, args.mirror, points)


def _corners(text: str) -> NDArray[np.float64]:
    """Corners from "x,y x,y x,y x,y". Raises CalibrationError quoting the text."""
    try:
        corners = np.array([[float(part) for part in pair.split(",")] for pair in text.split()])
    except ValueError:
        corners = np.zeros(0)
    if corners.shape != (_CORNERS, 2) or not np.isfinite(corners).all():
        raise CalibrationError(
            f'corners "{text}" are not four points "x,y x,y x,y x,y" (bottom left, bottom right, top right, top left)'
        )
    return corners


def _points(text: str) -> tuple[Content, ...]:
    """The points of a JSON position. Raises CalibrationError quoting the text."""
    try:
        points = json.loads(text)["points"]
        signed = [int(count) for count in points]
    except (ValueError, KeyError, TypeError):
        signed = []
    if len(signed) != WHITE_BAR:
        raise CalibrationError(
            f'position {text} is not {{"points": [24 whole numbers], …}}: '
            "+ for White, - for Black, White's 1 point first"
        )
    return tuple((max(count, 0), max(-count, 0)) for count in signed)


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)
