"""What the table knows of its board: learned from the starting position, kept in a file, read with ever after."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import cv2

from companion.model import Cause
from vision.calibration import START, Calibration, CalibrationError, calibrate
from vision.eye import Eye
from vision.locate import locate
from vision.overlay import draw
from vision.regain import regain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Content, Observation
    from vision.camera import Picture

LOG = logging.getLogger(__name__)
JPEG_QUALITY = 85
CLEAR_NATS = 5.0
"""A cell less certain than this (1 in 150) may be doubtful because the board lies a little off."""


class BoardSight:
    """The board under one camera (`companion.watch.Sight`)."""

    def __init__(
        self,
        path: Path | None,
        *,
        mirror: bool = False,
        corners: NDArray[np.float64] | None = None,
        points: Sequence[Content] = START,
    ) -> None:
        """Take up what was learned before, if `path` holds it.

        Args:
            path: the file that keeps what is learned; None: nothing is kept.
            mirror: White's home is on the left.
            corners: of the playing area (see `vision.calibration`); None: the board is found by itself.
            points: what stands on the points when the board is learned.
        """
        self._path = path
        self._mirror = mirror
        self._corners = corners
        self._points = points
        self._eye: Eye | None = None
        if path is not None and path.exists():
            try:
                self._eye = Eye(Calibration.load(path))
            except CalibrationError as error:  # damaged, or of an older version
                LOG.warning("the board is learned anew: %s", error)

    @property
    def known(self) -> bool:
        """Whether a board has been learned."""
        return self._eye is not None

    def learn(self, image: Picture) -> None:
        """Find the board in a picture of the known position and learn it. Raises BoardsideError."""
        corners = locate(image, mirror=self._mirror).corners if self._corners is None else self._corners
        calibration = calibrate(image, corners, self._mirror, self._points)
        self._keep(Eye(calibration))

    def forget(self) -> None:
        """Learn it anew at the next look."""
        self._eye = None

    def look(self, image: Picture) -> Observation:
        """Read a picture with the board as learned; where it was knocked out of its place it is sought round about.

        A new place is kept only where the board can be read there.
        """
        assert self._eye is not None  # noqa: S101  # asked only where `known`
        observation = self._eye.look(image)
        if _clear(observation):
            return observation
        found = regain(self._eye.calibration, image)
        if found is None:
            return observation
        eye = Eye(found)
        again = eye.look(image)
        if again.unreadable is None:
            LOG.info("the board was moved and is found again")
            self._keep(eye)
        return again if again.unreadable in (None, Cause.HAND) else observation

    def _keep(self, eye: Eye) -> None:
        self._eye = eye
        if self._path is not None:
            try:
                eye.calibration.save(self._path)
            except (
                CalibrationError
            ) as error:  # the table goes on; only after a restart the board has to be learned again
                LOG.warning("what was learned of the board cannot be kept in %s: %s", self._path, error)

    def jpeg(self, image: Picture, observation: Observation | None) -> bytes:
        """The picture as JPEG, with what was read drawn over it where the board is known."""
        if observation is not None and self._eye is not None:
            image = draw(image, self._eye.calibration, observation)
        _, encoded = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
        return encoded.tobytes()


def _clear(observation: Observation) -> bool:
    """Whether there is no reason to ask if the board is still in its place."""
    return observation.unreadable is None and all(cell.margin_nats >= CLEAR_NATS for cell in observation.cells)
