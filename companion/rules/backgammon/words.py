"""Messages about a backgammon play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import WHITE_BAR, Reason, Side, both, cell_name, either, message
from companion.notation import BAR, OFF
from companion.rules.backgammon.position import OPPONENT
from companion.rules.reasons import legal_plays

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import Dice, Fact, Message
    from companion.rules.backgammon.differences import DifferenceReading
    from companion.rules.backgammon.moves import StepGenerator
    from companion.rules.backgammon.position import View
    from companion.rules.backgammon.trips import Fault, Trip

MOST_PLAYS_NAMED = 4
"""Legal plays named in a message; for further ones only their number is given."""


def places(cells: Sequence[int], side: Side) -> Message:
    """Cells as a list, points in the numbers of `side`: "points 6, 8 and the bar"."""
    on_points = [cell for cell in cells if cell < WHITE_BAR]
    points = [str(cell + 1) for cell in on_points]
    if side is Side.BLACK:
        points = [str(WHITE_BAR - cell) for cell in reversed(on_points)]
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


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """The turn that a message is about; `before` and `seen` are counts in the order of the mover's view."""

    side: Side
    dice: Dice
    before: View
    seen: Sequence[int]
    generator: StepGenerator


def reading_message(reading: DifferenceReading, turn: JudgedTurn) -> Message:
    """The message about a reading's first fault; for a checker from the bar it also says where that may enter."""
    fault = reading.first
    if fault.reason is Reason.TOO_MANY_MOVES:
        numbers = tuple(number for way in reading.ways for number in way.numbers)
        return message("backgammon.too_many_moves", made=reading.made, numbers=numbers)
    if fault.trip is None:
        return _ABOUT_THE_BOARD[fault.reason](fault, turn)
    what = _ABOUT_A_TRIP[fault.reason](fault, fault.trip, turn)
    return both(what, _may_enter(turn)) if fault.trip.enters and fault.trip.whole else what


def with_plays(dice: Dice, what: Message, plays: Sequence[str]) -> Message:
    """The roll, the message `what`, and the legal plays."""
    legal = legal_plays(plays, MOST_PLAYS_NAMED, none=message("backgammon.no_play"))
    return rolled(dice, both(what, legal))


def wrong_player(side: Side) -> Message:
    """The opponent's checkers were moved in the turn of `side`."""
    return message("backgammon.wrong_player_moved", mover=side, other=side.opponent)


def _may_enter(turn: JudgedTurn) -> Message:
    """The points on which a checker may enter."""
    landings = sorted({BAR - number for number in turn.dice.values}, reverse=True)
    full, before = turn.generator.stack_limit, turn.before
    points = [p for p in landings if before[OPPONENT + p] < 2 and before[p] < full]
    if not points:
        return message("backgammon.may_enter.nowhere", mover=turn.side)
    return message("backgammon.may_enter", mover=turn.side, places=either([point_name(point) for point in points]))


def _checker(trip: Trip) -> Message:
    if trip.source == OFF:
        return message("backgammon.checker.off")
    if trip.source is None or trip.enters:
        return message("backgammon.checker.bar")
    return message("backgammon.checker.from", source=trip.source)


def _went(trip: Trip) -> Message:
    if not trip.target:
        return message("backgammon.went.off", checker=_checker(trip))
    return message("backgammon.went.landed", checker=_checker(trip), target=trip.target)


def _bar_first(_fault: Fault, trip: Trip, turn: JudgedTurn) -> Message:
    return message("backgammon.bar_first", went=_went(trip), mover=turn.side)


def _backwards(_fault: Fault, trip: Trip, _turn: JudgedTurn) -> Message:
    if trip.target is None or trip.target == BAR:
        return message("backgammon.moved_backwards.to_bar", checker=_checker(trip))
    return message("backgammon.moved_backwards.to", checker=_checker(trip), target=trip.target)


def _not_home(fault: Fault, trip: Trip, _turn: JudgedTurn) -> Message:
    return message("backgammon.not_all_home", went=_went(trip), place=point_name(fault.points[0]))


def _higher_first(fault: Fault, trip: Trip, _turn: JudgedTurn) -> Message:
    higher, *between = map(point_name, fault.points)
    if not between:
        return message("backgammon.bear_off_higher_first", went=_went(trip), place=higher)
    return message("backgammon.bear_off_higher_first.by_way", went=_went(trip), place=higher, places=tuple(between))


