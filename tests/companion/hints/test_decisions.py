"""What Boardside decides as a player, at its levels, and what becomes of an engine that fails."""

import queue
from dataclasses import replace

import pytest

from companion.core import Dice, Side
from companion.game import Match
from companion.hints import (
    BEST_LEVEL,
    CubeAdvice,
    CubeQuestion,
    DecisionRequest,
    EngineError,
    HintRequest,
    HintWorker,
    Player,
    RankedPlay,
    Ranking,
    choose_engine,
)
from companion.rules import rules_named

RULES = rules_named("standard")
START = RULES.start()
WHITE, BLACK = Side.WHITE, Side.BLACK
PLAYS = (RankedPlay("8/5 6/5", None, 0.2), RankedPlay("24/23 13/10", None, 0.1), RankedPlay("8/4", None, -0.6))


class Scripted:
    """An engine that always says the same; `fails` is raised instead."""

    name = "scripted"

    def __init__(self, plays=PLAYS, advice=None, fails=None, equity=0.0):
        self.plays, self.advice, self.fails, self.equity = plays, advice, fails, equity

    def rank(self, _position, _side, _dice, n, _match=None):
        self._fail()
        return Ranking(self.plays[:n], self.name)

    def weigh(self, positions, *_):
        self._fail()
        return [RankedPlay("", position, self.equity) for position in positions]

    def cube(self, *_):
        self._fail()
        return self.advice

    def stop(self):
        pass

    def ready(self):
        pass

    def close(self):
        pass

    def _fail(self):
        if self.fails is not None:
            raise self.fails


def asks(seed="1", cube=None, side=WHITE):
    return DecisionRequest(START, side, Dice((3, 1)), 1, seed, cube)


def decided(level=BEST_LEVEL, request=None, **engine):
    return Player(RULES, Scripted(**engine), Scripted(), level).decide(request or asks())


def test_at_the_highest_level_the_opponent_makes_the_best_play():
    assert decided().play == "8/5 6/5"


@pytest.mark.parametrize("level", range(1, BEST_LEVEL))
def test_a_repeated_decision_is_the_same(level):
    seeds = [str(number) for number in range(200)]
    first, again = ([decided(level, asks(seed)).play for seed in seeds] for _ in range(2))
    assert first == again


def test_the_lower_the_level_the_rarer_the_best_play():
    best = [sum(decided(level, asks(str(n))).play == "8/5 6/5" for n in range(300)) for level in range(1, 7)]
    assert best == sorted(best)
    assert best[0] < 150
    assert best[-1] == 300


def test_without_a_legal_play_the_opponent_passes():
    assert decided(plays=()).play == ""
    assert decided(1, plays=()).play in {play.play for play in PLAYS}  # the embedded engine's


def test_the_opponent_doubles_and_takes_as_advised():
    doubles = CubeAdvice(WHITE, 0.5, 0.9, doubles=True, takes=False)
    question = CubeQuestion(START, WHITE, Match())
    assert decided(request=asks(cube=question), advice=doubles).yes
    assert not decided(request=asks(cube=question, side=BLACK), advice=doubles).yes


def test_without_advice_the_opponent_never_doubles_and_takes_good_doubles():
    question = CubeQuestion(START, WHITE, Match())
    assert not decided(request=asks(cube=question), equity=0.9).yes
    assert decided(request=asks(cube=question, side=BLACK), equity=-0.4).yes
    assert not decided(request=asks(cube=question, side=BLACK), equity=-0.6).yes


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_in_a_match_beyond_the_table_of_equities_the_cube_is_that_of_a_series(side):
    player = Player(RULES, choose_engine(RULES, "embedded"), Scripted(fails=EngineError("not asked")))
    decisions = [
        player.decide(asks(cube=CubeQuestion(START, WHITE, match), side=side)) for match in (Match(99), Match())
    ]
    assert decisions[0] == decisions[1]
    assert decisions[0].note is None


FAULTY = [EngineError("gnubg has died"), ValueError("a bug"), MemoryError(), IndexError(), RuntimeError("a bug")]


@pytest.mark.parametrize("fault", FAULTY)
def test_if_the_engine_of_the_opponent_fails_the_embedded_one_plays_with_a_message(fault):
    decision = decided(fails=fault)
    assert decision.play == "8/5 6/5"
    assert decision.note


def test_if_both_engines_fail_the_opponent_still_plays_by_the_rules():
    broken = Scripted(fails=ValueError("a bug"))
    decision = Player(RULES, broken, broken).decide(asks())
    assert RULES.find_play(START, WHITE, Dice((3, 1)), decision.play)
    assert decision.note == "a bug"
    assert decision.blind


@pytest.mark.parametrize("fault", FAULTY)
def test_if_both_engines_fail_the_opponent_takes_every_double_and_offers_none(fault):
    broken, question = Scripted(fails=fault), CubeQuestion(START, WHITE, Match())
    asked = Player(RULES, broken, broken).decide(asks(cube=question, side=BLACK))
    assert (asked.yes, asked.blind) == (True, True)
    assert not Player(RULES, broken, broken).decide(asks(cube=question)).yes


def test_a_faulty_engine_loses_one_hint_and_the_worker_goes_on():
    answers = queue.SimpleQueue()
    engine = Scripted(fails=ZeroDivisionError("a bug"))
    worker = HintWorker(engine, RULES, lambda answer, turn: answers.put((answer, turn)))
    worker.ask(HintRequest(START, WHITE, Dice((3, 1)), 1))
    answer, _ = answers.get(timeout=60)
    assert "a bug" in answer.note
    engine.fails = None
    worker.ask(HintRequest(START, WHITE, None, 2, plays=False))
    assert answers.get(timeout=60)[1] == 2
    worker.close()


def test_hints_at_a_glance_come_before_those_that_look_ahead():
    answers, glance = queue.SimpleQueue(), Scripted(plays=PLAYS[1:])
    worker = HintWorker(
        choose_engine(RULES, "embedded", 0), RULES, lambda ranking, _: answers.put(ranking), glance=glance
    )
    question = HintRequest(START, WHITE, Dice((3, 1)), 1, cube=CubeQuestion(START, WHITE, Match()))
    worker.ask(question)
    first, then = answers.get(timeout=60), answers.get(timeout=60)
    assert (first.plays[0].play, first.at_a_glance) == ("24/23 13/10", True)
    assert (then.plays[0].play, then.at_a_glance) == ("8/5 6/5", False)
    worker.ask(replace(question, turn=2, plays=False))
    assert not answers.get(timeout=60).at_a_glance, "about the cube there is none"
    glance.fails = ValueError("a bug")
    worker.ask(replace(question, turn=3))
    assert answers.get(timeout=60) == then
    worker.close()
    assert answers.empty()


def test_a_later_request_for_a_hint_does_not_replace_the_decision_of_the_opponent():
    answers = queue.SimpleQueue()
    player = Player(RULES, choose_engine(RULES, "embedded", 0), choose_engine(RULES, "embedded", 0))
    worker = HintWorker(Scripted(), RULES, lambda _, turn: answers.put(turn), player=player)
    worker.ask(DecisionRequest(START, BLACK, Dice((6, 1)), 7))
    worker.ask(HintRequest(START, WHITE, None, 8, plays=False))
    assert {answers.get(timeout=60), answers.get(timeout=60)} == {7, 8}
    worker.close()
