"""The chequered board as a kind of board: calibrate, read, draw, reacquire."""

from __future__ import annotations

from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

from companion.core import NEGLIGIBLE_NATS, NO_MARKS, Cause, CellReading, Observation
from vision.board import (
    CERTAIN_NATS,
    CalibratedBoard,
    describe_squares,
    locate_start,
    refuse_other_size,
)
from vision.checkers.calibration import CheckersCalibration, calibrate_checkers
from vision.checkers.contour_model import CONTENTS
from vision.checkers.layout import GRID, LIGHT, SQUARE, START, checkers_cells
from vision.checkers.locate import START_CONFIDENCE, find_chequered_board, nearest_board
from vision.checkers.overlay import draw
from vision.checkers.reader import OTHER_NATS
from vision.geometry import NoPoseError
from vision.imaging import blamed_on_darkness, cause_of_light, steepness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.core import Board, BoardMarks, Content
    from vision.arrays import Bools, Floats, Picture
    from vision.board import Located
    from vision.checkers.reader import Changes, ComparedSquares


_REACH_SQUARES = 2.5
"""Largest movement that is searched, in squares; a larger one is taken for a board that was set up anew."""
_NUDGE_SQUARES = 0.03
"""Smallest movement that counts, in squares."""
_GLARE, _GLARE_SHARE = (250, 250, 250), 0.3
"""Least colour of a saturated pixel, and the largest share of dark squares that may be so: twelve saturated white
checkers are a sixth of them."""
_BLURRED, _BLURRED_TOO = 0.45, 0.6
"""Steepness (see `vision.imaging.steepness`) relative to the learned look's, below which a picture is not read, and
below which a board that seems out of place is called blurred. Bright pictures, of which light squares are saturated,
have 0.46 and more."""
_CONTOURS_WEIGHT = 0.5
"""Weight of the contours' nats where both readers agree: they see the same pixels."""
_AGAINST_OTHER_WEIGHT = 0.25
"""Weight of the contours' nats for a man against something else that is round."""
_BACKED_NATS = 3.0
"""Least lead of a checker's side, over the other one and over something else, by comparison, from which contours add to
it: a gleam may give a man the colours of the other side, and other round things have a man's contours."""

_NOTHING: Content = (0, 0)


class CheckersBoard(CalibratedBoard[CheckersCalibration]):
    """Learned board of eight by eight squares."""

    game: ClassVar[str] = "checkers"
    position = staticmethod(checkers_cells)

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> CheckersBoard:
        """Calibrate from a picture; see `vision.learn_board`. `mirror` has no effect on a chequered board."""
        corners = cls.find(picture, mirror).corners if corners is None else corners
        return cls(calibrate_checkers(picture, corners, START if position is None else position))

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:  # noqa: ARG003  # one signature for all kinds
        """Locate the board in a picture (BGR) of the starting position. Raises LocateError."""
        return locate_start(picture, "checkers", "twenty-four checkers", find_chequered_board, START_CONFIDENCE)

    @classmethod
    def load(cls, path: Path) -> CheckersBoard:
        """Load from a file. Raises CalibrationError."""
        return cls(CheckersCalibration.load(path))

    @property
    def measures(self) -> Mapping[str, float]:
        """Diameter and thickness of the checkers, in widths of the playing area."""
        return {"checker": self.calibration.squares.checker, "thickness": self.calibration.squares.top}

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize."""
        learned = self.calibration
        refuse_other_size(picture, learned.size)
        view = GRID.rectify(picture, learned.corners)
        cause = cause_of_light(view, view) or self._glare(view)
        if cause is not None:
            return Observation((), cause)
        return blamed_on_darkness(self._seen(picture, view), view)

    def _seen(self, picture: Picture, view: Picture) -> Observation:
        """Read a picture with enough light; `view`: the rectified picture."""
        learned = self.calibration
        changes = learned.comparing.changes(view)
        compared = learned.comparing.read(changes) if changes.few else None
        if compared is not None and compared.hand:
            return Observation((), Cause.HAND)
        if compared is not None and compared.certain:
            return learned.crossings.with_doubts(Observation(compared.readings()), changes)
        return self._with_contours(picture, view, changes, compared)

    def _with_contours(
        self, picture: Picture, view: Picture, changes: Changes, compared: ComparedSquares | None
    ) -> Observation:
        """Read a picture that the comparison (None: not made) leaves in doubt; `view` is the rectified picture."""
        learned = self.calibration
        sharp = steepness(view) / self._learned_steepness
        if sharp < _BLURRED:
            return Observation((), Cause.BLUR)
        cells = learned.outlines.read(picture, learned.outlined)
        if isinstance(cells, Cause):
            return Observation((), cells if cells is Cause.HAND or sharp >= _BLURRED_TOO else Cause.BLUR)
        compared = compared or learned.comparing.read(changes)
        if compared.hand:
            return Observation((), Cause.HAND)
        others = compared.without_contours.tolist(), compared.lead_over_other.tolist()
        squares = zip(cells.readings(), compared.of_contents(), *others, strict=True)
        return learned.crossings.with_doubts(Observation(tuple(starmap(agreed, squares))), changes)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one too."""
        self.calibration.comparing.accept(GRID.rectify(picture, self.calibration.corners), board)

    def _glare(self, view: Picture) -> Cause | None:
        """GLARE if too much of the dark squares is saturated. Light ones saturate early, which does no harm."""
        seen, known = (cv2.inRange(one, _GLARE, (255, 255, 255)) > 0 for one in (view, self.calibration.learned))
        return Cause.GLARE if (seen & ~known)[self._dark].mean() > _GLARE_SHARE else None

    @cached_property
    def _learned_steepness(self) -> float:
        return steepness(self.calibration.learned)

    @cached_property
    def _dark(self) -> Bools:
        """Mask of the rectified picture's pixels that lie on dark squares."""
        return GRID.mask(~LIGHT)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """JSON answer of `boardside read`."""
        return describe_squares(observation)

    def draw(self, picture: Picture, observation: Observation, marks: BoardMarks = NO_MARKS) -> Picture:
        """Draw an observation over a copy of the picture; squares have one number for both players."""
        return draw(picture, self.calibration, observation, marks.ringed)

    def reacquire(self, picture: Picture) -> CheckersBoard | None:
        """Locate the board again by its squares' corners; None if it did not move, or they are not seen."""
        learned = self.calibration
        if (picture.shape[1], picture.shape[0]) != learned.size:
            return None
        square_px = float(np.linalg.norm(np.diff(learned.corners, axis=0), axis=1).max()) * SQUARE
        corners = nearest_board(picture, learned.corners)
        off = 0.0 if corners is None else float(np.abs(corners - learned.corners).max()) / square_px
        if corners is None or not _NUDGE_SQUARES < off < _REACH_SQUARES:
            return None
        motion = cv2.getPerspectiveTransform(learned.corners.astype(np.float32), corners.astype(np.float32))
        try:
            found = learned.moved(np.asarray(motion, np.float64))
        except NoPoseError:
            return None
        return CheckersBoard(found) if found.outlines.in_place(picture, found.outlined) else None


