"""Judges a turn from one settled observation; the verdict says so where the observation does not decide.

Every board that the observation may mean, legal or not, is judged as if it were certain. Only a verdict that all of
them share is given. The legal position nearest to the observation is not preferred.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core import (
    FULL_ROW,
    Cause,
    CellReading,
    Dice,
    Finding,
    Message,
    PositionT,
    Side,
    Verdict,
    both,
    either,
    likely_boards,
    message,
    unreadable,
)
from companion.referee.readings import MARGIN_NATS, LikelyReading, ambiguous, named, possible_readings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Content, LikelyBoard, Observation
    from companion.game import NamedReading
    from companion.rules import Ruleset

ODD_CHECKER_NATS = 10.5
"""What each checker more or fewer than the turn can leave costs a reading (about 1:40,000). It must outweigh a second
layer that cannot be seen (a few nats) and give way to cells that are certain (more than `MARGIN_NATS` + this)."""
ANOTHER_HEIGHT_NATS = 2.0
"""Cost of a changed height of a stack: a turn changes about one stack in seven."""

MOST_BOARDS = 60
"""With more possible boards than this, the look is of no use."""

MOST_ODD_CHECKERS = 3
"""When more checkers than this came or went at once, it is the reading that failed, not the player: hands carry two,
a dropped checker is one."""

MOST_CHANGED_CELLS = 12
"""A double that hits four times changes ten cells, the longest jump eleven; an illegal play that changes more is a
board that was knocked, set up again, or misread."""


def judge(
    rules: Ruleset[PositionT],
    before: PositionT,
    side: Side,
    dice: Dice | None,
    observation: Observation,
    *,
    done: bool,
    said: NamedReading | None = None,
) -> Verdict[PositionT]:
    """Judge one settled look at the turn that `side` plays with `dice` from `before`.

    `done`: the player says that the turn is finished; `said` is the reading that both players have named. The verdict
    is AMBIGUOUS, with the doubtful cells in `cells`, where possible boards come to different verdicts, and UNREADABLE,
    with its cause, where nothing can be said.
    """
    if observation.unreadable is not None:
        return _unreadable(observation.unreadable, unreadable(observation.unreadable, observation.where))
    if observation.between:
        return _astride(rules, side, observation.between)
    seen = tuple(cell.seen for cell in observation.cells)
    expected = rules.expected_totals(before, side, dice, seen)

    def cost_nats(white: int, black: int) -> float:
        return ODD_CHECKER_NATS * (_beyond(white, expected[0]) + _beyond(black, expected[1]))

    expecting = _expecting(observation, rules.visible(before))
    boards = likely_boards(expecting, cost_nats, MARGIN_NATS, MOST_BOARDS)
    if boards is None:
        return _unreadable(Cause.UNKNOWN, unreadable(Cause.UNKNOWN))
    if odd := _too_odd(boards[0], expected):
        return _unreadable(Cause.UNKNOWN, odd)
    if said is None and expecting.contradicted_cells(boards[0].board):
        return _unreadable(Cause.UNKNOWN, unreadable(Cause.UNKNOWN))
    readings = [LikelyReading(likely, rules.explain(before, side, dice, likely.board, done=done)) for likely in boards]
    return _weighed(rules, side, readings, said)


def _expecting(observation: Observation, before: Board) -> Observation:
    """The observation, with stacks of unchanged height made a little likelier.

    A second layer is hard to see. The count before the turn matters only between counts of a full row and more.
    """
    cells = []
    for cell, stood in zip(observation.cells, before, strict=True):
        readings = [(content, nats - _hidden_nats(content, stood)) for content, nats in cell.likelihoods]
        best = max((nats for _, nats in readings), default=0.0)
        likelihoods = sorted(((content, nats - best) for content, nats in readings), key=lambda pair: -pair[1])
        cells.append(CellReading(tuple(likelihoods)))
    return replace(observation, cells=tuple(cells))


def _hidden_nats(content: Content, stood: Content | None) -> float:
    """Cost of a changed height, if the stack is of the same side before and now and has a full row both times."""
    if stood is None or content == stood or min(content) or min(stood):
        return 0.0
    full = max(content) >= FULL_ROW and max(stood) >= FULL_ROW and (content[0] > 0) == (stood[0] > 0)
    return ANOTHER_HEIGHT_NATS if full else 0.0


def _weighed(
    rules: Ruleset[PositionT], side: Side, readings: list[LikelyReading], said: NamedReading | None = None
) -> Verdict[PositionT]:
    """One verdict from those on all possible boards, likeliest first."""
    likeliest = readings[0].verdict
    if likeliest.finding is Finding.ILLEGAL and len(likeliest.cells) > MOST_CHANGED_CELLS:
        changed = message("unreadable.too_many_changes", changed=len(likeliest.cells))
        return _unreadable(Cause.UNKNOWN, both(unreadable(Cause.UNKNOWN), changed))
    if len(readings) == 1:
        return likeliest
    opinions = {reading.opinion for reading in readings}
    if len(opinions) > 1:
        if answered := named(readings, said):
            return replace(_weighed(rules, side, answered), readings=possible_readings(readings))
        return ambiguous(rules, side, readings)
    findings = {reading.verdict.finding for reading in readings}
    if len(findings) > 1:
        goes_on = next(r.verdict for r in readings if r.verdict.finding is Finding.UNFINISHED)
        return replace(goes_on, after=None)
    reasons = {reading.verdict.reason for reading in readings}
    if len(reasons) > 1:
        others = [r for reading in readings for r in (reading.verdict.reason, *reading.verdict.also) if r]
        also = tuple(code for code in dict.fromkeys(others) if code != likeliest.reason)
        rivals = [message(f"reason.{code}") for code in dict.fromkeys(reasons) if code and code != likeliest.reason]
        what = message("illegal.or_else", what=likeliest.message, reasons=either(rivals))
        return replace(likeliest, also=also, after=None, message=what)
    certain = len({reading.verdict.after for reading in readings}) == 1
    return likeliest if certain else replace(likeliest, after=None)


def _astride(rules: Ruleset[PositionT], side: Side, between: Sequence[tuple[int, int]]) -> Verdict[PositionT]:
    """Name the places between which checkers lie: nobody can see which place is meant."""
    places = tuple(
        message("between", first=rules.cell_name(first, side), second=rules.cell_name(second, side))
        for first, second in between
    )
    one, several = message("ambiguous.between", places=places), message("ambiguous.between.several", places=places)
    return Verdict(
        finding=Finding.AMBIGUOUS,
        message=one if len(places) == 1 else several,
        cells=tuple(dict.fromkeys(cell for pair in between for cell in pair)),
    )


def _too_odd(best: LikelyBoard, expected: tuple[range, range]) -> Message | None:
    """What to say where the likeliest board has far too few or too many checkers."""
    contents = [content for content in best.board if content is not None]
    for index, side in enumerate(Side):
        total = sum(content[index] for content in contents)
        if _beyond(total, expected[index]) > MOST_ODD_CHECKERS:
            seen = message("unreadable.total", total=total, side=side, expected=expected[index][-1])
            return both(unreadable(Cause.UNKNOWN), seen)
    return None


def _beyond(total: int, expected: range) -> int:
    """How far a number lies outside a range."""
    return max(expected[0] - total, total - expected[-1], 0)


def _unreadable(cause: Cause, what: Message) -> Verdict[Any]:
    return Verdict(finding=Finding.UNREADABLE, message=what, cause=cause)
