"""`boardside import` and `boardside export`: matches into a record and out of it."""

import json
import random
from contextlib import closing
from errno import ENOSPC
from unittest.mock import Mock

import pytest
from sessions import session_of

from companion.cli import main
from companion.core import Dice, Side
from companion.game import Corrected, Doubled, MatchBegan, OpeningRolled, Passed, Phase, Played, Rolled, Started, replay
from companion.notation import FORMATS, CubeTurn, CubeWord, GameScript, MatchScript, Result, ScriptTurn
from companion.notation.mat import format_mat, parse_mat
from companion.notation.sgf import format_sgf, parse_sgf
from companion.record import ChapterError, Entry, EventJson, Record, chapters, check, record_in
from companion.record.backup import back_up, backup_of
from companion.rules import rules_named
from companion.transfer.exporter import TranscriptError, transcribe
from companion.transfer.importer import ReenactError, reenact

WHITE, BLACK = Side.WHITE, Side.BLACK
STANDARD = rules_named("standard")
OPENING = ScriptTurn(WHITE, Dice((3, 1)), "8/5 6/5")


def backgammon(*actions, result=None, length=0, **terms):
    return MatchScript("backgammon", (GameScript(actions, result),), length, **terms)


def entries(played, at_s=1.0):
    codec = EventJson(played.rules.to_json, played.rules.from_json)
    return [Entry(number, at_s, codec.encode(event)) for number, event in enumerate(played.events, 1)]


# --- playing a script through -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (
            backgammon(ScriptTurn(WHITE, Dice((3, 1)), "8/4 6/5")),
            r"game 1, turn 1 \(white 31: 8/4 6/5\): .*Rolled: 3-1",
        ),
        (backgammon(ScriptTurn(WHITE, Dice((3, 3)), "8/5(2) 6/3(2)")), "a tie"),
        (backgammon(OPENING, ScriptTurn(WHITE, Dice((2, 1)), "13/11 6/5")), "turn 2.*white cannot roll"),
        (backgammon(OPENING, ScriptTurn(BLACK, Dice((2, 1)), "rubbish")), "turn 2.*'rubbish'"),
        (backgammon(OPENING, ScriptTurn(BLACK, Dice((2, 1)), "12/10 6/5")), "turn 2.*no checker on 12"),
        (backgammon(OPENING, ScriptTurn(BLACK, Dice((2, 1)), ""), OPENING), "turn 2.*nothing was played"),
        (backgammon(OPENING, CubeTurn(BLACK, CubeWord.DOUBLES, 4)), "a double is to 2"),
        (backgammon(OPENING, CubeTurn(WHITE, CubeWord.DOUBLES, 2)), "black is on roll"),
        (backgammon(OPENING, CubeTurn(BLACK, CubeWord.TAKES, 2)), "no double"),
        (backgammon(OPENING, result=Result(WHITE, 5)), "the end of game 1: 5 points for white.*counts 1 or 2 or 3"),
        (backgammon(OPENING, result=Result(None, 0)), "no draws in backgammon"),
        (backgammon(CubeTurn(WHITE, CubeWord.DOUBLES, 2)), "game 1, turn 1"),
        (MatchScript("backgammon", (GameScript(score=(1, 0)),)), "begins at 1-0, but the games before it make 0-0"),
        (MatchScript("checkers", ()), "a match of checkers"),
    ],
)
def test_impossible_plays_are_refused_with_game_turn_and_reason(script, says):
    with pytest.raises(ReenactError, match=says):
        reenact(script, STANDARD)


def test_a_match_is_over_once_somebody_has_won_it():
    game = GameScript((OPENING,), Result(WHITE, 1))
    script = MatchScript("backgammon", (game, GameScript((OPENING,), None, (1, 0))), length=1)
    with pytest.raises(ReenactError, match="game 2: the match is over"):
        reenact(script, STANDARD)


def test_nobody_doubles_in_the_crawford_game():
    first = GameScript((OPENING, CubeTurn(BLACK, CubeWord.DOUBLES, 2)), None)
    won = GameScript((OPENING,), Result(WHITE, 1))
    script = MatchScript("backgammon", (won, GameScript(first.actions, None, (1, 0))), length=2)
    with pytest.raises(ReenactError, match=r"game 2, turn 2 \(black doubles to 2\): .*Crawford"):
        reenact(script, STANDARD)


