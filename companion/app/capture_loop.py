"""The capture loop: reads camera frames and posts readings of still pictures to the session."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.core import BoardMarks, BoardsideError, Cause
from companion.interface import CameraTrouble, Item, Saw, Stirred
from vision.cameras import Camera, CameraLost, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Board, Observation
    from vision.cameras import Picture

LOOK_AGAIN_S = 2.0
"""Seconds until a still picture that could not be read is read again."""
LONGEST_S = 30.0
"""Longest wait in seconds between two attempts to locate the board. Locating is slow, so the wait doubles each time."""
PICTURE_EVERY_S = 0.5
"""Seconds between pictures shown while something moves."""
REOPEN_S = 2.0
"""Seconds between attempts to open a lost camera."""


def return_freed_memory() -> None:
    """Return freed heap pages to the operating system (`malloc_trim` of glibc; does nothing with another C library).

    Learning a board uses about 100 MB for a moment. Without this call the process at rest keeps 200 MB resident in
    place of 159 MB (benchmarks/table_at_rest.py, 2026-11-22, x86-64).
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class Gate(Protocol):
    """Detects when the picture is still (`vision.cameras.motion_gate`)."""

    def still(self, frame: Frame) -> bool:
        """Whether the picture is still at this frame; call it for every frame."""

    def averaged(self, frame: Frame) -> Frame:
        """A still frame with less noise, for reading it."""


class BoardReader(Protocol):
    """Learns and reads the board (`companion.app.board_tracker`)."""

    @property
    def known(self) -> bool:
        """Whether a board has been learned."""

    def learn(self, image: Picture) -> None:
        """Learn the board from a picture of the starting position. Raises BoardsideError with advice."""

    def forget(self) -> None:
        """Discard the board."""

    def look(self, image: Picture) -> Observation:
        """Read the picture."""

    def confirm(self, image: Picture, board: Board) -> None:
        """Store the picture as a reference: the players have played on from `board`."""

    def keep(self) -> None:
        """Write the calibration to its file if it has changed."""

    def jpeg(self, image: Picture, observation: Observation | None, marks: BoardMarks = ...) -> bytes:
        """The picture as JPEG, with the reading and the marks drawn over it."""


@dataclass(frozen=True, slots=True)
class CapturePorts:
    """The capture loop's connections to the table.

    Attributes:
        post: gets readings, movements and camera trouble, for the session.
        show_picture: gets the newest picture (JPEG) for the page.
        between_games: returns whether a new board may be learned.
        confirmed: returns the board at the start of the current turn, None while no game is on.
        marks: returns what is drawn over a picture now besides what was read.
        tick: called for every frame and every attempt to open the camera.
        measure: gets every frame, to measure light and sharpness.
        clock: seconds, for the times of camera trouble.
    """

    post: Callable[[Item], None]
    show_picture: Callable[[bytes], None]
    between_games: Callable[[], bool] = lambda: True
    confirmed: Callable[[], Board | None] = lambda: None
    marks: Callable[[], BoardMarks] = BoardMarks
    tick: Callable[[], None] = lambda: None
    measure: Callable[[Frame], None] = lambda _: None
    clock: Callable[[], float] = time.monotonic


