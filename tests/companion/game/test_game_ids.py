"""XGID, Position ID and Match ID of a game's current moment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core import Dice, Side
from companion.game import (
    Beavered,
    Corrected,
    Doubled,
    Match,
    MatchBegan,
    OpeningRolled,
    Played,
    Rolled,
    Started,
    Taken,
    replay,
)
from companion.game.ids import GameIds, game_ids
from companion.notation.match_id import parse_match_id
from companion.notation.xgid import parse_xgid
from companion.rules import rules_named
from companion.rules.backgammon.position import START

WHITE, BLACK = Side.WHITE, Side.BLACK
BEGIN = Started("backgammon", "standard", START)
AFTER_61 = next(
    s.after for s in rules_named("standard").successors(START, WHITE, Dice((6, 1))) if s.after.points[6] == 2
)
TO_ROLL = [MatchBegan(7), BEGIN, OpeningRolled(6, 1), Played(WHITE, "13/7 8/7", AFTER_61)]


def test_the_codes_of_a_roll_equal_those_of_gnubg():
    match = Match(7, score=(5, 3))
    game = replace(replay([BEGIN, OpeningRolled(1, 3)]), match=match, dice=Dice((3, 1)))
    assert game_ids(game) == GameIds(
        xgid="XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:5:3:0:7:10",
        position_id="4HPwATDgc/ABMA",
        match_id="MIHlADAAKAAE",
    )


def test_the_codes_decode_to_the_same_state():
    game = replay([*TO_ROLL, Doubled(BLACK), Taken(WHITE), Rolled(BLACK, Dice((5, 5)), "fair")])
    codes = game_ids(game)
    xgid, match = parse_xgid(codes.xgid), parse_match_id(codes.match_id)
    assert (xgid.points, xgid.bar, xgid.turn, xgid.dice) == (AFTER_61.points, AFTER_61.bar, BLACK, (5, 5))
    assert (xgid.cube, xgid.cube_owner, xgid.length) == (2, WHITE, 7)
    assert (match.cube, match.cube_owner, match.on_roll, match.decides, match.dice) == (2, 1, 0, 0, (5, 5))
    assert codes.position_id == AFTER_61.position_id(BLACK)


def test_the_codes_of_an_unanswered_double_have_the_other_player_to_decide():
    codes = game_ids(replay([*TO_ROLL, Doubled(BLACK)]))
    xgid, match = parse_xgid(codes.xgid), parse_match_id(codes.match_id)
    assert (xgid.offer, xgid.turn, xgid.cube) == ("D", BLACK, 1)
    assert (match.doubled, match.on_roll, match.decides, match.cube) == (True, 0, 1, 1)


def test_a_beaver_that_a_set_up_voids_is_expressed_as_the_cube_that_was_taken():
    beavered = [MatchBegan(0, beavers=True), *TO_ROLL[1:], Doubled(BLACK), Beavered(WHITE)]
    assert game_ids(replay(beavered)) is None
    codes = game_ids(replay([*beavered, Corrected(AFTER_61, WHITE)]))
    assert (parse_xgid(codes.xgid).cube, parse_xgid(codes.xgid).cube_owner) == (2, WHITE)


@pytest.mark.parametrize(
    ("match", "rule", "crawford", "jacoby"),
    [
        (Match(5, score=(4, 2)), 1, True, False),
        (Match(5, score=(4, 2), crawford_over=True), 0, False, False),
        (Match(jacoby=True), 1, False, True),
        (Match(jacoby=True, beavers=True), 3, False, True),
        (Match(), 0, False, False),
    ],
)
def test_the_codes_contain_crawford_jacoby_and_beavers(match, rule, crawford, jacoby):
    codes = game_ids(replace(replay([BEGIN, OpeningRolled(6, 1)]), match=match))
    assert parse_xgid(codes.xgid).rule == rule
    state = parse_match_id(codes.match_id)
    assert (state.crawford, state.jacoby) == (crawford, jacoby)


@pytest.mark.parametrize(
    "game",
    [
        replay([]),
        replay([BEGIN]),
        replay([Started("checkers", "acf", rules_named("acf").start(), on_roll=BLACK, rolls=False)]),
        replace(replay([BEGIN, OpeningRolled(6, 1)]), dice=Dice((6,))),
        replace(replay([BEGIN, OpeningRolled(6, 1)]), match=Match(score=(40000, 0))),
        replace(replay(TO_ROLL), match=Match(beavers=True).doubled(BLACK).beaver()),
    ],
)
def test_a_state_that_the_codes_cannot_express_has_none(game):
    assert game_ids(game) is None
