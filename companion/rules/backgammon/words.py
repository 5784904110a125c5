"""Messages about a backgammon play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import WHITE_BAR, Reason, both, cell_name, message
from companion.notation import BAR, OFF, format_play
from companion.rules.backgammon.position import HIGHEST_HOME_POINT, OPPONENT
from companion.rules.reasons import legal_plays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core import Dice, Fact, Message, Play, Side
    from companion.rules.backgammon.position import View
    from companion.rules.reasons import Fault, Trip

MOST_PLAYS_NAMED = 4
"""Legal plays named in a message; of further ones only the number is given."""


def places(cells: Sequence[int]) -> Message:
    """Cells as a list, points in White's numbers: "points 6, 8 and the bar"."""
    points = [str(cell_name(cell)) for cell in cells if cell < WHITE_BAR]
    found: list[Fact] = []
    if points:
        numbers = ", ".join(points)
        one = message("backgammon.points.one", numbers=numbers)
        found.append(one if len(points) == 1 else message("backgammon.points", numbers=numbers))
    others = dict.fromkeys(cell_name(cell) for cell in cells if cell >= WHITE_BAR)
    found += [message("the_bar") if place == "bar" else message("borne_off") for place in others]
    return message("list", facts=tuple(found))


def rolled(dice: Dice, then: Message) -> Message:
    """The roll, then the message `then`."""
    return message("backgammon.rolled", dice=dice, then=then)


def point_name(point: int) -> Message:
    """A point, or the bar (25), in the mover's numbers."""
    return message("the_bar") if point == BAR else message("backgammon.point", point=point)


def in_notation(plays: Iterable[Play]) -> tuple[str, ...]:
    """Plays in standard notation, those from higher points first."""
    return tuple(format_play(play) for play in sorted(plays, key=_higher_points_first))


def _higher_points_first(play: Play) -> list[int]:
    return [-number for step in play for number in (step.source, step.target)]


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """A turn to write messages about; `before` and `seen` are counts in the order of the mover's view."""

    side: Side
    dice: Dice
    before: View
    seen: Sequence[int]
    stack_limit: int


def fault_message(fault: Fault, turn: JudgedTurn) -> Message:
    """The message about a fault."""
    return _MESSAGES[fault.reason](fault.trip, turn)


def with_plays(dice: Dice, what: Message, plays: Sequence[str]) -> Message:
    """The roll, the message `what`, and the legal plays."""
    legal = legal_plays(plays, MOST_PLAYS_NAMED, none=message("backgammon.no_play"))
    return rolled(dice, both(what, legal))


def _checker(trip: Trip | None) -> Message:
    if trip is None or trip.source is None:
        return message("backgammon.checker")
    if trip.source == BAR:
        return message("backgammon.checker.bar")
    return message("backgammon.checker.from", source=trip.source)


def _went(trip: Trip | None) -> Message:
    checker = _checker(trip)
    if trip is None or trip.target is None:
        return message("backgammon.went", checker=checker)
    if trip.target == OFF:
        return message("backgammon.went.off", checker=checker)
    return message("backgammon.went.landed", checker=checker, target=trip.target)


def wrong_player(side: Side) -> Message:
    """The opponent's checkers were moved in the turn of `side`."""
    return message("backgammon.wrong_player_moved", mover=side, other=side.opponent)


def _wrong_player(_trip: Trip | None, turn: JudgedTurn) -> Message:
    if list(turn.before[:OPPONENT]) != list(turn.seen[:OPPONENT]):
        return message("backgammon.wrong_player_moved.disturbed", mover=turn.side, other=turn.side.opponent)
    return wrong_player(turn.side)


def _bar_first(trip: Trip | None, turn: JudgedTurn) -> Message:
    return message("backgammon.bar_first", went=_went(trip), mover=turn.side)


def _backwards(trip: Trip | None, _turn: JudgedTurn) -> Message:
    if trip is None or trip.source is None or trip.target is None:
        return message("backgammon.moved_backwards")
    checker = message("backgammon.checker.off") if trip.source == OFF else _checker(trip)
    if trip.target == BAR:
        return message("backgammon.moved_backwards.to_bar", checker=checker)
    return message("backgammon.moved_backwards.to", checker=checker, target=trip.target)


