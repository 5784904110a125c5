"""The match equity table: what must hold of any, and figures every player knows of this one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hints.cube import MatchEquityError, kazaross_xg2, match_equity

aways = st.integers(1, 25)
crawford = st.booleans()


def test_the_table_goes_to_25_points():
    table = kazaross_xg2()
    assert table.length == len(table.before_crawford) == 25
    assert {len(row) for row in table.before_crawford} == {25}


@given(aways, aways, crawford)
def test_probabilities_of_both_players_add_up_to_one(white, black, crawford):
    here, there = (match_equity(*aways, crawford=crawford) for aways in ((white, black), (black, white)))
    assert here + there == pytest.approx(1.0)


@given(aways, aways, crawford)
def test_a_further_point_never_lowers_the_probability_of_winning(white, black, crawford):
    if white > 1 and (white > 2 or crawford):
        assert match_equity(white - 1, black, crawford=crawford) >= match_equity(white, black, crawford=crawford)


@given(aways, crawford)
def test_at_an_even_score_the_match_is_even(away, crawford):
    assert match_equity(away, away, crawford=crawford) == 0.5


@pytest.mark.parametrize(
    ("white", "black", "crawford", "equity"),
    [
        (1, 2, True, 0.67736),
        (2, 1, False, 0.48803),
        (1, 2, False, 1 - 0.48803),
        (2, 4, True, 0.66870),
        (3, 5, True, 0.64795),
        (25, 24, True, 0.46914),
    ],
)
def test_figures_of_the_kazaross_xg2_table(white, black, crawford, equity):
    assert match_equity(white, black, crawford=crawford) == pytest.approx(equity)


def test_a_won_match_has_probability_one():
    assert match_equity(0, 3, crawford=False) == 1.0
    assert match_equity(3, -1, crawford=True) == 0.0


def test_a_score_outside_the_table_is_refused_and_quoted():
    with pytest.raises(MatchEquityError, match="26 and 3 points"):
        match_equity(26, 3, crawford=False)
    with pytest.raises(MatchEquityError, match="only one player"):
        match_equity(0, 0, crawford=False)
