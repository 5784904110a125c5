"""Match play, stakes and the cube as players meet them: looks and taps in, snapshots and events out."""

import pytest
from said import keys_of, notice_of

from companion.core import Dice, Side, both, message
from companion.dice import HandDice
from companion.game import (
    SET_UP_WRONG,
    Doubled,
    Ended,
    Match,
    MatchBegan,
    OpeningRolled,
    Passed,
    Phase,
    Played,
    Remedy,
    Resigned,
    Rolled,
    Started,
    Taken,
    match_under,
)
from companion.interface import Button, CubeActed, CubeAction, DiceToEnter, Light, RolledByHand, Ruling, SetUp, Tapped
from companion.rules import rules_named
from companion.texts import render

WHITE, BLACK = Side.WHITE, Side.BLACK

DOUBLES = message("cube.doubles", player=BLACK, number=2, opponent=WHITE)
ASKED = both(DOUBLES, message("cube.answer"))


@pytest.fixture
def players(sit_down):
    """White has won the opening roll with 6-1 and played it; Black is about to roll; next come 5-3, 4-4, 2-1."""
    players = sit_down(dice=[6, 1, 5, 3, 4, 4, 2, 1], terms=Match(7))
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    return players


def actions(snapshot):
    return {(action.kind, action.player) for action in snapshot.actions}


# --- the cube ---


def test_a_double_before_the_roll_accepts_the_play_on_the_board(players):
    assert ("double", BLACK) in actions(players.snapshot)
    shown = players.doubles()
    assert players.events[-2:] == [Played(WHITE, "13/7 8/7", players.game.position), Doubled(BLACK)]
    assert (shown.phase, shown.match.offered_by, shown.light) == (Phase.TO_ROLL, "black", Light.AMBER)
    assert shown.notice == ASKED
    assert {("take", WHITE), ("pass", WHITE)} <= actions(shown)


def test_nobody_rolls_before_the_double_is_answered(players):
    players.doubles()
    assert players.does(Tapped(Button.ROLL, 9.0, BLACK, on_page=True)).notice == DOUBLES
    assert players.does(RolledByHand(BLACK, Dice((3, 1)), 4.0)).notice == DOUBLES
    assert players.doubles().notice == DOUBLES
    assert players.events[-1] == Doubled(BLACK)


def test_a_double_that_is_taken_goes_to_the_taker_and_the_doubler_rolls(players):
    players.doubles()
    shown = players.takes()
    assert (shown.match.cube, shown.match.owner, shown.on_roll) == (2, "white", "black")
    assert players.taps().dice == (5, 3)
    assert [type(event) for event in players.events[-3:]] == [Doubled, Taken, Rolled]


def test_a_beaver_is_answered_by_the_doubler_with_take_or_pass(sit_down):
    players = sit_down(dice=[6, 1, 5, 3], terms=Match(stake=1.0, beavers=True))
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    assert ("beaver", WHITE) in actions(players.doubles())
    shown = players.does(CubeActed(CubeAction.BEAVER, 3.0, WHITE))
    assert shown.notice == both(message("cube.beavers", player=WHITE, number=4, opponent=BLACK), message("cube.answer"))
    assert {("take", BLACK), ("pass", BLACK)} <= actions(shown)
    shown = players.takes()
    assert (shown.match.cube, shown.match.owner, shown.on_roll) == (4, "white", "black")
    assert players.taps().dice == (5, 3)


def test_a_passed_beaver_is_not_described_as_a_passed_double(sit_down):
    players = sit_down(dice=[6, 1, 5, 3], terms=Match(stake=1.0, beavers=True))
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    players.doubles()
    players.does(CubeActed(CubeAction.BEAVER, 3.0, WHITE))
    assert render(players.passes().notice).startswith("White wins 2 points. Black passed.")


def test_no_beaver_is_offered_unless_beavers_were_agreed(players):
    assert ("beaver", WHITE) not in actions(players.doubles())
    assert "cube.no_beavers_in_match" in keys_of(players.does(CubeActed(CubeAction.BEAVER, 3.0, WHITE)).notice)


def test_a_double_that_is_passed_ends_the_game(players):
    players.doubles()
    shown = players.passes()
    assert players.events[-1] == Passed(WHITE)
    assert (shown.phase, shown.score) == (Phase.OVER, (0, 1))
    assert {"wins", "points.one", "wins.passed"} <= keys_of(shown.notice)


