"""The lines spoken as the table changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from verdicts import verdict

from companion.core import Side, message, verbatim
from companion.dice import DiceName, HandDice
from companion.game import Disputed, Ended, Match, Phase, Remedy, Settled, Turn
from companion.hints import RankedPlay, Ranking
from companion.interface import ClockView, FairnessView, Light, ProposalView, Snapshot
from companion.speech import Line, Style
from companion.speech.announcer import Announcer, Topic
from companion.speech.language import Language
from companion.texts import LANGUAGES, render

TABLE = Snapshot(1, Phase.WAITING, Light.OFF, "backgammon", "standard", match=Match())


def fairness(source: DiceName = DiceName.FAIR, faces: tuple[int, ...] = (0,) * 6) -> FairnessView:
    return FairnessView(source, None, 0, None, faces, 0.0, 1.0, verbatim(""))


def turn(player: Side, play: str) -> Turn:
    return Turn(player, None, play)


class HeardEvening:
    """Shows snapshots and returns the spoken lines."""

    def __init__(self, language: str = "en", style: Style = Style.TERSE, table: Snapshot = TABLE) -> None:
        self.announcer = Announcer(Language(language, style))
        self.now = table
        self.begin = self.texts()

    def show(self, **changes: Any) -> list[str]:
        self.now = replace(self.now, **changes)
        return self.texts()

    def texts(self) -> list[str]:
        return [line.text for line in self.announcer.see(self.now)]


def evening_told(language: str, style: Style) -> list[str]:
    """The lines of a short game: a corrected illegal play, a hit, a double, a hint, a takeback, the end."""
    evening = HeardEvening(language, style)
    told = list(evening.begin)
    first, second = turn(Side.WHITE, "13/8 6/5*"), turn(Side.BLACK, "bar/20")
    illegal = verdict("illegal", reason="wrong_distance", made="13/9", plays=["13/8 6/4", "13/11 6/1"], cells=[12, 8])
    doubled = Match(offered_by=Side.WHITE)
    for changes in (
        {"phase": Phase.OPENING},
        {"phase": Phase.TO_MOVE, "on_roll": Side.WHITE, "dice": (2, 5)},
        {"verdict": verdict("not_moved")},
        {"verdict": illegal},
        {"verdict": None},
        {"verdict": illegal},
        {"verdict": verdict("legal", play="13/8 6/5*")},
        {"on_roll": Side.BLACK, "dice": (5, 5), "history": (first,), "verdict": verdict("legal", play="")},
        {"phase": Phase.TO_ROLL, "on_roll": Side.WHITE, "dice": None, "history": (first, second), "verdict": None},
        {"match": doubled},
        {"match": Match(cube=2, owner=Side.BLACK)},
        {"phase": Phase.TO_MOVE, "dice": (6, 1)},
        {"hints": Ranking((RankedPlay("24/18*/17", None, 0.1), RankedPlay("8/2 6/5", None, 0.0)))},
        {"proposal": ProposalView(1, Remedy.TAKEBACK, agreed=(None,), words=verbatim("")), "hints": None},
        {"proposal": None, "history": (first,), "on_roll": Side.BLACK, "dice": (5, 5)},
        {"phase": Phase.OVER, "dice": None, "ended": Ended(Side.BLACK, 2, "gammon")},
    ):
        told += evening.show(**changes)
    return told


def test_a_terse_evening_reads_well():
    assert evening_told("en", Style.TERSE) == [
        "Set up the starting position.",
        "Tap Roll.",
        "White begins: five and two.",
        "Not legal: thirteen to nine. The move does not fit the dice.",
        "Thirteen to eight, six to five and hits.",
        "Black: double five.",
        "No play: White rolls.",
        "White rolls.",
        "White doubles to two: Black takes or passes. Roll: take. Hint twice: pass.",
        "Black takes at two.",
        "White rolls.",
        "White: six and one.",
        "Best: twenty-four to eighteen and hits, on to seventeen.",
        "Proposed: the last turn is taken back. Roll: yes. Hint: no.",
        "Agreed: the last turn is taken back. Put the board back as it was before that turn.",
        "Black: double five.",
        "Black wins a gammon, two points.",
        "Set up the starting position.",
    ]


def test_friendly_speech_gives_the_reason_for_a_hint():
    facts = (message("why.makes", point=5), message("why.shots", rolls=11, of=36), message("why.gives_up", point=8))
    hints = Ranking((RankedPlay("8/5 6/5", None, 0.1, why=facts), RankedPlay("24/23", None, 0.0, why=facts)))
    (said,) = HeardEvening(style=Style.FRIENDLY).show(hints=hints)
    assert said.startswith(
        "Best: eight to five, six to five. Makes the five point, eleven of the opponent’s 36 rolls hit. Or "
    )
    assert HeardEvening(style=Style.TERSE).show(hints=hints) == ["Best: eight to five, six to five."]


def test_first_hints_are_not_spoken_and_their_replacements_are_spoken_once():
    hints = Ranking((RankedPlay("8/5 6/5", None, 0.1),))
    evening = HeardEvening(style=Style.TERSE)
    assert evening.show(hints=replace(hints, at_a_glance=True)) == []
    assert evening.show(hints=hints) == ["Best: eight to five, six to five."]


def test_the_play_of_boardside_is_spoken_once():
    evening = HeardEvening()
    turn_of_its_own = {"phase": Phase.TO_MOVE, "on_roll": Side.BLACK, "dice": (5, 3), "opponent": Side.BLACK}
    assert evening.show(**turn_of_its_own) == ["Black begins: five and three."]
    assert evening.show(announced="8/3 6/3") == ["Black plays eight to three, six to three."]
    assert evening.show(light=Light.AMBER) == []


def test_a_friendly_evening_in_german_reads_well():
    assert evening_told("de", Style.FRIENDLY)[:8] == [
        "Stellt die Grundstellung auf, dann tippt auf Roll.",
        "Die Grundstellung steht: tippt auf Roll, um zu beginnen.",
        "Weiß beginnt mit fünf und zwei.",
        (
            "Weiß würfelte fünf und zwei und spielte von dreizehn auf neun. Das ist nicht erlaubt. Das "
            "geben die Würfel nicht her. Erlaubt ist zum Beispiel von dreizehn auf acht, von sechs auf vier."
        ),
        "Weiß spielt von dreizehn auf acht, von sechs auf fünf und schlägt. Schwarz darf würfeln.",
        "Schwarz würfelte fünfer-Pasch.",
        "Schwarz kann nichts spielen: Weiß ist am Zug und würfelt.",
        "Weiß ist mit Würfeln dran.",
    ]


@pytest.mark.parametrize("style", [Style.TERSE, Style.FRIENDLY])
def test_every_language_has_as_many_lines_as_english(style):
    assert {len(evening_told(language, style)) for language in LANGUAGES} == {18}


WHITE_TO_MOVE = replace(TABLE, phase=Phase.TO_MOVE, on_roll=Side.WHITE, dice=(4, 3))


def test_a_resumed_game_is_announced_with_its_state():
    assert HeardEvening(table=WHITE_TO_MOVE).begin == ["The game goes on where it stopped.", "White: four and three."]


def test_a_tap_that_comes_too_early_is_answered_each_time():
    evening = HeardEvening(table=replace(WHITE_TO_MOVE, verdict=verdict("unreadable", cause="hand")))
    answer = ["Not now. White: four and three. Something is over the board: take it away."]
    assert evening.show(refused=1) == answer
    assert evening.show() == []
    assert evening.show(refused=2) == answer


def test_a_tap_that_passes_the_turn_without_a_roll_is_spoken_as_the_turn():
    """With the players' own dice, Roll accepts the play and asks for them."""
    evening = HeardEvening(table=replace(WHITE_TO_MOVE, verdict=verdict("legal", play="8/1")))
    passed = {"phase": Phase.TO_ROLL, "on_roll": Side.BLACK, "dice": None, "history": (turn(Side.WHITE, "8/1"),)}
    assert evening.show(refused=1, verdict=None, **passed) == ["Black rolls."]


