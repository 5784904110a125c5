"""A framed backgammon board, behind the seam of `vision.boards`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

from companion.census import CHECKERS
from companion.observation import BLACK_BAR, WHITE_BAR
from vision.board_of import BoardOf
from vision.calibration import START, Calibration, calibrate
from vision.calibration_file import CalibrationError
from vision.eye import Eye
from vision.locate import BACKGAMMON, locate
from vision.overlay import draw
from vision.regain import moved_by, regain
from vision.trouble_spot import with_place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.camera import Picture
    from vision.locate import Located
    from vision.unchanged import SureLook

    Floats = NDArray[np.float64]


class FramedBoard(BoardOf[Calibration]):
    """Twelve columns, a bar and a frame round them (`vision.boards.LearnedBoard`)."""

    game: ClassVar[str] = "backgammon"

    def __init__(self, calibration: Calibration, sure: SureLook | None = None) -> None:
        """`sure`: the last sure look at it (see `confirm`)."""
        super().__init__(calibration)
        self._eye = Eye(calibration, sure)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> FramedBoard:
        """See `vision.boards.learn_board`."""
        corners = locate(picture, BACKGAMMON, mirror).corners if corners is None else corners
        known = START if position is None else [content or (0, 0) for content in position[: BLACK_BAR + 1]]
        return cls(calibrate(picture, corners, mirror, known))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:
        """Where the starting position stands in a picture."""
        return locate(picture, BACKGAMMON, mirror)

    @classmethod
    def load(cls, path: Path) -> FramedBoard:
        """Read from a file. Raises CalibrationError."""
        return cls(Calibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """The points of `{"points": [24 signed counts], "bar": [white, black], …}`. Raises CalibrationError quoting it.

        Where checkers are not on the points, the bar has to be told: they may lie there as well as be borne off.
        """
        told: dict[str, Any] = value if isinstance(value, dict) else {}
        points = told.get("points")
        if not isinstance(points, list) or len(points) != WHITE_BAR or not all(isinstance(one, int) for one in points):
            raise CalibrationError(
                f'position {json.dumps(value)} is not {{"points": [24 whole numbers], …}}: '
                "+ for White, - for Black, White's 1 point first"
            )
        counts = [(max(count, 0), max(-count, 0)) for count in points]
        white, black = _on_bar(told, counts)
        return (*counts, (white, 0), (0, black))

    @property
    def measures(self) -> Mapping[str, float]:
        """Width of the bar, diameter of the checkers and depth of the playing area, in its widths."""
        layout = self.calibration.layout
        return {"bar": layout.bar, "checker": layout.checker, "depth": layout.depth}

    def look(self, picture: Picture) -> Observation:
        """What a picture shows."""
        return with_place(self._eye.look(picture), self.calibration, picture)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture with what was read drawn over it."""
        return draw(picture, self.calibration, observation)

    def regain(self, picture: Picture) -> FramedBoard | None:
        """The same board in its new place."""
        found = regain(self.calibration, picture)
        return None if found is None else FramedBoard(found, self._eye.sure)

    def moved(self, motion: Floats, picture: Picture) -> FramedBoard:
        """The same board in the place that a motion (3 x 3, pixels before to now) brings it to. Raises NoPoseError."""
        return FramedBoard(moved_by(self.calibration, motion, picture), self._eye.sure)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one, in which that board stands."""
        self._eye.sure = self._eye.sure_of(picture, board)


def _on_bar(value: dict[str, Any], points: Sequence[Content]) -> tuple[int, int]:
    """How many of White's and of Black's checkers lie on the bar in a position in JSON. Raises CalibrationError."""
    counts = [sum(content[side] for content in points) for side in (0, 1)]
    bar = value.get("bar")
    if bar is None and min(counts) < CHECKERS:
        raise CalibrationError(
            f"position {json.dumps(value)} has {counts[0]} of White's and {counts[1]} of Black's {CHECKERS} checkers "
            'on the points: say how many of each lie on the bar too, "bar": [0, 0] if the others are borne off'
        )
    told = [0, 0] if bar is None else bar
    if (
        not isinstance(told, list)
        or len(told) != len(counts)
        or not all(type(one) is int and one >= 0 for one in told)
        or any(on_points + waiting > CHECKERS for on_points, waiting in zip(counts, told, strict=True))
    ):
        raise CalibrationError(
            f"position {json.dumps(value)} says {json.dumps(bar)} of the bar, with {counts[0]} of White's and "
            f"{counts[1]} of Black's checkers on the points: expected \"bar\": [White's, Black's], "
            f"with no more than {CHECKERS} a side"
        )
    return told[0], told[1]
