"""Backgammon matches as text: what is read, what is refused, and how it is written."""

from dataclasses import replace

import pytest

from companion.core import Dice, Side
from companion.notation import FORMATS, CubeTurn, CubeWord, GameScript, MatchScript, Result, ScriptTurn, format_named
from companion.notation.mat import format_mat, parse_mat
from companion.notation.match_script import ScriptError, WhyItStands
from companion.notation.sgf import format_sgf, parse_sgf, parse_trees

WHITE, BLACK = Side.WHITE, Side.BLACK

MAT = """; [Site "somewhere"]

 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1)                             31: 8/5 6/5
  2) 52: 13/8 24/22              66: 24/18(2) 13/7(2)
  3)  Doubles => 2                Takes
  4) 64: 24/14                    Doubles => 4
  5)  Drops                       Wins 2 points

 Game 2
 Ann : 0                        Bob : 2
  1) 21: 13/11 25/24             54:
      Wins 1 point and the match
"""

SGF = (
    "(;FF[4]GM[6]CA[UTF-8]AP[gnubg]MI[length:3][game:0][ws:0][bs:0]PW[gnubg]PB[Bob\\]x]RU[Crawford]RE[W+2R]"
    "\n;W[21mkxw]A[0][mkxw E ver 3]MR[]\n;B[65aggl]\n;W[double]\n;B[take]C[a good one]\n;PL[W]DI[31]\n(;B[11])(;B[22]))"
)


def test_columns_determine_the_player_of_an_entry():
    script = parse_mat(MAT)
    assert (script.length, script.white, script.black) == (3, "Ann", "Bob")
    assert [game.result for game in script.games] == [Result(BLACK, 2), Result(WHITE, 1)]
    assert [game.score for game in script.games] == [(0, 0), (0, 2)]
    first = script.games[0].actions
    assert first[0] == ScriptTurn(BLACK, Dice((3, 1)), "8/5 6/5")
    assert [action.side for action in first] == [BLACK, WHITE, BLACK, WHITE, BLACK, WHITE, BLACK, WHITE]
    assert first[3:5] == (CubeTurn(WHITE, CubeWord.DOUBLES, 2), CubeTurn(BLACK, CubeWord.TAKES, 2))
    assert first[-1] == CubeTurn(WHITE, CubeWord.PASSES, 4)


def test_bar_and_off_may_be_numbers_and_an_empty_turn_is_one():
    second = parse_mat(MAT).games[1].actions
    assert second == (ScriptTurn(WHITE, Dice((2, 1)), "13/11 bar/24"), ScriptTurn(BLACK, Dice((5, 4)), ""))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("  3) 52: 13/8 twentyfour", "line 9: .*twentyfour"),
        ("  3) 72: 13/8 24/22", "line 9: '72: 13/8 24/22'"),
        ("nonsense", "line 9: 'nonsense'"),
    ],
)
def test_an_invalid_turn_is_quoted_with_its_line(line, says):
    lines = MAT.splitlines()
    lines[8] = line
    with pytest.raises(ScriptError, match=says):
        parse_mat("\n".join(lines))


@pytest.mark.parametrize("text", ["", " 3 point match\n", " Game 1\n A : 0  B : 0\n", "(;FF[4])"])
def test_a_text_without_length_and_games_is_not_a_mat_file(text):
    with pytest.raises(ScriptError, match=r"not a \.mat text"):
        parse_mat(text)


def test_sgf_has_rolls_and_cube_and_result_and_only_its_first_variation_counts():
    script = parse_sgf(SGF)
    assert (script.length, script.white, script.black) == (3, "gnubg", "Bob]x")
    assert script.games == (
        GameScript(
            (
                ScriptTurn(WHITE, Dice((2, 1)), "13/11 24/23"),
                ScriptTurn(BLACK, Dice((6, 5)), "24/18 18/13"),
                CubeTurn(WHITE, CubeWord.DOUBLES, 2),
                CubeTurn(BLACK, CubeWord.TAKES, 2),
                ScriptTurn(WHITE, Dice((3, 1)), ""),
                ScriptTurn(BLACK, Dice((1, 1)), ""),
            ),
            Result(WHITE, 2),
        ),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(;FF[4]GM[1];B[aa])", "not SGF for backgammon"),
        ("plain words", "outside every"),
        ("(;GM[6] 5)", "not a bracket"),
        ("(;GM[6];W[99aa])", "'99' are not dice"),
        ("(;GM[6];W[31abc])", "not a turn"),
        ("(;GM[6];AE[a:y];W[31ab])", "AE sets up a position"),
        ("(;GM[6]RE[Ann wins])", "not a result"),
        ("(;GM[6];W[31hefe]", "not closed"),
        ("(GM[6])", "before the first node"),
        ("(;[6])", "without a property"),
        (";GM[6]", "outside"),
    ],
)
def test_a_text_that_is_not_sgf_of_backgammon_is_quoted(text, says):
    with pytest.raises(ScriptError, match=says):
        parse_sgf(text)