def test_dice_entered_by_hand_have_the_name_of_their_source():
    table = replace(WHITE_TO_MOVE, phase=Phase.TO_ROLL, dice=None, fairness=fairness(HandDice().name))
    assert HeardEvening(table=table).show(refused=1)[0].endswith(" Throw the dice and enter them on the page.")


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        (DiceName.FAIR, ""),
        (DiceName.CAMERA, " Throw the dice, then tap Roll."),
        (DiceName.BY_HAND, " Throw the dice and enter them on the page."),
    ],
)
def test_with_own_dice_the_players_are_told_to_roll_them(source, asked):
    table = replace(WHITE_TO_MOVE, verdict=verdict("legal", play="8/1"), fairness=fairness(source))
    assert HeardEvening(table=table).show(refused=1) == [f"Not now. White: four and three. Eight to one.{asked}"]


def test_a_hand_over_the_board_is_not_spoken():
    evening = HeardEvening(table=WHITE_TO_MOVE)
    assert evening.show(verdict=verdict("unreadable", cause="hand")) == []
    assert evening.show(verdict=verdict("unreadable", cause="dark")) == [
        "It is too dark to see the board: give it more light."
    ]


def test_an_unfinished_turn_is_spoken_in_friendly_style_only():
    half = verdict("unfinished")
    assert HeardEvening(table=WHITE_TO_MOVE).show(verdict=half) == []
    assert HeardEvening("en", Style.FRIENDLY, WHITE_TO_MOVE).show(verdict=half) == ["The turn is not finished yet."]