def test_a_player_may_not_double_twice_in_succession(players):
    players.doubles()
    players.takes()
    players.taps()
    players.plays_anything()
    players.taps()
    players.plays_anything()
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.owned"}
    assert ("double", BLACK) not in actions(players.snapshot)


def test_a_double_requires_a_legal_play_on_the_board(players):
    shown = players.plays("13/8")
    assert ("double", BLACK) not in actions(shown)
    assert "no_double" in keys_of(players.doubles().notice)
    assert not players.game.match.offered_by


def test_only_the_player_about_to_roll_doubles_and_only_the_other_answers(players):
    assert players.doubles(WHITE).notice == message("other_rolls", player=BLACK, other=WHITE)
    players.doubles(BLACK)
    assert players.takes(BLACK).notice == message("cube.other_answers", player=WHITE, other=BLACK)
    assert players.takes(WHITE).match.cube == 2


def test_without_a_double_there_is_nothing_to_answer(players):
    assert players.takes().notice.key == "cube.no_double"
    assert players.passes().notice.key == "cube.no_double"


def test_before_the_opening_roll_nobody_doubles(sit_down):
    players = sit_down(terms=Match(7))
    players.sets()
    assert players.doubles().notice.key == "cube.not_now"


@pytest.mark.parametrize("sheet", ["travel-set", "no-doubling", "clockwise", "green-box"])
def test_sheets_without_a_cube_refuse_one_with_the_reason(sit_down, sheet):
    players = sit_down(sheet, [6, 1])
    players.sets()
    players.taps()
    if not players.game.dice:
        players.does(RolledByHand(WHITE, Dice((6, 1)), 3.0))
    shown = players.plays("13/7 8/7")
    assert "double" not in {action.kind for action in shown.actions}
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.none"}
    assert not [event for event in players.events if isinstance(event, Played)]


def test_a_set_up_withdraws_an_unanswered_double(players):
    players.doubles()
    players.does(SetUp(players.rules.start(), WHITE, 4.0))
    assert players.game.match.offered_by is None


# --- the match ---


def won_single(players, loser):
    """A game that `loser` resigns, and the starting position set up again."""
    players.sets()
    players.taps()
    players.resigns(loser)
    return players.sets()


def test_a_match_ends_at_its_length_and_the_next_begins_at_nil(sit_down):
    players = sit_down(dice=[6, 1] * 5, terms=Match(2))
    won_single(players, BLACK)
    assert players.snapshot.score == (1, 0)
    won_single(players, BLACK)
    assert "White wins the match, 2 to 0." in notice_of(players.snapshot)
    assert players.snapshot.match.winner == "white"
    shown = players.taps()
    assert (shown.score, shown.match.winner) == ((0, 0), None)
    assert [event for event in players.events if isinstance(event, MatchBegan)] == [MatchBegan(2), MatchBegan(2)]


def test_the_crawford_game_is_played_without_the_cube_and_only_that_one(sit_down):
    players = sit_down(dice=[6, 1] * 5, terms=Match(3))
    won_single(players, BLACK)
    won_single(players, BLACK)
    players.taps()
    shown = players.plays("13/7 8/7")
    assert shown.match.is_crawford_game
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.crawford"}
    players.resigns(WHITE)
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    assert players.doubles().match.offered_by == "black"


def test_a_one_point_match_offers_no_cube(sit_down):
    players = sit_down(dice=[6, 1, 5, 3], terms=Match(1))
    players.sets()
    players.taps()
    shown = players.plays("13/7 8/7")
    assert ("double", BLACK) not in actions(shown)
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.one_point"}


def test_a_double_that_gains_nothing_is_not_offered(sit_down):
    players = sit_down(dice=[6, 1, 5, 3], terms=Match(2))
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    players.doubles()
    players.takes()
    players.taps()
    shown = players.plays_anything()
    assert (shown.match.cube, shown.match.owner) == (2, WHITE)
    assert ("double", WHITE) not in actions(shown)
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.dead"}


def test_with_crawford_off_every_game_has_a_cube(sit_down):
    players = sit_down(dice=[6, 1] * 5, terms=Match(3, crawford=False))
    won_single(players, BLACK)
    won_single(players, BLACK)
    players.taps()
    shown = players.plays("13/7 8/7")
    assert (shown.score, shown.match.is_crawford_game) == ((2, 0), False)
    assert players.doubles().match.offered_by == "black"


