import importlib.metadata
import io
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import build_parser, choices, main
from companion.commands.line_commands import answer_each
from companion.dice import DICE
from companion.hints.select import ENGINES, FORMER_ENGINES
from companion.record import Record
from companion.rules import load_sheet, shipped_sheets
from companion.settings.values import LEVELS
from companion.speech import Style
from companion.texts import LANGUAGES

START = {"points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]}
QUESTION = {"game": "backgammon", "position": START, "player": "white", "dice": [6, 1]}


@pytest.fixture
def boardside(monkeypatch, capsys):
    """Run a command with lines on stdin; returns exit status, answers and stderr."""

    def run(*arguments, lines=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))
        status = main(list(arguments))
        said = capsys.readouterr()
        return status, [json.loads(line) for line in said.out.splitlines()], said.err

    return run


def test_moves_answers_each_line_with_the_legal_plays(boardside):
    status, answers, _ = boardside("moves", lines=[json.dumps(QUESTION)] * 2)
    assert status == 0
    assert len(answers) == 2
    assert "13/7 8/7" in [play["play"] for play in answers[0]["plays"]]


def test_a_bad_line_gets_an_error_and_the_next_is_answered_and_the_status_is_one(boardside):
    status, answers, _ = boardside("moves", lines=["rubbish", json.dumps(QUESTION)])
    assert status == 1
    assert "rubbish" in answers[0]["error"]
    assert answers[1]["plays"]


def test_blank_lines_are_no_questions(boardside):
    assert boardside("moves", lines=["", "  ", json.dumps(QUESTION)])[1][1:] == []


def test_judge_names_the_fault(boardside):
    after = {**START, "points": [*START["points"][:12], 4, *START["points"][13:]]}
    after["points"][7] = 4
    _, (answer,), _ = boardside("judge", lines=[json.dumps({**QUESTION, "after": after})])
    assert (answer["finding"], answer["reason"]) == ("illegal", "wrong_distance")


def test_score_counts_a_finished_game(boardside):
    position = {"points": [0] * 18 + [-3] * 5 + [0], "bar": [0, 0], "off": [15, 0]}
    line = json.dumps({"game": "backgammon", "position": position, "winner": "white"})
    assert boardside("score", lines=[line])[1] == [{"points": 2, "kind": "gammon"}]


def test_hint_ranks_plays_and_takes_engine_level_and_n(boardside):
    lines = [json.dumps({**QUESTION, "n": 2}), json.dumps({**QUESTION, "n": 0}), json.dumps({**QUESTION, "level": "9"})]
    status, answers, _ = boardside("hint", "--engine", "embedded", lines=lines)
    assert status == 1
    assert [play["play"] for play in answers[0]["plays"]][:1] == ["13/7 8/7"]
    assert len(answers[0]["plays"]) == 2
    assert answers[0]["engine"] == "Boardside's network"
    assert '"n" is 0' in answers[1]["error"]
    assert "unknown level '9'" in answers[2]["error"]


def test_the_embedded_engine_is_also_known_by_its_former_name(boardside):
    asked = json.dumps({**QUESTION, "n": 1})
    embedded, former = (boardside("hint", "--engine", name, lines=[asked])[1] for name in ("embedded", "plain"))
    assert embedded == former
    for command in ("run", "analyse"):
        assert build_parser().parse_args([command, "--engine", "plain"]).engine == "embedded"


def test_a_line_without_dice_is_an_error(boardside):
    _, answers, _ = boardside("moves", lines=[json.dumps({**QUESTION, "dice": None})])
    assert answers[0]["error"].startswith('there are no "dice"')


def test_hint_gives_reasons_on_request(boardside):
    checkers = {"game": "checkers", "fen": "W:W6:B12,32", "why": True}
    lines = [json.dumps(QUESTION), json.dumps({**QUESTION, "why": True}), json.dumps(checkers)]
    _, answers, _ = boardside("hint", "--engine", "embedded", lines=lines)
    assert [set(play) & {"why"} for play in answers[0]["plays"]] == [set()] * 5
    assert answers[1]["plays"][0]["why"] == ["makes the 7 point", "no roll of the opponent’s hits"]
    assert "crowns a man" in answers[2]["plays"][0]["why"]


START_ID, BLACK_ROLLED_31 = "4HPwATDgc/ABMA", "MIHlADAAKAAE"  # gnubg's own: 7 points, 3-5, its player 0 rolled 3-1
XGID_WHITE_ROLLED_61 = "XGID=-b----E-C---eE---c-e----B-:1:1:1:61:3:2:0:7:10"


def test_an_xgid_or_a_match_id_fills_in_what_the_line_leaves_out(boardside):
    by_xgid = {"position": {"xgid": XGID_WHITE_ROLLED_61}}
    by_match_id = {"position": {"id": START_ID, "match_id": BLACK_ROLLED_31}}
    in_full = {"position": START, "player": "black", "dice": [3, 1]}
    in_words = {"position": START, "player": "white", "dice": [6, 1]}
    for command in (["moves"], ["hint", "--engine", "embedded"]):
        status, answers, _ = boardside(*command, lines=map(json.dumps, (by_xgid, in_words, by_match_id, in_full)))
        assert status == 0
        assert answers[0] == answers[1]
        assert answers[2] == answers[3]
        assert len(answers[0]["plays"]) > 1


