"""The log of a game: turns, the cube, agreements and the result, over the games of a match."""

from played_table import AFTER_61, BLACK, START, WHITE, PlayedTable, first_turn, moved

from companion.game import Match, Remedy, Turn, replay
from companion.game.log_transitions import MOST_GAMES
from companion.interface import Proposes
from companion.texts import render


def told(log):
    return [entry.play if isinstance(entry, Turn) else render(entry.what) for entry in log.entries]


def test_the_opening_roll_is_listed_before_the_first_turn():
    table = first_turn()
    assert told(table.game.log) == ["White rolled 6, Black 1: White begins with 6-1."]
    assert "White rolled 6, Black 1: White begins with 6-1." in render(table.snapshot.notice)


def test_the_cube_is_in_the_log_and_a_pass_ends_the_game():
    table = PlayedTable([6, 1, 5, 3], terms=Match(5))
    table.sees(START)
    table.taps()
    table.sees(AFTER_61)
    table.doubles()
    table.passes()
    assert told(table.game.log)[1:] == ["13/7 8/7", "Black doubles to 2.", "White passes."]
    assert (table.game.log.ended.winner, table.game.log.score) == (BLACK, (0, 1))


def test_a_turn_taken_back_stays_in_the_log_with_the_takeback():
    table = first_turn()
    table.sees(AFTER_61)
    table.taps()
    table.does(Proposes(Remedy.TAKEBACK, 10.0, WHITE))
    table.accepts(BLACK)
    table.sees(START)
    table.sees(moved(START, WHITE, (24, 18), (6, 5)))
    table.taps()
    assert told(table.game.log)[1:] == ["13/7 8/7", "Agreed: White’s 13/7 8/7 is taken back.", "24/18 6/5"]


def test_the_log_covers_the_games_of_an_evening_and_is_limited():
    table = PlayedTable([6, 1] * (MOST_GAMES + 3))
    for _ in range(MOST_GAMES + 2):
        table.sees(START)
        table.taps()
        table.resigns(BLACK)
    assert [log.number for log in table.game.earlier] == list(range(2, MOST_GAMES + 2))
    assert told(table.game.log)[1:] == ["Black resigns."]
    assert table.game.log.score == (MOST_GAMES + 2, 0)
    assert replay(table.events) == table.game


def test_taking_back_the_end_of_a_game_removes_its_result_from_the_log():
    table = first_turn()
    table.resigns(BLACK)
    table.does(Proposes(Remedy.TAKEBACK, 10.0, WHITE))
    table.accepts(BLACK)
    assert table.game.log.ended is None
    assert told(table.game.log)[1:] == ["Black resigns.", "Agreed: the end of the game is taken back, and it goes on."]
