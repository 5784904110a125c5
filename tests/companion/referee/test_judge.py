"""The camera's judge: what it says of looks that are certain, doubtful, partly hidden or wrong."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from backgammon_positions import position
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import examples

from companion.core import (
    BLACK_BAR,
    BLACK_OFF,
    WHITE_BAR,
    WHITE_OFF,
    Cause,
    CellReading,
    Dice,
    Finding,
    Observation,
    Side,
    both,
    likely_boards,
    message,
    unreadable,
)
from companion.notation import parse_play
from companion.referee.judge import MARGIN_NATS, judge
from companion.rules import BackgammonPosition, rules_named
from companion.rules.backgammon.position import START
from companion.rules.backgammon.rules import move_checkers

STANDARD = rules_named("standard")
KNOCKED = BackgammonPosition((2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2))


def look(board, *, doubts=None, unseen=(WHITE_OFF, BLACK_OFF)) -> Observation:
    """A look that is certain but for `doubts` (cell: {content: nats}); borne-off checkers are out of view."""
    cells = [CellReading() if i in unseen else CellReading(((content, 0.0),)) for i, content in enumerate(board)]
    for cell, contents in (doubts or {}).items():
        likeliest_first = sorted(contents.items(), key=lambda item: -item[1])
        cells[cell] = CellReading(tuple(likeliest_first))
    return Observation(tuple(cells))


def verdict(where, dice, play, *, side=Side.WHITE, done=False, changed=None, **seen):
    """Judge the look at the board after `play` was made by hand and cells `changed`."""
    board = list(move_checkers(where, side, parse_play(play)))
    for cell, content in (changed or {}).items():
        board[cell] = content
    return judge(STANDARD, where, side, Dice(dice), look(tuple(board), **seen), done=done)


def test_a_certain_legal_play_is_legal_and_named():
    got = verdict(START, (3, 1), "8/5 6/5")
    assert (got.finding, got.play) == (Finding.LEGAL, "8/5 6/5")
    assert got.after.points[4] == 2


def test_a_certain_illegal_play_is_never_taken_for_the_legal_one_nearby():
    assert verdict(START, (3, 1), "8/5 13/11").reason == "wrong_distance"


def test_an_impossible_content_is_not_considered():
    got = verdict(START, (3, 1), "8/5 13/11", doubts={10: {(1, 0): 0.0, (0, 0): -6.0}, 5: {(5, 0): 0.0, (4, 0): -9.0}})
    assert (got.finding, got.reason) == (Finding.ILLEGAL, "wrong_distance")


def test_a_second_layer_that_cannot_be_seen_is_settled_by_the_number_of_checkers():
    hidden = {5: {(5, 0): 0.0, (6, 0): -0.3, (7, 0): -0.5}}
    got = verdict(START, (5, 2), "13/8 8/6", doubts=hidden)
    assert (got.finding, got.play) == (Finding.LEGAL, "13/6")


def test_a_hidden_second_layer_whose_number_is_not_the_likeliest_is_still_settled():
    got = verdict(START, (5, 2), "13/6", doubts={5: {(5, 0): 0.0, (6, 0): -2.5, (7, 0): -4.0}})
    assert (got.finding, got.play) == (Finding.LEGAL, "13/6")


def test_visible_checkers_are_not_explained_by_similar_things():
    """A lamp's reflection looked like two checkers on a point; two others had to be fewer than they looked."""
    fewer = {5: {(5, 0): 0.0, (4, 0): -2.2}, 7: {(3, 0): 0.0, (2, 0): -3.4}}
    got = verdict(START, (3, 1), "24/23 24/21", changed={19: (2, 0)}, doubts=fewer)
    assert (got.finding, got.cause) == (Finding.UNREADABLE, Cause.UNKNOWN)


def test_two_doubtful_stacks_that_could_have_exchanged_a_checker_are_ambiguous():
    doubts = {5: {(4, 0): 0.0, (5, 0): -1.0}, 7: {(2, 0): 0.0, (1, 0): -1.0}}
    got = verdict(START, (3, 1), "8/5 6/5", doubts=doubts)
    assert got.finding is Finding.AMBIGUOUS
    assert set(got.cells) == {5, 7}
    assert "8/5 6/5" in got.plays
    assert got.message.facts["look"].facts["places"] == (
        message("backgammon.point", point=6),
        message("backgammon.point", point=8),
    )


def test_a_legal_and_an_illegal_reading_are_offered_together():
    doubts = {4: {(2, 0): 0.0, (1, 0): -2.0}, 3: {(0, 0): 0.0, (1, 0): -2.0}}
    got = verdict(START, (3, 1), "8/5 6/5", doubts=doubts)
    assert got.finding is Finding.AMBIGUOUS
    assert got.plays[0] == "8/5 6/5"
    assert len(got.plays) == 2


def test_two_legal_readings_are_offered_together():
    doubts = {12: {(4, 0): 0.0, (5, 0): -1.0}, 7: {(3, 0): 0.0, (2, 0): -1.0}}
    got = verdict(START, (6, 1), "13/7 24/23", doubts=doubts)
    assert got.finding is Finding.AMBIGUOUS
    assert got.plays[0] == "24/23 13/7"


