"""Match play: the cube, Crawford, Jacoby, resignations; one test for each rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import Side, message
from companion.game import Match, game_score, match_under, resignation_score
from companion.game.match import MatchError
from companion.rules import Outcome, levels_of, load_sheet, rules_named

STANDARD = rules_named("standard")
WHITE, BLACK = Side.WHITE, Side.BLACK


def won(match, winner, kind, rules=STANDARD):
    """The match after a game won like that."""
    return match.game_won(winner, game_score(match, rules, Outcome(winner, kind)).points)


def passed(match):
    """The match after the double that is offered was passed, as `companion.game.evolve` counts it."""
    return match.game_won(match.asked.opponent, match.cube)


def test_after_a_take_the_taker_owns_the_cube():
    match = Match(7).doubled(WHITE).taken()
    assert (match.cube, match.owner) == (2, BLACK)
    assert match.no_double_because(WHITE) == message("cube.owned", player=BLACK)
    assert match.doubled(BLACK).taken().cube == 4


def test_a_passed_double_loses_the_cube_s_value_before_it():
    match = passed(Match(7).doubled(WHITE).taken().doubled(BLACK))
    assert (match.score, match.cube, match.owner) == ((0, 2), 1, None)


def test_a_win_counts_its_level_times_the_cube():
    match = won(Match(7).doubled(WHITE).taken(), WHITE, "gammon")
    assert match.score == (4, 0)


def test_a_resignation_counts_its_level_times_the_cube():
    assert resignation_score(Match(7, cube=2), STANDARD, WHITE, "gammon").points == 4
    with pytest.raises(MatchError, match="'half'"):
        resignation_score(Match(7), STANDARD, WHITE, "half")


def test_a_level_unknown_to_the_sheet_cannot_be_resigned():
    assert levels_of(load_sheet("no-doubling")) == ("single", "gammon")
    assert levels_of(load_sheet("clockwise")) == ("single",)
    assert levels_of(load_sheet("acf")) == ("win",)
    with pytest.raises(MatchError, match="'no-doubling' a game is lost as single or gammon"):
        resignation_score(Match(), rules_named("no-doubling"), WHITE, "backgammon")


def test_nobody_may_double_in_the_crawford_game_and_both_may_afterwards():
    match = won(Match(5, score=(2, 0)), WHITE, "gammon")
    assert match.is_crawford_game
    with pytest.raises(MatchError, match=r"cube.may_not\(player=black, why=cube.crawford"):
        match.doubled(BLACK)
    after = won(match, BLACK, "single")
    assert not after.is_crawford_game
    assert after.doubled(BLACK).offered_by is BLACK


def test_a_match_of_one_point_has_no_crawford_game():
    assert not Match(1).is_crawford_game


def test_a_match_of_one_point_has_no_cube():
    assert Match(1).no_double_because(WHITE) == message("cube.one_point")


def test_a_player_who_gains_nothing_by_doubling_cannot_double():
    match = Match(5, score=(3, 2), crawford_over=True).doubled(WHITE).taken()
    assert match.owner is BLACK
    assert match.no_double_because(BLACK) is None
    needs_two = Match(5, score=(2, 3), crawford_over=True).doubled(WHITE).taken()
    assert needs_two.no_double_because(BLACK) == message("cube.dead", player=BLACK)


def test_a_match_of_another_program_in_which_a_dead_cube_was_turned_is_replayed():
    assert Match(1).doubled(WHITE).taken().cube == 2


def test_without_the_crawford_rule_the_cube_is_in_play_throughout():
    match = Match(5, score=(4, 0), crawford=False)
    assert not match.is_crawford_game
    assert match.no_double_because(BLACK) is None


def test_the_crawford_game_can_be_switched_off_by_the_sheet_or_for_a_match(tmp_path):
    sheet = STANDARD.sheet
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "standard"\ncrawford = false\n')
    assert not match_under(load_sheet(str(mine)), 5).crawford
    assert not match_under(sheet, 5, crawford=False).crawford
    assert match_under(sheet, 5).crawford
    for cubeless in ("travel-set", "acf"):
        assert match_under(load_sheet(cubeless), 5).crawford
        with pytest.raises(MatchError, match="no Crawford game to switch off"):
            match_under(load_sheet(cubeless), 5, crawford=False)
    with pytest.raises(MatchError, match="no Crawford game to switch off"):
        match_under(sheet, crawford=False)


# --- automatic doubles ---


def test_a_tie_doubles_the_cube_as_often_as_agreed_and_leaves_it_centred():
    money = match_under(STANDARD.sheet, stake=1.0, automatic_doubles=2)
    assert [money.tied().cube, money.tied().tied().cube, money.tied().tied().tied().cube] == [2, 4, 4]
    assert money.tied().owner is None
    assert money.tied().doubled(BLACK).taken().cube == 4
    assert Match().tied().cube == 1


def test_under_the_jacoby_rule_gammons_do_not_count_after_an_automatic_double():
    money = match_under(STANDARD.sheet, jacoby=True, automatic_doubles=1).tied()
    assert won(money, WHITE, "gammon").score == (2, 0)
    assert won(money.doubled(WHITE).taken(), WHITE, "gammon").score == (8, 0)


def test_automatic_doubles_are_for_games_at_a_stake_with_a_cube():
    with pytest.raises(MatchError, match="not a match"):
        match_under(STANDARD.sheet, 5, automatic_doubles=1)
    with pytest.raises(MatchError, match="'travel-set' has no cube"):
        match_under(load_sheet("travel-set"), automatic_doubles=1)
    with pytest.raises(MatchError, match="-1 automatic doubles"):
        match_under(STANDARD.sheet, automatic_doubles=-1)


def test_the_first_player_with_enough_points_wins_the_match():
    match = won(Match(3), BLACK, "backgammon")
    assert match.winner is BLACK
    assert match.no_double_because(WHITE) == message("cube.match_over")
    assert Match(0, score=(99, 0)).winner is None


def test_under_the_jacoby_rule_a_gammon_counts_only_after_a_double():
    money = match_under(load_sheet("standard"), 0, jacoby=True)
    assert won(money, WHITE, "gammon").score == (1, 0)
    assert won(money.doubled(WHITE).taken(), WHITE, "gammon").score == (4, 0)


def test_the_jacoby_rule_requires_games_at_a_stake_and_a_sheet_that_allows_it():
    with pytest.raises(MatchError, match="not for a match"):
        match_under(load_sheet("standard"), 5, jacoby=True)
    with pytest.raises(MatchError, match="'no-doubling'"):
        match_under(load_sheet("no-doubling"), 0, jacoby=True)


def test_a_sheet_without_a_cube_has_no_doubles():
    match = match_under(load_sheet("travel-set"), 5)
    assert match.no_double_because(WHITE) == message("cube.none")


def test_a_double_is_answered_before_the_next_and_only_where_there_is_one():
    with pytest.raises(MatchError, match=r"cube.unanswered\(player=white"):
        Match(7).doubled(WHITE).doubled(BLACK)
    with pytest.raises(MatchError, match=r"cube\.no_double"):
        Match(7).taken()


def test_a_negative_length_of_a_match_is_refused():
    with pytest.raises(MatchError, match="-1 points"):
        match_under(load_sheet("standard"), -1)


# --- games at stakes ---


def test_at_a_stake_a_gammon_counts_if_the_sheet_says_so_and_without_a_stake_it_does_not():
    travel = rules_named("travel-set")
    assert won(match_under(travel.sheet, stake=0.5), WHITE, "gammon", travel).score == (2, 0)
    assert won(match_under(travel.sheet), WHITE, "gammon", travel).score == (1, 0)
    assert won(match_under(travel.sheet, 5), WHITE, "gammon", travel).score == (2, 0)


def test_a_series_has_no_end_and_gives_the_balance():
    series = match_under(STANDARD.sheet, stake=0.5)
    series = won(won(series, WHITE, "backgammon"), BLACK, "single")
    assert (series.score, series.balance, series.winner) == ((3, 1), 1.0, None)


@pytest.mark.parametrize(("length", "stake"), [(0, -1.0), (0, float("nan")), (5, 1.0)])
def test_a_stake_is_a_number_and_not_allowed_in_a_match(length, stake):
    with pytest.raises(MatchError, match="a point"):
        match_under(STANDARD.sheet, length, stake=stake)


def test_a_game_without_a_winner_keeps_the_score_and_resets_the_cube():
    match = Match(7, score=(2, 1)).doubled(BLACK).taken().without_a_winner()
    assert match == Match(7, score=(2, 1))


moves_of_a_match = st.lists(
    st.one_of(
        st.tuples(st.just("double"), st.sampled_from(Side)),
        st.tuples(st.sampled_from(["take", "pass"]), st.none()),
        st.tuples(st.sampled_from(["single", "gammon", "backgammon"]), st.sampled_from(Side)),
    ),
    max_size=40,
)


@given(st.integers(0, 9), moves_of_a_match)
def test_after_any_events_a_match_is_valid(length, moves):
    match, crawford_games = Match(length), 0
    for action, side in moves:
        before = match
        try:
            match = next_match(match, action, side)
        except MatchError:
            continue
        crawford_games += before.is_crawford_game and match.score != before.score
        assert sum(match.score) >= sum(before.score)
        assert match.cube & (match.cube - 1) == 0
        assert (match.owner is None) == (match.cube == 1)
        assert not (match.is_crawford_game and match.cube > 1)
        if match.winner is not None:
            break
    assert crawford_games <= 1


def next_match(match, action, side):
    match action:
        case "double":
            return match.doubled(side)
        case "take":
            return match.taken()
        case "pass":
            return passed(match)
        case kind:
            return won(match, side, kind)


def test_a_beaver_doubles_again_and_keeps_the_cube():
    doubled = Match(beavers=True).doubled(Side.WHITE)
    beavered = doubled.beaver()
    assert (beavered.cube, beavered.owner, beavered.asked) == (2, Side.BLACK, Side.WHITE)
    taken = beavered.taken()
    assert (taken.cube, taken.owner, taken.offered_by) == (4, Side.BLACK, None)


def test_after_a_void_beaver_the_double_counts_as_taken():
    beavered = Match(beavers=True).doubled(WHITE).beaver()
    void = beavered.offer_voided()
    assert void == Match(beavers=True).doubled(WHITE).taken()
    assert void.doubled(BLACK).taken().owner is WHITE


def test_a_passed_beaver_wins_the_cube_s_value():
    assert passed(Match(beavers=True).doubled(Side.WHITE).beaver()).score == (0, 2)


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (Match().doubled(Side.WHITE), r"cube\.beavers_not_agreed"),
        (Match(beavers=True), r"cube\.nothing_doubled"),
        (Match(length=5, beavers=True).doubled(Side.WHITE), r"cube\.no_beavers_in_match"),
        (Match(beavers=True).doubled(Side.WHITE).beaver(), r"cube\.beavered"),
    ],
)
def test_a_beaver_requires_agreement_and_a_double(match, why):
    with pytest.raises(MatchError, match=why):
        match.beaver()
