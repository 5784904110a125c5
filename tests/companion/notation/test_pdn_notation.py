"""PDN: read leniently, written strictly."""

from __future__ import annotations

import pytest

from companion.core import Side
from companion.notation.pdn import PdnError, PdnGame, format_pdn, parse_pdn

REAL = """[Event "Club night"]
[Black "Ann"] [White "Ben"]
[Result "1-0"]
1. 11-15 23-19 2.8-11 {a quiet reply (they say)} 22-17 3. 11-16! (3. 9-13 17-14) 24-20
4. 16-23 27-11 ; takes back
1-0
[Event "Second"]
1. 9-14 22x17 *
"""


def test_games_are_read_as_real_files_write_them():
    first, second = parse_pdn(REAL)
    assert first.moves == ("11-15", "23-19", "8-11", "22-17", "11-16", "24-20", "16-23", "27-11")
    assert first.tags["White"] == "Ben"
    assert second.moves == ("9-14", "22x17")


def test_the_result_1_0_means_that_black_has_won():
    first, second = parse_pdn(REAL)
    assert (first.winner, second.winner) == (Side.BLACK, None)


def test_a_game_is_written_with_its_type_and_result():
    text = format_pdn(PdnGame({"Event": "Club night"}, ("11-15", "23-19", "8-11"), "0-1"))
    assert text == '[Event "Club night"]\n[GameType "21"]\n[Result "0-1"]\n\n1. 11-15 23-19 2. 8-11 0-1\n'


def test_a_game_that_white_begins_is_numbered_so():
    text = format_pdn(PdnGame({"FEN": "W:W22:B1"}, ("22-18", "1-6", "18-14"), "*"))
    assert text.endswith("\n1... 22-18 2. 1-6 18-14 *\n")


@pytest.mark.parametrize("moves", [(), ("11-15",), ("11-15", "23-19") * 40])
def test_a_written_game_reads_back(moves):
    (game,) = parse_pdn(format_pdn(PdnGame({"Event": "x"}, moves, "1/2-1/2")))
    assert (game.moves, game.result) == (moves, "1/2-1/2")


@pytest.mark.parametrize("word", ["e4", "11-33", "11-", "2-0"])
def test_an_invalid_move_is_quoted(word):
    with pytest.raises(PdnError, match=f"'{word}'"):
        parse_pdn(f"1. 11-15 {word} *")
