"""A chess clock with delay, as an immutable value; the current time is an argument.

Each turn begins with a free delay; time beyond it is taken from the player's reserve. This is the delay of backgammon
clocks (USBGF and WBGF: 12 seconds a turn, two minutes of reserve a point) and the "simple delay" of chess. An unused
delay is lost. When a reserve is used up, the player's flag falls and the clock runs on; the sheet or the players decide
what follows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core import BoardsideError, Side, quoted

MOST_MINUTES, MOST_DELAY_S = 600.0, 600.0
"""Largest reserve in minutes and delay in seconds that are accepted."""


class ClockError(BoardsideError):
    """An impossible clock setting; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """Reserve in minutes a player, and the delay each turn begins with."""

    minutes: float
    delay_s: float = 0.0

    def __post_init__(self) -> None:
        """Raise ClockError for values out of range."""
        if not 0 < self.minutes <= MOST_MINUTES:
            raise ClockError(f"a clock of {self.minutes:g} minutes: expected more than 0, at most {MOST_MINUTES:g}")
        if not 0 <= self.delay_s <= MOST_DELAY_S:
            raise ClockError(f"a delay of {self.delay_s:g} seconds: expected 0 to {MOST_DELAY_S:g}")

    @classmethod
    def parse(cls, text: str) -> ClockSetting:
        """The setting of "14+12": minutes of reserve, and seconds of delay after the plus. Raises ClockError."""
        minutes, _, delay_s = text.partition("+")
        try:
            return cls(float(minutes), float(delay_s or 0))
        except ValueError:
            expected = 'expected minutes, or minutes and seconds of delay such as "14+12"'
            raise ClockError(f"{quoted(text)} is not a clock: {expected}") from None

    def __str__(self) -> str:
        """Format for `parse`."""
        return f"{self.minutes!r}+{self.delay_s!r}"


@dataclass(frozen=True, slots=True)
class ChessClock:
    """Both players' times, (White's, Black's), at the time `since_s`.

    Attributes:
        setting: initial reserve and delay.
        reserve_s: remaining reserves in seconds, negative after the flag fell.
        delay_s: remaining delays of this turn in seconds.
        turn: number of the turn to which the delays belong.
        running: the player whose time runs; None while the clock is stopped.
        since_s: time of this state, in seconds of the caller's clock.
        paused: stopped by the players; `running` is then None.
    """

    setting: ClockSetting
    reserve_s: tuple[float, float]
    delay_s: tuple[float, float]
    turn: int = 0
    running: Side | None = None
    since_s: float = 0.0
    paused: bool = False

    @classmethod
    def fresh(cls, setting: ClockSetting, at_s: float) -> ChessClock:
        """A clock with full reserves."""
        reserve_s = 60 * setting.minutes
        return cls(setting, (reserve_s, reserve_s), (setting.delay_s, setting.delay_s), since_s=at_s)

    def at(self, at_s: float) -> ChessClock:
        """The same clock read at `at_s`."""
        if self.running is None:
            return replace(self, since_s=at_s)
        spent_s = max(0.0, at_s - self.since_s)
        own, of_delay_s = _index(self.running), min(spent_s, self.delay_s[_index(self.running)])
        return replace(
            self,
            reserve_s=_with(self.reserve_s, own, self.reserve_s[own] - (spent_s - of_delay_s)),
            delay_s=_with(self.delay_s, own, self.delay_s[own] - of_delay_s),
            since_s=at_s,
        )

    def run(self, side: Side | None, turn: int, at_s: float) -> ChessClock:
        """Run the time of `side` (None: nobody's) from `at_s` on; a new `turn` restores both delays."""
        read = self.at(at_s)
        if turn != read.turn:
            read = replace(read, turn=turn, delay_s=(self.setting.delay_s, self.setting.delay_s))
        return replace(read, running=None if self.paused else side)

    def with_colours_changed(self) -> ChessClock:
        """The clock of players who have changed colours: each keeps their time."""
        return replace(self, reserve_s=self.reserve_s[::-1], delay_s=self.delay_s[::-1])

    def pause(self, at_s: float, *, paused: bool) -> ChessClock:
        """Stop the clock, or allow the next `run` to start it."""
        return replace(self.at(at_s), running=None, paused=paused)

    @property
    def fallen(self) -> tuple[Side, ...]:
        """Players whose flag has fallen by `since_s`."""
        return tuple(side for side in Side if self.reserve_s[_index(side)] <= 0)

    @property
    def falls_s(self) -> float | None:
        """Time at which the running player's flag falls; None if no time runs or the flag has fallen."""
        if self.running is None or self.running in self.fallen:
            return None
        own = _index(self.running)
        return self.since_s + self.delay_s[own] + self.reserve_s[own]


def _index(side: Side) -> int:
    return 0 if side is Side.WHITE else 1


def _with(pair: tuple[float, float], index: int, value: float) -> tuple[float, float]:
    return (value, pair[1]) if index == 0 else (pair[0], value)
