import os
import queue
import subprocess
import sys
import tempfile
import threading

import psutil
import pytest

from companion.core import Dice, Side
from companion.game import Match
from companion.hints import CubeQuestion, HintRequest, HintWorker, choose_engine
from companion.hints.engine import EngineError, Ranking
from companion.hints.gnubg import GnubgEngine, find_gnubg
from companion.hints.gnubg_process import GnubgProcess
from companion.hints.network import NetworkEngine
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
def test_without_a_legal_play_there_is_no_hint(gnubg):
    closed = BackgammonPosition((2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6), (1, 0), (2, 3))
    assert gnubg.rank(closed, Side.WHITE, Dice((6, 1)), 5).plays == ()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield tmp_path
    monkeypatch.undo()
    tempfile.tempdir = None


@pytest.fixture
def running():
    """Start an engine with gnubg; gives (engine, its process)."""
    engines = []

    def start():
        others = psutil.Process().children()
        engine = GnubgEngine(RULES, 0)
        engines.append(engine)
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
        (child,) = (one for one in psutil.Process().children() if one not in others)
        return engine, child

    yield start
    for engine in engines:
        engine.close()


@needs_gnubg
@pytest.mark.parametrize("fate", ["killed", "stopped"])
def test_a_gnubg_that_was_killed_or_stopped_is_restarted(running, fate):
    engine, child = running()
    child.suspend() if fate == "stopped" else child.kill()
    assert engine.rank(START, Side.WHITE, Dice((3, 1)), 1).plays[0].play == "8/5 6/5"
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


@needs_gnubg
def test_the_folder_of_a_process_is_removed_however_it_ends(temporary, running):
    engine, child = running()
    (home,) = temporary.glob("boardside-gnubg-*")
    child.kill()
    engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    assert not home.exists()
    engine.close()
    assert not list(temporary.glob("boardside-gnubg-*"))


@needs_gnubg
def test_folders_of_killed_processes_are_removed_at_the_next_start(temporary, running):
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    left = temporary / f"boardside-gnubg-{dead.pid}-abc"
    left.mkdir()
    (left / "history").write_text("")
    others = [temporary / f"boardside-gnubg-{os.getppid()}-abc", temporary / "boardside-gnubg-x", temporary / "mine"]
    for path in others:
        path.mkdir()
    running()
    assert not left.exists()
    assert all(path.exists() for path in others)


@needs_gnubg
def test_closing_ends_a_question_that_waits_and_starts_no_other(running):
    engine, child = running()
    child.suspend()
    child_of_before = psutil.Process().children()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    assert len(psutil.Process().children()) < len(child_of_before)


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


def test_the_last_line_of_a_failing_program_is_reported(tmp_path):
    engine = GnubgEngine(RULES, 0, program(tmp_path, "print('no weights file'); raise SystemExit(3)"))
    with pytest.raises(EngineError, match=r"exit status 3 and no answer; it said 'no weights file'|gnubg has ended"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)


@pytest.mark.parametrize(
    "answer",
    ["[0.5]", "[1, 2, 3, 4, 5]", "rubbish", "[NaN, 0, 0, 0, 0]", "{}", "[" * 5000, "[0.5, 0, 0, 0, null]", "\xff"],
)
def test_an_invalid_answer_is_an_error(tmp_path, answer):
    talks = f"import sys\nfor _ in sys.stdin:\n while True: print('@boardside ' + {answer!r}, flush=True)"
    engine = GnubgEngine(RULES, 0, program(tmp_path, talks), timeout_s=5)
    with pytest.raises(EngineError, match="gnubg answered") as raised:
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    engine.close()
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    ("says", "timeout_s", "complaint"),
    [("'x' * 99999, end=''", 20.0, "without end"), ("'x'", 0.3, r"within 0\.3 s|has ended")],
)
def test_a_program_that_talks_without_an_answer_is_given_up(tmp_path, says, timeout_s, complaint):
    engine = GnubgEngine(RULES, 0, program(tmp_path, f"while True: print({says}, flush=True)"), timeout_s=timeout_s)
    with pytest.raises(EngineError, match=complaint):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    engine.close()


def test_a_program_that_reads_nothing_is_given_up(tmp_path):
    process = GnubgProcess(program(tmp_path, "import time; time.sleep(60)"), timeout_s=0.05)
    with pytest.raises(EngineError, match="did not answer"):
        process.evaluate([[[0] * 25, [0] * 25]] * 9999, 0)
    process.close()


@needs_gnubg
def test_without_gammons_on_the_sheet_only_wins_count():
    engine = GnubgEngine(rules_named("green-box"), 0)
    try:
        plays = engine.rank(START, Side.WHITE, Dice((3, 1)), 3).plays
    finally:
        engine.close()
    assert [play.equity for play in plays] == pytest.approx([2 * play.win - 1 for play in plays])


