import pytest

from companion.core import Dice, Finding, Side
from companion.game import (
    Corrected,
    Disputed,
    Doubled,
    Drawn,
    Ended,
    Game,
    MatchBegan,
    OpeningRolled,
    Passed,
    Phase,
    Played,
    RecordedVerdict,
    Resigned,
    Rolled,
    Ruled,
    Started,
    Taken,
    Turn,
    evolve,
    replay,
)
from companion.game.match import MatchError
from companion.game.state import OutOfTurnError

WHITE, BLACK = Side.WHITE, Side.BLACK
BEGIN = Started("backgammon", "standard", "start")


def test_an_empty_table_waits_for_a_game():
    game = replay([])
    assert (game.phase, game.running, game.number) == (Phase.WAITING, False, 0)


def test_the_player_with_the_higher_die_starts_with_both_numbers():
    game = replay([BEGIN, OpeningRolled(2, 5)])
    assert (game.phase, game.on_roll, game.dice) == (Phase.TO_MOVE, BLACK, Dice((2, 5)))


def test_a_tie_is_rolled_again():
    game = replay([BEGIN, OpeningRolled(4, 4)])
    assert (game.phase, game.on_roll, game.opening) == (Phase.OPENING, None, (4, 4))
    assert replay([BEGIN, OpeningRolled(4, 4), OpeningRolled(6, 1)]).on_roll is WHITE


def test_if_the_sheet_says_so_the_starter_rolls_again():
    game = replay([BEGIN, OpeningRolled(6, 1, kept=False)])
    assert (game.phase, game.on_roll, game.dice) == (Phase.TO_ROLL, WHITE, None)


