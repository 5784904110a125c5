"""The tutor: the loss of an accepted play, while it is the last play."""

import queue

import pytest
from played_table import AFTER_61, RULES, START, WHITE, PlayedTable, moved
from whole_page import page_state

from companion.core import Dice
from companion.game import MatchBegan, match_begun
from companion.hints import HintWorker, Lesson, LessonRequest, RankedPlay, choose_engine
from companion.interface import Taught
from companion.rules import rules_named

POOR = moved(START, WHITE, (13, 7), (6, 5))


@pytest.fixture
def lessons():
    return []


@pytest.fixture
def table(lessons):
    table = PlayedTable([6, 1, 5, 3, 4, 4, 2, 1], ask_lesson=lessons.append)
    table.sets()
    table.taps()
    return table


BETTER = RankedPlay("13/7 8/7", AFTER_61, 0.1)


def told(table, request, lost=0.123, better=BETTER):
    return table.does(Taught(Lesson(WHITE, request.play, lost, better), request.turn, 5.0))


def line(shown):
    return page_state(shown)["lesson"]


def test_an_accepted_play_is_compared_with_the_best_without_delaying_the_verdict(table, lessons):
    table.sees(POOR)
    assert lessons == []
    shown = table.taps()
    assert shown.dice == (5, 3)
    (request,) = lessons
    assert request == LessonRequest(START, WHITE, Dice((6, 1)), "13/7 6/5", POOR, request.turn, table.game.match)
    assert line(told(table, request)) == "White’s 13/7 6/5 gave away 0.123. Better: 13/7 8/7."


def test_a_play_with_a_small_loss_is_called_good_and_the_best_play_is_called_best(table, lessons):
    table.sees(POOR)
    table.taps()
    assert line(told(table, lessons[0], lost=0.03)) == "White’s 13/7 6/5: good."
    assert line(told(table, lessons[0], lost=0.0, better=None)) == "White’s 13/7 6/5: nothing is better."


def test_late_and_outdated_lessons_are_dropped(table, lessons):
    table.sees(POOR)
    table.taps()
    table.plays_anything()
    told(table, lessons[0])
    table.taps()
    assert table.snapshot.lesson is None
    assert told(table, lessons[0]).lesson is None
    assert told(table, lessons[1]).lesson is not None


def test_in_a_match_the_tutor_is_not_asked(lessons):
    table = PlayedTable([6, 1, 5, 3], ask_lesson=lessons.append, terms=match_begun(MatchBegan(3)))
    table.sets()
    table.taps()
    table.sees(POOR)
    assert table.taps().dice == (5, 3)
    assert lessons == []


def test_a_table_without_a_tutor_has_no_lessons():
    table = PlayedTable([6, 1, 5, 3])
    table.sets()
    table.taps()
    table.sees(POOR)
    assert table.taps().lesson is None


def answered(request, rules=RULES):
    answers = queue.SimpleQueue()
    worker = HintWorker(choose_engine(rules, "embedded"), rules, lambda answer, _: answers.put(answer))
    worker.ask(request)
    answer = answers.get(timeout=60)
    worker.close()
    return answer


def test_the_worker_evaluates_a_play_that_is_not_among_the_best():
    worst = moved(START, WHITE, (24, 23), (8, 2))
    lesson = answered(LessonRequest(START, WHITE, Dice((6, 1)), "24/23 8/2", worst, 1))
    assert lesson.doubtful
    assert lesson.better.play == "13/7 8/7"
    assert [fact.key for fact in lesson.better.why] == ["why.makes", "why.shots.none"]


def test_in_checkers_losses_are_given_in_men():
    acf = rules_named("acf")
    position = acf.from_json("W:W21,22,28,32:B4,8,15")
    after = acf.find_play(position, WHITE, None, "22-18").after
    lesson = answered(LessonRequest(position, WHITE, None, "22-18", after, 1), acf)
    assert lesson.in_men
    assert lesson.doubtful
