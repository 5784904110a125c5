"""If several readings fit the picture, the players are asked, and their agreed answer counts."""

from dataclasses import replace

import pytest
from played_table import (
    BLACK,
    RULES,
    START,
    WHITE,
    PlayedTable,
    doubtful_look,
    first_turn,
    moved,
)
from said import keys_of, notice_of, words_of

from companion.core import CellReading, Finding, Observation, message
from companion.game import Agreed, Declined, Played, Proposed, ReadAs, Remedy, Rolled, replay
from companion.interface import Agrees, Button, Light, Proposes, Saw, SetUp, Stirred
from companion.record import picture_name
from companion.rules import CheckersPosition
from companion.speech import Style
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.speech.verdict_phrases import spoken_reading

BLOT = replace(START, points=(*START.points[:8], -1, *START.points[9:18], -4, *START.points[19:]))
"""Black has a blot on White's 9 point."""
HIT, NOT_HIT = moved(BLOT, WHITE, (13, 9), (6, 4)), moved(BLOT, WHITE, (13, 11), (6, 2))
LEGAL, TOO_FAR = moved(START, WHITE, (13, 7), (8, 7)), moved(START, WHITE, (13, 7), (13, 12))


def doubtful_boards(*boards):
    """A reading that fits all of the boards, and mixtures of them."""
    cells = [
        CellReading(tuple((what, -0.1 * n) for n, what in enumerate(dict.fromkeys(both))))
        for both in zip(*boards, strict=True)
    ]
    return Observation(tuple(cells))


def ids(snapshot):
    return [reading.reading for reading in snapshot.readings]


def labels(snapshot):
    return [words_of(reading.words) for reading in snapshot.readings]


def asked(*positions, table=None, picture=b"doubtful"):
    """White has rolled 6-1, and the camera cannot tell which of the positions stands there."""
    table = table or first_turn()
    table.does(Stirred(1.0), Saw(doubtful_look(*positions), 2.0, picture))
    return table


@pytest.fixture
def table():
    return asked(LEGAL, TOO_FAR)


def test_the_readings_are_offered_and_nothing_is_decided(table):
    shown = table.snapshot
    assert (shown.light, shown.verdict.finding) == (Light.AMBER, "ambiguous")
    assert labels(shown)[0] == "13/7 8/7"
    assert len(labels(shown)) > 1
    assert not any(reading.agreed for reading in shown.readings)
    assert notice_of(table.taps()) == "No roll yet: it is not certain what lies on the board."


def test_taps_on_hint_go_through_the_readings_and_each_player_agrees_with_roll(table):
    shown = table.taps(Button.HINT)
    assert notice_of(shown).startswith("Is this right: 13/7 8/7? Each player taps Roll to agree.")
    shown = table.taps(Button.HINT)
    second = ids(shown)[1]
    assert table.events[-1].reading.verdict.made in second
    table.taps(player=WHITE)
    assert isinstance(table.events[-1], Agreed)
    shown = table.taps(player=BLACK)
    answer = table.events[-1]
    assert isinstance(answer, ReadAs)
    assert answer.agreed == (WHITE, BLACK)
    assert shown.proposal is None
    assert [reading.reading for reading in shown.readings if reading.agreed] == [second]


def test_the_answer_is_recorded_with_the_picture_and_the_evidence(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    answer = table.events[-1].reading
    assert answer.picture == picture_name(b"doubtful")
    assert b"doubtful" in table.pictures
    assert answer.verdict.play == "13/7 8/7"
    assert list(answer.offered) == ids(table.snapshot)
    assert answer.evidence.dice == table.game.dice
    assert answer.evidence.doubts
    assert answer.evidence.at_s > 0


def test_a_confirmed_legal_reading_continues_the_turn(table):
    shown = table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    assert (shown.light, shown.verdict.finding, shown.verdict.play) == (Light.GREEN, "legal", "13/7 8/7")
    shown = table.taps(player=BLACK)
    assert table.events[-2] == Played(WHITE, "13/7 8/7", LEGAL)
    assert isinstance(table.events[-1], Rolled)
    assert shown.readings == ()


def test_a_confirmed_illegal_reading_gives_the_illegal_verdict(table):
    named = next(one for one in ids(table.snapshot) if one.startswith("illegal"))
    shown = table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=named), Agrees(1, 11.0, BLACK))
    assert (shown.light, shown.verdict.finding) == (Light.RED, "illegal")
    assert "No roll yet" in notice_of(table.taps(player=BLACK))


def test_one_player_alone_does_not_confirm_a_reading(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]))
    shown = table.taps(player=WHITE)
    assert shown.verdict.finding is Finding.AMBIGUOUS
    assert "White agrees already" in notice_of(shown)


def test_two_quick_taps_count_as_one_players(table):
    table.taps(Button.HINT)
    table.taps()
    shown = table.taps()
    assert keys_of(shown.notice) & {"ruling.two_taps"}
    assert shown.verdict.finding is Finding.AMBIGUOUS


def test_after_the_last_reading_hint_means_none_of_them(table):
    for _ in table.snapshot.readings:
        assert table.taps(Button.HINT).proposal is not None
    shown = table.taps(Button.HINT)
    assert isinstance(table.events[-1], Declined)
    assert keys_of(shown.notice) == {"reading.none"}
    assert table.taps(Button.HINT).proposal is not None