def _not_home(trip: Trip | None, turn: JudgedTurn) -> Message:
    outside = next((p for p in range(BAR, HIGHEST_HOME_POINT, -1) if turn.seen[p]), None)
    if outside is None:
        return message("backgammon.not_all_home", went=_went(trip))
    return message("backgammon.not_all_home.one_on", went=_went(trip), place=point_name(outside))


def _higher_first(trip: Trip | None, turn: JudgedTurn) -> Message:
    source = trip.source if trip and trip.source else 0
    higher = next((p for p in range(HIGHEST_HOME_POINT, source, -1) if turn.seen[p]), None)
    if higher is None:
        return message("backgammon.bear_off_higher_first", went=_went(trip))
    return message("backgammon.bear_off_higher_first.on", went=_went(trip), place=point_name(higher))


def _stack(trip: Trip | None, turn: JudgedTurn) -> Message:
    return message("backgammon.stack_limit", went=_went(trip), full=turn.stack_limit)


def _blocked(trip: Trip | None, turn: JudgedTurn) -> Message:
    held = turn.before[OPPONENT + trip.target] if trip and trip.target else 0
    return message("backgammon.blocked_point", went=_went(trip), held=held, other=turn.side.opponent)


def _blocked_between(trip: Trip | None, turn: JudgedTurn) -> Message:
    return message("backgammon.blocked_on_the_way", went=_went(trip), other=turn.side.opponent)


def _too_many(trip: Trip | None, turn: JudgedTurn) -> Message:
    total = sum(turn.dice.numbers)
    if trip is not None and trip.source is not None and trip.target and trip.source - trip.target > total:
        distance = trip.source - trip.target
        return message("backgammon.too_many_moves.distance", went=_went(trip), distance=distance, rolled=total)
    return message("backgammon.too_many_moves", went=_went(trip))


def _distance(trip: Trip | None, turn: JudgedTurn) -> Message:
    if trip is None or trip.source is None or trip.target is None:
        return message("backgammon.wrong_distance")
    distance = trip.source - trip.target
    if distance not in turn.dice.values:
        return message("backgammon.wrong_distance.by", went=_went(trip), distance=distance)
    if trip.target == OFF:
        return message("backgammon.wrong_distance.off_again", went=_went(trip), distance=distance)
    return message("backgammon.wrong_distance.again", went=_went(trip), distance=distance)


def _not_on_bar(_trip: Trip | None, turn: JudgedTurn) -> Message:
    return message("backgammon.hit_checker_not_on_bar", other=turn.side.opponent)


def _missing(trip: Trip | None, turn: JudgedTurn) -> Message:
    return message("backgammon.checker_missing", **_count(trip, turn))


def _extra(trip: Trip | None, turn: JudgedTurn) -> Message:
    return message("backgammon.checker_extra", **_count(trip, turn))


def _count(trip: Trip | None, turn: JudgedTurn) -> dict[str, Fact]:
    """The player whose checkers changed in number, and how many there are and were."""
    half = slice(0, OPPONENT) if trip else slice(OPPONENT, None)
    side = turn.side if trip else turn.side.opponent
    return {"side": side, "now": sum(turn.seen[half]), "before": sum(turn.before[half])}


_MESSAGES: dict[Reason, Callable[[Trip | None, JudgedTurn], Message]] = {
    Reason.WRONG_PLAYER_MOVED: _wrong_player,
    Reason.BAR_FIRST: _bar_first,
    Reason.MOVED_BACKWARDS: _backwards,
    Reason.NOT_ALL_HOME: _not_home,
    Reason.BEAR_OFF_HIGHER_FIRST: _higher_first,
    Reason.STACK_LIMIT: _stack,
    Reason.BLOCKED_POINT: _blocked,
    Reason.BLOCKED_ON_THE_WAY: _blocked_between,
    Reason.TOO_MANY_MOVES: _too_many,
    Reason.WRONG_DISTANCE: _distance,
    Reason.HIT_CHECKER_NOT_ON_BAR: _not_on_bar,
    Reason.CHECKER_MISSING: _missing,
    Reason.CHECKER_EXTRA: _extra,
}
