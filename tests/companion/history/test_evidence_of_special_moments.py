"""Evidence of disputes at moments when a verdict depends on more than the rules of play."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from disputed_match import illegal_play
from forged_evidence import checked, read, rewritten, wrong
from kept_matches import BEGAN_S, KeptTable, anna_and_ben, jpeg, play_some
from memory_secrets import MemorySecrets
from played_table import BLACK, START, WHITE, certain
from scripted_dice import ScriptedDice

from companion.core import WHITE_OFF, CellReading, Observation
from companion.dice.sources import FairDice
from companion.game import Remedy
from companion.hints import PlayerDecision
from companion.history.evidence_file import Evidence, packed
from companion.interface import Button, Decided, Proposes, Saw, SetUp, Stirred

if TYPE_CHECKING:
    from pathlib import Path

OURS = 'base = "theirs.toml"\ntitle = "Ours"\ncube = false\n'
THEIRS = 'base = "no-doubling"\ntitle = "Theirs"\ngammon_when = "never"\nbackgammon_when = "never"\n'


def takes_back(table: KeptTable) -> None:
    """White proposes to take the last turn back, and Black agrees."""
    table.does(Proposes(Remedy.TAKEBACK, 5.0, WHITE))
    table.accepts(BLACK)


def calls(table: KeptTable) -> None:
    """White calls the referee."""
    table.taps(Button.REFEREE, WHITE)


def evidence_of_last(table: KeptTable, folder: Path) -> Evidence:
    """The evidence of the last dispute after an agreement to correct the play."""
    table.does(Proposes(Remedy.CORRECTED, 5.0, WHITE, table.game.dispute.number))
    table.accepts(BLACK)
    table.close()
    match = table.history.matches()[0]
    moments = table.history.review(match).games[-1].moments
    entry = max(moment.entry for moment in moments if moment.kind == "dispute")
    return read(table.history.evidence(match, entry, BEGAN_S + 5000), folder)


@pytest.fixture
def table(tmp_path) -> KeptTable:
    """Four turns were played, and the fifth player has rolled."""
    table = anna_and_ben(tmp_path, 1)
    play_some(table, 4)
    return table


def verdict_line(evidence: Evidence) -> str:
    return next(line.words for line in checked(evidence) if line.words.startswith("The verdict"))


def test_a_turn_taken_back_that_still_stands_on_the_board_is_unfinished(table, tmp_path):
    takes_back(table)
    assert table.snapshot.verdict.finding == "unfinished"
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    assert wrong(evidence) == []
    assert "follows" in verdict_line(evidence)


def test_two_turns_taken_back_one_after_the_other_are_unfinished(table, tmp_path):
    takes_back(table)
    takes_back(table)
    calls(table)
    assert wrong(evidence_of_last(table, tmp_path)) == []


def test_a_verdict_based_on_the_board_at_the_takeback_cannot_be_checked(table, tmp_path):
    table.plays(illegal_play(table))
    takes_back(table)
    assert table.snapshot.verdict.finding == "unfinished"
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    assert wrong(evidence) == []
    assert "rests on what stood on the board when the turn was taken back" in verdict_line(evidence)


UNFINISHED = {"finding": "unfinished", "reason": None, "play": None, "made": None}


def forged(evidence: Evidence) -> Evidence:
    """Evidence with the verdict that the turn was unfinished."""
    return rewritten(evidence, "Disputed", verdict=lambda said: {**said, **UNFINISHED})


def test_an_unfinished_verdict_without_a_takeback_is_found(table, tmp_path):
    table.plays(illegal_play(table))
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    assert wrong(evidence) == []
    assert "does not follow" in " / ".join(wrong(forged(evidence)))


def test_a_verdict_after_a_new_turn_is_not_excused_by_the_takeback(table, tmp_path):
    takes_back(table)
    table.sets(table.game.position)
    table.plays_anything(3)
    table.taps()
    table.plays(illegal_play(table))
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    assert wrong(evidence) == []
    assert "does not follow" in " / ".join(wrong(forged(evidence)))


def test_an_unfinished_verdict_on_another_play_than_the_one_taken_back_is_found(table, tmp_path):
    takes_back(table)
    table.sets(table.game.position)
    taken_back = table.game.taken_back
    plays = table.rules.successors(table.game.position, table.game.on_roll, table.game.dice)
    table.sets(next(one.after for one in plays if one.after != taken_back))
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    assert wrong(evidence) == []
    assert "does not follow" in " / ".join(wrong(forged(evidence)))


def test_an_illegal_verdict_on_a_turn_taken_back_is_found_if_its_reason_is_forged(table, tmp_path):
    takes_back(table)
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    false = {"finding": "illegal", "reason": "wrong_distance", "made": "13/8"}
    assert wrong(rewritten(evidence, "Disputed", verdict=lambda said: {**said, **false}))


def test_a_play_that_may_have_begun_is_unfinished(tmp_path):
    """Most likely nothing was moved; borne-off checkers are out of view, and one checker may have been missed."""
    table = anna_and_ben(tmp_path, 1)
    ending = replace(START, points=(0, 0, 0, 2, 2, 2, *[0] * 17, -2), bar=(0, 0), off=(9, 13))
    table.does(SetUp(ending, WHITE, 1.0))
    table.sets(ending)
    table.taps()
    cells = [*certain(ending).cells[:WHITE_OFF], CellReading(), CellReading()]
    cells[5] = CellReading((((2, 0), 0.0), ((1, 0), -3.5)))
    table.does(Stirred(1.0), Saw(Observation(tuple(cells)), 2.0, jpeg(9)))
    assert table.snapshot.verdict.finding == "unfinished"
    calls(table)
    evidence = evidence_without_ruling(table, tmp_path)
    assert json.loads(evidence.links[-1].text)["seen"]["off"] == [9, 13]
    assert wrong(evidence) == []


@pytest.fixture
def announced(tmp_path) -> KeptTable:
    """Boardside, as Black, has announced a play that is not made yet."""
    asked = []
    table = anna_and_ben(tmp_path, 1, ask_decision=asked.append, opponent=BLACK)
    play_some(table, 1)
    plays = table.rules.successors(table.game.position, BLACK, table.game.dice)
    table.does(Decided(PlayerDecision(table.rules.write_play(plays[0].play)), asked[-1].turn, 5.0))
    assert table.game.announced
    return table


def other_than_announced(table: KeptTable):
    """The position after a legal play that Boardside did not announce."""
    plays = table.rules.successors(table.game.position, BLACK, table.game.dice)
    return next(one.after for one in plays if table.rules.write_play(one.play) != table.game.announced)


@pytest.mark.parametrize("moved", ["another legal play", "an illegal play"])
def test_a_play_that_boardside_did_not_announce_is_unfinished(moved, announced, tmp_path):
    table = announced
    if moved == "an illegal play":
        table.plays(illegal_play(table))
    else:
        table.sets(other_than_announced(table))
    assert table.snapshot.verdict.finding == "unfinished"
    calls(table)
    evidence = evidence_without_ruling(table, tmp_path)
    assert wrong(evidence) == []


def test_a_legal_verdict_on_another_play_in_the_turn_of_boardside_is_found(announced, tmp_path):
    table = announced
    after = other_than_announced(table)
    play = table.rules.explain(table.game.position, BLACK, table.game.dice, table.rules.visible(after), done=True).play
    table.sets(after)
    calls(table)
    evidence = evidence_without_ruling(table, tmp_path)
    said = {"finding": "legal", "reason": None, "play": play, "made": None}
    assert wrong(rewritten(evidence, "Disputed", verdict=lambda one: {**one, **said}))


def evidence_without_ruling(table: KeptTable, folder: Path) -> Evidence:
    """The evidence of a dispute that is open."""
    (match,) = table.history.matches()
    entry = max(m.entry for m in table.history.review(match).games[-1].moments if m.kind == "dispute")
    made = table.history.evidence(match, entry, BEGAN_S + 5000)
    table.close()
    return read(made, folder)


def test_a_board_that_does_not_show_the_opening_drawn_by_lot_yet_is_unfinished(tmp_path):
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    (sheets / "ballot.toml").write_text('base = "acf"\nopening = "three_move_ballot"\n')
    table = KeptTable(tmp_path, sheet=str(sheets / "ballot.toml"), dice=ScriptedDice([1, 1, 5]))
    table.sets()
    table.taps()
    assert table.game.ballot
    assert table.snapshot.verdict.finding == "unfinished"
    calls(table)
    evidence = evidence_without_ruling(table, tmp_path)
    assert wrong(evidence) == []
    said = {"finding": "illegal", "reason": "two_pieces_moved", "play": None, "made": None}
    assert wrong(rewritten(evidence, "Disputed", verdict=lambda one: {**one, **said}))


def test_a_match_whose_end_was_taken_back_has_dice_of_two_commitments(tmp_path):
    table = anna_and_ben(tmp_path, 1, dice=FairDice(MemorySecrets(), lambda count: bytes(range(count))))
    play_some(table, 2)
    table.resigns(BLACK)  # the secret is told, and the next one committed to
    takes_back(table)
    table.plays_anything()
    table.taps()
    table.plays(illegal_play(table))
    calls(table)
    evidence = evidence_of_last(table, tmp_path)
    assert wrong(evidence) == []
    assert [json.loads(link.text)["event"] for link in evidence.links].count("DiceSealed") == 2
    assert wrong(rewritten(evidence, "DiceRevealed", secret="ab" * 32))


def test_the_dice_of_a_match_after_one_that_was_taken_back_hold(tmp_path):
    table = anna_and_ben(tmp_path, 1, dice=FairDice(MemorySecrets(), lambda count: bytes(range(count))))
    play_some(table, 2)
    table.resigns(BLACK)
    takes_back(table)  # the end of the match, then its last turn
    takes_back(table)
    table.sets(table.game.position)
    table.plays_anything(1)
    table.taps()  # the same dice as before, which came under the first commitment
    table.resigns(BLACK)
    play_some(table, 1)
    table.plays(illegal_play(table))
    calls(table)
    assert wrong(evidence_of_last(table, tmp_path)) == []


def test_in_a_series_a_game_set_up_wrongly_ends_before_the_secret_is_revealed(tmp_path):
    table = KeptTable(tmp_path, dice=FairDice(MemorySecrets(), lambda count: bytes(range(count))))
    play_some(table, 1)
    table.sets()
    calls(table)
    table.does(Proposes(Remedy.SET_UP, 5.0, WHITE, table.game.dispute.number))
    table.accepts(BLACK)
    assert not table.game.running
    evidence = evidence_without_ruling(table, tmp_path)
    assert wrong(evidence) == []
    assert any("is not told yet" in line.words for line in checked(evidence))
    forged = rewritten(evidence, "Rolled", proof=lambda proof: {**proof, "counter": 9})
    assert wrong(forged)


@pytest.fixture
def built(tmp_path) -> Evidence:
    """Evidence of a dispute under a sheet of the players' own that is based on another of theirs."""
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    (sheets / "ours.toml").write_text(OURS)
    (sheets / "theirs.toml").write_text(THEIRS)
    table = KeptTable(tmp_path, sheet=str(sheets / "ours.toml"))
    play_some(table, 1)
    table.plays(illegal_play(table))
    calls(table)
    return evidence_without_ruling(table, tmp_path)


