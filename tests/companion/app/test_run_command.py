import threading
from contextlib import ExitStack

import pytest
from said import notice_of
from scripted_dice import ScriptedDice
from sessions import session_of

from companion.app.effective_settings import of_command_line, rules_for, settings_for_game
from companion.app.run_command import _for_others
from companion.app.service import Threads
from companion.cli import build_parser
from companion.core import BoardsideError, Side
from companion.game import Match
from companion.game.match import MatchError
from companion.interface import Button, SetUp, Stirred, Tapped
from companion.rules import SheetError, rules_named

RULES = rules_named("standard")


def test_the_address_for_other_devices_is_printed_only_if_they_can_reach_the_page():
    assert _for_others("0.0.0.0", 8000).startswith(" (other devices: http://")
    assert _for_others("127.0.0.1", 8000) == ""


def test_a_session_in_its_thread_handles_items_in_order_and_stops():
    shown = []
    session = session_of(RULES, ScriptedDice([]), publish=shown.append)
    with ExitStack() as stack:
        Threads().start(stack, "session", session.run, session.stop)
        session.post(SetUp(RULES.start(), Side.WHITE, 0.0))
        session.post(Stirred(1.0))
        session.post(Tapped(Button.ROLL, 2.0))
    assert [snapshot.version for snapshot in shown] == [1, 2, 3, 4]
    assert shown[0].position is None
    assert shown[1].position == RULES.to_json(RULES.start())
    assert "waits for the board to lie still" in notice_of(shown[3])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_fails_stops_the_table():
    def fails():
        raise OSError("a bug")

    threads = Threads()
    with ExitStack() as stack:
        threads.start(stack, "camera", fails, lambda: None)
        assert threads.stopping.wait(60)
    assert threads.failed


def test_a_thread_that_ends_does_not_stop_the_table():
    threads, ended = Threads(), threading.Event()
    with ExitStack() as stack:
        threads.start(stack, "film", ended.set, lambda: None)
    assert ended.is_set()
    assert not threads.stopping.is_set()


def test_a_game_in_progress_keeps_its_sheet(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('base = "standard"\ncube = false\n')
    assert rules_for(None, None).sheet.name == "standard"
    assert rules_for(str(own), None).sheet.name == "own"
    assert rules_for(str(own), "own").sheet.name == "own"
    assert rules_for(str(own), "standard").sheet.name == "standard"
    with pytest.raises(SheetError, match="'own'"):
        rules_for(None, "own")


@pytest.mark.parametrize(
    ("options", "terms"),
    [
        ([], None),
        (["--match", "7"], Match(7)),
        (["--match", "0"], Match()),
        (["--stake", "0.5", "--jacoby"], Match(stake=0.5, jacoby=True)),
        (["--match", "7", "--no-crawford"], Match(7, crawford=False)),
        (["--stake", "1", "--automatic-doubles", "2"], Match(stake=1.0, automatic_doubles=2)),
    ],
)
def test_the_command_line_says_what_is_played_for(options, terms):
    asked = of_command_line(build_parser().parse_args(["run", *options])).terms
    assert (asked and asked.under(RULES.sheet)) == terms


def test_the_command_line_names_the_players():
    args = build_parser().parse_args(["run", "--names", "Anna (red)", "(blue)"])
    assert args.names == ["Anna (red)", "(blue)"]
    assert build_parser().parse_args(["run"]).names is None


@pytest.mark.parametrize("options", [["--match", "5", "--stake", "1"], ["--match", "5", "--jacoby"], ["--no-crawford"]])
def test_contradicting_options_are_refused(options):
    with pytest.raises(MatchError):
        of_command_line(build_parser().parse_args(["run", *options])).terms.under(RULES.sheet)


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        (["--match", "100"], "expected 1 to 99"),
        (["--match", "-1"], "expected 1 to 99"),
        (["--stake", "1e300"], "expected 0.01 to 10000"),
        (["--stake", "0.001"], "expected 0.01 to 10000"),
        (["--stake", "nan"], "expected 0.01 to 10000"),
        (["--stake", "1", "--automatic-doubles", "10"], "expected 0 to 9"),
    ],
)
def test_the_command_line_refuses_what_the_page_does_not_allow_with_the_limits(options, limit):
    with pytest.raises(BoardsideError, match=limit):
        of_command_line(build_parser().parse_args(["run", *options]))


def test_a_board_of_another_game_reopens_the_table_for_that_game_without_terms():
    options = ["run", "--sheet", "travel-set", "--match", "7", "--mirror", "--camera", "csi"]
    asked = of_command_line(build_parser().parse_args(options))
    turned = settings_for_game("checkers", asked)
    assert (turned.sheet, turned.terms, turned.mirror, turned.camera) == ("acf", None, None, "csi")
    assert settings_for_game("backgammon", asked) is asked


def test_the_table_stops_for_a_reopening_and_at_the_end():
    threads = Threads()
    threads.stop_for_game("checkers")
    assert threads.stopping.is_set()
    assert (threads.other_game, threads.opens_again) == ("checkers", True)
    threads.end()
    assert (threads.other_game, threads.opens_again) == (None, False)