def _stack(fault: Fault, trip: Trip, turn: JudgedTurn) -> Message:
    full, point = turn.generator.stack_limit, fault.points[0]
    if point == trip.target:
        return message("backgammon.stack_limit", went=_went(trip), full=full)
    return message("backgammon.stack_limit.passing", went=_went(trip), full=full, place=point_name(point))


def _blocked(fault: Fault, trip: Trip, turn: JudgedTurn) -> Message:
    held = turn.before[OPPONENT + fault.points[0]]
    return message("backgammon.blocked_point", went=_went(trip), held=held, other=turn.side.opponent)


def _blocked_between(fault: Fault, trip: Trip, turn: JudgedTurn) -> Message:
    held = tuple(point_name(point) for point in fault.points)
    return message("backgammon.blocked_on_the_way", went=_went(trip), other=turn.side.opponent, places=held)


def _distance(fault: Fault, trip: Trip, turn: JudgedTurn) -> Message:
    went, off = _went(trip), trip.target == OFF
    if fault.points:
        places = tuple(point_name(point) for point in fault.points)
        return message("backgammon.wrong_distance.by_way", went=went, places=places)
    if fault.repeated is not None:
        how = "off_again" if off else "again"
        return message(f"backgammon.wrong_distance.{how}", went=went, distance=fault.repeated)
    if not off:
        return message("backgammon.wrong_distance.by", went=went, distance=trip.distance)
    how = "off" if turn.generator.larger_bears_off else "off_exactly"
    return message(f"backgammon.wrong_distance.{how}", went=went, distance=trip.distance)


def _disturbed(_fault: Fault, turn: JudgedTurn) -> Message:
    if list(turn.before[:OPPONENT]) != list(turn.seen[:OPPONENT]):
        return message("backgammon.wrong_player_moved.disturbed", mover=turn.side, other=turn.side.opponent)
    return wrong_player(turn.side)


def _not_on_bar(fault: Fault, turn: JudgedTurn) -> Message:
    hit = point_name(fault.points[0])
    return message("backgammon.hit_checker_not_on_bar", other=turn.side.opponent, place=hit)


def _missing(fault: Fault, turn: JudgedTurn) -> Message:
    return message("backgammon.checker_missing", **_count(fault, turn))


def _extra(fault: Fault, turn: JudgedTurn) -> Message:
    return message("backgammon.checker_extra", **_count(fault, turn))


def _count(fault: Fault, turn: JudgedTurn) -> dict[str, Fact]:
    """The player whose checkers changed in number, and how many there are and were."""
    half = slice(0, OPPONENT) if fault.trip else slice(OPPONENT, None)
    side = turn.side if fault.trip else turn.side.opponent
    return {"side": side, "now": sum(turn.seen[half]), "before": sum(turn.before[half])}


_ABOUT_THE_BOARD: dict[Reason, Callable[[Fault, JudgedTurn], Message]] = {
    Reason.WRONG_PLAYER_MOVED: _disturbed,
    Reason.HIT_CHECKER_NOT_ON_BAR: _not_on_bar,
    Reason.CHECKER_MISSING: _missing,
    Reason.CHECKER_EXTRA: _extra,
}
_ABOUT_A_TRIP: dict[Reason, Callable[[Fault, Trip, JudgedTurn], Message]] = {
    Reason.WRONG_PLAYER_MOVED: lambda fault, _trip, turn: _disturbed(fault, turn),
    Reason.BAR_FIRST: _bar_first,
    Reason.MOVED_BACKWARDS: _backwards,
    Reason.NOT_ALL_HOME: _not_home,
    Reason.BEAR_OFF_HIGHER_FIRST: _higher_first,
    Reason.STACK_LIMIT: _stack,
    Reason.BLOCKED_POINT: _blocked,
    Reason.BLOCKED_ON_THE_WAY: _blocked_between,
    Reason.WRONG_DISTANCE: _distance,
    Reason.CHECKER_MISSING: lambda fault, _trip, turn: _missing(fault, turn),
    Reason.CHECKER_EXTRA: lambda fault, _trip, turn: _extra(fault, turn),
}
