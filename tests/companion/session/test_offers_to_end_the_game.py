"""Resigning is an offer that the opponent accepts or refuses, and a draw needs both players."""

import pytest
from said import keys_of, notice_of

from companion.core import Side, message
from companion.game import Declined, Drawn, Match, Phase, Proposed, Remedy, Resigned
from companion.interface import Button, Proposes, Resigns, Tapped
from companion.speech import SpeechOutput, Style

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def players(sit_down):
    """White has 6-1 to play in a match to seven; next come 5-3."""
    players = sit_down(dice=[6, 1, 5, 3], terms=Match(7))
    players.sets()
    players.taps()
    return players


def levels(snapshot):
    return {action.player: action.levels for action in snapshot.actions if action.kind == "resign"}


def test_after_a_resignation_is_offered_the_game_continues_until_it_is_accepted(players):
    shown = players.offers_to_resign(WHITE, "gammon")
    assert players.events[-1] == Proposed(1, Remedy.RESIGNATION, WHITE, (WHITE,), level="gammon")
    assert (shown.phase, shown.ended, shown.actions) == (Phase.TO_MOVE, None, ())
    assert notice_of(shown) == (
        "White offers to resign a gammon, 2 points. Black taps Roll to accept, or Hint to refuse."
    )
    shown = players.accepts(BLACK)
    assert players.events[-1] == Resigned(WHITE, "gammon", 2)
    assert (shown.ended.winner, shown.score) == (BLACK, (0, 2))


def test_a_resignation_that_is_refused_changes_nothing(players):
    stood = players.game
    players.offers_to_resign(WHITE)
    shown = players.refuses(BLACK)
    assert players.events[-1] == Declined(1, BLACK)
    assert (shown.phase, shown.dice, players.game.position) == (Phase.TO_MOVE, (6, 1), stood.position)
    assert shown.notice == message("refused.by", player=BLACK, then=message("declined.game"))
    players.plays("13/7 8/7")
    assert players.taps().dice == (5, 3)


def test_an_offer_can_be_withdrawn_but_not_accepted_by_the_player_who_made_it(players):
    players.offers_to_resign(WHITE)
    assert players.accepts(WHITE).notice.key == "ruling.agrees_already"
    assert players.refuses(WHITE).notice.key == "withdrawn"
    assert players.game.running


def test_on_the_panel_roll_accepts_and_hint_refuses(players):
    players.offers_to_resign(WHITE)
    assert players.taps(Button.HINT).notice.key == "refused"
    players.offers_to_resign(BLACK, "gammon")
    assert players.does(Tapped(Button.ROLL, 20.0)).score == (0, 0), "Black may have tapped it"
    assert players.does(Tapped(Button.ROLL, 21.0)).score == (2, 0)


def test_an_offer_by_the_shared_button_is_accepted_by_one_tap_on_it(players):
    players.does(Resigns(None, "", 3.0))
    assert players.does(Tapped(Button.ROLL, 20.0)).score == (0, 1)


def test_an_offer_by_the_shared_button_is_not_accepted_by_one_named_player_alone(players):
    """Black may have tapped it; another tap on it, or White's word, says that White did."""
    players.does(Resigns(None, "", 3.0))
    assert players.accepts(BLACK).score == (0, 0)
    assert players.does(Tapped(Button.ROLL, 20.0)).score == (0, 1)
    players.sets()
    players.taps()
    players.does(Resigns(None, "", 23.0))
    players.accepts(BLACK)
    assert players.accepts(WHITE).score == (0, 2)


def test_a_roll_at_the_same_time_as_an_offer_does_not_accept_it(players):
    """Who taps Roll to roll, just when the opponent offers something, has not read it."""
    players.offers_to_resign(WHITE)
    assert players.does(Tapped(Button.ROLL, 3.5, BLACK)).notice.key == "ruling.just_proposed"
    assert players.game.running
    assert players.does(Tapped(Button.ROLL, 4.0, BLACK)).score == (0, 1)


def test_on_the_panel_resigning_begins_at_the_lowest_level_and_goes_up(players):
    """The gesture has no level: each goes one up, and after the highest comes the lowest again."""
    offered = []
    for _ in range(4):
        players.does(Resigns(None, "", 3.0))
        offered.append(players.game.proposal.level)
    assert offered == ["single", "gammon", "backgammon", "single"]
    assert players.game.proposal.by is WHITE


def test_during_an_offer_no_other_can_be_made(players):
    players.offers_to_resign(WHITE)
    assert players.offers_to_resign(BLACK).notice.key == "ruling.proposed"
    assert players.offers_to_resign(WHITE, "gammon").notice.key == "ruling.proposed"