def test_readings_that_agree_give_their_verdict():
    got = verdict(START, (3, 1), "8/5 13/11", doubts={20: {(0, 0): 0.0, (0, 1): -9.0}})
    assert got.reason == "wrong_distance"


def test_a_missing_checker_is_not_excused_by_the_number_of_checkers():
    got = verdict(START, (3, 1), "8/5 6/5", changed={12: (4, 0)}, done=True)
    assert (got.finding, got.reason) == (Finding.ILLEGAL, "checker_missing")


def test_a_checker_in_the_hand_is_unfinished_until_the_turn_is_declared_done():
    assert verdict(START, (5, 2), "24/22", changed={12: (4, 0)}).finding is Finding.UNFINISHED
    assert verdict(START, (5, 2), "24/22", changed={12: (4, 0)}, done=True).reason == "checker_missing"


def test_a_hit_checker_on_its_way_to_the_bar_is_unfinished_and_then_missing():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    on_its_way = {BLACK_BAR: (0, 0)}
    assert verdict(where, (4, 2), "8/4* 6/4", changed=on_its_way).finding is Finding.UNFINISHED
    assert verdict(where, (4, 2), "8/4* 6/4", changed=on_its_way, done=True).reason == "hit_checker_not_on_bar"


def test_checkers_borne_off_out_of_view_are_inferred():
    where = position({6: 2, 2: 2}, {6: 2}, off=(11, 13))
    got = verdict(where, (6, 2), "6/off 2/off")
    assert (got.finding, got.play, got.after.off) == (Finding.LEGAL, "6/off 2/off", (13, 13))


def test_a_stack_in_doubt_while_bearing_off_out_of_view_is_not_guessed():
    where = position({6: 2, 2: 2}, {6: 2}, off=(11, 13))
    got = verdict(where, (6, 2), "6/off 2/off", doubts={1: {(1, 0): 0.0, (2, 0): -1.0}})
    assert got.finding is Finding.AMBIGUOUS


def test_a_stack_in_doubt_is_settled_where_the_borne_off_checkers_are_in_view():
    where = position({6: 2, 2: 2}, {6: 2}, off=(11, 13))
    got = verdict(where, (6, 2), "6/off 2/off", doubts={1: {(2, 0): 0.0, (1, 0): -1.0}}, unseen=())
    assert (got.finding, got.play) == (Finding.LEGAL, "6/off 2/off")


@pytest.mark.parametrize("cause", Cause)
def test_a_look_that_cannot_be_read_says_why_and_what_to_do(cause):
    got = judge(STANDARD, START, Side.WHITE, Dice((3, 1)), Observation((), unreadable=cause), done=True)
    assert (got.finding, got.cause) == (Finding.UNREADABLE, cause)
    assert got.message == unreadable(cause)


def test_a_look_in_which_nearly_everything_is_doubtful_is_unreadable():
    doubts = {cell: {(n, 0): -0.1 * n for n in range(6)} for cell in range(24)}
    got = verdict(START, (3, 1), "8/5 6/5", doubts=doubts)
    assert (got.finding, got.cause) == (Finding.UNREADABLE, Cause.UNKNOWN)


def test_a_handful_of_checkers_gone_at_once_is_a_failed_reading():
    got = verdict(START, (3, 1), "", changed={11: (0, 0)}, done=True)
    assert (got.finding, got.cause) == (Finding.UNREADABLE, Cause.UNKNOWN)
    seen = message("unreadable.total", total=10, side=Side.BLACK, expected=15)
    assert got.message == both(unreadable(Cause.UNKNOWN), seen)


def test_a_board_that_was_moved_is_not_called_an_illegal_play():
    got = judge(STANDARD, START, Side.WHITE, Dice((3, 1)), look(KNOCKED.board()), done=True)
    assert (got.finding, got.cause) == (Finding.UNREADABLE, Cause.UNKNOWN)
    assert got.message.facts["second"].key == "unreadable.too_many_changes"


def test_without_a_legal_play_the_unmoved_board_is_legal():
    where = position({}, dict.fromkeys(range(1, 7), 2), bar=(1, 0))
    assert verdict(where, (3, 1), "").finding is Finding.LEGAL


def test_a_doubt_between_unmoved_and_under_way_is_a_turn_that_goes_on():
    got = verdict(START, (5, 2), "", doubts={12: {(5, 0): 0.0, (4, 0): -1.0}, 7: {(3, 0): 0.0, (4, 0): -1.0}})
    assert got.finding is Finding.UNFINISHED


def test_reasons_that_differ_are_all_named():
    doubts = {19: {(1, 0): 0.0, (0, 0): -1.0}, 18: {(0, 5): 0.0, (1, 5): -1.0}}
    got = verdict(START, (5, 2), "24/20", doubts=doubts, done=True)
    assert got.finding is Finding.ILLEGAL
    assert {got.reason, *got.also} == {"blocked_point", "wrong_distance"}


def test_the_bar_may_be_hidden_as_well():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    hidden = (WHITE_OFF, BLACK_OFF, WHITE_BAR, BLACK_BAR)
    assert verdict(where, (4, 2), "8/4* 6/4", unseen=hidden).play == "8/4* 6/4"