def test_an_answer_is_valid_while_the_board_looks_the_same(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    asked(LEGAL, TOO_FAR, table=table)
    assert table.snapshot.verdict.finding is Finding.LEGAL


def test_a_certain_reading_overrides_an_answer(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    assert table.sees(TOO_FAR).verdict.finding is not Finding.LEGAL


def test_a_changed_board_causes_another_question(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    asked(TOO_FAR, moved(START, WHITE, (13, 7), (24, 23)), table=table)
    assert table.snapshot.verdict.finding is Finding.AMBIGUOUS


def test_an_answer_lapses_if_its_reading_becomes_much_less_likely(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    seen = doubtful_look(TOO_FAR, LEGAL)
    cells = tuple(CellReading(tuple((what, 20 * nats) for what, nats in cell.likelihoods)) for cell in seen.cells)
    shown = table.does(Stirred(1.0), Saw(Observation(cells), 2.0))
    assert shown.verdict.finding is Finding.AMBIGUOUS


def test_a_named_reading_lapses_when_the_board_becomes_clear(table):
    table.taps(Button.HINT)
    shown = table.sees(LEGAL)
    assert shown.proposal is None
    assert shown.verdict.finding is Finding.LEGAL
    assert isinstance(table.events[-1], Declined)


def test_a_named_reading_does_not_lapse_because_of_a_tapping_hand(table):
    table.taps(Button.HINT)
    table.cannot_see("hand")
    assert table.snapshot.proposal is not None
    asked(LEGAL, TOO_FAR, table=table)
    assert table.snapshot.proposal is not None


def test_an_outdated_reading_is_refused(table):
    table.sees(LEGAL)
    shown = table.does(Proposes(Remedy.READING, 10.0, WHITE, reading="legal|13/7 13/12|"))
    assert keys_of(shown.notice) == {"reading.not_asked"}
    assert not any(isinstance(event, Proposed) for event in table.events)


def test_the_answer_ends_with_the_turn_and_is_in_the_record(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    assert replay(table.events).read_as == table.game.read_as != None  # noqa: E711
    table.taps(player=BLACK)
    assert table.game.read_as is None


def test_an_answered_question_is_not_repeated_while_the_board_is_unchanged(table):
    table.does(Proposes(Remedy.READING, 10.0, WHITE, reading=ids(table.snapshot)[0]), Agrees(1, 11.0, BLACK))
    shown = table.taps(player=BLACK)
    assert (shown.readings, shown.verdict.finding) == ((), "not_moved")
    shown = asked(LEGAL, TOO_FAR, table=table).snapshot
    assert (shown.readings, shown.verdict.finding) == ((), "not_moved")


# --- what is asked, and when straightening helps ---


def with_blot(dice):
    """White is to play `dice` with a Black blot on the 9 point."""
    table = PlayedTable(dice)
    table.does(SetUp(BLOT, WHITE, 1.0))
    table.sees(BLOT)
    table.taps()
    return table


def test_the_question_hit_or_not_does_not_ask_to_straighten_checkers():
    table = asked(HIT, NOT_HIT, table=with_blot([4, 2]))
    assert "13/9* 6/4 (hit)" in labels(table.snapshot)
    assert table.snapshot.verdict.message.facts["look"].key == "look"


def test_the_question_about_a_stack_does_not_ask_to_straighten_checkers():
    played = moved(START, WHITE, (13, 7), (24, 23))
    table = asked(played, moved(played, WHITE, (8, 13)))
    assert labels(table.snapshot)[0] == "24/23 13/7"
    assert table.snapshot.verdict.message.facts["look"].key == "look"


def test_a_checker_between_two_points_has_to_be_straightened(table):
    assert table.snapshot.verdict.message.facts["look"].key == "look.straighten"


def test_in_checkers_the_question_capture_or_not_is_asked_and_its_answer_counts(sit_down):
    players = sit_down("travel-set-checkers")
    players.does(SetUp(CheckersPosition.from_fen("B:W15,25,32:B11,1"), None, 0.0))
    players.sets(players.game.position)
    boards = [players.rules.board_after(players.game.position, BLACK, play) for play in ("11x18", "11-16")]
    shown = players.does(Stirred(1.0), Saw(doubtful_boards(*boards), 2.0, b"jpeg"))
    named = next(one for one in ids(shown) if one == "legal|11-16|")
    shown = players.does(Proposes(Remedy.READING, 10.0, WHITE, reading=named), Agrees(1, 11.0, BLACK))
    assert (shown.light, shown.verdict.play) == (Light.GREEN, "11-16")
    assert players.taps().on_roll == "white"
    assert players.events[-1].play == "11-16"


@pytest.mark.parametrize("style", [Style.TERSE, Style.FRIENDLY])
def test_the_question_and_each_reading_are_spoken(style):
    said, announcer = [], Announcer(Language("en", style))
    table = PlayedTable([6, 1, 5, 3], publish=lambda now: said.extend(line.text for line in announcer.see(now)))
    table.sets()
    table.taps()
    table.does(
        Stirred(1.0), Saw(doubtful_boards(*map(RULES.visible, (LEGAL, moved(START, WHITE, (13, 7), (24, 23))))), 2.0)
    )
    terse = style is Style.TERSE
    assert said[-1].endswith("Tap Hint." if terse else "Tap Hint to go through what it can be, and Roll to agree.")
    table.taps(Button.HINT)
    answers = "Roll: yes. Hint: next." if terse else "Roll: yes, each of you. Hint: the next one."
    assert said[-1] == f"Is this right: thirteen to seven, eight to seven? {answers}"
    table.taps(player=WHITE)
    assert said[-1] == "White agrees."
    table.taps(player=BLACK)
    assert said[-1].startswith("Thirteen to seven, eight to seven." if terse else "White plays thirteen to seven")


def test_a_hit_in_a_question_is_spoken_once():
    reading = message("reading.hit", play="13/9*")
    assert Language("en", Style.TERSE).render(spoken_reading(reading)) == "thirteen to nine and hits"
