"""What the referee says about a backgammon play, in words a player reads or hears."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.notation.play import BAR, OFF, format_play
from companion.observation import BLACK_BAR, WHITE_BAR
from companion.rules.backgammon import OPPONENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.model import Dice, Play, Side
    from companion.rules.backgammon import View
    from companion.rules.readings import Fault, Trip

PLAYS_NAMED = 4
HOME = 6
"""The home board ends at the 6 point."""


def legal_here(plays: Sequence[str]) -> str:
    """Name the legal plays, the first few of them where there are many."""
    if not plays:
        return "Nothing can be played here: the turn passes."
    more = len(plays) - PLAYS_NAMED
    return "Legal here: " + ", ".join(plays[:PLAYS_NAMED]) + (f" and {more} more." if more > 0 else ".")


def name(side: Side) -> str:
    """White or Black."""
    return side.value.capitalize()


def cell_label(cell: int) -> int | str:
    """A camera's cell for both players: the point in White's numbers, "bar" or "off"."""
    if cell < WHITE_BAR:
        return cell + 1
    return "bar" if cell in (WHITE_BAR, BLACK_BAR) else "off"


def places(cells: Sequence[int]) -> str:
    """Cells as a list in words: "points 6, 8 and the bar" (White's numbers)."""
    points = [str(cell_label(cell)) for cell in cells if cell < WHITE_BAR]
    words = [("point " if len(points) == 1 else "points ") + ", ".join(points)] if points else []
    others = dict.fromkeys(cell_label(cell) for cell in cells if cell >= WHITE_BAR)
    words += ["the bar" if place == "bar" else "what is borne off" for place in others]
    return " and ".join(words)


def rolled(dice: Dice) -> str:
    """How a message begins: `You rolled 5-2.`."""
    return f"You rolled {dice}."


def place(point: int) -> str:
    """A point as one speaks of it."""
    return {BAR: "the bar", OFF: "off"}.get(point, f"the {point} point")


def written(plays: Iterable[Play]) -> tuple[str, ...]:
    """Plays in standard notation, in a steady order: from the back first."""
    return tuple(format_play(play) for play in sorted(plays, key=_from_the_back))


def _from_the_back(play: Play) -> list[int]:
    return [-number for step in play for number in (step.source, step.target)]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the sentences speak of: the views before and as seen are the mover's, `full` is the stack limit."""

    side: Side
    dice: Dice
    before: View
    seen: Sequence[int]
    full: int

    @property
    def mover(self) -> str:
        """White or Black, whoever is to move."""
        return name(self.side)

    @property
    def other(self) -> str:
        """The other player's name."""
        return name(self.side.opponent)


def fault_sentence(fault: Fault, turn: Turn) -> str:
    """One sentence on what was wrong."""
    return _SENTENCES[fault.code](fault.trip, turn)


def _checker(trip: Trip | None) -> str:
    if trip is None or trip.source is None:
        return "A checker"
    return "The checker from the bar" if trip.source == BAR else f"The checker from {trip.source}"


def _went(trip: Trip | None) -> str:
    if trip is None or trip.target is None:
        return f"{_checker(trip)} moved"
    if trip.target == OFF:
        return f"{_checker(trip)} was borne off"
    return f"{_checker(trip)} landed on {trip.target}"


def _wrong_player(_trip: Trip | None, turn: Turn) -> str:
    if list(turn.before[:OPPONENT]) != list(turn.seen[:OPPONENT]):
        return f"{turn.other}'s checkers do not stand where they stood: only {turn.mover} may move them, by hitting."
    return f"It is {turn.mover}'s turn, but {turn.other}'s checkers were moved."


def _bar_first(trip: Trip | None, turn: Turn) -> str:
    return f"{_went(trip)} while {turn.mover} had a checker on the bar: that must come in first."


def _backwards(trip: Trip | None, _turn: Turn) -> str:
    if trip is None or trip.source is None or trip.target is None:
        return "A checker went backwards."
    where = "on the bar" if trip.target == BAR else f"on {trip.target}"
    came = "A checker that was off" if trip.source == OFF else _checker(trip)
    return f"{came} went backwards and stands {where}: checkers move from 24 towards 1."


def _not_home(trip: Trip | None, turn: Turn) -> str:
    outside = next((p for p in range(BAR, HOME, -1) if turn.seen[p]), None)
    where = f" while one stands on {place(outside)}" if outside else " before all were home"
    return f"{_went(trip)}{where}: bearing off wants all checkers at home."


def _higher_first(trip: Trip | None, turn: Turn) -> str:
    source = trip.source if trip and trip.source else 0
    higher = next((p for p in range(HOME, source, -1) if turn.seen[p]), None)
    where = place(higher) if higher else "a higher point"
    return f"{_went(trip)} with a larger number, but {where} is occupied: that checker must move first."


def _stack(trip: Trip | None, turn: Turn) -> str:
    return f"{_went(trip)}, but a point takes no more than {turn.full} of one's own checkers, in passing too."


def _blocked(trip: Trip | None, turn: Turn) -> str:
    held = turn.before[OPPONENT + trip.target] if trip and trip.target else 0
    return f"{_went(trip)}, which is held by {held} of {turn.other}'s checkers."


def _blocked_between(trip: Trip | None, turn: Turn) -> str:
    return f"{_went(trip)} with more than one number, but {turn.other} holds every point in between."


def _too_many(trip: Trip | None, turn: Turn) -> str:
    rolled = sum(turn.dice.numbers)
    if trip is not None and trip.source is not None and trip.target and trip.source - trip.target > rolled:
        return f"{_went(trip)}: that is {trip.source - trip.target}, and all the dice together give {rolled}."
    return f"{_went(trip)}: such steps fit the dice, but more of them were made than were rolled."


def _distance(trip: Trip | None, turn: Turn) -> str:
    if trip is None or trip.source is None or trip.target is None:
        return "A checker went a distance that the dice do not give."
    distance = trip.source - trip.target
    if distance not in turn.dice.values:
        return f"{_went(trip)}: that is {distance}."
    if trip.target == OFF:
        return f"{_went(trip)}: a {distance} does that, but it was played already."
    return f"{_went(trip)}: that is {distance}, which was played already."


def _not_on_bar(_trip: Trip | None, turn: Turn) -> str:
    return f"A checker of {turn.other}'s was hit, but it is not on the bar: put it there."


def _count(trip: Trip | None, turn: Turn) -> str:
    half = slice(0, OPPONENT) if trip else slice(OPPONENT, None)
    who = turn.mover if trip else turn.other
    return f"{who} has {sum(turn.seen[half])} checkers now, and had {sum(turn.before[half])}"


def _missing(trip: Trip | None, turn: Turn) -> str:
    return f"{_count(trip, turn)}: look for the missing one."


def _extra(trip: Trip | None, turn: Turn) -> str:
    return f"{_count(trip, turn)}: take away what does not belong there."


_SENTENCES: dict[str, Callable[[Trip | None, Turn], str]] = {
    "wrong_player_moved": _wrong_player,
    "bar_first": _bar_first,
    "moved_backwards": _backwards,
    "not_all_home": _not_home,
    "bear_off_higher_first": _higher_first,
    "stack_limit": _stack,
    "blocked_point": _blocked,
    "blocked_on_the_way": _blocked_between,
    "too_many_moves": _too_many,
    "wrong_distance": _distance,
    "hit_checker_not_on_bar": _not_on_bar,
    "checker_missing": _missing,
    "checker_extra": _extra,
}
