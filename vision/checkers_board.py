"""A chequered board for checkers, behind the seam of `vision.boards`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

from companion.model import Cause
from companion.observation import Observation
from vision.answers import CERTAIN_NATS, describe_squares
from vision.appearance import level
from vision.board_of import CalibratedBoard
from vision.calibration_file import CalibrationError
from vision.checkers_calibration import CheckersCalibration, calibrate_checkers
from vision.checkers_overlay import draw
from vision.checkers_regain import regain
from vision.eye import refuse_other_size
from vision.local_light import even_out
from vision.locate import CHECKERS, locate
from vision.position_json import checkers_cells
from vision.read_checkers import Cells, read_cells
from vision.readability import Edges, cause_of_light, is_covered
from vision.squares import CELLS, LIGHT, SIDE, START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.observation import Board, Content
    from vision.appearance import Evidence
    from vision.camera import Picture
    from vision.locate import Located

    Floats = NDArray[np.float64]

_GLARE, _GLARE_SHARE = (250, 250, 250), 0.3
"""Colour from which a pixel is washed out, and share of the dark squares that may be: twelve white checkers, all
washed out, are a sixth of them."""
_NAMED = 6
"""More squares than these are not named."""
_FEW = 4
"""Squares of the known position that may be seen otherwise, in doubt, and squares that colours may be in doubt of
before nothing they tell is believed: a sixth of the men."""

_PLAIN_NATS, _AGAINST_NATS = 8.0, 3.0
"""Colours that lead everywhere by the one need no second look (another white balance once led them astray by 5.3);
outlines that lead by the other against them make a square doubtful: 1 in 20."""


class CheckersBoard(CalibratedBoard[CheckersCalibration]):
    """Eight by eight squares (`vision.boards.LearnedBoard`)."""

    game: ClassVar[str] = "checkers"

    def __init__(self, calibration: CheckersCalibration, unlike: NDArray[np.bool_] | None = None) -> None:
        """`unlike`: on which cells colours do not tell the known position; None: to be seen from what was learned."""
        super().__init__(calibration)
        self._known_unlike = unlike

    @classmethod
    def learn(
        cls, picture: Picture, corners: Floats | None, mirror: bool, position: Sequence[Content | None] | None
    ) -> CheckersBoard:
        """See `vision.boards.learn_board`; a chequered board has no mirror image."""
        corners = locate(picture, CHECKERS, mirror).corners if corners is None else corners
        board = cls(calibrate_checkers(picture, corners, START if position is None else position))
        board._refuse_unlike(picture)
        return board

    def _refuse_unlike(self, picture: Picture) -> None:
        """Raise CalibrationError where the known position is not what is seen in its own picture.

        A square may be doubtful there; what is not to be doubted must be right, and most squares must be.
        """
        learned = self.calibration
        if not self._unlike.any():
            return
        again = learned.outlines.read(picture, learned.outlined)
        doubtful = np.ones(CELLS, bool) if isinstance(again, Cause) else again.margins < CERTAIN_NATS
        unlike = self._unlike if isinstance(again, Cause) else _otherwise(again, learned.position)
        if (unlike & ~doubtful).any() or unlike.sum() > _FEW or isinstance(again, Cause):
            names = " ".join(f"{cell // SIDE},{cell % SIDE}" for cell in np.flatnonzero(unlike)[:_NAMED])
            raise CalibrationError(
                f"the known position is not seen inside these corners (not on {names}): check that "
                "the board stands at it with its dark corner at White's left, and that checkers and squares differ"
            )

    @cached_property
    def _unlike(self) -> NDArray[np.bool_]:
        """On which cells colours do not tell the known position in its own picture; then they are not trusted."""
        if self._known_unlike is not None:
            return self._known_unlike
        learned = self.calibration
        plain = learned.exposures.under(np.ones(3, np.float32))
        cells = read_cells(learned.appearance.evidence(learned.view), learned.reach, plain.cells)
        return _otherwise(cells, learned.position)

    @classmethod
    def find(cls, picture: Picture, mirror: bool) -> Located:  # noqa: ARG003  # every kind is asked so
        """Where the starting position stands in a picture."""
        return locate(picture, CHECKERS, False)

    @classmethod
    def load(cls, path: Path) -> CheckersBoard:
        """Read from a file. Raises CalibrationError."""
        return cls(CheckersCalibration.load(path))

    @classmethod
    def position(cls, value: object) -> Board:
        """The cells of a position in JSON. Raises CalibrationError quoting it."""
        return checkers_cells(value)

    @property
    def measures(self) -> Mapping[str, float]:
        """Diameter and thickness of the checkers, in widths of the squares' area."""
        return {"checker": self.calibration.squares.checker, "thickness": self.calibration.squares.top}

    def look(self, picture: Picture) -> Observation:
        """What a picture shows. Raises WrongSize."""
        learned = self.calibration
        refuse_other_size(picture, learned.size)
        view = learned.top.straighten(picture)
        cause = cause_of_light(view, view) or self._glare(view)
        if cause is not None:
            return Observation((), cause)
        told = self._by_colours(view) if not self._unlike.any() else Cause.UNKNOWN
        if told is not Cause.BLUR and not (isinstance(told, Cells) and told.margins.min() >= _PLAIN_NATS):
            told = _agreed(told, learned.outlines.read(picture, learned.outlined))
        return Observation(told.readings()) if isinstance(told, Cells) else Observation((), told)

    def _by_colours(self, view: Picture) -> Cells | Cause:
        """What a raster shows, or why it cannot be read, by what everything looked like when it was learned."""
        learned = self.calibration
        gain = learned.appearance.gain_of(view)
        exposure = learned.exposures.under(gain)
        levelled = level(view, gain, exposure.ceiling)
        even = even_out(levelled, exposure.appearance.ground.picture, self._light, learned.reach.square)
        evidence = exposure.appearance.evidence(even)
        cells = read_cells(evidence, learned.reach, exposure.cells)
        return self._cause(evidence, cells) or cells

    def _glare(self, view: Picture) -> Cause | None:
        """GLARE where much of the dark squares is washed out; light ones soon are, and nothing is lost by that."""
        seen, empty = (cv2.inRange(one, _GLARE, (255, 255, 255)) > 0 for one in (view, self.calibration.ground))
        return Cause.GLARE if (seen & ~empty)[self._dark].mean() > _GLARE_SHARE else None

    @cached_property
    def _dark(self) -> NDArray[np.bool_]:
        return self._squares(~LIGHT)

    @cached_property
    def _light(self) -> NDArray[np.bool_]:
        return self._squares(LIGHT)

    def _squares(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which pixels of the raster lie on those cells."""
        reach, half = self.calibration.reach, self.calibration.reach.square / 2
        mask = np.zeros(self.calibration.ground.shape[:2], bool)
        for x, y in reach.middles[chosen]:
            mask[round(y - half) : round(y + half), round(x - half) : round(x + half)] = True
        return mask

    def _cause(self, evidence: Evidence, cells: Cells) -> Cause | None:
        """What keeps the raster from being read; a moved camera is told from a hand, as all of the board changes."""
        learned = self.calibration
        cause = self._edges.cause(evidence.steep)
        if cause is not None:
            return cause
        discs = learned.discs(cells.taken)
        hand = is_covered(evidence.changed, discs, learned.strange, learned.reach.diameter, learned.top)
        return Cause.HAND if hand else None

    @cached_property
    def _edges(self) -> Edges:
        return Edges.of(self.calibration.appearance.ground.steep)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """What `boardside read` answers."""
        return describe_squares(observation)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture with what was read drawn over it."""
        return draw(picture, self.calibration, observation)

    def regain(self, picture: Picture) -> CheckersBoard | None:
        """The same board in its new place."""
        found = regain(self.calibration, picture)
        # Asked of the picture it was learned from, which leans as the board's first place had it.
        return None if found is None else CheckersBoard(found, self._unlike)


def _otherwise(cells: Cells, position: Sequence[Content]) -> NDArray[np.bool_]:
    """Which cells are read otherwise than they are known to be."""
    read = [reading.best or (0, 0) for reading in cells.readings()]
    known = [(min(white, 1), min(black, 1)) for white, black in position]
    return np.array([seen != true for seen, true in zip(read, known, strict=True)])


def _agreed(told: Cells | Cause, outlined: Cells | Cause) -> Cells | Cause:
    """What both ways of reading come to, where colours are in doubt, or see nothing they know.

    Outlines are believed where they leave no doubt at all, unless colours are sure of something else: in doubt of more
    than a few squares they know nothing of this light. Else outlines only add to the doubts.
    """
    if isinstance(outlined, Cause):
        return outlined if told is Cause.UNKNOWN else told
    if isinstance(told, Cause):
        return outlined if outlined.sure or told is Cause.UNKNOWN else told
    lost = (told.margins < CERTAIN_NATS).sum() > _FEW
    against = outlined if lost else outlined.doubting(told)
    return against if against.sure else told.doubting(outlined, _AGAINST_NATS)