def test_a_property_may_have_several_values_and_escapes():
    assert parse_trees(r"(;C[a\]b\\c]AW[a][b]:)".replace(":", "")) == [[{"C": ["a]b\\c"], "AW": ["a", "b"]}]]


ILLEGAL = ScriptTurn(WHITE, Dice((3, 1)), "8/3", "condoned: wrong_distance")
ONE_DIE = ScriptTurn(WHITE, Dice((3,)), "3/off")


@pytest.mark.parametrize(
    ("write", "action", "says"),
    [
        (format_mat, ILLEGAL, "illegal play that stands"),
        (format_mat, ONE_DIE, "one die"),
        (format_sgf, ONE_DIE, "one die"),
    ],
)
def test_content_that_a_format_cannot_express_is_refused_with_a_hint_to_json(write, action, says):
    with pytest.raises(ScriptError, match=f"game 1, white 3.*{says}.*json"):
        write(MatchScript("backgammon", (GameScript((action,)),)))


@pytest.mark.parametrize("reason", ["wrong_distance", None])
@pytest.mark.parametrize("why", list(WhyItStands))
def test_sgf_keeps_why_an_illegal_play_stands(why, reason):
    illegal = replace(ILLEGAL, note=why.note(reason))
    written = format_sgf(MatchScript("backgammon", (GameScript((illegal, ScriptTurn(BLACK, Dice((2, 1)), ""))),)))
    assert parse_sgf(written).games[0].actions[0] == illegal


def test_a_remark_that_begins_like_a_note_is_not_a_note():
    written = format_sgf(MatchScript("backgammon", (GameScript((replace(ILLEGAL, note="stands badly"),)),)))
    assert parse_sgf(written).games[0].actions[0].note == ""


def test_the_crawford_game_is_marked_as_one():
    games = tuple(GameScript(score=score) for score in ((0, 0), (4, 0), (4, 1)))
    trees = format_sgf(MatchScript("backgammon", games, 5)).split("\n(")
    assert ["CrawfordGame" in tree for tree in trees] == [False, True, False]


def test_names_cannot_break_the_columns():
    written = format_mat(MatchScript("backgammon", (GameScript(),), 5, white="A: B", black=""))
    assert parse_mat(written).white == "A B"
    assert parse_mat(written).black == ""


@pytest.mark.parametrize("white", ["Alexander the Great (yellow)", "A" * 24 + " (orange)"])
def test_a_long_name_leaves_room_for_the_points(white):
    games = (GameScript(score=(0, 0), result=Result(WHITE, 2)), GameScript(score=(2, 0)))
    read = parse_mat(format_mat(MatchScript("backgammon", games, 5, white=white, black="Ben")))
    assert (read.white, read.black, read.games) == (white, "Ben", games)


def test_the_format_is_the_one_asked_for_or_the_ending():
    assert [format_named(None, name) for name in ("a.mat", "a.SGF", "b.pdn", "c.json")] == ["mat", "sgf", "pdn", "json"]
    assert format_named("sgf", "a.mat") == "sgf"
    with pytest.raises(ScriptError, match="--format"):
        format_named(None, "match")
    with pytest.raises(ScriptError, match="unknown format 'xml'"):
        format_named("xml", "a.mat")


def test_every_format_has_its_game():
    assert {name: known.game for name, known in FORMATS.items()} == {
        "mat": "backgammon",
        "sgf": "backgammon",
        "pdn": "checkers",
    }


HUGE = "9" * 5000


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_mat, MAT.replace("3 point", f"{HUGE} point")),
        (parse_mat, MAT.replace("Ann : 0", f"Ann : {HUGE}")),
        (parse_mat, MAT.replace("=> 2", f"=> {HUGE}")),
        (parse_sgf, f"(;FF[4]GM[6]MI[length:{HUGE}][game:0][ws:0][bs:0])"),
        (parse_sgf, f"(;FF[4]GM[6]MI[length:1][game:0][ws:0][bs:0]RE[W+{HUGE}])"),
    ],
)
def test_numbers_that_no_match_knows_are_refused(parse, text):
    with pytest.raises(ScriptError):
        parse(text)
