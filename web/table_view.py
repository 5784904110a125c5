"""What the page needs of a table; the shell that runs the session provides it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Side
    from companion.interface import FilmDeed, FilmState, Item, LightReading, PanelPart, Press, Snapshot
    from companion.seats import SeatDesk
    from companion.settings import SettingsDesk


class LooseChecker(Protocol):
    """A checker of a simulated table: its centre in column widths, 0 for `layer` on the felt, 1 on another checker."""

    @property
    def id(self) -> int:
        """Its name."""

    @property
    def side(self) -> Side:
        """Whose it is."""

    @property
    def x(self) -> float:
        """From the left frame, as White sits."""

    @property
    def y(self) -> float:
        """From White's edge."""

    @property
    def layer(self) -> int:
        """How many checkers lie under it."""


class LooseTable(Protocol):
    """A simulated table: checkers that a page may carry about."""

    def checkers(self) -> Sequence[LooseChecker]:
        """All checkers."""

    def hold(self, checker_id: int, x: float, y: float) -> None:
        """Carry a checker in a hand over (x, y)."""

    def drag(self, checker_id: int, x: float, y: float) -> None:
        """Drop a checker at (x, y)."""

    def set_up(self, board: Board | None = None) -> None:
        """Put up `board`, or the starting position."""


class Marking(Protocol):
    """Corners of the board that a player marks on the camera's picture; pixels of it."""

    def guess(self) -> Sequence[tuple[float, float]] | None:
        """The likeliest four, None where there is no guess."""

    def mark(self, corners: Sequence[tuple[float, float]]) -> None:
        """Learn the board with these four. Raises BoardsideError where that cannot be done now."""


class Meter(Protocol):
    """How light and sharp the camera's picture is."""

    def read(self) -> LightReading | None:
        """The newest reading, None before the first; asking makes it measure for some seconds."""


class CheckedPanel(Protocol):
    """A panel whose parts are tried out one after the other."""

    def check(self, what: PanelPart) -> None:
        """Switch one part on alone for a moment, or only listen to the buttons."""

    def heard(self) -> Press | None:
        """The last press while the panel listens; a call keeps it listening."""


class ShownFilm(Protocol):
    """A filmed game that is shown; any thread may use it."""

    def state(self) -> FilmState:
        """How far it is."""

    def do(self, deed: FilmDeed) -> None:
        """Pause it, let it go on, and so on."""

    def at_speed(self, speed: float) -> None:
        """Set the speed, as a multiple of the filmed one."""


class TableView(Protocol):
    """A table as the page sees it; any thread may use it."""

    @property
    def settings(self) -> SettingsDesk | None:
        """Where settings are changed; None where nothing can be set (a film)."""

    @property
    def meter(self) -> Meter | None:
        """How good the camera's light and focus are; None where there is no camera."""

    @property
    def panel(self) -> CheckedPanel | None:
        """The panel beside the board; None where there is none."""

    @property
    def film(self) -> ShownFilm | None:
        """The filmed game that this table shows, None where players sit at it."""

    @property
    def marking(self) -> Marking | None:
        """Where corners are marked; None where the table has no camera to mark them for."""

    @property
    def simulated(self) -> LooseTable | None:
        """The simulated table whose checkers the page moves, None for a real table."""

    @property
    def seats(self) -> SeatDesk | None:
        """Where devices get their seats; None where no device may act (a film)."""

    def snapshot(self) -> Snapshot:
        """What the table shows now."""

    def post(self, item: Item) -> None:
        """Put `item` on the session's inbox; returns at once."""

    def pause_clock(self) -> None:
        """Stop the chess clock, or start it again. Raises NoClockError where there is none."""

    def wait(self, version: int, timeout_s: float) -> Snapshot | None:
        """The newest snapshot as soon as its version is above `version`; None where none came in `timeout_s`."""

    def picture(self) -> tuple[int, bytes] | None:
        """The newest camera picture with what was read drawn over it: (its version, JPEG), None before the first."""

    def evidence(self, name: str) -> bytes | None:
        """A picture (JPEG) kept for a dispute, None where there is none of that name."""
