from companion.core import Side
from companion.game import (
    Agreed,
    Declined,
    Drawn,
    Ended,
    MatchBegan,
    OpeningRolled,
    Passed,
    Proposed,
    Remedy,
    Resigned,
    Started,
    TakenBack,
    replay,
)
from companion.record import Entry, EventJson, events_of, sheet_of_running_game, since_last_pause
from companion.record.reader import LONG_PAUSE_S
from companion.rules import rules_named

RULES = rules_named("standard")
CODEC = EventJson(RULES.to_json, RULES.from_json)
START = Started("backgammon", "standard", RULES.start())
GAME = [START, OpeningRolled(6, 1), Ended(Side.WHITE, 1, "single")]


def entries(*timed):
    return tuple(Entry(n, at_s, CODEC.encode(event)) for n, (at_s, event) in enumerate(timed, start=1))


def game_at(at_s, events=GAME):
    return [(at_s + n, event) for n, event in enumerate(events)]


def test_the_games_of_one_evening_belong_together():
    evening = entries(*game_at(0), *game_at(1000))
    assert since_last_pause(evening, 2000.0) == evening
    assert events_of(evening, RULES) == GAME * 2


def test_after_a_long_pause_between_games_the_score_begins_at_nil():
    record = entries(*game_at(0), *game_at(LONG_PAUSE_S + 100))
    assert since_last_pause(record, LONG_PAUSE_S + 200) == record[3:]
    assert since_last_pause(record, 3 * LONG_PAUSE_S) == ()


def test_an_unfinished_game_continues_the_next_day():
    record = entries(*game_at(0, GAME[:2]))
    assert since_last_pause(record, 10 * LONG_PAUSE_S) == record


def test_the_sheet_of_the_continued_game_is_read():
    assert sheet_of_running_game(entries(*game_at(0, GAME[:2]))) == "standard"
    assert sheet_of_running_game(entries(*game_at(0))) is None
    for end in (Resigned(Side.WHITE, "single", 1), Passed(Side.WHITE), Drawn("agreement")):
        assert sheet_of_running_game(entries((0.0, START), (1.0, end))) is None
    assert sheet_of_running_game(()) is None


def test_a_match_continues_over_several_evenings():
    record = entries(*game_at(0), (500.0, MatchBegan(7)), *game_at(1000), *game_at(5 * LONG_PAUSE_S))
    assert since_last_pause(record, 9 * LONG_PAUSE_S) == record[3:]


def test_a_later_series_ends_with_its_evening():
    record = entries((0.0, MatchBegan(7)), *game_at(10), (500.0, MatchBegan(0)), *game_at(1000))
    assert since_last_pause(record, 2000.0) == record
    assert since_last_pause(record, 9 * LONG_PAUSE_S) == ()


def test_a_game_whose_end_was_taken_back_continues():
    back = TakenBack((Side.WHITE, Side.BLACK), turn=False, end=True)
    record = entries(*game_at(0), (LONG_PAUSE_S + 100, Proposed(1, Remedy.TAKEBACK, None)), (LONG_PAUSE_S + 101, back))
    assert sheet_of_running_game(record) == "standard"
    assert since_last_pause(record, 3 * LONG_PAUSE_S) == record
    again = (*record, *entries((LONG_PAUSE_S + 200, GAME[-1])))
    assert sheet_of_running_game(again) is None


def test_questions_of_an_earlier_evening_do_not_affect_the_next():
    asked = [Proposed(1, Remedy.TAKEBACK, None), Agreed(1, None), Declined(1, None)]
    record = entries(*game_at(0), *game_at(LONG_PAUSE_S + 100, asked), *game_at(LONG_PAUSE_S + 200))
    evening = since_last_pause(record, LONG_PAUSE_S + 300)
    assert evening == record[3:]
    assert replay(events_of(evening, RULES)).score == (1, 0)
