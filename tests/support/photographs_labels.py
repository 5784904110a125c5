"""Labels of photographs of real boards, converted to the form of `boardside calibrate` and `read`.

A picture `NAME.jpg` has a label `NAME.gt.json` beside it. Labels describe the picture, rows top to bottom and columns
left to right: `game`; `board`, which names the board; `colours`, the pieces' letters with White's first;
`playing_area` (checkers: `grid`), corners from the top left clockwise. Backgammon has `top` and `bottom`, twelve points
each ("W3" is three of White's, "" nothing), and `bar`; checkers has `cells`, eight by eight, kings in capitals.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

import labelled
import labelled_checkers
import numpy as np

from vision.board import START
from vision.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.core import Board
    from vision.cameras import Picture

START_POINTS = [white - black for white, black in START]
_PAUSE_MS = 120_000
"""A pause as long as this ends a sitting: the board, the camera and the lamp may have been moved."""
_TIME = re.compile(r"\d{13}")
"""Time in the name of a telephone's picture, in milliseconds."""


@dataclass(frozen=True)
class Photograph:
    """One photograph, seen from where White sits.

    Attributes:
        board: its name in the label.
        truth: ground truth, which grades answers.
        corners: bottom-left, bottom-right, top-right, top-left as White sits, 4 x 2 pixels.
        position: as `boardside calibrate --position` has it, in JSON.
        mirror: White's home is at the left.
        start: it shows the starting position.
    """

    board: str
    truth: labelled.Labelled | labelled_checkers.LabelledSquares
    corners: NDArray[np.float64]
    position: dict[str, Any]
    game: str
    size: tuple[int, int]
    mirror: bool = False
    start: bool = False

    @property
    def name(self) -> str:
        """Name of the picture's file without its suffix."""
        return self.truth.file.stem

    @property
    def picture(self) -> Picture:
        """The picture (BGR)."""
        return self.truth.picture

    @property
    def cells(self) -> Board:
        """The position as `learn_board` takes it."""
        return kind_of(self.game).position(self.position)

    @property
    def taken_ms(self) -> int | None:
        """Time in its name, in milliseconds; None if there is none."""
        found = _TIME.search(self.name)
        return int(found[0]) if found else None

    @classmethod
    def load(cls, file: Path) -> Photograph:
        """Read a label. Raises KeyError or ValueError where it is of another form."""
        label = json.loads(file.read_text(encoding="utf-8"))
        return _checkers(label, file.parent) if label["game"] == "checkers" else _backgammon(label, file.parent)


