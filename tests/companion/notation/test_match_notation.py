"""Match ID and XGID; the Match IDs come from gnubg itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import examples

from companion.core import Side
from companion.notation import MatchState, Xgid, format_match_id, format_xgid
from companion.notation.match_id import MatchIdError, parse_match_id
from companion.notation.xgid import START_XGID, XgidError, parse_xgid
from companion.rules.backgammon.position import START

GNUBGS = {
    "cAngADAAKAAE": MatchState(length=7, score=(3, 5), on_roll=1, decides=1),
    "cInqADAAKAAE": MatchState(length=7, score=(3, 5), on_roll=1, decides=1, dice=(5, 2)),
    "MIHlADAAKAAE": MatchState(length=7, score=(3, 5), on_roll=0, decides=0, dice=(3, 1)),
    "EoHlADAAKAAE": MatchState(length=7, score=(3, 5), on_roll=0, decides=0, dice=(3, 1), cube=4, cube_owner=1),
    "cAkAAAAAAAAA": MatchState(on_roll=1, decides=1, jacoby=True),
    "cAkAAAAAAAAE": MatchState(on_roll=1, decides=1, jacoby=False),
    "8AmgAEAAEAAE": MatchState(length=5, score=(4, 2), on_roll=1, decides=1, crawford=True),
}


@pytest.mark.parametrize(("text", "state"), GNUBGS.items())
def test_a_match_id_of_gnubg_is_read_and_written(text, state):
    assert parse_match_id(text) == state
    assert format_match_id(state) == text


@pytest.mark.parametrize("text", ["", "cAkAAAAAAAA", "cAkAAAAAAAA!", "cAkAAAAAAAAAAAAA", "//////////8="])
def test_an_invalid_match_id_is_quoted(text):
    with pytest.raises(MatchIdError, match="Match ID"):
        parse_match_id(text)


def test_a_value_too_large_for_its_bits_is_refused():
    with pytest.raises(MatchIdError, match="40000"):
        format_match_id(MatchState(length=40000))


def test_the_starting_position_is_the_known_xgid():
    state = parse_xgid(START_XGID)
    assert (state.points, state.bar, state.dice) == (START.points, (0, 0), None)
    assert format_xgid(Xgid(START.points, (0, 0))) == START_XGID


def with_two_to_spare(points):
    """The points without those checkers that are more than thirteen of a side: two may be on the bar."""
    left, kept = [13, 13], []
    for number in points:
        side = number < 0
        kept.append(number if abs(number) <= left[side] else 0)
        left[side] -= abs(kept[-1])
    return kept


@examples(25, 100)
def test_an_xgid_reads_back(examples):
    @settings(max_examples=examples)
    @given(
        st.lists(st.integers(-2, 2), min_size=24, max_size=24).map(with_two_to_spare),
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
        st.sampled_from([None, *Side]),
        st.sampled_from(Side),
        st.one_of(st.none(), st.tuples(st.integers(1, 6), st.integers(1, 6))),
        st.tuples(st.integers(0, 25), st.integers(0, 25)),
    )
    def always(points, bar, owner, turn, dice, score):
        state = Xgid(tuple(points), bar, cube=4, cube_owner=owner, turn=turn, dice=dice, score=score, length=25)
        assert parse_xgid(format_xgid(state)) == state

    always()


@pytest.mark.parametrize("offer", ["D", "B", "R"])
def test_a_double_that_waits_for_its_answer_reads_and_writes(offer):
    text = START_XGID.replace(":00:", f":{offer}:")
    assert (parse_xgid(text).offer, parse_xgid(text).dice) == (offer, None)
    assert format_xgid(parse_xgid(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        START_XGID[:-3],
        START_XGID.replace("E", "P", 1),
        START_XGID.replace(":00:", ":07:"),
        START_XGID.replace("-b", "ob"),
    ],
)
def test_an_invalid_xgid_is_quoted(text):
    with pytest.raises(XgidError, match="XGID"):
        parse_xgid(text)