def test_doubtful_places_are_spoken_in_the_numbers_of_the_player_on_roll():
    doubtful = verdict("ambiguous", cells=[5, 24])
    assert HeardEvening(table=WHITE_TO_MOVE).show(verdict=doubtful) == ["Unsure: six and the bar. Straighten it."]
    black = replace(WHITE_TO_MOVE, on_roll=Side.BLACK)
    assert HeardEvening(table=black).show(verdict=doubtful) == ["Unsure: nineteen and the bar. Straighten it."]


def test_the_same_tie_rolled_twice_is_told_twice():
    evening = HeardEvening(table=replace(TABLE, phase=Phase.OPENING))
    tie = ["Both rolled four: tap Roll again."]
    assert evening.show(dice=(4, 4), fairness=fairness(faces=(0, 0, 0, 2, 0, 0))) == tie
    assert evening.show(fairness=fairness(faces=(0, 0, 0, 4, 0, 0))) == tie


def test_trouble_is_spoken_when_it_begins_and_when_it_ends():
    evening = HeardEvening(table=replace(TABLE, phase=Phase.TO_ROLL, on_roll=Side.BLACK))
    assert evening.show(camera=verbatim("No picture.")) == ["The camera does not see the board."]
    assert evening.show(camera=None) == ["All is well again.", "Black rolls."]
    assert evening.show(storage=verbatim("The disk is full.")) == ["Nothing can be recorded: the game waits."]
    assert evening.show(storage=None) == ["All is well again.", "Black rolls."]
    assert evening.show(lost=(0,)) == ["The board differs on twenty-four."]


def test_with_own_dice_nobody_is_told_that_roll_rolls_them():
    evening = HeardEvening(style=Style.FRIENDLY, table=replace(TABLE, fairness=fairness(DiceName.BY_HAND)))
    throw = "Throw the dice and enter them on the page."
    assert evening.show(phase=Phase.OPENING) == [throw]
    assert evening.show(refused=1) == [f"Not now. {throw}"]
    tied = fairness(DiceName.BY_HAND, (0, 0, 0, 2, 0, 0))
    assert evening.show(dice=(4, 4), fairness=tied) == [f"Both rolled four. {throw}"]


def test_a_board_that_is_not_found_is_not_reported_as_a_camera_without_a_picture():
    evening = HeardEvening(style=Style.FRIENDLY)
    told = evening.show(camera=verbatim("no starting position of backgammon was found in the picture"))
    assert told == ["The camera does not see the board: the page says why."]


def test_a_roll_that_is_replayed_after_the_end_was_taken_back_is_not_a_new_game():
    over = replace(TABLE, phase=Phase.OVER, ended=Ended(Side.WHITE, 1, "single"))
    evening = HeardEvening(table=over)
    again = {"phase": Phase.TO_MOVE, "on_roll": Side.WHITE, "dice": (5, 3), "ended": None}
    assert evening.show(**again, history=(turn(Side.BLACK, "8/5 6/5"),)) == ["White: five and three."]


def test_only_the_player_who_has_not_agreed_is_asked():
    evening = HeardEvening(style=Style.FRIENDLY, table=WHITE_TO_MOVE)
    proposal = ProposalView(1, Remedy.TAKEBACK, Side.WHITE, agreed=(Side.WHITE,), words=verbatim(""))
    assert evening.show(proposal=proposal) == [
        "Proposed: the last turn is taken back. Black taps Roll to agree. Tap Hint for no."
    ]


@pytest.mark.parametrize("style", [Style.TERSE, Style.FRIENDLY])
@pytest.mark.parametrize("how", ["declined.by", "refused.by", "withdrawn"])
def test_declining_and_withdrawing_are_spoken_as_the_page_shows_them(how, style):
    evening = HeardEvening(style=style, table=WHITE_TO_MOVE)
    evening.show(proposal=ProposalView(1, Remedy.TAKEBACK, Side.WHITE, words=verbatim("")))
    said = message(how, player=Side.WHITE, then=message("declined.game"))
    assert evening.show(proposal=None, notice=said)[0] == render(said)


