"""Texts of matches made to keep the reader busy: each is refused in words, or read as what it is."""

from __future__ import annotations

import pytest
from fuzzing import bounded

from companion.core import BoardsideError, player_names
from companion.notation import FORMATS

MAT = " 7 point match\n\n Game 1\n Ann : 0      Bob : 0\n"
SGF = "(;FF[4]GM[6]MI[length:7]"
HARMFUL = {
    "digits that can be cut into trips in 2^60 ways": ("mat", MAT + "  1) 31: 1/" + "1" * 60 + "/2" * 30 + "x\n"),
    "trips without an end": ("mat", MAT + "  1) 31: " + "1/1" * 5000 + "x\n"),
    "spaces between names": ("mat", " 7 point match\n\n Game 1\n Ann" + " " * 100_000 + "Bob\n"),
    "spaces around colons": ("mat", " 7 point match\n\n Game 1\n" + (" : " + " " * 30) * 3000 + "x\n"),
    "a stake without end": ("mat", '; [Stake "1e999"]\n' + MAT),
    "a cube of a million digits": ("mat", MAT + "  1)  Beavers\n" * 5000),
    "brackets in brackets": ("pdn", "1. 11-15 " + "(" * 20_000 + ")" * 20_000 + " x"),
    "brackets never closed": ("pdn", "(" * 100_000),
    "comments never closed": ("pdn", "{" * 100_000),
    "digits without a dot": ("pdn", "1" * 200_000),
    "a match of 5,000 digits": ("pdn", f'[Match "{"9" * 5000}"]\n1. 11-15 *'),
    "a stake of 400 digits": ("pdn", f'[Stake "{"9" * 400}"]\n1. 11-15 *'),
    "quotes never closed": ("pdn", '[a "' + "[a " * 50_000),
    "trees in trees": ("sgf", "(" * 600_000),
    "a value never closed": ("sgf", SGF + "C[" + "\\]" * 200_000),
    "nodes without end": ("sgf", SGF + ";" * 600_000 + ")"),
    "a length of 5,000 digits": ("sgf", f"(;FF[4]GM[6]MI[length:{'9' * 5000}])"),
    "a result of 5,000 digits": ("sgf", f"{SGF}RE[W+{'9' * 5000}])"),
    "doubles without end": ("sgf", SGF + ";W[double];B[take]" * 5000 + ")"),
}


@pytest.mark.parametrize("what", HARMFUL)
def test_a_hostile_match_is_refused_in_one_line(what: str) -> None:
    name, text = HARMFUL[what]
    with bounded(), pytest.raises(BoardsideError) as refused:
        FORMATS[name].read(text)
    assert len(str(refused.value)) < 400
    assert str(refused.value).isprintable()


def test_many_variations_are_skipped() -> None:
    with bounded():
        script = FORMATS["pdn"].read("1. 11-15 " + "(2. 22-18 {no} " * 10_000 + ")" * 10_000 + " 23-19 1-0")
    assert [action.play for action in script.games[0].actions] == ["11-15", "23-19"]


def test_spaces_around_names_are_not_part_of_them() -> None:
    with bounded():
        script = FORMATS["mat"].read(
            f" 7 point match\n\n Game 1\n{' ' * 3000}Ann: B{' ' * 3000}: 0{' ' * 3000}Bob : 2\n"
        )
    assert (script.white, script.black, script.games[0].score) == ("Ann: B", "Bob", (0, 2))


def test_a_name_of_spaces_is_read_at_once() -> None:
    with bounded(), pytest.raises(BoardsideError, match="names no player"):
        player_names(("a" + " " * 20_000 + "(", "b"), ("white", "black"))
