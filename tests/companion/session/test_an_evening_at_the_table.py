"""A whole evening from the first roll to the last result, with mistakes that are corrected or stand."""

import pytest
from played_table import AFTER_61, START, doubtful_look, moved
from said import notice_of

from companion.core import Side
from companion.game import (
    Declined,
    Doubled,
    Match,
    MatchBegan,
    Phase,
    ReadAs,
    Resigned,
    Rolled,
    match_under,
    replay,
)
from companion.interface import Button, Saw, Stirred
from companion.rules import load_sheet

WHITE, BLACK = Side.WHITE, Side.BLACK


def offered(players, kind):
    return [action.player for action in players.snapshot.actions if action.kind == kind]


@pytest.fixture(scope="module")
def tournament(sit_down):
    """A match to three without the Crawford game, played to its end; each step notes what was seen of it."""
    terms = match_under(load_sheet("tournament"), 3, crawford=False)
    dice = [*(6, 1, 5, 3, 4, 2), *(6, 1, 5, 3), *(6, 1, 5, 3, 4, 2)]
    players = sit_down("tournament", dice, terms=terms)
    players.noted = {}
    first_game(players)
    second_game(players)
    third_game(players)
    return players


def first_game(players):
    """A premature roll stands, an illegal play stands; a resignation is refused, and then accepted."""
    players.sets()
    players.taps()
    players.plays("13/7")
    players.noted["early"] = players.taps(player=BLACK)
    players.plays("13/7 8/7")
    players.noted["played"] = players.taps(player=BLACK)
    players.plays("8/3 6/4")
    players.taps(player=WHITE)
    players.noted["condoned"] = players.snapshot.history[-1].note
    players.offers_to_resign(BLACK)
    players.noted["refused"] = players.refuses(WHITE)
    players.noted["resigned"] = players.resigns(BLACK, "gammon")


def second_game(players):
    """White needs one more point: without the Crawford game Black doubles, and White is offered no dead cube."""
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    players.noted["crawford"] = (players.snapshot.match.is_crawford_game, offered(players, "double"))
    players.doubles(BLACK)
    players.takes(WHITE)
    players.taps(player=BLACK)
    players.plays_anything()
    players.noted["dead cube"] = (offered(players, "double"), notice_of(players.doubles(WHITE)))
    players.resigns(WHITE)


def third_game(players):
    """At two all a cube of one is dead for both; the camera cannot tell what was played; the game decides the match."""
    players.sets()
    players.taps()
    players.does(Stirred(1.0), Saw(doubtful_look(AFTER_61, moved(START, WHITE, (13, 7), (24, 23))), 2.0))
    players.noted["question"] = players.snapshot
    players.taps(Button.HINT)
    players.accepts(WHITE)
    players.noted["answer"] = players.accepts(BLACK)
    players.noted["last game"] = (players.snapshot.score, offered(players, "double"))
    players.noted["won"] = players.resigns(BLACK)


def test_a_premature_roll_stands_and_the_turn_is_finished_with_it_known(tournament):
    early, played = tournament.noted["early"], tournament.noted["played"]
    assert notice_of(early).startswith("Black has rolled 5-3 too early: the roll stands")
    assert (early.on_roll, early.dice) == (WHITE, (6, 1))
    assert (played.on_roll, played.dice) == (BLACK, (5, 3))


def test_an_illegal_play_stands_after_the_opponents_roll(tournament):
    assert tournament.noted["condoned"] == "condoned: wrong_distance"
    assert tournament.snapshot.false_moves == (0, 1)


def test_a_resignation_is_refused_and_another_accepted(tournament):
    assert tournament.noted["refused"].phase is Phase.TO_MOVE
    assert tournament.noted["resigned"].score == (2, 0)
    kinds = [type(event) for event in tournament.events]
    assert kinds.index(Declined) < kinds.index(Resigned)


def test_without_crawford_there_is_a_cube_at_match_point(tournament):
    assert tournament.noted["crawford"] == (False, [BLACK])


def test_a_cube_that_cannot_change_the_result_is_not_offered(tournament):
    actions, notice = tournament.noted["dead cube"]
    assert actions == []
    assert notice == "White may not double: the cube is dead, as this game wins White the match anyway."
    assert tournament.noted["last game"] == ((2, 2), [])


def test_the_players_answer_what_the_camera_could_not_read(tournament):
    question, answer = tournament.noted["question"], tournament.noted["answer"]
    assert {"13/7 8/7", "24/23 13/7"} <= {reading.words.facts.get("play") for reading in question.readings}
    assert (question.verdict.finding, answer.verdict.finding, answer.verdict.play) == ("ambiguous", "legal", "13/7 8/7")
    assert sum(isinstance(event, ReadAs) for event in tournament.events) == 1


def test_the_match_is_won_and_the_record_replays_to_it(tournament):
    assert "White wins the match, 3 to 2." in notice_of(tournament.noted["won"])
    events = tournament.events
    assert events[0] == MatchBegan(3, crawford=False)
    assert sum(isinstance(event, Rolled) and event.early for event in events) == 1
    assert sum(isinstance(event, Doubled) for event in events) == 1
    assert replay(events) == tournament.game


def test_under_the_home_rules_an_incomplete_turn_stands_and_a_one_point_match_has_no_cube(sit_down):
    players = sit_down("encyclopedia", [6, 1, 5, 3, 4, 2], terms=Match(1))
    players.sets()
    players.taps()
    players.plays("13/7")
    shown = players.taps(player=BLACK)
    assert (shown.on_roll, shown.history[-1].note) == (BLACK, "condoned: could_play_more")
    players.plays_anything()
    assert offered(players, "double") == []
    assert notice_of(players.doubles(WHITE)) == "White may not double: a match to one point has no cube."
    assert players.taps(player=WHITE).dice == (4, 2)


def test_a_match_of_checkers_is_two_games_with_exchanged_colours(sit_down):
    players = sit_down("acf", terms=match_under(load_sheet("acf"), 3))
    players.sets()
    players.taps()
    players.plays("11-15")
    players.taps()
    players.offers_a_draw(WHITE)
    players.refuses(BLACK)
    players.draws()
    assert players.snapshot.score == (1, 1)
    players.sets()
    players.taps()
    players.plays("9-13")
    players.taps()
    shown = players.resigns(BLACK, "win")
    assert (shown.score, shown.match.winner, shown.match.colours_changed) == ((3, 1), WHITE, True)
    assert notice_of(shown).startswith("White wins 2 points. Black resigned. White wins the match, 3 to 1.")
    assert replay(players.events) == players.game