def test_the_rest_of_an_unfinished_turn_is_spoken():
    left = message("backgammon.hit_checker_not_on_bar", other=Side.BLACK, place=message("backgammon.point", point=5))
    told = "Black's checker on the five point was hit, but it is not on the bar: put it there."
    half = replace(verdict("unfinished"), message=left)
    assert HeardEvening(style=Style.FRIENDLY, table=WHITE_TO_MOVE).show(verdict=half) == [told]
    terse = HeardEvening(table=WHITE_TO_MOVE)
    assert terse.show(verdict=half) == []
    assert terse.show(refused=1)[0].endswith(told)


def test_a_roll_that_does_not_count_is_shown():
    assert HeardEvening(table=WHITE_TO_MOVE).show(phase=Phase.TO_ROLL, dice=None) == ["The roll does not count."]


def test_a_fallen_flag_is_spoken_once():
    evening = HeardEvening(table=WHITE_TO_MOVE)
    assert evening.show(clock=ClockView((60.0, 0.0), (0.0, 0.0), fallen=(Side.BLACK,))) == ["Black's time is up."]
    assert evening.show(clock=ClockView((60.0, 0.0), (0.0, 0.0), paused=True, fallen=(Side.BLACK,))) == []


def test_a_dispute_lasts_from_the_call_to_the_ruling():
    evening = HeardEvening(table=WHITE_TO_MOVE)
    dispute = Disputed(3, Side.WHITE, None, None, None, None)
    proposal = ProposalView(1, Remedy.STANDS, Side.WHITE, words=verbatim(""))
    assert evening.show(dispute=dispute) == ["Referee. Roll: put it right. Referee: more."]
    assert evening.show(proposal=proposal) == ["Proposed: the play stands. Roll: yes. Hint: no."]
    assert evening.show(proposal=replace(proposal, agreed=(Side.WHITE,))) == ["White agrees."]
    assert evening.show(proposal=None) == ["Not agreed.", "Referee. Roll: put it right. Referee: more."]
    assert (
        evening.show(dispute=None, settled=(Settled(dispute, Remedy.CORRECTED),))[0] == "Agreed: the play is put right."
    )


def test_the_end_of_a_match_is_spoken_with_its_score():
    evening = HeardEvening(table=WHITE_TO_MOVE)
    said = evening.show(
        phase=Phase.WAITING,
        dice=None,
        ended=Ended(Side.WHITE, 1, "single"),
        match=Match(5, (5, 3)),
    )
    assert said[0] == "White wins one point. White wins the match, five to three."


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        (Ended(Side.WHITE, 2, "double passed"), "White wins two points. Black passed."),
        (Ended(Side.WHITE, 1, "single, resigned"), "White wins one point. Black resigned."),
        (Ended(Side.WHITE, 1, "win"), "White wins the game."),
        (Ended(Side.WHITE, 1, "win, resigned"), "White wins the game. Black resigned."),
    ],
)
@pytest.mark.parametrize("style", Style)
def test_the_spoken_end_of_a_game_includes_its_reason(ended, told, style):
    assert HeardEvening(style=style, table=WHITE_TO_MOVE).show(phase=Phase.WAITING, dice=None, ended=ended)[0] == told


def test_a_camera_reading_of_checkers_is_in_squares():
    checkers = replace(WHITE_TO_MOVE, game="checkers", dice=None)
    evening = HeardEvening("en", Style.FRIENDLY, checkers)
    assert evening.begin[1] == "White is to move."
    assert evening.show(verdict=verdict("legal", play="22x15x8")) == [
        "White plays a jump from twenty-two to fifteen, on to eight. Tap Roll to pass the turn."
    ]
    black = {"on_roll": Side.BLACK, "history": (turn(Side.WHITE, "22x15"),), "verdict": verdict("not_moved")}
    assert evening.show(**black) == ["Black is to move."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("game", ["backgammon", "checkers"])
def test_a_tap_that_comes_too_early_is_answered_with_what_the_table_waits_for(language, phase, game):
    table = replace(WHITE_TO_MOVE, phase=phase, game=game)
    silent = HeardEvening(language, Style.TERSE, table).show(refused=1)
    assert len(silent) == 1
    assert silent[0].count(".") >= 2


def test_newer_verdicts_replace_older_ones_but_never_events():
    old, new = Line("a", Topic.VERDICT, 1), Line("b", Topic.VERDICT, 1)
    event, state = Line("c", Topic.EVENT, 1), Line("d", Topic.STATE, 1)
    assert new.replaces(old)
    assert not new.replaces(event)
    assert not new.replaces(state)
    assert Line("e", Topic.EVENT, 2).replaces(old)