@pytest.mark.parametrize(("write", "read"), [(format_mat, parse_mat), (format_sgf, parse_sgf)])
def test_a_match_without_the_crawford_game_keeps_that_in_a_file(write, read):
    won = GameScript((OPENING,), Result(WHITE, 1))
    doubled = (OPENING, CubeTurn(BLACK, CubeWord.DOUBLES, 2), CubeTurn(WHITE, CubeWord.TAKES, 2))
    script = MatchScript("backgammon", (won, GameScript(doubled, None, (1, 0))), length=2, crawford=False)
    events = reenact(read(write(script)), STANDARD)
    assert events[0].crawford is False
    assert replay(events).match.cube == 2
    assert not transcribe(events, STANDARD).crawford


def test_only_the_record_can_express_an_automatic_double():
    began = [MatchBegan(0, 1.0, automatic_doubles=1), Started("backgammon", "standard", STANDARD.start())]
    with pytest.raises(TranscriptError, match="game 1 begins with an automatic double"):
        transcribe([*began, OpeningRolled(3, 3)], STANDARD)


def test_a_move_that_fits_several_captures_must_name_its_squares():
    script = MatchScript("checkers", (GameScript((ScriptTurn(BLACK, None, "2x18"),), start="B:W6,7,14,15:B2"),))
    with pytest.raises(ReenactError, match=r"game 1, turn 1.*'2x18' may be 2x9x18 and 2x11x18"):
        reenact(script, rules_named("acf"))


def test_an_illegal_play_that_stands_is_imported_as_such():
    let_stand = ScriptTurn(WHITE, Dice((3, 1)), "8/4 6/5", "condoned: wrong_distance")
    events = reenact(backgammon(let_stand), STANDARD)
    assert events[-1].condoned == "wrong_distance"
    assert transcribe(events, STANDARD).games[0].actions == (let_stand,)


def test_an_illegal_play_that_stands_keeps_its_hits_and_its_checkers_by_way_of_sgf():
    begun = reenact(backgammon(ScriptTurn(WHITE, Dice((6, 4)), "24/14")), STANDARD)
    stands = ScriptTurn(BLACK, Dice((2, 1)), "24/23 13/11*/9", "condoned: wrong_distance")
    board = STANDARD.board_after(begun[-1].after, BLACK, stands.play)
    after = STANDARD.from_json(STANDARD.board_to_json(board), WHITE)
    events = [*begun, Rolled(BLACK, stands.dice, "fair"), Played(BLACK, stands.play, after, condoned="wrong_distance")]
    script = transcribe(events, STANDARD)
    again = reenact(FORMATS["sgf"].read(FORMATS["sgf"].write(script)), STANDARD)
    assert transcribe(again, STANDARD) == script


@pytest.mark.parametrize("name", ["mat", "sgf"])
def test_a_double_before_the_first_roll_is_possible_if_the_starter_rolls_again(name, tmp_path):
    path = tmp_path / "again.toml"
    path.write_text('base = "standard"\nopening_roll = "rolled_again"\n')
    rules = rules_named(str(path))
    begun = [MatchBegan(5), Started("backgammon", "again", rules.start()), OpeningRolled(2, 5, kept=False)]
    script = transcribe([*begun, Doubled(BLACK), Passed(WHITE)], rules)
    again = reenact(FORMATS[name].read(FORMATS[name].write(script)), rules)
    assert transcribe(again, rules) == script
    assert replay(again).match.score == (0, 1)


# --- what no text tells -----------------------------------------------------------------------------------------------


def test_only_the_record_can_express_a_board_that_differs_from_its_play():
    """Black moved 13/9 and put a checker of White’s on the bar, and both agreed to let it stand."""
    events = reenact(backgammon(OPENING), STANDARD)
    board = list(STANDARD.board_after(events[-1].after, BLACK, "13/9"))
    board[5], board[24] = (board[5][0] - 1, 0), (1, 0)
    after = STANDARD.from_json(STANDARD.board_to_json(tuple(board)), WHITE)
    played = [Rolled(BLACK, Dice((3, 1)), "fair"), Played(BLACK, "13/9", after, condoned="wrong_player_moved")]
    script = transcribe([*events, *played], STANDARD)
    assert script.cut.startswith("game 1, turn 2: what the players accepted is not a play")
    assert script.games == transcribe(events, STANDARD).games


