"""What to do with the cube, worked out from chances; figures from the literature where they are simple."""

import queue

import pytest

from companion.core import Side
from companion.game import Match
from companion.hints import CubeQuestion, HintRequest, HintWorker
from companion.hints.cube import CONTACT_SHARE, advise, efficiency
from companion.hints.engine import EngineError
from companion.hints.gnubg import GnubgEngine, find_gnubg
from companion.hints.network import NetworkEngine
from companion.rules import BackgammonPosition, rules_named
from companion.rules.backgammon.position import START

WHITE, BLACK = Side.WHITE, Side.BLACK
STANDARD = rules_named("standard")
RACE = BackgammonPosition((5, 5, 5, *[0] * 18, -15))


def at(win, match=None, position=START):
    """The advice to White with no gammons in sight."""
    return advise((win, 0.0, 0.0, 0.0, 0.0), position, WHITE, match or Match())


def first(holds, low=0.0, high=1.0):
    """From which chance on something holds."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def test_the_take_point_is_between_those_of_a_live_and_a_dead_cube():
    passes = first(lambda win: not at(win).takes)
    assert 0.75 < passes < 0.80
    janowski = CONTACT_SHARE * 0.80 + (1 - CONTACT_SHARE) * 0.75
    assert passes == pytest.approx(janowski, abs=0.01)


def test_a_double_is_never_best_below_even_chances_and_is_at_the_take_point():
    assert not any(at(win / 100).doubles for win in range(50))
    assert at(0.76).doubles
    assert at(0.76).takes


def test_gammons_make_a_position_too_good_to_double():
    advice = advise((0.95, 0.6, 0.05, 0.0, 0.0), START, WHITE, Match())
    assert not advice.doubles
    assert not advice.takes
    assert advice.no_double > 1.0


def test_under_the_jacoby_rule_nobody_plays_on_for_a_gammon_with_the_cube_in_the_middle():
    assert advise((0.95, 0.6, 0.05, 0.0, 0.0), START, WHITE, Match(jacoby=True)).doubles


def test_an_automatic_double_changes_no_advice_under_the_jacoby_rule():
    chances = (0.95, 0.6, 0.05, 0.0, 0.0)
    tied = Match(jacoby=True, automatic_doubles=1).tied()
    advice, usual = (advise(chances, START, WHITE, match) for match in (tied, Match(jacoby=True)))
    assert (advice.doubles, advice.takes) == (usual.doubles, usual.takes)
    assert advice.no_double == pytest.approx(usual.no_double)


def test_at_double_match_point_a_cube_is_worth_nothing():
    advice = at(0.7, Match(length=3, score=(2, 2), crawford_over=True))
    assert advice.no_double == pytest.approx(advice.double_take)
    assert not advice.doubles


def test_the_trailer_doubles_at_once_after_the_crawford_game():
    trailing = Match(length=3, score=(1, 2), crawford_over=True)
    assert at(0.5, trailing).doubles


def test_two_away_two_away_the_take_point_is_low_as_nobody_redoubles():
    passes = first(lambda win: not at(win, Match(length=7, score=(5, 5))).takes)
    assert passes == pytest.approx(0.68, abs=0.03)


def test_race_and_contact_are_distinguished():
    assert efficiency(START, WHITE) == CONTACT_SHARE
    assert efficiency(RACE, WHITE) == 0.6


def test_money_equities_are_those_of_the_doubler_for_either_side():
    chances = (0.6, 0.1, 0.0, 0.1, 0.0)
    assert advise(chances, START, BLACK, Match()).no_double == advise(chances, START, WHITE, Match()).no_double


# --- engines ---


@pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")
def test_gnubg_gives_the_chances():
    engine = GnubgEngine(STANDARD, plies=0)
    try:
        advice = engine.cube(CubeQuestion(START, WHITE, Match()))
    finally:
        engine.close()
    assert (advice.doubles, advice.takes) == (False, True)
    assert abs(advice.no_double) < 0.3


class Advisor(NetworkEngine):
    def cube(self, question):
        if question.match.cube > 1:
            raise EngineError("no idea")
        return advise((0.76, 0.0, 0.0, 0.0, 0.0), question.position, question.side, question.match)


@pytest.mark.parametrize(("match", "note"), [(Match(), None), (Match(cube=2), "no idea")])
def test_the_desk_answers_about_the_cube_alone_without_dice(match, note):
    answers = queue.Queue()
    desk = HintWorker(Advisor(STANDARD), STANDARD, lambda ranking, turn: answers.put((ranking, turn)))
    desk.ask(HintRequest(START, WHITE, None, 1, plays=False, cube=CubeQuestion(START, WHITE, match)))
    ranking, turn = answers.get(timeout=60)
    desk.close()
    assert (ranking.plays, ranking.note, turn) == ((), note, 1)
    assert (ranking.cube is None) == (note is not None)
