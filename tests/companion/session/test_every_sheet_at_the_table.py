"""Sequences of play under every sheet, with a camera that is certain."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import examples

from companion.core import Side
from companion.game import Phase, Played, replay
from companion.interface import Light, SetUp
from companion.rules import BackgammonPosition, levels_of, load_sheet, shipped_sheets

BACKGAMMON = [name for name in shipped_sheets() if load_sheet(name).game == "backgammon"]
numbers = st.integers(1, 6)
rolls = st.lists(st.tuples(numbers, numbers, st.integers(0, 10**6)), min_size=1, max_size=40)
few = st.integers(1, 15)


def play_on(players, choices):
    """Play legal plays turn by turn until the choices or the game are at an end."""
    for choice in choices:
        if not players.game.running:
            break
        if players.game.phase is Phase.TO_MOVE:
            assert players.plays_anything(choice).light is Light.GREEN
        players.taps()


@examples(10, 30)
def test_under_every_sheet_a_game_of_legal_plays_is_recorded(sit_down, examples):
    @settings(max_examples=examples)
    @given(st.sampled_from(BACKGAMMON), rolls)
    def always(sheet, rolls):
        dice = [6, 1, *(number for white, black, _ in rolls for number in (white, black)), 3, 2]
        players = sit_down(sheet, dice)
        players.sets()
        players.taps()
        play_on(players, [choice for *_, choice in rolls])
        assert replay(players.events) == players.game
        assert not [event for event in players.events if isinstance(event, Played) and event.condoned]

    always()


@examples(10, 30)
def test_a_session_starts_from_any_position_with_any_number_of_checkers_a_side(sit_down, examples):
    @settings(max_examples=examples)
    @given(st.sampled_from(BACKGAMMON), few, few, rolls)
    def always(sheet, white, black, rolls):
        most = load_sheet(sheet).max_checkers_per_point or 15
        stacks = [min(most, 5)] * 3
        points = [0] * 24
        for point, count in zip((5, 4, 3), spread(white, stacks), strict=True):
            points[point] = count
        for point, count in zip((18, 19, 20), spread(black, stacks), strict=True):
            points[point] = -count
        dice = [number for pair in rolls for number in pair[:2]] + [1] * 90
        players = sit_down(sheet, dice)
        players.does(SetUp(BackgammonPosition(tuple(points)), Side.WHITE, 0.0))
        players.sets(players.game.position)
        players.taps()
        play_on(players, [0] * 40)
        assert players.snapshot.phase is Phase.OVER
        assert players.game.ended.winner is not None
        assert players.game.ended.kind in levels_of(players.rules.sheet)

    always()


def spread(count, stacks):
    """`count` checkers on points that hold that many each."""
    counts = []
    for stack in stacks:
        counts.append(min(count, stack))
        count -= counts[-1]
    return counts
