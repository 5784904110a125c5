import pytest

from companion.game import (
    Corrected,
    Disputed,
    Ended,
    Game,
    OpeningRolled,
    OutOfTurnError,
    Played,
    Rolled,
    Ruled,
    Started,
    Turn,
    evolve,
    replay,
)
from companion.model import Dice, Side
from companion.snapshot import Phase

WHITE, BLACK = Side.WHITE, Side.BLACK
BEGIN = Started("backgammon", "standard", "start")


def test_an_empty_table_waits_for_a_game():
    game = replay([])
    assert (game.phase, game.running, game.number) == (Phase.WAITING, False, 0)


def test_the_higher_die_starts_with_the_two_numbers_rolled():
    game = replay([BEGIN, OpeningRolled(2, 5)])
    assert (game.phase, game.on_roll, game.dice) == (Phase.TO_MOVE, BLACK, Dice((2, 5)))


def test_a_tie_is_rolled_again():
    game = replay([BEGIN, OpeningRolled(4, 4)])
    assert (game.phase, game.on_roll, game.opening) == (Phase.OPENING, None, (4, 4))
    assert replay([BEGIN, OpeningRolled(4, 4), OpeningRolled(6, 1)]).on_roll is WHITE


def test_where_the_sheet_says_so_the_starter_rolls_again():
    game = replay([BEGIN, OpeningRolled(6, 1, kept=False)])
    assert (game.phase, game.on_roll, game.dice) == (Phase.TO_ROLL, WHITE, None)


def test_a_play_changes_the_position_and_passes_the_turn():
    game = replay([BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7 8/7", "a")])
    assert (game.position, game.on_roll, game.phase) == ("a", BLACK, Phase.TO_ROLL)
    assert game.history == (Turn(WHITE, Dice((6, 1)), "13/7 8/7"),)


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


def test_points_add_up_over_the_evening_and_the_next_game_begins_afresh():
    game = replay([BEGIN, OpeningRolled(6, 1), Ended(WHITE, 2, "gammon"), BEGIN, OpeningRolled(1, 3)])
    assert (game.score, game.number, game.history, game.on_roll) == ((2, 0), 2, (), BLACK)
    assert evolve(game, Ended(BLACK, 3, "backgammon")).score == (2, 3)


def test_a_game_left_unfinished_scores_for_nobody():
    game = replay([BEGIN, OpeningRolled(6, 1), Ended(None, 0, "unfinished")])
    assert (game.phase, game.score) == (Phase.OVER, (0, 0))


def dispute(number=1, seen="seen", reason="wrong_distance"):
    return Disputed(number, WHITE, seen, {"finding": "illegal", "reason": reason}, "before", "after")


def test_a_play_that_is_put_right_leaves_position_and_dice():
    before = replay([BEGIN, OpeningRolled(6, 1)])
    after = replay([BEGIN, OpeningRolled(6, 1), dispute(), Ruled(1, None)])
    assert (after.position, after.dice, after.on_roll) == (before.position, before.dice, before.on_roll)
    assert (after.dispute, after.disputes) == (None, 1)


def test_a_position_that_stands_counts_as_played_and_is_recorded_as_such():
    game = replay([BEGIN, OpeningRolled(6, 1), dispute(), Ruled(1, "seen")])
    assert (game.position, game.on_roll, game.phase) == ("seen", BLACK, Phase.TO_ROLL)
    assert game.history == (Turn(WHITE, Dice((6, 1)), "", "stands: wrong_distance"),)


def test_before_a_roll_a_position_that_stands_passes_no_turn():
    game = replay([BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7", "a"), dispute(reason=None), Ruled(1, "seen")])
    assert (game.position, game.on_roll, len(game.history)) == ("seen", BLACK, 1)


def test_the_players_may_say_what_stands_and_who_is_on_roll():
    game = replay([BEGIN, OpeningRolled(6, 1), Corrected("b", BLACK)])
    assert (game.position, game.on_roll, game.dice) == ("b", BLACK, None)


def test_replay_is_evolve_again_and_again():
    events = [BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7", "a"), Rolled(BLACK, Dice((2, 2)), "fair")]
    game = Game()
    for event in events:
        game = evolve(game, event)
    assert replay(events) == game