class CaptureLoop:
    """The capture loop. `run` needs a thread of its own; `stop` and `look_again` are thread-safe."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        gate: Callable[[], Gate],
        reader: BoardReader,
        ports: CapturePorts,
        *,
        reopen_s: float = REOPEN_S,
    ) -> None:
        """`gate()` makes a gate for an opened camera; `reopen_s`: seconds between attempts to open a lost one."""
        self._open_camera = open_camera
        self._new_gate = gate
        self._reader = reader
        self._ports = ports
        self._reopen_s = reopen_s
        self._confirmed: Board | None = None
        self._last: Frame | None = None
        self._stopping = threading.Event()
        self._trouble: str | None = None
        self._still = False
        self._looked_s: float | None = None
        self._again_s: float | None = None
        self._shown_s = float("-inf")
        self._drawn: tuple[Frame, Observation, BoardMarks] | None = None

    def stop(self) -> None:
        """End `run` after the current frame."""
        self._stopping.set()

    def look_again(self) -> None:
        """Read the next still picture without waiting."""
        self._looked_s = None

    def run(self) -> None:
        """Read frames until `stop` or the end of a film; a lost camera is opened again."""
        while not self._stopping.is_set():
            self._ports.tick()
            try:
                camera = self._open_camera()
                try:
                    self._read_frames(camera)
                finally:
                    camera.close()
                return
            except CameraLost as lost:
                self._post_trouble(str(lost))
                self._stopping.wait(self._reopen_s)

    def _read_frames(self, camera: Camera) -> None:
        gate = self._new_gate()
        while not self._stopping.is_set() and self._read_frame(camera, gate):
            pass  # no frame is kept in memory while the next one is awaited

    def _read_frame(self, camera: Camera, gate: Gate) -> bool:
        """Process the camera's next frame; False at the end of a film."""
        frame = camera.read()
        if frame is None:
            return False
        self._ports.tick()
        self._ports.measure(frame)
        self.gated(gate, frame)
        return True

    def gated(self, gate: Gate, frame: Frame) -> None:
        """Process one frame of a camera with that gate."""
        still = gate.still(frame)
        self.handle(gate.averaged(frame) if still else frame, still=still)

    def handle(self, frame: Frame, *, still: bool) -> None:
        """Process one frame; `still`: the gate's answer for it."""
        self._confirm()
        if not still:
            if self._still:
                self._ports.post(Stirred(frame.at_s))
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
        elif self._drawn is not None and self._drawn[2] != self._ports.marks():
            self._show(*self._drawn[:2])

    def _look(self, frame: Frame) -> None:
        """Learn the board if necessary, read a still picture and post the reading; then draw it."""
        try:
            if not self._reader.known:
                self._reader.learn(frame.image)
            observation = self._reader.look(frame.image)
        except BoardsideError as error:
            self._report_unreadable(str(error), frame)
            return
        self._post_trouble(None)
        self._last = frame if observation.unreadable is None else self._last
        self._again_s = None if observation.unreadable is None else LOOK_AGAIN_S
        self._ports.post(Saw(observation, frame.at_s, self._reader.jpeg(frame.image, None)))
        self._show(frame, observation)
        if observation.unreadable is Cause.MOVED_CAMERA:
            self._discard_board()
        self._reader.keep()
        return_freed_memory()  # after the verdict, because it takes about a millisecond

    def _confirm(self) -> None:
        """Once the players have played on from the last reading, store its picture as a reference."""
        board = self._ports.confirmed()
        if board != self._confirmed:
            self._confirmed = board
            if board is not None and self._last is not None and self._reader.known:
                self._reader.confirm(self._last.image, board)

    def _report_unreadable(self, trouble: str, frame: Frame) -> None:
        """Report that the board is not found or its calibration does not fit, and wait longer for the next attempt."""
        self._post_trouble(trouble)
        self._last = None
        self._again_s = LOOK_AGAIN_S if self._again_s is None else min(2 * self._again_s, LONGEST_S)
        self._discard_board()
        self._show(frame, None)

    def _discard_board(self) -> None:
        """Between games, discard the board and its reference picture: another board may be in view."""
        if self._ports.between_games():
            self._reader.forget()
            self._last = self._confirmed = None

    def _show(self, frame: Frame, observation: Observation | None) -> None:
        marks = self._ports.marks()
        self._shown_s, self._drawn = frame.at_s, None if observation is None else (frame, observation, marks)
        self._ports.show_picture(self._reader.jpeg(frame.image, observation, marks))

    def _post_trouble(self, trouble: str | None) -> None:
        """Post the camera's trouble to the session when it changes (None: no trouble)."""
        if trouble != self._trouble:
            self._trouble = trouble
            self._ports.post(CameraTrouble(trouble, self._ports.clock()))