def test_judge_takes_xgids_before_and_after(boardside):
    after = "XGID=-b----E-D---eD---c-e----B-:1:1:-1:00:3:2:0:7:10"  # 13/8
    line = {"position": {"xgid": XGID_WHITE_ROLLED_61}, "dice": [1, 6], "after": {"xgid": after}}
    _, (answer,), _ = boardside("judge", lines=[json.dumps(line)])
    assert (answer["finding"], answer["reason"]) == ("illegal", "wrong_distance")


def test_score_takes_the_cube_of_an_xgid(boardside):
    won = "XGID=-------------------eee----:2:1:1:00:0:0:0:7:10"
    assert boardside("score", lines=[json.dumps({"position": {"xgid": won}, "winner": "white"})])[1] == [
        {"points": 8, "kind": "gammon"}
    ]


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        (
            {"position": {"xgid": XGID_WHITE_ROLLED_61}, "player": "black"},
            ["is 'black'", "gives 'white'", "61:"],
        ),
        ({"position": {"xgid": XGID_WHITE_ROLLED_61}, "dice": [6, 2]}, ['"dice" is [6, 2]', "gives [6, 1]"]),
        (
            {"position": {"id": START_ID, "match_id": BLACK_ROLLED_31, "player": "white"}},
            ["\"player\" is 'white'", f"Match ID '{BLACK_ROLLED_31}' gives 'black'"],
        ),
        (
            {"position": {"xgid": XGID_WHITE_ROLLED_61, "match_id": BLACK_ROLLED_31}},
            ["gives player 'white'", f"Match ID '{BLACK_ROLLED_31}' gives 'black'"],
        ),
        ({"position": {"xgid": XGID_WHITE_ROLLED_61, "id": START_ID}}, ['"id"', "leave one out"]),
        ({"position": {"xgid": "XGID=oops"}}, ["'XGID=oops'"]),
        ({"position": {"xgid": 3}}, ["XGID 3"]),
        ({"position": {"id": START_ID, "match_id": "oops"}}, ["'oops'"]),
        ({"position": {"id": START_ID, "match_id": ["x"]}}, ["['x']"]),
        ({"position": {"xgid": XGID_WHITE_ROLLED_61.replace(":61:", ":00:")}}, ['there are no "dice"']),
    ],
)
def test_an_invalid_or_contradicting_code_is_quoted(boardside, line, quoted):
    status, (answer,), _ = boardside("moves", lines=[json.dumps(line)])
    assert status == 1
    assert all(part in answer["error"] for part in quoted), answer


def test_a_sheet_can_be_named_for_all_lines(boardside):
    _, answers, _ = boardside("moves", "--sheet", "nonesuch", lines=[json.dumps(QUESTION)])
    assert "'nonesuch'" in answers[0]["error"]


def test_sheets_lists_what_is_shipped(boardside):
    status, sheets, _ = boardside("sheets", "--json")
    assert status == 0
    assert ("standard", "backgammon", None) in [(s["name"], s["game"], s["base"]) for s in sheets]


def test_an_unknown_sheet_is_named_with_status_one(boardside):
    status, _, said = boardside("sheets", "--sheet", "nonesuch")
    assert (status, said[:11]) == (1, "boardside: ")
    assert "'nonesuch'" in said


def test_export_prints_the_record_event_by_event(boardside, tmp_path):
    record = Record.open(tmp_path / "record.db")
    record.append({"event": "Rolled", "side": "white", "dice": [6, 1], "source": "fair"}, 12.5)
    record.close()
    status, events, _ = boardside("export", "--state", str(tmp_path))
    assert status == 0
    assert events == [{"entry": 1, "at_s": 12.5, "event": "Rolled", "side": "white", "dice": [6, 1], "source": "fair"}]