def test_an_offer_is_kept_after_a_restart(sit_down, players):
    players.offers_to_resign(WHITE, "gammon")
    again = sit_down(terms=Match(7), resume=players.events)
    assert again.game == players.game
    again.sets()
    assert again.accepts(BLACK).score == (0, 2)


def test_a_resignation_in_an_old_record_ends_the_game_as_it_did(sit_down, players):
    """Earlier versions recorded no offer."""
    again = sit_down(resume=[*players.events, Resigned(WHITE, "gammon", 2)])
    assert (again.game.ended.winner, again.game.score) == (BLACK, (0, 2))


# --- levels ---


@pytest.mark.parametrize(
    ("sheet", "terms", "expected"),
    [
        ("standard", None, ("single", "gammon", "backgammon")),
        ("no-doubling", None, ("single", "gammon")),
        ("clockwise", None, ("single",)),
        ("travel-set", None, ("single",)),
        ("travel-set", Match(stake=1.0), ("single", "gammon", "backgammon")),
        ("travel-set", Match(5), ("single", "gammon", "backgammon")),
        ("standard", Match(stake=1.0, jacoby=True), ("single",)),
        ("acf", None, ("win",)),
    ],
)
def test_only_levels_that_count_are_offered(sit_down, sheet, terms, expected):
    players = sit_down(sheet, [6, 1, 6, 1], terms=terms)
    players.sets()
    players.taps()
    assert levels(players.snapshot) == dict.fromkeys(Side, expected)


def test_a_level_that_does_not_count_is_refused_with_the_reason(sit_down):
    players = sit_down(dice=[6, 1], terms=Match(stake=1.0, jacoby=True))
    players.sets()
    players.taps()
    assert keys_of(players.offers_to_resign(WHITE, "gammon").notice) == {"ending.uncounted", "level.gammon"}
    assert players.game.proposal is None


def test_under_the_jacoby_rule_a_gammon_can_be_resigned_after_a_double(sit_down):
    players = sit_down(dice=[6, 1, 5, 3], terms=Match(stake=1.0, jacoby=True))
    players.sets()
    players.taps()
    players.plays("13/7 8/7")
    players.doubles()
    players.takes()
    assert levels(players.snapshot)[WHITE] == ("single", "gammon", "backgammon")


# --- draws ---


@pytest.fixture
def checkers(sit_down):
    players = sit_down("acf")
    players.sets()
    players.taps()
    return players


def test_a_draw_needs_both_players(checkers):
    shown = checkers.offers_a_draw(WHITE)
    assert (shown.ended, shown.proposal.agreed) == (None, (WHITE,))
    assert notice_of(shown).startswith("White offers a draw. Black taps Roll to accept")
    assert checkers.accepts(WHITE).ended is None
    checkers.accepts(BLACK)
    assert checkers.events[-1] == Drawn("agreement")


def test_after_a_refused_draw_the_game_continues(checkers):
    checkers.offers_a_draw(WHITE)
    assert checkers.refuses(BLACK).notice.key == "refused.by"
    assert checkers.game.running


def test_a_draw_offered_without_a_name_needs_two_taps(checkers):
    checkers.offers_a_draw()
    assert checkers.does(Tapped(Button.ROLL, 10.0)).ended is None
    assert checkers.does(Tapped(Button.ROLL, 12.0)).ended.kind == "drawn: agreement"


# --- aloud ---


@pytest.mark.parametrize(
    ("style", "said"),
    [
        (Style.TERSE, "White offers to resign a single game, one point. Roll: yes. Hint: no."),
        (Style.FRIENDLY, "Black taps Roll to accept, or Hint to refuse."),
    ],
)
def test_offer_and_answer_are_spoken(players, style, said):
    voice = SpeechOutput("en", style)
    voice.see(players.snapshot)
    voice.see(players.offers_to_resign(WHITE))
    voice.see(players.refuses(BLACK))
    voice.see(players.offers_to_resign(WHITE))
    voice.see(players.accepts(BLACK))
    lines = [line.text for line in voice.shown(players.snapshot).spoken]
    assert any(said in line for line in lines), lines
    assert "Black refuses: everything stays as it was." in lines
    assert any("Black wins one point" in line for line in lines), lines


def test_withdrawing_a_proposal_is_not_described_as_disagreeing(players):
    players.plays("13/7 8/7")
    players.taps()
    players.does(Proposes(Remedy.TAKEBACK, 20.0, WHITE))
    assert notice_of(players.refuses(WHITE)) == "White withdraws that: everything stays as it was."
    players.does(Proposes(Remedy.TAKEBACK, 21.0, WHITE))
    assert notice_of(players.refuses(BLACK)) == "Black does not agree: everything stays as it was."
