"""What holds for every position and roll."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import Dice, Finding, Side
from companion.notation import format_play, format_position_id, parse_play, parse_position_id
from companion.rules import BackgammonPosition, rules_named
from companion.rules.backgammon.position import position_from_json, position_to_json, turned

STANDARD = rules_named("standard")

dice = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(Dice)
sides = st.sampled_from(Side)


@st.composite
def positions(draw: st.DrawFn) -> BackgammonPosition:
    """Fifteen checkers a side anywhere; a point taken by one side is closed to the other."""
    points, bar, off = [0] * 24, [0, 0], [0, 0]
    homeward = draw(st.booleans())
    for colour, sign in ((0, 1), (1, -1)):
        for place in draw(st.lists(st.integers(0, 25), min_size=15, max_size=15)):
            near = place % 7 if homeward and place < 25 else place
            spot = near if colour == 0 else 25 - near
            if near == 0:
                off[colour] += 1
            elif near == 25 or points[spot - 1] * sign < 0:
                bar[colour] += near == 25
                off[colour] += near != 25
            else:
                points[spot - 1] += sign
    return BackgammonPosition(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def flipped(position: BackgammonPosition) -> BackgammonPosition:
    """The same position with the colours exchanged."""
    return BackgammonPosition(tuple(-n for n in position.points[::-1]), position.bar[::-1], position.off[::-1])


def totals(position: BackgammonPosition) -> tuple[int, int]:
    view = position.view(Side.WHITE)
    return sum(view[:26]), sum(view[26:])


@given(positions(), sides, dice)
@settings(max_examples=60, deadline=None)
def test_a_position_has_the_same_plays_with_the_colours_exchanged(position, side, rolled):
    ours = {(format_play(s.play), s.after) for s in STANDARD.successors(position, side, rolled)}
    theirs = STANDARD.successors(flipped(position), side.opponent, rolled)
    assert ours == {(format_play(s.play), flipped(s.after)) for s in theirs}


@given(positions(), sides, dice)
@settings(max_examples=60, deadline=None)
def test_no_play_makes_or_loses_a_checker(position, side, rolled):
    assert {totals(s.after) for s in STANDARD.successors(position, side, rolled)} <= {totals(position)}


@given(positions(), sides, dice, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_successor_is_judged_legal(position, side, rolled, chance):
    successors = STANDARD.successors(position, side, rolled)
    for successor in chance.sample(successors, min(4, len(successors))):
        verdict = STANDARD.explain(position, side, rolled, successor.after.board(), done=True)
        assert (verdict.finding, verdict.play) == (Finding.LEGAL, STANDARD.write_play(successor.play))


@given(positions(), sides, dice)
@settings(max_examples=60, deadline=None)
def test_the_plays_are_those_of_the_rules_followed_by_hand(position, side, rolled):
    mine = position if side is Side.WHITE else flipped(position)
    wanted = by_hand(mine, rolled)
    got = STANDARD.successors(mine, Side.WHITE, rolled)
    assert len(got) == len({s.after for s in got})
    assert {s.after for s in got} == wanted


@given(positions(), sides, dice)
@settings(max_examples=40, deadline=None)
def test_a_written_play_reads_back_as_the_same_play(position, side, rolled):
    for successor in STANDARD.successors(position, side, rolled)[:20]:
        written = format_play(successor.play)
        assert format_play(parse_play(written)) == written


@given(positions(), sides)
@settings(max_examples=60, deadline=None)
def test_a_position_reads_back_from_json_and_from_its_position_id(position, side):
    assert position_from_json(position_to_json(position)) == position
    named = {"id": position.position_id(side), "player": side.value}
    assert position_from_json(named) == position


@given(positions())
@settings(max_examples=40, deadline=None)
def test_a_position_id_is_fourteen_letters_and_reads_back(position):
    mine, theirs = position.view(Side.WHITE)[1:26], turned(position.view(Side.WHITE)[26:])[1:26]
    text = format_position_id(mine, theirs)
    assert len(text) == 14
    assert parse_position_id(text) == (tuple(mine), tuple(theirs))


def by_hand(position: BackgammonPosition, rolled: Dice) -> set[BackgammonPosition]:
    """White's legal results, from the rules in the plainest way: every order of the dice, one step at a time."""
    first, second = rolled.values
    orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
    ends = [end for order in orders for end in every_end(position, order, ())]
    most = max(len(used) for used, _ in ends)
    ends = [(used, after) for used, after in ends if len(used) == most]
    if most == 1 and first != second:
        larger = max(used[0] for used, _ in ends)
        ends = [(used, after) for used, after in ends if used[0] == larger]
    return {after for _, after in ends} if most else set()


def every_end(
    position: BackgammonPosition, order: tuple[int, ...], used: tuple[int, ...]
) -> list[tuple[tuple[int, ...], BackgammonPosition]]:
    steps = white_steps(position, order[0]) if order else []
    if not steps:
        return [(used, position)]
    return [end for after in steps for end in every_end(after, order[1:], (*used, order[0]))]


def white_steps(position: BackgammonPosition, die: int) -> list[BackgammonPosition]:
    sources = [25] if position.bar[0] else [p for p in range(1, 25) if position.points[p - 1] > 0]
    after = (white_step(position, source, source - die) for source in sources)
    return [p for p in after if p is not None]


def white_step(position: BackgammonPosition, source: int, target: int) -> BackgammonPosition | None:
    points, bar, off = list(position.points), list(position.bar), list(position.off)
    if target <= 0:
        highest = max(p for p in range(1, 25) if points[p - 1] > 0)
        if bar[0] or highest > 6 or (target < 0 and source != highest):
            return None
    elif points[target - 1] < -1:
        return None
    if source == 25:
        bar[0] -= 1
    else:
        points[source - 1] -= 1
    if target <= 0:
        off[0] += 1
    elif points[target - 1] == -1:
        points[target - 1], bar[1] = 1, bar[1] + 1
    else:
        points[target - 1] += 1
    return BackgammonPosition(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
