"""The chequered board as a kind of board: calibrate, read, draw, reacquire."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

from companion.core import NO_MARKS, Cause, Observation
from vision.board import (
    CERTAIN_NATS,
    CHECKERS,
    CalibratedBoard,
    CalibrationError,
    describe_squares,
    locate_start,
    reacquire_board,
    refuse_other_size,
)
from vision.checkers.calibration import CheckersCalibration, calibrate_checkers
from vision.checkers.cell_reading import Cells, read_cells
from vision.checkers.layout import CELLS, LIGHT, SIDE, SQUARE, START, checkers_cells
from vision.checkers.locate import find_chequered_board, nearest_board
from vision.checkers.overlay import draw
from vision.checkers.reader import GRID
from vision.checkers.relative_brightness import even_out
from vision.geometry import NoPoseError, apply_homography, move_pose
from vision.imaging import Edges, cause_of_light, is_covered, is_noisy, level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.core import Board, BoardMarks, CellReading, Content
    from vision.board import Located
    from vision.cameras import Picture
    from vision.imaging import PixelEvidence

    Floats = NDArray[np.float64]


_REACH_SQUARES = 2.5
"""Largest movement that is searched, in squares; a larger one is taken for a board that was set up anew."""

_NUDGE_SQUARES = 0.03
"""Smallest movement that counts, in squares, as in `vision.backgammon.board`."""

_BESIDE = [(x * SQUARE, y * SQUARE) for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2))]
"""Shifts of wrong alignments to compare with: a chequered board looks alike one square along both edges, and two along
either."""


def reacquire(calibration: CheckersCalibration, picture: Picture) -> CheckersCalibration | None:
    """Calibration for the new place of the board; None if it did not move or no certain match is found."""
    found = reacquire_board(calibration, picture, _move_calibration, _BESIDE, _REACH_SQUARES * SQUARE)
    return found if found is not None else _by_squares(calibration, picture)


def _by_squares(calibration: CheckersCalibration, picture: Picture) -> CheckersCalibration | None:
    """Calibration from the squares' corners, for changed light; None if they are not seen or did not move."""
    if (picture.shape[1], picture.shape[0]) != calibration.size:
        return None
    square_px = float(np.linalg.norm(np.diff(calibration.corners, axis=0), axis=1).max()) * SQUARE
    corners = nearest_board(picture, calibration.corners)
    off = 0.0 if corners is None else float(np.abs(corners - calibration.corners).max()) / square_px
    if corners is None or not _NUDGE_SQUARES < off < _REACH_SQUARES:
        return None
    motion = cv2.getPerspectiveTransform(calibration.corners.astype(np.float32), corners.astype(np.float32))
    try:
        found = _move_calibration(calibration, np.asarray(motion, np.float64), picture)
    except NoPoseError:
        return None
    return found if found.outlines.in_place(picture, found.outlined) else None


def _move_calibration(calibration: CheckersCalibration, motion: Floats, picture: Picture) -> CheckersCalibration:  # noqa: ARG001
    pose = move_pose(calibration.pose, motion, calibration.size)
    found = replace(calibration, corners=apply_homography(motion, calibration.corners), pose=pose)
    found.reuse_models(calibration)
    return found


_GLARE, _GLARE_SHARE = (250, 250, 250), 0.3
"""Least colour of a saturated pixel, and the largest share of dark squares that may be so: twelve saturated white
checkers are a sixth of them."""

_NAMED = 6
"""Most squares that an error message names."""

_FEW = 4
"""Most squares of the known position that may be read differently while doubtful; with more doubtful squares than this
a reading by colours is discarded: a sixth of the men."""

_OVERRULED_NATS = 2.0
"""A reading of a square with this margin or more is not overruled by another one: both are in doubt."""

_PLAIN_NATS, _AGAINST_NATS = 8.0, 3.0
"""A reading by colours with this margin (nats) on all squares needs no second reading (another white balance once
misled it by 5.3). A second reading that disagrees by the other margin makes a square doubtful: odds of 1 in 20."""