def agreed(outlined: CellReading, compared: CellReading, covered: bool, lead_nats: float) -> CellReading:
    """One reading of a square from two: by contours and brightness, and by comparison with known looks.

    Where they agree, contours add to the comparison. Where they differ, the comparison prevails if it is certain, and
    the square is doubtful otherwise. Contours never prevail: in a lamp's gleam, or where one has gone, they are certain
    of a checker of the wrong side, or of one that is not there. On 119,000 squares of photographs and 34,000 of drawn
    boards they were certain and wrong 83 times, the comparison never.

    Args:
        outlined: by contours and brightness.
        compared: with known looks, given that the square holds a man or nothing.
        covered: whether something else most likely lies there, which contours would not notice.
        lead_nats: lead of the contents over something else that may lie there, by comparison. Contours add little to
            that of a man: coins and other sets' checkers are round, too, and only their brightness may differ.
    """
    seen = _with_capped_lead(compared, lead_nats)
    if covered:
        return seen
    if compared.best == _NOTHING:
        return _combine(outlined, seen)
    backed = outlined.best == compared.best and lead_nats >= _BACKED_NATS
    backing = _AGAINST_OTHER_WEIGHT * min(outlined.margin_nats, NEGLIGIBLE_NATS) if backed else 0.0
    return _with_capped_lead(_combine(outlined, compared), lead_nats + backing)


def _with_capped_lead(reading: CellReading, most_nats: float) -> CellReading:
    """A reading whose lead is at most `most_nats` (or OTHER_NATS), because something else may lie there."""
    most = max(OTHER_NATS, most_nats)
    return CellReading.of({one: max(reading.log_likelihood(one), -most) for one in CONTENTS})


def _combine(outlined: CellReading, compared: CellReading) -> CellReading:
    """Reading of a square by contours and by comparison, without the doubt about something else."""
    weak = min(outlined, compared, key=lambda reading: reading.margin_nats)
    if outlined.best == compared.best:
        if _lead_over_other_side(compared) < _BACKED_NATS:
            return weak
        either = dict(outlined.likelihoods) | dict(compared.likelihoods)
        return CellReading.of(
            {one: compared.log_likelihood(one) + _CONTOURS_WEIGHT * outlined.log_likelihood(one) for one in either}
        )
    return compared if compared.margin_nats >= CERTAIN_NATS else weak


def _lead_over_other_side(reading: CellReading) -> float:
    """Lead (nats) of a checker's side over the other one; infinite for none."""
    white, black = reading.best or (0, 0)
    return -dict(reading.likelihoods).get((black, white), -np.inf) if white != black else np.inf