def test_a_play_changes_the_position_and_passes_the_turn():
    game = replay([BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7 8/7", "a")])
    assert (game.position, game.on_roll, game.phase) == ("a", BLACK, Phase.TO_ROLL)
    assert game.history == (Turn(WHITE, Dice((6, 1)), "13/7 8/7", before="start"),)


@pytest.mark.parametrize(
    ("events", "event"),
    [
        ([], Rolled(WHITE, Dice((3, 1)), "fair")),
        ([BEGIN], Played(WHITE, "13/7", "a")),
        ([BEGIN, OpeningRolled(6, 1)], Rolled(BLACK, Dice((3, 1)), "fair")),
        ([BEGIN, OpeningRolled(6, 1)], OpeningRolled(6, 1)),
        ([BEGIN, OpeningRolled(6, 1)], Played(BLACK, "13/7", "a")),
        ([BEGIN, OpeningRolled(6, 1), Played(WHITE, "", "a")], Rolled(WHITE, Dice((3, 1)), "fair")),
        ([BEGIN, OpeningRolled(6, 1)], Ruled(1, None)),
        ([BEGIN, OpeningRolled(6, 1), Ended(WHITE, 1, "single")], Played(WHITE, "", "a")),
    ],
)
def test_an_event_that_cannot_follow_is_refused(events, event):
    game = replay(events)
    with pytest.raises(OutOfTurnError):
        evolve(game, event)


def test_points_add_up_over_the_evening_and_each_game_starts_from_the_beginning():
    game = replay([BEGIN, OpeningRolled(6, 1), Ended(WHITE, 2, "gammon"), BEGIN, OpeningRolled(1, 3)])
    assert (game.score, game.number, game.history, game.on_roll) == ((2, 0), 2, (), BLACK)
    assert evolve(game, Ended(BLACK, 3, "backgammon")).score == (2, 3)


def test_an_unfinished_game_scores_for_nobody():
    game = replay([BEGIN, OpeningRolled(6, 1), Ended(None, 0, "unfinished")])
    assert (game.phase, game.score) == (Phase.OVER, (0, 0))


def dispute(number=1, seen="seen", reason="wrong_distance"):
    return Disputed(number, WHITE, seen, RecordedVerdict(Finding.ILLEGAL, reason=reason), "before", "after")


def test_a_corrected_play_keeps_position_and_dice():
    before = replay([BEGIN, OpeningRolled(6, 1)])
    after = replay([BEGIN, OpeningRolled(6, 1), dispute(), Ruled(1, None)])
    assert (after.position, after.dice, after.on_roll) == (before.position, before.dice, before.on_roll)
    assert (after.dispute, after.disputes) == (None, 1)


def test_a_position_that_stands_counts_as_played_and_is_marked():
    game = replay([BEGIN, OpeningRolled(6, 1), dispute(), Ruled(1, "seen")])
    assert (game.position, game.on_roll, game.phase) == ("seen", BLACK, Phase.TO_ROLL)
    assert game.history == (Turn(WHITE, Dice((6, 1)), "", "stands: wrong_distance", "start"),)


def test_before_a_roll_a_position_that_stands_does_not_pass_the_turn():
    game = replay([BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7", "a"), dispute(reason=None), Ruled(1, "seen")])
    assert (game.position, game.on_roll, len(game.history)) == ("seen", BLACK, 1)


def test_the_players_may_set_the_position_and_the_side_on_roll():
    game = replay([BEGIN, OpeningRolled(6, 1), Corrected("b", BLACK)])
    assert (game.position, game.on_roll, game.dice) == ("b", BLACK, None)


def test_replay_equals_repeated_evolve():
    events = [BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7", "a"), Rolled(BLACK, Dice((2, 2)), "fair")]
    game = Game()
    for event in events:
        game = evolve(game, event)
    assert replay(events) == game


# --- the cube, resignations, draws ---

TO_ROLL = [BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7 8/7", "a")]


def test_a_double_is_offered_before_the_roll_and_waits_for_its_answer():
    game = replay([*TO_ROLL, Doubled(BLACK)])
    assert (game.phase, game.match.offered_by) == (Phase.TO_ROLL, BLACK)
    with pytest.raises(OutOfTurnError, match="waits for its answer"):
        evolve(game, Rolled(BLACK, Dice((3, 1)), "fair"))
    taken = evolve(game, Taken(WHITE))
    assert (taken.match.cube, taken.match.owner) == (2, WHITE)
    assert evolve(taken, Rolled(BLACK, Dice((3, 1)), "fair")).phase is Phase.TO_MOVE


def test_a_passed_double_ends_the_game_at_the_cube_s_value_before_it():
    game = replay([*TO_ROLL, Doubled(BLACK), Passed(WHITE)])
    assert (game.phase, game.score, game.ended) == (Phase.OVER, (0, 1), Ended(BLACK, 1, "double passed"))


@pytest.mark.parametrize(
    "events",
    [
        [BEGIN, OpeningRolled(6, 1), Doubled(WHITE)],
        [*TO_ROLL, Doubled(WHITE)],
        [*TO_ROLL, Doubled(BLACK), Taken(BLACK)],
        [*TO_ROLL, Doubled(BLACK), Passed(BLACK)],
        [*TO_ROLL, MatchBegan(5)],
    ],
)
def test_cube_and_match_events_out_of_turn_are_refused(events):
    with pytest.raises(OutOfTurnError):
        replay(events)


def test_without_a_cube_there_is_no_double():
    start = Started("backgammon", "clockwise", "start", cube=False)
    with pytest.raises(MatchError, match=r"cube\.none"):
        replay([start, *TO_ROLL[1:], Doubled(BLACK)])


def test_a_resigned_game_is_over_and_scored():
    game = replay([*TO_ROLL, Resigned(WHITE, "gammon", 2)])
    assert (game.phase, game.score, game.ended) == (Phase.OVER, (0, 2), Ended(BLACK, 2, "gammon, resigned"))


def test_a_drawn_game_is_over_and_nobody_scores():
    game = replay([*TO_ROLL, Doubled(BLACK), Taken(WHITE), Drawn("agreement")])
    assert (game.phase, game.score, game.match.cube) == (Phase.OVER, (0, 0), 1)


def test_the_crawford_game_occurs_once_in_a_match():
    match = [MatchBegan(3), BEGIN, OpeningRolled(6, 1), Ended(WHITE, 2, "gammon"), BEGIN, OpeningRolled(6, 1)]
    assert replay(match).match.is_crawford_game
    assert not replay([*match, Ended(BLACK, 1, "single"), BEGIN]).match.is_crawford_game


def test_a_match_begins_at_nil():
    game = replay([BEGIN, OpeningRolled(6, 1), Ended(WHITE, 2, "gammon"), MatchBegan(5)])
    assert (game.score, game.match.length) == ((0, 0), 5)


def test_a_condoned_play_stays_marked():
    game = replay([BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/8", "a", "wrong_distance")])
    assert game.history == (Turn(WHITE, Dice((6, 1)), "13/8", "condoned: wrong_distance", "start"),)


# --- a game without dice ---

CHECKERS = Started("checkers", "acf", "start", BLACK, cube=False, rolls=False)


def test_without_dice_the_side_on_turn_may_move():
    game = replay([CHECKERS])
    assert (game.phase, game.on_roll, game.dice) == (Phase.TO_MOVE, BLACK, None)
    game = evolve(game, Played(BLACK, "11-15", "a"))
    assert (game.phase, game.on_roll) == (Phase.TO_MOVE, WHITE)
    assert game.history == (Turn(BLACK, None, "11-15", before="start"),)


def test_the_positions_of_a_game_are_kept_until_the_board_is_set_up_again():
    game = replay([CHECKERS, Played(BLACK, "11-15", "a"), Played(WHITE, "22-18", "b")])
    assert game.past == ("start", "a", "b")
    assert evolve(game, Corrected("c", BLACK)).past == ("c",)
