"""Several readings of one picture: their names, the question to the players, and whether an answer still holds.

The players decide which one is right; legality never does.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from companion.core import (
    CHECKERS_CELLS,
    NEGLIGIBLE_NATS,
    WHITE_BAR,
    Finding,
    LikelyBoard,
    Message,
    PositionT,
    PossibleReading,
    Side,
    Verdict,
    differing_cells,
    either,
    message,
)
from companion.game import reading_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core import Board, Content, Observation
    from companion.game import NamedReading, RecordedVerdict
    from companion.rules import Ruleset

MARGIN_NATS = 5.0
"""A reading counts as possible down to 1:150 of the likeliest: with some hundred turns a night, a smaller range would
be wrong about once a night even if the camera's likelihoods were exact."""

OFFERED = 6
"""Most readings that are offered by name; if there are more, the players enter the board cell by cell."""

FELL_NATS = 2.0
"""An answer no longer holds once its reading has become e² times less likely against the likeliest: looks at an
unchanged board differ by less, so something was moved."""

QUARTER, COLUMNS = 6, 8


@dataclass(frozen=True, slots=True)
class LikelyReading:
    """A board that the look may mean, and the verdict on it."""

    likely: LikelyBoard
    verdict: Verdict[Any]

    @property
    def opinion(self) -> tuple[Finding, str | None]:
        """What must agree between readings: the finding, and the play where there is one.

        An unmoved board and a play under way are distinguished for the players only: the turn goes on in both.
        """
        finding = self.verdict.finding
        if finding is Finding.NOT_MOVED:
            return Finding.UNFINISHED, None
        return finding, self.verdict.play


def ambiguous(rules: Ruleset[PositionT], side: Side, readings: list[LikelyReading]) -> Verdict[PositionT]:
    """The verdict that asks which of the readings, likeliest first, is on the board, and names the doubtful cells."""
    boards = [reading.likely.board for reading in readings]
    doubtful = tuple(i for i, contents in enumerate(zip(*boards, strict=True)) if len(set(contents)) > 1)
    possible = possible_readings(readings)
    places = tuple(distinct(rules.cell_name(cell, side) for cell in doubtful))
    shown = either(distinct(reading_message(reading.verdict) for reading in possible[:OFFERED]))
    straddles = any(lies_between(*pair) for pair in combinations(boards, 2))
    look = message("look.straighten", places=places) if straddles else message("look", places=places)
    plays = [reading.verdict.play or reading.verdict.made for reading in possible]
    return Verdict(
        finding=Finding.AMBIGUOUS,
        message=message("ambiguous", readings=shown, look=look),
        plays=tuple(dict.fromkeys(play for play in plays if play)),
        cells=doubtful,
        readings=possible,
    )


def possible_readings(readings: Sequence[LikelyReading]) -> tuple[PossibleReading[Any], ...]:
    """The readings that players can distinguish, each with its likeliest board."""
    found: dict[str, PossibleReading[Any]] = {}
    best = readings[0].likely.score_nats
    for reading in readings:
        nats = round(reading.likely.score_nats - best, 4)
        found.setdefault(reading_id(reading.verdict), PossibleReading(reading.verdict, nats))
    return tuple(found.values())


def readings_answered(readings: Sequence[LikelyReading], answer: NamedReading | None) -> list[LikelyReading]:
    """The readings that agree with the players' answer; empty if the answer no longer holds for this picture."""
    if answer is None:
        return []
    now = {reading_id(one.verdict): one.nats for one in possible_readings(readings)}
    chosen = reading_id(answer.verdict)
    if chosen not in now or not now.keys() <= set(answer.offered) or now[chosen] < answer.nats - FELL_NATS:
        return []
    return [reading for reading in readings if reading_id(reading.verdict) == chosen]


def looks_same(first: Observation, second: Observation) -> bool:
    """Whether two observations agree in every cell, the doubtful ones included: the board is unchanged."""
    return all(
        abs(max(one.log_likelihood(content), -NEGLIGIBLE_NATS) - max(other.log_likelihood(content), -NEGLIGIBLE_NATS))
        <= FELL_NATS
        for one, other in zip(first.cells, second.cells, strict=True)
        for content, nats in (*one.likelihoods, *other.likelihoods)
        if nats > -MARGIN_NATS
    )


def lies_between(first: Board, second: Board) -> bool:
    """Whether two boards differ by one checker that they have in different, neighbouring cells."""
    return any(
        _beside(here, there, len(first)) and _is_shifted_checker(first, second, here, there)
        for here, there in combinations(differing_cells(first, second), 2)
    )


def _beside(first: int, second: int, cells: int) -> bool:
    """Whether a checker can lie on the border of two cells."""
    if cells == CHECKERS_CELLS:
        rows, columns = (abs(a - b) for a, b in zip(divmod(first, COLUMNS), divmod(second, COLUMNS), strict=True))
        return max(rows, columns) == 1
    return max(first, second) < WHITE_BAR and first // QUARTER == second // QUARTER and abs(first - second) == 1


def _is_shifted_checker(first: Board, second: Board, here: int, there: int) -> bool:
    """Whether a single checker is on `here` in one of the boards and on `there` in the other."""
    gains = [_gain(first[cell], second[cell]) for cell in (here, there)]
    return gains[0] == (-gains[1][0], -gains[1][1]) and sorted(map(abs, gains[0])) == [0, 1]


def _gain(before: Content | None, after: Content | None) -> Content:
    (white, black), (white_after, black_after) = before or (0, 0), after or (0, 0)
    return white_after - white, black_after - black


def distinct(messages: Iterable[Message]) -> list[Message]:
    """Each message once, in order."""
    found: list[Message] = []
    for one in messages:
        if one not in found:
            found.append(one)
    return found


def reading_message(verdict: Verdict[Any] | RecordedVerdict) -> Message:
    """The name of a reading: its play, what is wrong with it, or that the turn goes on."""
    match verdict.finding:
        case Finding.LEGAL if verdict.play and "*" in verdict.play:
            return message("reading.hit", play=verdict.play)
        case Finding.LEGAL if verdict.play:
            return message("reading.play", play=verdict.play)
        case Finding.ILLEGAL:
            reason = message(f"reason.{verdict.reason}")
            if not verdict.made:
                return message("reading.illegal.other", reason=reason)
            return message("reading.illegal", play=verdict.made, reason=reason)
        case Finding.LEGAL | Finding.NOT_MOVED:
            return message("reading.not_moved")
        case Finding.UNFINISHED:
            return message("reading.goes_on")
        case _:
            return message("reading.other")