def test_only_the_record_can_express_a_board_set_up_by_hand():
    events = reenact(backgammon(OPENING), STANDARD)
    after = events[-1].after
    script = transcribe([*events, Corrected(STANDARD.start(), BLACK)], STANDARD)
    assert script.games == transcribe(events, STANDARD).games
    assert script.cut.startswith("game 1, after turn 1: the players set the board up; only the record itself")
    assert transcribe([*events, Corrected(after, BLACK)], STANDARD) == transcribe(events, STANDARD)
    with pytest.raises(TranscriptError, match="game 1 begins with a position set up by hand"):
        transcribe([Started("backgammon", "standard", after)], STANDARD)


STANDS = ScriptTurn(BLACK, Dice((2, 1)), "13/11", "stands: could_play_more")


@pytest.mark.parametrize("name", ["mat", "sgf", "pdn"])
def test_a_match_is_written_as_far_as_a_format_can_express_it_with_a_note(name, tmp_path, capsys):
    state, text = tmp_path / "state", tmp_path / f"match.{name}"
    if name == "pdn":
        rules = rules_named("acf")
        played = ScriptTurn(BLACK, None, "11-15")
        script = MatchScript("checkers", (GameScript((played, ScriptTurn(WHITE, None, "23-18", "stands: too_far"))),))
    else:
        rules, played = STANDARD, OPENING
        last = ScriptTurn(WHITE, Dice((5,)), "13/8", "") if name == "sgf" else STANDS
        script = backgammon(OPENING, STANDS, last)
    written = FORMATS[name].write(script)
    again = FORMATS[name].read(written)
    assert again.games[0].actions[0] == played
    assert again.cut.startswith("game 1, ")
    assert again.cut.endswith("use json")
    assert [type(event) for event in reenact(again, rules)].count(Played) == len(again.games[0].actions)
    text.write_text(written)
    assert main(["import", str(text), "--state", str(state)]) == 0
    assert "has not the whole match, only up to game 1, " in capsys.readouterr().out


def test_the_missing_part_of_an_export_is_reported_on_stderr(tmp_path, capsys):
    state, text = tmp_path / "state", tmp_path / "match.mat"
    codec = EventJson(STANDARD.to_json, STANDARD.from_json)
    with closing(Record.open(record_in(state))) as record:
        for event in reenact(backgammon(OPENING, STANDS), STANDARD):
            record.append(codec.encode(event), 1.0)
    assert main(["export", str(text), "--state", str(state)]) == 0
    assert "not the whole match, only up to game 1, black 21: 13/11: an illegal play" in capsys.readouterr().err
    assert parse_mat(text.read_text()).games[0].actions == (OPENING,)


# --- chapters ---------------------------------------------------------------------------------------------------------


def test_a_record_is_split_into_matches_and_series_and_sheets(played_match):
    match = entries(played_match("standard", random.Random(1), length=1))
    series = entries(played_match("no-doubling", random.Random(2), games=1))[1:]
    other = entries(played_match("acf", random.Random(3), games=1), at_s=1e6)[1:]
    assert [len(chapter) for chapter in chapters([*match, *series, *other])] == [len(match), len(series), len(other)]


def test_a_play_that_is_not_legal_is_found_in_a_record(played_match):
    record = entries(played_match("standard", random.Random(4), games=1))
    played = next(entry for entry in record if entry.event["event"] == "Played")
    played.event["after"]["points"][5] -= 1
    played.event["after"]["points"][0] += 3
    with pytest.raises(ChapterError, match=f"entry {played.number}, game 1, turn 1: .*not a legal play"):
        check(record, rules_named)