def test_an_own_base_sheet_is_in_the_file_with_the_sheet(built):
    assert (built.sheet, built.sheet_text, built.base_texts) == ("ours", OURS, (THEIRS,))
    assert wrong(built) == []


def test_a_changed_base_sheet_is_found(built, tmp_path):
    compulsory = THEIRS + "use_as_many_dice_as_possible = false\nlarger_die_if_only_one = false\n"
    forged = read(packed(replace(built, base_texts=(compulsory,))), tmp_path)
    assert "legal plays are not those that the rules give" in " / ".join(wrong(forged))


@pytest.mark.parametrize(
    ("bases", "said"),
    [
        ((), "builds on theirs.toml, which is not in the file"),
        ((THEIRS, THEIRS), "holds a rule sheet on which the others do not build"),
        ((OURS,) * 9, "builds on theirs.toml, which is not in the file"),
    ],
)
def test_sheets_that_do_not_build_on_each_other_are_refused(bases, said, built):
    found = wrong(replace(built, base_texts=bases))
    assert len(found) == 1
    assert said in found[0]


def test_a_changed_list_of_bases_is_found(built, tmp_path):
    true = packed(built)
    path = tmp_path / "altered.zip"
    with ZipFile(BytesIO(true)) as archive, ZipFile(path, "w") as altered:
        for name in archive.namelist():
            content = archive.read(name)
            altered.writestr(name, content + b"# changed\n" if name == "base-1.toml" else content)
    assert wrong(read(path.read_bytes(), tmp_path))[0] == "Not what the list of this file states: base-1.toml"


def test_a_verdict_while_nobody_was_to_move_is_found(tmp_path):
    table = anna_and_ben(tmp_path, 3)
    play_some(table, 1)
    table.plays_anything()
    table.doubles()
    table.takes()
    calls(table)
    evidence = evidence_without_ruling(table, tmp_path)
    assert wrong(evidence) == []
    said = {**UNFINISHED, "message": "", "also": [], "plays": [], "cells": [], "cause": None}
    found = wrong(rewritten(evidence, "Disputed", verdict=said))
    assert found == ["The record holds a verdict, though nobody was to move"]