def test_a_missing_record_is_named_and_not_created(boardside, tmp_path):
    status, _, said = boardside("export", "--state", str(tmp_path))
    assert status == 1
    assert "there is no record" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["calibrate"],
        ["run", "--port", "high"],
        ["run", "--port", "70000"],
        ["run", "--gpio", "real"],
        ["run", "--fly"],
        ["panel", "wiring", "--fly"],
        ["dice"],
    ],
)
def test_wrong_usage_has_status_two_and_one_line_of_error(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    (said,) = capsys.readouterr().err.splitlines()
    asked = " ".join(
        ["boardside", *(word for word in arguments if word in ("calibrate", "run", "panel", "wiring", "dice"))]
    )
    assert said.startswith(f"{asked}: ")
    assert said.endswith(f"; see {asked} --help")


def test_the_version_is_the_packages(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"boardside {importlib.metadata.version('boardside')}\n"


@pytest.mark.parametrize("name", ["ours", "ours.toml", "./ours"])
def test_checking_a_missing_sheet_is_an_error(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["sheets", "--check", name]) == 1
    assert capsys.readouterr().err.startswith(f"boardside: there is no sheet file '{name.removeprefix('./')}'")


def test_own_sheets_are_checked_by_any_name_and_shipped_ones_by_theirs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours").write_text('base = "standard"\n')
    assert main(["sheets", "--check", "ours"]) == 0
    assert "ours: its examples hold" in capsys.readouterr().out
    assert main(["sheets", "--check", "travel-set"]) == 0


def test_without_a_command_the_table_runs():
    args = build_parser().parse_args(["run"])
    assert (args.host, args.port, args.camera, args.gpio) == ("0.0.0.0", 8000, None, "auto")


def test_the_options_of_the_picture_commands():
    args = build_parser().parse_args(
        ["calibrate", "a.jpg", "--game", "backgammon", "--mirror", "--corners", "1,2 3,4 5,6 7,8", "-o", "cal"]
    )
    assert (args.mirror, args.corners, str(args.output), args.position) == (True, "1,2 3,4 5,6 7,8", "cal", None)
    args = build_parser().parse_args(["read", "cal", "a.jpg", "b.jpg"])
    assert (str(args.calibration), len(args.images)) == ("cal", 2)
    args = build_parser().parse_args(["replay", "folder", "--serve", "--mirror"])
    assert (str(args.folder), args.serve, args.mirror) == ("folder", True, True)


def test_answers_are_written_one_by_one_not_at_the_end():
    events = []

    def lines():
        for n in range(2):
            events.append(f"asked {n}")
            yield f"{n}\n"

    class Out(io.StringIO):
        def flush(self):
            events.append("flushed")

    out, sys.stdout = sys.stdout, Out()
    try:
        assert answer_each(lines(), lambda line: {"n": line.strip()}) == 0
    finally:
        sys.stdout = out
    assert events == ["asked 0", "flushed", "asked 1", "flushed"]


def test_listing_plays_loads_neither_opencv_nor_a_web_server():
    code = (
        "import io, sys; sys.stdin = io.StringIO(''); from companion.cli import main; main(['moves']);"
        "print(sorted({'cv2', 'numpy', 'flask', 'gpiozero', 'waitress'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_closed_pipe_causes_no_traceback():
    lines = (json.dumps(QUESTION) + "\n") * 300
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "moves"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        child.stdout.close()
        try:
            child.stdin.write(lines.encode())
            child.stdin.close()
        except BrokenPipeError:
            pass
        child.wait(timeout=60)
        assert b"Traceback" not in child.stderr.read()
        assert child.returncode == 1


@pytest.fixture
def recorded(tmp_path):
    """The options that name a state directory with a record."""
    with closing(Record.open(tmp_path / "record.db")) as record:
        record.append({"event": "Rolled", "side": "white", "dice": [3, 1]}, 1000.0)
    return "--state", str(tmp_path)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [["sheets"], ["moves"], ["panel", "wiring"], ["export", "-"], ["dice", "verify"], ["--help"], ["sheets", "--help"]],
)
def test_a_full_disk_under_the_output_is_one_sentence(arguments, unbuffered, recorded):
    options = {"export": recorded, "dice": recorded[1:]}.get(arguments[0], ())
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *arguments, *options],
            input=json.dumps(QUESTION).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    said = done.stderr.decode()
    assert (done.returncode, said.count("\n")) == (1, 1), said
    assert "cannot write the output: No space left on device; free some space" in said


@pytest.mark.parametrize("arguments", [["moves"], ["judge"], ["score"], ["hint"], ["import", "-", "--format", "mat"]])
def test_a_closed_standard_input_is_one_sentence(arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(arguments) == 1
    assert "the standard input is closed: send" in capsys.readouterr().err


def test_the_choices_of_options_equal_their_originals() -> None:
    assert {load_sheet(name).game for name in shipped_sheets()} == set(choices.GAMES)
    assert choices.DICE == DICE
    assert choices.LANGUAGES == LANGUAGES
    assert choices.LEVELS == LEVELS
    assert (choices.ENGINES, choices.FORMER_ENGINES) == (ENGINES, FORMER_ENGINES)
    assert tuple(Style) == choices.SPEECH


@pytest.mark.parametrize(("chosen", "expected"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_the_program_multiplies_in_one_thread_unless_told_otherwise(chosen, expected):
    others = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    script = "import companion.__main__, os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    shown = subprocess.run(
        [sys.executable, "-c", script], env={**others, **chosen}, capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == expected


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--site", "https://table.example.org/"], "is no name of a host: expected one such as table.example.org"),
        (["--site", "table.example.org:8443"], "is no name of a host"),  # it would never be the name of a request
        (["--site", "two words"], "'two words' is no name of a host"),
        (["--stake", "much"], "'much' is no stake: expected a number such as 0.5"),
    ],
)
def test_an_option_that_cannot_be_used_is_quoted_with_what_was_expected(options, says, capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["run", *options])
    assert says in capsys.readouterr().err