def test_a_missing_program_is_named():
    engine = GnubgEngine(RULES, 0, "/no/such/gnubg")
    with pytest.raises(EngineError, match="cannot start '/no/such/gnubg'"):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)


def test_if_gnubg_fails_the_embedded_engine_answers_with_the_reason():
    engine = FallbackEngine(GnubgEngine(RULES, 0, "/no/such/gnubg"), NetworkEngine(RULES, 0))
    ranking = engine.rank(START, Side.WHITE, Dice((3, 1)), 2)
    assert ranking.plays[0].play == "8/5 6/5"
    assert ranking.engine == NetworkEngine.name
    assert "cannot start" in ranking.note
    engine.close()


class FailingEngine:
    """Fails, and counts how often it was asked."""

    name = "failing"

    def __init__(self):
        self.asked, self.answers = 0, False

    def rank(self, *_):
        self.asked += 1
        if not self.answers:
            raise EngineError("no answer")
        return Ranking(engine=self.name)

    def cube(self, question):
        return self.rank(*question)

    def close(self):
        pass


def test_after_a_failure_the_embedded_engine_answers_at_once_for_a_minute():
    now = [0.0]
    first = FailingEngine()
    engine = FallbackEngine(first, NetworkEngine(RULES, 0), clock=lambda: now[0])
    for now[0] in (0.0, 1.0, 59.0):
        ranking = engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
        assert (ranking.plays[0].play, ranking.note) == ("8/5 6/5", "no answer")
        assert ranking.engine == NetworkEngine.name
    assert first.asked == 1
    assert engine.cube(CubeQuestion(START, Side.WHITE, Match())).takes
    now[0], first.answers = 61.0, True
    assert engine.rank(START, Side.WHITE, Dice((3, 1)), 1) == Ranking(engine="failing")
    assert first.asked == 2


@pytest.mark.parametrize(
    ("name", "level", "says"),
    [
        ("deep blue", None, "unknown engine 'deep blue': expected one of auto, gnubg, embedded"),
        ("auto", "9", "unknown level '9': expected one of 0, 1, 2 plies"),
    ],
)
def test_an_unknown_engine_or_level_is_quoted(name, level, says):
    with pytest.raises(EngineError, match=says):
        choose_engine(RULES, name, level)


class HeldEngine:
    """The embedded engine, which waits until it may answer."""

    name = "held"

    def __init__(self):
        self.asked, self.may_answer = threading.Event(), threading.Event()

    def rank(self, position, side, dice, n, _match):
        self.asked.set()
        self.may_answer.wait()
        return NetworkEngine(RULES, 0).rank(position, side, dice, n)

    def stop(self):
        pass

    def ready(self):
        pass

    def close(self):
        pass


def test_a_gnubg_that_starts_while_its_engine_is_closed_is_ended(monkeypatch):
    class Started:
        def __init__(self, *_):
            self.ended = False
            started.append(self)
            engine.close()

        def evaluate(self, *_):
            assert self.ended
            raise EngineError("gnubg has ended")

        def close(self):
            self.ended = True

    started = []
    monkeypatch.setattr("companion.hints.gnubg.GnubgProcess", Started)
    engine = GnubgEngine(RULES, 0, "/usr/bin/gnubg")
    with pytest.raises(EngineError):
        engine.rank(START, Side.WHITE, Dice((3, 1)), 1)
    assert [process.ended for process in started] == [True]


def test_the_desk_answers_only_the_newest_of_waiting_requests():
    answers, engine = queue.SimpleQueue(), HeldEngine()
    desk = HintWorker(engine, RULES, lambda ranking, turn: answers.put((turn, ranking.plays[0].play)), plays=1)
    desk.ask(HintRequest(START, Side.WHITE, Dice((3, 1)), 1))
    engine.asked.wait()
    desk.ask(HintRequest(START, Side.WHITE, Dice((4, 2)), 2))
    desk.ask(HintRequest(START, Side.WHITE, Dice((6, 1)), 3))
    engine.may_answer.set()
    assert [answers.get(timeout=60), answers.get(timeout=60)] == [(1, "8/5 6/5"), (3, "13/7 8/7")]
    desk.close()
    assert answers.empty()


def test_an_engine_without_a_substitute_reports_its_failure():
    answers = queue.SimpleQueue()
    desk = HintWorker(
        GnubgEngine(RULES, 0, "/no/such/gnubg"), RULES, lambda ranking, turn: answers.put((turn, ranking.note))
    )
    desk.ask(HintRequest(START, Side.WHITE, Dice((3, 1)), 7))
    turn, note = answers.get(timeout=60)
    desk.close()
    assert turn == 7
    assert "cannot start" in note
