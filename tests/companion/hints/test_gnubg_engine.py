import queue
import sys
import threading
import time

import psutil
import pytest

from companion.core import Dice, Side
from companion.hints import HintRequest, HintWorker, choose_engine
from companion.hints.engine import EngineError
from companion.hints.gnubg import GnubgEngine, find_gnubg
from companion.hints.plain import PlainEngine
from companion.hints.select import FallbackEngine
from companion.rules import BackgammonPosition, rules_named

RULES = rules_named("standard")
START = RULES.start()
needs_gnubg = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")


@pytest.fixture(scope="module")
def gnubg():
    engine = GnubgEngine(RULES, 1)
    yield engine
    engine.close()


@needs_gnubg
@pytest.mark.parametrize(("dice", "play"), [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7")])
@pytest.mark.parametrize("side", list(Side))
def test_gnubg_plays_the_opening_rolls_that_everybody_plays_for_either_side(gnubg, side, dice, play):
    ranking = gnubg.rank(START, side, Dice(dice), 3)
    assert ranking.plays[0].play == play
    assert ranking.engine == "GNU Backgammon"
    assert len(ranking.plays) == 3


@needs_gnubg
def test_equity_follows_from_the_chances(gnubg):
    play = gnubg.rank(START, Side.WHITE, Dice((3, 1)), 1).plays[0]
    lose = 1 - play.win
    assert play.equity == pytest.approx(
        play.win - lose + play.gammon + play.backgammon - play.lose_gammon - play.lose_backgammon
    )
    assert 0.5 < play.win < 0.6


@needs_gnubg
def test_bearing_off_the_last_checkers_wins_for_certain(gnubg):
    position = BackgammonPosition((2, *[0] * 22, -2), (0, 0), (13, 13))
    assert gnubg.rank(position, Side.WHITE, Dice((6, 5)), 5).plays[0].equity == pytest.approx(1.0)
    untouched = BackgammonPosition((2, *[0] * 17, *[-3] * 5, 0), (0, 0), (13, 0))
    assert gnubg.rank(untouched, Side.WHITE, Dice((6, 5)), 5).plays[0].equity == pytest.approx(2.0)


@needs_gnubg
def test_no_legal_play_no_hint(gnubg):
    closed = BackgammonPosition((2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6), (1, 0), (2, 3))
    assert gnubg.rank(closed, Side.WHITE, Dice((6, 1)), 5).plays == ()


@needs_gnubg
def test_a_gnubg_that_died_is_an_error_and_the_next_question_starts_another():
    others = psutil.Process().children()
    engine = GnubgEngine(RULES, 0)
    engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    (child,) = (one for one in psutil.Process().children() if one not in others)
    child.kill()
    while child.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    with pytest.raises(EngineError, match=r"gnubg has ended|ended with exit status"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    assert engine.rank(START, Side.WHITE, Dice((3, 1)), 1).plays[0].play == "8/5 6/5"
    engine.close()


def program(tmp_path, text):
    """A program that takes gnubg's place."""
    path = tmp_path / "gnubg"
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_program_that_does_not_answer_is_given_up_in_time(tmp_path):
    engine = GnubgEngine(RULES, 0, program(tmp_path, "import sys; sys.stdin.read()"), timeout_s=0.05)
    with pytest.raises(EngineError, match=r"did not answer within 0\.05 s"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)


def test_what_a_failing_program_said_last_is_told(tmp_path):
    engine = GnubgEngine(RULES, 0, program(tmp_path, "print('no weights file'); raise SystemExit(3)"))
    with pytest.raises(EngineError, match=r"exit status 3 and no answer; it said 'no weights file'|gnubg has ended"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)


def test_a_program_that_is_not_there_is_named():
    engine = GnubgEngine(RULES, 0, "/no/such/gnubg")
    with pytest.raises(EngineError, match="cannot start '/no/such/gnubg'"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)


def test_where_gnubg_fails_the_plain_evaluation_answers_and_says_why():
    engine = FallbackEngine(GnubgEngine(RULES, 0, "/no/such/gnubg"), PlainEngine(RULES))
    ranking = engine.rank(START, Side.WHITE, Dice((3, 1)), 2)
    assert ranking.plays[0].play == "8/5 6/5"
    assert "weak" in ranking.engine
    assert "cannot start" in ranking.note
    engine.close()


@pytest.mark.parametrize(
    ("name", "level", "says"),
    [
        ("deep blue", None, "unknown engine 'deep blue': expected one of auto, gnubg, plain"),
        ("auto", "9", "unknown level '9': expected one of 0, 1, 2 plies"),
    ],
)
def test_an_unknown_engine_or_level_is_quoted(name, level, says):
    with pytest.raises(EngineError, match=says):
        choose_engine(RULES, name, level)


class HeldEngine:
    """The plain evaluation, which waits until it may answer."""

    name = "held"

    def __init__(self):
        self.asked, self.may_answer = threading.Event(), threading.Event()

    def rank(self, position, side, dice, n):
        self.asked.set()
        self.may_answer.wait()
        return PlainEngine(RULES).rank(position, side, dice, n)

    def close(self):
        pass


def test_of_the_questions_that_wait_the_desk_answers_only_the_newest():
    answers, engine = queue.SimpleQueue(), HeldEngine()
    desk = HintWorker(engine, lambda ranking, turn: answers.put((turn, ranking.plays[0].play)), plays=1)
    desk.ask(HintRequest(START, Side.WHITE, Dice((3, 1)), 1))
    engine.asked.wait()
    desk.ask(HintRequest(START, Side.WHITE, Dice((4, 2)), 2))
    desk.ask(HintRequest(START, Side.WHITE, Dice((6, 1)), 3))
    engine.may_answer.set()
    assert [answers.get(timeout=30), answers.get(timeout=30)] == [(1, "8/5 6/5"), (3, "13/7 8/7")]
    desk.close()
    assert answers.empty()


def test_an_engine_without_a_substitute_tells_what_failed():
    answers = queue.SimpleQueue()
    desk = HintWorker(GnubgEngine(RULES, 0, "/no/such/gnubg"), lambda ranking, turn: answers.put((turn, ranking.note)))
    desk.ask(HintRequest(START, Side.WHITE, Dice((3, 1)), 7))
    turn, note = answers.get(timeout=30)
    desk.close()
    assert turn == 7
    assert "cannot start" in note