class CheckersBoard(CalibratedBoard[CheckersCalibration]):
    """Learned board of eight by eight squares."""

    game: ClassVar[str] = "checkers"

    def __init__(self, calibration: CheckersCalibration, unlike: NDArray[np.bool_] | None = None) -> None:
        """`unlike`: mask of the cells that colours misread in the calibration picture; None: computed from it."""
        super().__init__(calibration)
        self._known_unlike = unlike

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> CheckersBoard:
        """Calibrate from a picture; see `vision.learn_board`. `mirror` has no effect on a chequered board."""
        corners = cls.find(picture, mirror).corners if corners is None else corners
        board = cls(calibrate_checkers(picture, corners, START if position is None else position))
        board._refuse_unlike(picture)
        return board

    def _refuse_unlike(self, picture: Picture) -> None:
        """Raise CalibrationError if the known position is not read from its own picture.

        Some squares may be doubtful; the others must be right.
        """
        learned = self.calibration
        if not self._unlike.any():
            return
        again = learned.outlines.read(picture, learned.outlined)
        doubtful = np.ones(CELLS, bool) if isinstance(again, Cause) else again.margins < CERTAIN_NATS
        unlike = self._unlike if isinstance(again, Cause) else _misread(again, learned.position)
        if (unlike & ~doubtful).any() or unlike.sum() > _FEW or isinstance(again, Cause):
            names = " ".join(f"{cell // SIDE},{cell % SIDE}" for cell in np.flatnonzero(unlike)[:_NAMED])
            raise CalibrationError(
                f"the known position is not visible inside these corners (not on {names}): check that the checkers "
                "stand in that position, a dark corner is at White's left, and checkers and squares differ in colour"
            )

    @cached_property
    def _unlike(self) -> NDArray[np.bool_]:
        """Cells that colours misread in the calibration picture; if there are any, colours are not used."""
        if self._known_unlike is not None:
            return self._known_unlike
        learned = self.calibration
        plain = learned.exposures.under(np.ones(3, np.float32))
        cells = read_cells(learned.appearance.evidence(learned.view), learned.reach, plain.cells)
        return _misread(cells, learned.position)

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:  # noqa: ARG003  # one signature for all kinds
        """Locate the board in a picture (BGR) of the starting position. Raises LocateError."""
        return locate_start(picture, CHECKERS, find_chequered_board)

    @classmethod
    def load(cls, path: Path) -> CheckersBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(CheckersCalibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """Parse the cells of a position in JSON. Raises CalibrationError with the faulty value."""
        return checkers_cells(value)

    @property
    def measures(self) -> Mapping[str, float]:
        """Diameter and thickness of the checkers, in widths of the playing area."""
        return {"checker": self.calibration.squares.checker, "thickness": self.calibration.squares.top}

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize."""
        learned = self.calibration
        refuse_other_size(picture, learned.size)
        view = learned.top.rectify(picture)
        cause = Cause.DARK if is_noisy(picture) else cause_of_light(view, view) or self._glare(view)
        if cause is not None:
            return Observation((), cause)
        by_colours = self._by_colours(view) if not self._unlike.any() else Cause.UNKNOWN
        if by_colours is not Cause.BLUR and not (
            isinstance(by_colours, Cells) and by_colours.margins.min() >= _PLAIN_NATS
        ):
            by_colours = _combined(by_colours, learned.outlines.read(picture, learned.outlined))
        if not isinstance(by_colours, Cells):
            return Observation((), by_colours)
        return Observation(by_colours.readings() if by_colours.sure else self._compared(picture, by_colours))

    def _compared(self, picture: Picture, doubtful: Cells) -> tuple[CellReading, ...]:
        """A doubtful reading, settled for squares where the comparison with known looks agrees or is certain."""
        if self.calibration.comparing is None:
            return doubtful.readings()
        compared = self.calibration.comparing.read(GRID.rectify(picture, self.calibration.corners))
        if compared.hand:
            return doubtful.readings()
        return tuple(starmap(agreed, zip(doubtful.readings(), compared.readings(), strict=True)))

    def confirm(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one too."""
        if self.calibration.comparing is not None:
            self.calibration.comparing.accept(GRID.rectify(picture, self.calibration.corners), board)

    def _by_colours(self, view: Picture) -> Cells | Cause:
        """Cells read by the colours learned at calibration, or the reason why the picture cannot be read."""
        learned = self.calibration
        gain = learned.appearance.gain_of(view)
        exposure = learned.exposures.under(gain)
        levelled = level(view, gain, exposure.ceiling)
        even = even_out(levelled, exposure.appearance.background.picture, self._light, learned.reach.square)
        evidence = exposure.appearance.evidence(even)
        cells = read_cells(evidence, learned.reach, exposure.cells)
        return self._cause(evidence, cells) or cells

    def _glare(self, view: Picture) -> Cause | None:
        """GLARE if too much of the dark squares is saturated. Light ones saturate early, which does no harm."""
        seen, empty = (cv2.inRange(one, _GLARE, (255, 255, 255)) > 0 for one in (view, self.calibration.ground))
        return Cause.GLARE if (seen & ~empty)[self._dark].mean() > _GLARE_SHARE else None

    @cached_property
    def _dark(self) -> NDArray[np.bool_]:
        return self._squares(~LIGHT)

    @cached_property
    def _light(self) -> NDArray[np.bool_]:
        return self._squares(LIGHT)

    def _squares(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mask of the raster's pixels that lie on the chosen cells."""
        reach, half = self.calibration.reach, self.calibration.reach.square / 2
        mask = np.zeros(self.calibration.ground.shape[:2], bool)
        for x, y in reach.middles[chosen]:
            mask[round(y - half) : round(y + half), round(x - half) : round(x + half)] = True
        return mask

    def _cause(self, evidence: PixelEvidence, cells: Cells) -> Cause | None:
        """Reason why the picture cannot be read, if any; blur and movement first, since they change all of it."""
        learned = self.calibration
        cause = self._edges.cause(evidence.steep)
        if cause is not None:
            return cause
        discs = learned.discs(cells.taken)
        hand = is_covered(evidence.changed, discs, learned.foreign_at_calibration, learned.reach.diameter, learned.top)
        return Cause.HAND if hand else None

    @cached_property
    def _edges(self) -> Edges:
        return Edges.of(self.calibration.appearance.background.steep)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """JSON answer of `boardside read`."""
        return describe_squares(observation)

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over a copy of the picture; squares have one number for both players."""
        return draw(picture, self.calibration, observation, marks.ringed)

    def reacquire(self, picture: Picture) -> CheckersBoard | None:
        """Locate the board again after it moved; None if it did not move or is not found."""
        found = reacquire(self.calibration, picture)
        # `_unlike` depends on the calibration picture, which fits the board's first place only.
        return None if found is None else CheckersBoard(found, self._unlike)


def _misread(cells: Cells, position: Sequence[Content]) -> NDArray[np.bool_]:
    """Mask of the cells whose reading differs from the known position."""
    read = [reading.best or (0, 0) for reading in cells.readings()]
    known = [(min(white, 1), min(black, 1)) for white, black in position]
    return np.array([seen != true for seen, true in zip(read, known, strict=True)])


def agreed(first: CellReading, second: CellReading) -> CellReading:
    """One reading of a square from two: the surer one where they agree, and a doubtful one where they differ.

    Both use the same pixels, so their evidence is not added. Where they differ, one overrules the other only if it is
    certain and the other one doubtful.
    """
    weak, strong = sorted((first, second), key=lambda reading: reading.margin_nats)
    if first.best == second.best or (strong.margin_nats >= CERTAIN_NATS and weak.margin_nats < _OVERRULED_NATS):
        return strong
    return weak


def _combined(by_colours: Cells | Cause, outlined: Cells | Cause) -> Cells | Cause:
    """Combine the reading by colours with the reading by outlines.

    Outlines without any doubtful cell are taken, unless colours contradict them with certainty. Colours with more than
    a few doubtful cells are ignored, as the light differs from the calibration's. Otherwise outlines only add doubts.
    """
    if isinstance(outlined, Cause):
        return outlined if by_colours is Cause.UNKNOWN else by_colours
    if isinstance(by_colours, Cause):
        return outlined if outlined.sure or by_colours is Cause.UNKNOWN else by_colours
    lost = (by_colours.margins < CERTAIN_NATS).sum() > _FEW
    against = outlined if lost else outlined.doubting(by_colours)
    return against if against.sure else by_colours.doubting(outlined, _AGAINST_NATS)