@dataclass(frozen=True)
class Group:
    """The photographs of one board, by sittings: a camera held or standing in one place, one light."""

    name: str
    sittings: tuple[tuple[Photograph, ...], ...]
    photographs: tuple[Photograph, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Gather the photographs."""
        object.__setattr__(self, "photographs", tuple(one for sitting in self.sittings for one in sitting))

    def same_sitting(self, one: Photograph, other: Photograph) -> bool:
        """Whether both were taken at one sitting."""
        return any(one in sitting and other in sitting for sitting in self.sittings)


def groups(folder: Path) -> list[Group]:
    """The photographs below a folder, grouped by game, board and size of the picture as their labels give them.

    Those whose label has doubts (`uncertain`, `occluded`) are left out: no reading can be called wrong there.
    """
    files = sorted(folder.rglob("*.gt.json"))
    data = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    certain = [file for file, one in zip(files, data, strict=True) if not (one.get("uncertain") or one.get("occluded"))]
    photographs = sorted((Photograph.load(file) for file in certain), key=_board)
    return [
        Group(f"{game}: {board.split(',')[0]} {width}x{height}", _sittings(ones))
        for (game, board, (width, height)), ones in groupby(photographs, _board)
    ]


def _board(photograph: Photograph) -> tuple[str, str, tuple[int, int]]:
    return photograph.game, photograph.board, photograph.size


def _sittings(photographs: Iterable[Photograph]) -> tuple[tuple[Photograph, ...], ...]:
    """Split by pauses between the times in their names; one sitting if there are no times."""
    sittings: list[list[Photograph]] = []
    before = 0
    for one in sorted(photographs, key=lambda one: (one.taken_ms or 0, one.name)):
        moment = one.taken_ms or 0
        if not sittings or moment - before > _PAUSE_MS:
            sittings.append([])
        sittings[-1].append(one)
        before = moment
    return tuple(map(tuple, sittings))


def _backgammon(label: dict[str, Any], folder: Path) -> Photograph:
    """White sits at the bottom with the home board at the right, unless the starting position shows otherwise."""
    white, black = list(label["colours"])[:2]
    seen = [_signed(text, white, black) for text in (*reversed(label["bottom"]), *label["top"])]
    ways = [(turned, mirror) for turned in (False, True) for mirror in (False, True)]
    fitting = [way for way in ways if _points(seen, *way) == START_POINTS]
    turned, mirror = fitting[0] if fitting else ways[0]
    points = _points(seen, turned, mirror)
    hit = label.get("bar") or {}
    bar = [hit.get(white, 0), hit.get(black, 0)]
    truth = labelled.Labelled(folder / label["file"], points, bar, bool(label.get("hand_over_board")))
    corners = _corners(label["playing_area"], 2 if turned else 0)
    size = tuple(label["image_size"])
    return Photograph(
        label["board"], truth, corners, {"points": points, "bar": bar}, "backgammon", size, mirror, bool(fitting)
    )


def _signed(text: str, white: str, black: str) -> int:
    if not text:
        return 0
    return {white: 1, black: -1}[text[0]] * int(text[1:])


def _points(seen: Sequence[int], turned: bool, mirror: bool) -> list[int]:
    """Signed counts from White's 1 point on; seen are the lower ones from the right, then the upper from the left."""
    points = [*seen[12:], *seen[:12]] if turned else list(seen)
    return [*reversed(points[:12]), *reversed(points[12:])] if mirror else points


def _checkers(label: dict[str, Any], folder: Path) -> Photograph:
    """White sits where the pieces stand on squares like the one at White's left, and White's are the nearer ones."""
    white, black = list(label["colours"])[:2]
    letters = {white: "w", black: "b", white.upper(): "W", black.upper(): "B"}
    turns = [np.rot90(np.array(label["cells"]), turn) for turn in range(4)]  # of the cells, to the left
    seats = [
        {f"{7 - row},{column}": letters[str(cells[row, column])] for row, column in _taken(cells)} for cells in turns
    ]
    fitting = [turn for turn in range(4) if not any(_row(name) + int(name[2]) & 1 for name in seats[turn])]
    turn = min(fitting or range(4), key=lambda turn: _mean_row(seats[turn]))
    squares = seats[turn]
    plain = {name: piece.lower() for name, piece in squares.items()}
    truth = labelled_checkers.LabelledSquares(
        folder / label["file"],
        plain,
        frozenset(name for name, piece in squares.items() if piece.isupper()),
        bool(label.get("hand_over_board")),
    )
    rows = {0: "w", 1: "w", 2: "w", 5: "b", 6: "b", 7: "b"}
    start = {f"{row},{column}": rows[row] for row in rows for column in range(8) if not (row + column) % 2}
    corners = _corners(label["grid"], turn)
    return Photograph(
        label["board"],
        truth,
        corners,
        {"squares": squares},
        "checkers",
        tuple(label["image_size"]),
        start=squares == start,
    )


def _taken(cells: NDArray[Any]) -> list[tuple[int, int]]:
    return [(row, column) for row in range(8) for column in range(8) if cells[row, column]]


def _row(name: str) -> int:
    return int(name[0])


def _mean_row(squares: dict[str, str]) -> float:
    """Mean row of White's pieces minus that of Black's."""
    rows = {side: [_row(name) for name, piece in squares.items() if piece.lower() == side] for side in "wb"}
    return float(np.mean(rows["w"] or [0]) - np.mean(rows["b"] or [0]))


def _corners(corners: Sequence[Sequence[float]], turn: int) -> NDArray[np.float64]:
    """Corners from the bottom left counterclockwise, after `turn` quarter turns to the left, from clockwise ones."""
    clockwise = np.roll(np.array(corners, np.float64), -turn, axis=0)
    return clockwise[::-1]