def test_a_tied_opening_roll_doubles_if_automatic_doubles_were_agreed(sit_down):
    players = sit_down(dice=[3, 3, 4, 4, 6, 1], terms=Match(stake=1.0, jacoby=True, automatic_doubles=1))
    players.sets()
    shown = players.taps()
    assert (shown.match.cube, shown.match.owner) == (2, None)
    assert keys_of(shown.notice) >= {"cube.automatic", "opening.tie"}
    assert players.taps().match.cube == 2
    players.taps()
    again = sit_down(terms=Match(stake=1.0, jacoby=True, automatic_doubles=1), resume=players.events)
    assert again.game == players.game
    assert players.resigns(WHITE).score == (0, 2)


def test_there_are_no_hints_in_a_match(players):
    assert players.taps(Button.HINT).notice.key == "hints.match"
    assert players.asked == []


def test_without_a_match_games_form_a_series_and_hints_are_available(sit_down):
    players = sit_down(dice=[6, 1])
    players.sets()
    shown = players.taps()
    players.taps(Button.HINT)
    assert len(players.asked) == 1
    assert (shown.match.length, shown.match.stake) == (0, 0.0)
    assert isinstance(players.events[0], Started)


def test_a_match_continues_after_a_restart(sit_down, players):
    players.doubles()
    players.takes()
    again = sit_down(dice=[3, 1], terms=Match(7), resume=players.events)
    assert again.game == players.game
    again.sets(players.game.position)
    again.taps()
    again.resigns(WHITE, "gammon")
    assert again.snapshot.score == (0, 4)
    again.sets()
    again.taps()
    assert not [event for event in again.events if isinstance(event, MatchBegan)]


def test_a_game_under_way_is_finished_before_a_match_begins(sit_down):
    casual = sit_down(dice=[6, 1])
    casual.sets()
    casual.taps()
    players = sit_down(dice=[6, 1], terms=Match(5), resume=casual.events)
    assert players.game.match.length == 0
    players.resigns(WHITE)
    players.sets()
    assert players.taps().match.length == 5
    assert players.snapshot.score == (0, 0)


# --- stakes, resignations ---


def test_a_resignation_scores_its_level_times_the_cube(players):
    players.doubles()
    players.takes()
    shown = players.resigns(BLACK, "gammon")
    assert players.events[-1] == Resigned(BLACK, "gammon", 4)
    assert "White wins a gammon, 4 points. Black resigned." in notice_of(shown)


def test_a_level_that_cannot_be_resigned_is_refused_with_the_reason(players, sit_down):
    assert "'half'" in notice_of(players.resigns(WHITE, "half"))
    fresh = sit_down()
    assert fresh.resigns(WHITE).notice.key == "ending.no_game"
    family = sit_down("no-doubling", [6, 1])
    family.sets()
    family.taps()
    assert "lost as single or gammon" in notice_of(family.resigns(WHITE, "backgammon"))
    assert [action.levels for action in family.snapshot.actions if action.kind == "resign"] == [
        ("single", "gammon")
    ] * 2


LAST_CHECKER = {"points": [1, *[0] * 17, -5, -5, -5, 0, 0, 0], "bar": [0, 0], "off": [14, 0]}


@pytest.mark.parametrize(("stake", "points"), [(0.0, 1), (0.5, 2)])
def test_at_a_stake_a_gammon_counts_on_the_travel_set(sit_down, stake, points):
    rules = rules_named("travel-set")
    players = sit_down("travel-set", [6, 1], terms=match_under(rules.sheet, stake=stake) if stake else None)
    players.does(SetUp(rules.from_json(LAST_CHECKER), WHITE, 0.0))
    players.sets(players.game.position)
    players.taps()
    players.plays("1/off")
    assert players.events[-1] == Ended(WHITE, points, "gammon" if stake else "single")
    assert players.snapshot.match.balance == points * stake


def test_backgammon_has_no_draws(players):
    assert players.draws().notice.key == "ending.no_draws"
    assert players.draws(claimed=True).notice.key == "ending.no_draws"


def test_during_a_dispute_resignations_and_draws_are_refused(players):
    players.taps(Button.REFEREE)
    assert players.snapshot.actions == ()
    assert "dispute.what_now" in keys_of(players.resigns(WHITE).notice)
    players.does(Ruling(1, Remedy.CORRECTED, 4.0))
    assert players.resigns(WHITE).phase is Phase.OVER


def test_the_previous_winner_begins_if_the_sheet_says_so(sit_down):
    players = sit_down("no-doubling", [6, 1, 5, 2])
    won_single(players, WHITE)
    assert "opening.starter" in keys_of(players.snapshot.notice)
    shown = players.taps()
    assert (shown.on_roll, shown.dice) == ("black", (5, 2))