def test_the_likely_boards_are_those_of_a_search_through_all():
    chance = random.Random(5)
    for _ in range(40):
        cells = []
        for _ in range(7):
            contents = chance.sample([(n, 0) for n in range(4)] + [(0, n) for n in range(1, 4)], chance.randint(1, 3))
            nats = sorted((round(-chance.random() * 6, 3) for _ in contents[1:]), reverse=True)
            cells.append(CellReading(tuple(zip(contents, [0.0, *nats], strict=True))))
        observation = Observation(tuple(cells))

        def cost(white: int, black: int) -> float:
            return 2.0 * abs(white - 6) + 2.0 * abs(black - 5)

        scores = []
        for contents in product(*(cell.likelihoods for cell in cells)):
            board = tuple(content for content, _ in contents)
            white, black = (sum(content[side] for content in board) for side in (0, 1))
            scores.append((sum(nats for _, nats in contents) - cost(white, black), board))
        best = max(scores)[0]
        wanted = {board for score, board in scores if score >= best - MARGIN_NATS}
        found = likely_boards(observation, cost, MARGIN_NATS, 10_000)
        assert {likely.board for likely in found} == wanted
        assert found[0].score_nats == pytest.approx(best)


@st.composite
def doubtful_turns(draw: st.DrawFn):
    """A legal result, and a look at it in which up to four cells are in doubt but the truth stays likely."""
    where, side = START, Side.WHITE
    for _ in range(draw(st.integers(0, 30))):
        rolled = Dice((draw(st.integers(1, 6)), draw(st.integers(1, 6))))
        successors = STANDARD.successors(where, side, rolled)
        where = draw(st.sampled_from(successors)).after if successors else where
        side = side.opponent
    rolled = Dice((draw(st.integers(1, 6)), draw(st.integers(1, 6))))
    after = [s.after for s in STANDARD.successors(where, side, rolled)]
    board = draw(st.sampled_from(after or [where])).board()
    doubts = {}
    for cell in draw(st.lists(st.integers(0, 23), max_size=4, unique=True)):
        white, black = board[cell]
        more = draw(st.sampled_from([-1, 1]))
        other = (white, max(black + more, 0)) if black else (max(white + more, 0), 0)
        if other != board[cell]:
            doubts[cell] = draw(st.sampled_from([{board[cell]: 0.0, other: -1.5}, {board[cell]: -1.0, other: 0.0}]))
    return where, side, rolled, board, doubts


@examples(20, 100)
def test_a_legal_turn_in_doubt_is_never_called_anything_else_for_certain(examples):
    @settings(max_examples=examples, deadline=None)
    @given(doubtful_turns(), st.booleans())
    def always(turn, done):
        where, side, rolled, board, doubts = turn
        truth = STANDARD.explain(where, side, rolled, board, done=done)
        got = judge(STANDARD, where, side, rolled, look(board, doubts=doubts, unseen=()), done=done)
        if got.finding not in (Finding.AMBIGUOUS, Finding.UNREADABLE):
            assert (got.finding, got.play) == (truth.finding, truth.play)

    always()


@examples(25, 100)
def test_an_illegal_turn_in_doubt_is_never_called_legal(examples):
    @settings(max_examples=examples, deadline=None)
    @given(doubtful_turns(), st.integers(0, 23), st.integers(0, 23))
    def always(turn, lifted, put_down):
        where, side, rolled, board, doubts = turn
        moved = list(board)
        mine = 0 if side is Side.WHITE else 1
        if lifted in doubts or put_down in doubts or not moved[lifted][mine]:
            return
        for cell, change in ((lifted, -1), (put_down, 1)):
            content = list(moved[cell])
            content[mine] += change
            moved[cell] = tuple(content)
        truth = STANDARD.explain(where, side, rolled, tuple(moved), done=True)
        got = judge(STANDARD, where, side, rolled, look(tuple(moved), doubts=doubts, unseen=()), done=True)
        if truth.finding is Finding.ILLEGAL:
            assert got.finding is not Finding.LEGAL

    always()


def between(first, second):
    points = [message("backgammon.point", point=point) for point in (first, second)]
    return message("between", first=points[0], second=points[1])


def test_a_checker_between_two_points_is_named_and_nothing_is_decided():
    board = list(move_checkers(START, Side.WHITE, parse_play("8/5 6/5")))
    seen = replace(look(tuple(board)), between=((4, 5),))
    got = judge(STANDARD, START, Side.WHITE, Dice((3, 1)), seen, done=True)
    assert (got.finding, got.after, got.cells) == (Finding.AMBIGUOUS, None, (4, 5))
    assert got.message == message("ambiguous.between", places=(between(5, 6),))


def test_the_points_between_which_a_checker_lies_have_the_players_own_numbers():
    seen = replace(look(STANDARD.visible(START)), between=((0, 1), (12, 13)))
    got = judge(STANDARD, START, Side.BLACK, Dice((3, 1)), seen, done=False)
    assert got.message == message("ambiguous.between.several", places=(between(24, 23), between(12, 11)))
