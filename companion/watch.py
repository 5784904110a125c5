"""Watching the board: from the camera's frames to settled looks on the session's inbox."""

from __future__ import annotations

import ctypes
import threading
import time
from typing import TYPE_CHECKING, Protocol

from companion.inbox import CameraTrouble, Item, Saw, Stirred
from companion.model import BoardsideError, Cause
from vision.camera import Camera, CameraLost, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.observation import Board, Observation
    from vision.camera import Picture

LOOK_AGAIN_S = 2.0
"""A still picture that could not be read is tried again after so long."""
LONGEST_S = 30.0
"""Looking for a board takes a while: where none is found the next try waits twice as long, up to this."""
PICTURE_EVERY_S = 0.5
"""While something moves, so often is a new picture shown."""
REOPEN_S = 2.0
"""A camera that was lost is looked for again so often."""


def return_freed_memory() -> None:
    """Return freed heap pages to the operating system (`malloc_trim` of glibc; does nothing with another C library).

    Learning a board uses about 100 MB for a moment. Without this call the process at rest keeps 200 MB resident in
    place of 159 MB (benchmarks/table_at_rest.py, 2026-11-22, x86-64).
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class Gate(Protocol):
    """Says of a stream of frames when the picture is still (`vision.settle`)."""

    def still(self, frame: Frame) -> bool:
        """Whether the picture has settled as of this frame."""


class Sight(Protocol):
    """Knows the board, or learns it (`companion.sight`)."""

    @property
    def known(self) -> bool:
        """Whether a board has been learned."""

    def learn(self, image: Picture) -> None:
        """Learn the board from a picture of the starting position. Raises BoardsideError saying what to do."""

    def forget(self) -> None:
        """Learn it anew."""

    def look(self, image: Picture) -> Observation:
        """Read the picture."""

    def confirm(self, image: Picture, board: Board) -> None:
        """Take note that the players played on from that board, which stands in the picture."""

    def keep(self) -> None:
        """Write down what was learned since."""

    def jpeg(self, image: Picture, observation: Observation | None) -> bytes:
        """The picture for the page, with what was read drawn over it."""


class Watch:
    """The capture loop; `run` in a thread of its own, `stop` from any."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        gate: Callable[[], Gate],
        sight: Sight,
        post: Callable[[Item], None],
        show_picture: Callable[[bytes], None],
        *,
        between_games: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
        reopen_s: float = REOPEN_S,
        turned: Callable[[], None] = lambda: None,
        confirmed: Callable[[], Board | None] = lambda: None,
    ) -> None:
        """`gate()` gives a fresh gate for a camera just opened; `between_games`: whether a new board may be learned.

        `turned` is called for every frame, and for every try to open the camera; `confirmed()` gives the board that the
        turn under way began from, None while no game is on.
        """
        self._open_camera = open_camera
        self._new_gate = gate
        self._sight = sight
        self._post = post
        self._show_picture = show_picture
        self._between_games = between_games
        self._clock = clock
        self._reopen_s = reopen_s
        self._turned = turned
        self._confirmed = confirmed
        self._agreed: Board | None = None
        self._last: Frame | None = None
        self._stopping = threading.Event()
        self._trouble: str | None = None
        self._still = False
        self._looked_s: float | None = None
        self._again_s: float | None = None
        self._shown_s = float("-inf")

    def stop(self) -> None:
        """End `run` after the frame it is at."""
        self._stopping.set()

    def look_again(self) -> None:
        """Look at the next still picture at once; any thread may ask for it."""
        self._looked_s = None

    def run(self) -> None:
        """Watch until `stop` or the end of a film; a camera that is lost is opened again when it is back."""
        while not self._stopping.is_set():
            self._turned()
            try:
                camera = self._open_camera()
                try:
                    self._watch(camera)
                finally:
                    camera.close()
                return
            except CameraLost as lost:
                self._say(str(lost))
                self._stopping.wait(self._reopen_s)

    def _watch(self, camera: Camera) -> None:
        gate = self._new_gate()
        while not self._stopping.is_set():
            frame = camera.read()
            if frame is None:
                return
            self._turned()
            self.handle(frame, still=gate.still(frame))

    def handle(self, frame: Frame, *, still: bool) -> None:
        """What one frame leads to."""
        self._confirm()
        if not still:
            if self._still:
                self._post(Stirred(frame.at_s))
            self._still, self._looked_s, self._again_s = False, None, None
            if frame.at_s - self._shown_s >= PICTURE_EVERY_S:
                self._show(frame, None)
            return
        self._still = True
        looked_s = self._looked_s
        due = self._again_s is not None and looked_s is not None and frame.at_s - looked_s >= self._again_s
        if looked_s is None or due:
            self._looked_s = frame.at_s
            self._look(frame)

    def _look(self, frame: Frame) -> None:
        """Read a settled picture, learning the board first where it is not known; the verdict waits for no drawing."""
        try:
            if not self._sight.known:
                self._sight.learn(frame.image)
            observation = self._sight.look(frame.image)
        except BoardsideError as error:
            self._lose(str(error), frame)
            return
        self._say(None)
        self._last = frame if observation.unreadable is None else self._last
        self._again_s = None if observation.unreadable is None else LOOK_AGAIN_S
        self._post(Saw(observation, frame.at_s, self._sight.jpeg(frame.image, None)))
        self._show(frame, observation)
        if observation.unreadable is Cause.MOVED_CAMERA:
            self._learn_anew()
        self._sight.keep()
        return_freed_memory()  # after the verdict, because it takes about a millisecond

    def _confirm(self) -> None:
        """Once the players play on from what was last read, later pictures may be compared with that one."""
        board = self._confirmed()
        if board != self._agreed:
            self._agreed = board
            if board is not None and self._last is not None and self._sight.known:
                self._sight.confirm(self._last.image, board)

    def _lose(self, trouble: str, frame: Frame) -> None:
        """The board is not found, or what was learned does not fit this camera's pictures."""
        self._say(trouble)
        self._last = None
        self._again_s = LOOK_AGAIN_S if self._again_s is None else min(2 * self._again_s, LONGEST_S)
        self._learn_anew()
        self._show(frame, None)

    def _learn_anew(self) -> None:
        """Between games another board may stand there; no picture of the old one is anything to compare it with."""
        if self._between_games():
            self._sight.forget()
            self._last = self._agreed = None

    def _show(self, frame: Frame, observation: Observation | None) -> None:
        self._shown_s = frame.at_s
        self._show_picture(self._sight.jpeg(frame.image, observation))

    def _say(self, trouble: str | None) -> None:
        """Tell the session what is the matter, when that changes."""
        if trouble != self._trouble:
            self._trouble = trouble
            self._post(CameraTrouble(trouble, self._clock()))