@pytest.mark.parametrize("kind", [SET_UP_WRONG, "unfinished"])
def test_after_a_game_without_a_winner_the_last_winner_begins_again(sit_down, kind):
    players = sit_down("no-doubling", [6, 1, 5, 2])
    won_single(players, WHITE)
    players.taps()
    ended = Ended(None, 0, kind)
    again = sit_down("no-doubling", [4, 3], resume=[*players.events, ended, *begun_again(players.rules, BLACK), ended])
    assert "opening.starter" in keys_of(again.sets().notice)
    shown = again.taps()
    assert (shown.on_roll, shown.dice) == ("black", (4, 3))


def begun_again(rules, side):
    return [Started("backgammon", "no-doubling", rules.start(), side, cube=False)]


def test_after_a_first_game_without_a_winner_there_is_an_opening_roll_again(sit_down):
    begun = [*begun_again(rules_named("no-doubling"), None), Ended(None, 0, SET_UP_WRONG)]
    players = sit_down("no-doubling", [6, 1], resume=begun)
    players.sets()
    players.taps()
    assert isinstance(players.events[-1], OpeningRolled)


def test_after_a_game_without_a_winner_the_last_winner_rolls_also_with_the_sets_own_dice(sit_down):
    rules = rules_named("no-doubling")
    ends = [Ended(BLACK, 1, "single"), *begun_again(rules, BLACK), Ended(None, 0, SET_UP_WRONG)]
    players = sit_down("no-doubling", HandDice(), resume=[*begun_again(rules, None), *ends])
    assert players.sets().fairness.enter == DiceToEnter(BLACK)
    players.does(RolledByHand(BLACK, Dice((5, 2)), 3.0))
    assert (players.game.on_roll, players.game.dice) == (BLACK, Dice((5, 2)))


# --- names ---


NAMES = ("Anna (red)", "Ben (blue)")


def test_names_are_recorded_with_the_terms_of_the_match(sit_down):
    players = sit_down(dice=[6, 1], terms=Match(7, names=NAMES))
    players.sets()
    players.taps()
    assert players.events[0] == MatchBegan(7, white="Anna (red)", black="Ben (blue)")
    assert players.game.match.names == NAMES


def test_after_a_restart_without_names_a_match_keeps_its_names(sit_down):
    players = sit_down(dice=[6, 1], terms=Match(7, names=NAMES))
    players.sets()
    players.taps()
    again = sit_down(dice=[6, 1], terms=Match(7), resume=[*players.events, Ended(WHITE, 1, "single")])
    again.sets()
    again.taps()
    assert not any(isinstance(event, MatchBegan) for event in again.events)
    assert (again.game.match.names, again.game.score) == (NAMES, (1, 0))


def test_other_names_begin_a_match_at_nil(sit_down):
    first = sit_down(dice=[6, 1], terms=Match(7, names=("Anna", "Ben")))
    first.sets()
    first.taps()
    others = sit_down(
        dice=[6, 1], terms=Match(7, names=("Anna", "Cleo")), resume=[*first.events, Ended(WHITE, 1, "single")]
    )
    others.sets()
    others.taps()
    assert others.events[0] == MatchBegan(7, white="Anna", black="Cleo")
    assert others.game.score == (0, 0)


def test_recorded_verdicts_contain_the_players_names(sit_down):
    players = sit_down(dice=[6, 1], terms=Match(7, names=NAMES))
    players.sets()
    players.taps()
    players.shows(players.rules.board_after(players.game.position, BLACK, "13/8"))
    players.taps(Button.REFEREE)
    assert "Anna" in players.events[-1].verdict.message
    assert "White" not in players.events[-1].verdict.message


def test_players_are_called_by_their_chosen_names_else_by_the_colours_of_the_sheet(sit_down):
    shown = sit_down(dice=[6, 1], terms=Match(7, names=NAMES)).sets()
    assert [one.name for one in shown.names] == ["Anna", "Ben"]
    shown = sit_down("travel-set", dice=[6, 1]).sets()
    assert [one.colour for one in shown.names] == ["blue", "green"]


def test_in_a_match_of_checkers_names_follow_players_who_change_colours(sit_down):
    players = sit_down("acf", terms=Match(4, names=("Anna", "Ben"), change_colours=True))
    players.sets()
    players.taps()
    assert [one.name for one in players.snapshot.names] == ["Anna", "Ben"]
    players.resigns(BLACK, "win")
    players.sets()
    players.taps()
    assert [(one.name, one.colour) for one in players.snapshot.names] == [("Ben", "white"), ("Anna", "black")]
