"""The table as the page uses it: protocols that `companion.app` implements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Side
    from companion.interface import FilmDeed, FilmState, Item, LightReading, PanelPart, Press, Snapshot
    from companion.seats import SeatDesk
    from companion.settings import SettingsDesk


class DraggableChecker(Protocol):
    """A checker of a simulated table; `x` and `y` are its centre, in column widths."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def side(self) -> Side:
        """Whose it is."""

    @property
    def x(self) -> float:
        """Distance from the left frame, as seen by White."""

    @property
    def y(self) -> float:
        """Distance from White's edge."""

    @property
    def layer(self) -> int:
        """Number of checkers under it."""


class DraggableTable(Protocol):
    """A simulated table, whose checkers a page can drag."""

    def checkers(self) -> Sequence[DraggableChecker]:
        """All checkers."""

    def hold(self, checker_id: int, x: float, y: float) -> None:
        """Move a held checker over (x, y), with a hand in the picture."""

    def drag(self, checker_id: int, x: float, y: float) -> None:
        """Drop a checker at (x, y)."""

    def set_up(self, board: Board | None = None) -> None:
        """Set up `board`, or the starting position."""


class Marking(Protocol):
    """Corners of the board that a player marks on the camera's picture, in pixels (x, y)."""

    def guess(self) -> Sequence[tuple[float, float]] | None:
        """The likeliest four corners; None if none were found."""

    def mark(self, corners: Sequence[tuple[float, float]]) -> None:
        """Learn the board with these four corners. Raises BoardsideError if that is not possible now."""


class Meter(Protocol):
    """Measures brightness and sharpness of the camera's picture."""

    def read(self) -> LightReading | None:
        """The newest reading, None before the first; each call makes it measure for some seconds more."""


class CheckedPanel(Protocol):
    """A panel whose parts are tested one by one."""

    def check(self, what: PanelPart) -> None:
        """Switch one part on for a moment, or only report presses of buttons."""

    def heard(self) -> Press | None:
        """The last press since the test began; each call prolongs the test."""


class ShownFilm(Protocol):
    """The player of a filmed game. Thread-safe."""

    def state(self) -> FilmState:
        """Its progress."""

    def do(self, deed: FilmDeed) -> None:
        """Pause, continue, step or restart it."""

    def at_speed(self, speed: float) -> None:
        """Set the speed, as a multiple of the filmed one."""


class TableView(Protocol):
    """A table as the page uses it. Thread-safe."""

    @property
    def settings(self) -> SettingsDesk | None:
        """Changes settings; None if nothing can be set (a film)."""

    @property
    def meter(self) -> Meter | None:
        """Measures the camera's light and focus; None without a camera."""

    @property
    def panel(self) -> CheckedPanel | None:
        """The panel beside the board; None without one."""

    @property
    def film(self) -> ShownFilm | None:
        """The filmed game that this table shows; None if players use it."""

    @property
    def marking(self) -> Marking | None:
        """Takes marked corners; None without a camera."""

    @property
    def simulated(self) -> DraggableTable | None:
        """The simulated table whose checkers the page moves; None for a real table."""

    @property
    def seats(self) -> SeatDesk | None:
        """Gives devices their seats; None if no device may act (a film)."""

    def snapshot(self) -> Snapshot:
        """What the table shows now."""

    def post(self, item: Item) -> None:
        """Put `item` on the session's inbox; returns at once."""

    def pause_clock(self) -> None:
        """Stop the chess clock, or start it again. Raises NoClockError if there is none."""

    def wait(self, version: int, timeout_s: float) -> Snapshot | None:
        """The newest snapshot as soon as its version is above `version`; None after `timeout_s` without one."""

    def picture(self) -> tuple[int, bytes] | None:
        """The newest camera picture with the reading drawn over it: (version, JPEG); None before the first."""

    def evidence(self, name: str) -> bytes | None:
        """A stored picture of a dispute (JPEG); None if there is none of that name."""
