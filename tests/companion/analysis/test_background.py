"""The background analysis: a real child process, stopped and continued, and its progress."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from itertools import groupby

import pytest
from analysed import SHORT, recorded_at

from companion.analysis import AnalysedMatches, Standing
from companion.analysis.background import BackgroundAnalysis
from companion.app.table import Table
from companion.core import Side, message
from companion.game import Ended, Match, Phase
from companion.interface import Light, Snapshot

WAIT_S = 60
STEPS = (
    'import sys, time\nfor n in range(3):\n print(\'{"game": 1, "games": 2, "done": %d, "of": 3}\' % n, flush=True)\n'
)


class Followed:
    """Collects the calls of `changed`, and waits for them."""

    def __init__(self):
        self.seen, self.news = [], threading.Condition()

    def __call__(self, number, progress):
        with self.news:
            self.seen.append((number, progress))
            self.news.notify_all()

    def until(self, standing, times=1):
        with self.news:
            told = lambda: [p for _, p in self.seen if p.standing is standing]  # noqa: E731
            assert self.news.wait_for(lambda: len(told()) >= times, WAIT_S), self.seen
            return told()[-1]


@contextmanager
def running(script, may_run=lambda: True):
    followed = Followed()
    background = BackgroundAnalysis((sys.executable, "-c", script), may_run, followed)
    thread = threading.Thread(target=background.run)
    thread.start()
    try:
        yield background, followed
    finally:
        background.stop()
        thread.join(WAIT_S)
        assert not thread.is_alive()


def test_progress_and_end_are_reported():
    with running(STEPS) as (background, followed):
        assert background.progress(7).standing is Standing.NOT_ASKED
        background.ask(7)
        done = followed.until(Standing.DONE)
    assert {number for number, _ in followed.seen} == {7}
    assert (done.game, done.games, done.of) == (1, 2, 3)


def test_a_crash_is_reported_by_a_message():
    with running("import sys\nprint('boardside: gnubg is gone', file=sys.stderr)\nsys.exit(1)") as (
        background,
        followed,
    ):
        background.ask(1)
        assert followed.until(Standing.FAILED).why == "gnubg is gone"


def test_the_last_line_of_a_process_with_many_warnings_is_the_reason_of_its_failure():
    warnings = (
        "import sys\nfor n in range(2000):\n    print(f'game {n} is analysed by the other engine', file=sys.stderr)\n"
    )
    with running(warnings + "sys.exit('boardside: gnubg is gone')") as (background, followed):
        background.ask(1)
        assert followed.until(Standing.FAILED).why == "gnubg is gone"


class Unending(subprocess.Popen):
    """A process that never ends, not even when it is killed."""

    def wait(self, timeout=None):
        raise subprocess.TimeoutExpired(self.args, timeout)


@pytest.fixture
def unending(monkeypatch):
    children = []

    def started(*args, **kwargs):
        children.append(Unending(*args, **kwargs))
        return children[-1]

    monkeypatch.setattr(subprocess, "Popen", started)
    yield
    for child in children:
        super(Unending, child).wait(WAIT_S)


@pytest.mark.parametrize("ends", [True, False], ids=["it ends", "it does not even end then"])
def test_a_game_that_begins_kills_the_process_and_its_end_starts_it_again(ends, request):
    if not ends:
        request.getfixturevalue("unending")
    allowed = threading.Event()
    allowed.set()
    with running(STEPS + "sys.stdin.close()\ntime.sleep(600)", allowed.is_set) as (background, followed):
        background.ask(1)
        followed.until(Standing.RUNS)
        allowed.clear()
        followed.until(Standing.WAITS)
        allowed.set()
        background.look_again()
        followed.until(Standing.RUNS, len(followed.seen))
        standings = [standing for standing, _ in groupby(progress.standing for _, progress in followed.seen)]
        assert standings == [Standing.RUNS, Standing.WAITS, Standing.RUNS]


@pytest.mark.usefixtures("unending")
def test_a_process_that_does_not_end_is_reported_by_a_message():
    with running(STEPS) as (background, followed):
        background.ask(1)
        assert "did not end" in followed.until(Standing.FAILED).why
        background.ask(2)
        followed.until(Standing.FAILED, 2)


def test_no_analysis_starts_while_it_may_not_run():
    with running("import os\nos.abort()", lambda: False) as (background, followed):
        background.ask(1)
        assert background.progress(1).standing is Standing.WAITS
    assert followed.seen == []


def over(match=None, ended=None, phase=Phase.OVER):
    return Snapshot(1, phase, Light.OFF, "backgammon", "standard", match=match or Match(), ended=ended)


WON = Ended(Side.WHITE, 1, "single")


@pytest.mark.parametrize(
    ("match", "hints", "asked"),
    [
        (Match(), True, True),
        (Match(), False, False),
        (Match(length=3, score=(1, 0)), True, False),
        (Match(length=3, score=(3, 0)), True, True),
        (Match(length=3, score=(3, 0)), False, False),
    ],
)
def test_a_game_is_analysed_if_hints_are_allowed_and_a_match_once_it_is_over(tmp_path, match, hints, asked):
    state = recorded_at(tmp_path, SHORT)
    analyses = AnalysedMatches(state, lambda _: None, hints=hints)
    analyses.see(over(match, phase=Phase.TO_ROLL))
    assert analyses.standing(1).standing is Standing.NOT_ASKED
    analyses.see(over(match, WON))
    assert (analyses.standing(1).standing is Standing.WAITS) is asked


def test_the_card_stays_until_the_next_game_begins():
    table = Table("backgammon", "standard")
    line = message("analysis.none")
    table.show_analysis((line,))
    assert table.snapshot().analysis == ()
    table.publish(over(ended=WON))
    table.show_analysis((line,))
    table.publish(over(ended=WON, phase=Phase.OPENING))
    assert table.snapshot().analysis == (line,)
    table.publish(over(phase=Phase.TO_MOVE))
    assert table.snapshot().analysis == ()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="priorities as Linux has them")
def test_the_command_itself_analyses_with_the_lowest_priority_and_the_card_is_shown(tmp_path):
    state = recorded_at(tmp_path, SHORT)
    shown = []
    news = threading.Condition()

    def show(lines):
        with news:
            shown.append(lines)
            news.notify_all()

    analyses = AnalysedMatches(state, show, engine="embedded")
    thread = threading.Thread(target=analyses.run)
    thread.start()
    try:
        analyses.see(over(ended=WON))
        with news:
            assert news.wait_for(lambda: shown and len(shown[-1]) == 2, WAIT_S), shown
    finally:
        analyses.stop()
        thread.join(WAIT_S)
    assert [line.facts["player"] for line in shown[-1]] == list(Side)
    assert analyses.standing(1).standing is Standing.DONE
    assert os.getpriority(os.PRIO_PROCESS, 0) < 19
