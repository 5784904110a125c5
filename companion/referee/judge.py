"""Judges a turn from one settled observation; ambiguous where the observation leaves several verdicts possible.

Every board that the observation may mean, legal or not, is judged as if it were certain. A verdict is given only if all
of them have it. A legal position is not preferred to an illegal one.
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
from companion.referee.readings import MARGIN_NATS, LikelyReading, ambiguous, possible_readings, readings_answered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Content, LikelyBoard, Observation
    from companion.game import NamedReading
    from companion.rules import Ruleset

ODD_CHECKER_NATS = 10.5
"""Cost in nats of each checker more or fewer than the turn can leave (about 1:40,000). It must outweigh a second layer
that cannot be seen (a few nats), and must not outweigh cells that are certain (more than `MARGIN_NATS` + this)."""
ANOTHER_HEIGHT_NATS = 2.0
"""Cost of a changed height of a stack: a turn changes about one stack in seven."""

MOST_BOARDS = 60
"""With more possible boards than this, the observation is unreadable."""

MOST_ODD_CHECKERS = 3
"""If more checkers than this appeared or vanished at once, the reading failed, not the player: a hand carries two, and
one may be dropped."""

MOST_CHANGED_CELLS = 12
"""An illegal play that changes more cells than this is a board that was knocked over, set up anew or misread. A double
that hits four times changes ten cells, the longest jump eleven."""


def judge(
    rules: Ruleset[PositionT],
    before: PositionT,
    side: Side,
    dice: Dice | None,
    observation: Observation,
    *,
    done: bool,
    answer: NamedReading | None = None,
) -> Verdict[PositionT]:
    """Judge one settled look at the turn that `side` plays with `dice` from `before`.

    `done`: the player says that the turn is finished; `answer` is the reading that both players have named. The verdict
    is AMBIGUOUS, with the doubtful cells in `cells`, where possible boards have different verdicts, and UNREADABLE,
    with its cause, where no verdict is possible.
    """
    if observation.unreadable is not None:
        return _unreadable(observation.unreadable, unreadable(observation.unreadable, observation.where))
    if observation.between:
        return _between_cells(rules, side, observation.between)
    seen = tuple(cell.seen for cell in observation.cells)
    expected = rules.expected_totals(before, side, dice, seen)

    def cost_nats(white: int, black: int) -> float:
        return ODD_CHECKER_NATS * (_distance_outside(white, expected[0]) + _distance_outside(black, expected[1]))

    adjusted = _with_height_prior(observation, rules.visible(before))
    boards = likely_boards(adjusted, cost_nats, MARGIN_NATS, MOST_BOARDS)
    if boards is None:
        return _unreadable(Cause.UNKNOWN, unreadable(Cause.UNKNOWN))
    if implausible := _implausible_total(boards[0], expected):
        return _unreadable(Cause.UNKNOWN, implausible)
    if answer is None and adjusted.contradicted_cells(boards[0].board):
        return _unreadable(Cause.UNKNOWN, unreadable(Cause.UNKNOWN))
    readings = [LikelyReading(likely, rules.explain(before, side, dice, likely.board, done=done)) for likely in boards]
    return _joint_verdict(rules, side, readings, answer)


def _with_height_prior(observation: Observation, before: Board) -> Observation:
    """The observation with a prior for stacks of unchanged height, because second layers are hard to see.

    The prior applies only between contents of a full row or more.
    """
    cells = []
    for cell, old in zip(observation.cells, before, strict=True):
        readings = [(content, nats - _height_change_nats(content, old)) for content, nats in cell.likelihoods]
        best = max((nats for _, nats in readings), default=0.0)
        likelihoods = sorted(((content, nats - best) for content, nats in readings), key=lambda pair: -pair[1])
        cells.append(CellReading(tuple(likelihoods)))
    return replace(observation, cells=tuple(cells))


def _height_change_nats(content: Content, old: Content | None) -> float:
    """Cost of a changed height, if the stack belongs to the same side as before and had and has a full row."""
    if old is None or content == old or min(content) or min(old):
        return 0.0
    full = max(content) >= FULL_ROW and max(old) >= FULL_ROW and (content[0] > 0) == (old[0] > 0)
    return ANOTHER_HEIGHT_NATS if full else 0.0


def _joint_verdict(
    rules: Ruleset[PositionT], side: Side, readings: list[LikelyReading], answer: NamedReading | None = None
) -> Verdict[PositionT]:
    """The verdict that follows from those on all possible boards, likeliest first."""
    likeliest = readings[0].verdict
    if likeliest.finding is Finding.ILLEGAL and len(likeliest.cells) > MOST_CHANGED_CELLS:
        changed = message("unreadable.too_many_changes", changed=len(likeliest.cells))
        return _unreadable(Cause.UNKNOWN, both(unreadable(Cause.UNKNOWN), changed))
    if len(readings) == 1:
        return likeliest
    opinions = {reading.opinion for reading in readings}
    if len(opinions) > 1:
        if answered := readings_answered(readings, answer):
            return replace(_joint_verdict(rules, side, answered), readings=possible_readings(readings))
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


def _between_cells(rules: Ruleset[PositionT], side: Side, between: Sequence[tuple[int, int]]) -> Verdict[PositionT]:
    """The verdict on checkers that lie between two cells, so that nobody can see which cell is meant."""
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


def _implausible_total(best: LikelyBoard, expected: tuple[range, range]) -> Message | None:
    """The message that the likeliest board has far too few or too many checkers; None if it has not."""
    contents = [content for content in best.board if content is not None]
    for index, side in enumerate(Side):
        total = sum(content[index] for content in contents)
        if _distance_outside(total, expected[index]) > MOST_ODD_CHECKERS:
            seen = message("unreadable.total", total=total, side=side, expected=expected[index][-1])
            return both(unreadable(Cause.UNKNOWN), seen)
    return None


def _distance_outside(total: int, expected: range) -> int:
    """How far a number lies outside a range."""
    return max(expected[0] - total, total - expected[-1], 0)


def _unreadable(cause: Cause, what: Message) -> Verdict[Any]:
    return Verdict(finding=Finding.UNREADABLE, message=what, cause=cause)