# --- the commands -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "name"), [("standard", "mat"), ("standard", "sgf"), ("acf", "pdn"), ("travel-set", "json")]
)
def test_a_match_is_exported_and_imported_again(played_match, tmp_path, capsys, sheet, name):
    played = played_match(sheet, random.Random(5), length=3)
    source = tmp_path / "source.json"
    source.write_text("".join(json.dumps({"at_s": e.at_s, **e.event}) + "\n" for e in entries(played)))
    first, second = tmp_path / f"first.{name}", tmp_path / f"second.{name}"
    assert main(["import", str(source), "--state", str(tmp_path / "one")]) == 0
    assert main(["export", str(first), "--state", str(tmp_path / "one")]) == 0
    assert main(["import", str(first), "--state", str(tmp_path / "two")]) == 0
    assert main(["export", str(second), "--state", str(tmp_path / "two")]) == 0
    assert first.read_text() == second.read_text()
    assert "every play legal" in capsys.readouterr().out


def test_an_illegal_text_leaves_no_trace_in_the_record(tmp_path, capsys):
    bad = tmp_path / "bad.mat"
    bad.write_text(" 1 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/4 6/5\n")
    assert main(["import", str(bad), "--state", str(tmp_path)]) == 1
    assert "game 1, turn 1" in capsys.readouterr().err
    assert main(["export", "--format", "mat", "--state", str(tmp_path)]) == 1
    assert "no game yet" in capsys.readouterr().err


def test_no_file_is_overwritten_and_no_game_is_interrupted(tmp_path, capsys):
    unfinished = tmp_path / "unfinished.mat"
    unfinished.write_text(" 1 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n")
    assert main(["import", str(unfinished), "--state", str(tmp_path)]) == 0
    assert main(["import", str(unfinished), "--state", str(tmp_path)]) == 1
    assert "a game is not finished" in capsys.readouterr().err
    assert main(["export", str(unfinished), "--state", str(tmp_path)]) == 1
    assert "name another file" in capsys.readouterr().err
    assert main(["export", str(tmp_path / "a.pdn"), "--state", str(tmp_path)]) == 1
    assert "use json, mat, sgf" in capsys.readouterr().err
    assert main(["export", "--match", "2", "--state", str(tmp_path)]) == 1
    assert "the record holds 1" in capsys.readouterr().err


def test_a_match_that_does_not_fit_on_the_disk_leaves_no_partial_file(tmp_path, capsys, monkeypatch):
    unfinished, out = tmp_path / "unfinished.mat", tmp_path / "out"
    unfinished.write_text(" 1 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n")
    assert main(["import", str(unfinished), "--state", str(tmp_path)]) == 0
    out.mkdir()
    with monkeypatch.context() as full:
        full.setattr("os.fsync", Mock(side_effect=OSError(ENOSPC, "No space left on device")))
        assert main(["export", str(out / "match.mat"), "--state", str(tmp_path)]) == 1
    assert "No space left on device; name another file" in capsys.readouterr().err
    assert list(out.iterdir()) == []
    assert main(["export", str(out / "match.mat"), "--state", str(tmp_path)]) == 0
    assert "8/5 6/5" in (out / "match.mat").read_text()


def test_an_imported_game_goes_on_at_the_table():
    events = reenact(backgammon(OPENING, ScriptTurn(BLACK, Dice((6, 4)), "")), STANDARD)
    session = session_of(STANDARD, None, resume=events)
    assert (session.game.phase, session.game.on_roll, session.game.dice) == (Phase.TO_MOVE, BLACK, Dice((6, 4)))
    assert session.game.history[0].play == "8/5 6/5"


def test_names_and_terms_are_imported_with_the_match():
    began = reenact(backgammon(length=7, white="Ann", black="Bob"), STANDARD)[0]
    assert began == MatchBegan(7, white="Ann", black="Bob")


def test_a_record_in_use_is_read_and_not_changed(played_match, tmp_path, capsys):
    told = entries(played_match("acf", random.Random(6), games=1))
    path = record_in(tmp_path)
    with closing(Record.open(path)) as record:
        for entry in told[:-1]:
            record.append(entry.event, entry.at_s)
        back_up(path)
        with closing(Record.open(backup_of(path))) as backup:  # a backup made a moment later holds more
            backup.append(told[-1].event, told[-1].at_s)
        assert main(["export", "--state", str(tmp_path)]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in printed] == [entry.event["event"] for entry in told[:-1]]
    assert not list(tmp_path.glob("*damaged*"))
