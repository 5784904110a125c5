"""Checkers: the opponent has answered before Roll was tapped."""

from __future__ import annotations

import pytest
from played_table import fill_after_one

from companion.core import Side
from companion.game import Played, Proposed, Remedy, Ruled, replay
from companion.interface import Agrees, Button, Light, Proposes, SetUp, Tapped
from companion.rules import CheckersPosition
from companion.speech import Style
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.texts import render

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def players(sit_down):
    """Black has played 11-15, and White 23-19 before anybody tapped."""
    players = sit_down("acf")
    players.sets()
    players.taps()
    answered(players, "11-15", "23-19")
    return players


def answered(players, play, reply):
    rules, game = players.rules, players.game
    middle = rules.find_play(game.position, game.on_roll, None, play).after
    return players.sees(rules.find_play(middle, middle.to_move, None, reply).after)


def taps_late(players, player=None):
    return players.does(Tapped(Button.ROLL, 9.0, player))


def test_move_and_reply_are_both_named_and_the_light_is_red(players):
    shown = players.snapshot
    assert (shown.light, shown.verdict.reason) == (Light.RED, "wrong_player_moved")
    assert render(shown.verdict.message) == (
        "White has moved too, before Roll was tapped: Black 11-15 and White 23-19. "
        "Take back 23-19; or, if both moves are to count, each player taps Roll."
    )
    assert shown.offers[0].remedy is Remedy.BOTH


@pytest.mark.parametrize(("first", "second"), [(None, None), (BLACK, WHITE), (WHITE, BLACK)])
def test_both_moves_count_after_a_tap_of_each_player(players, first, second):
    shown = players.taps(player=first)
    assert (shown.proposal.remedy, shown.proposal.agreed, shown.light) == (Remedy.BOTH, (first,), Light.AMBER)
    assert "both moves count – Black 11-15 and White 23-19" in render(shown.proposal.words)
    shown = taps_late(players, second)
    assert isinstance(players.events[-3], Proposed)
    assert [(event.side, event.play) for event in players.events[-2:]] == [(BLACK, "11-15"), (WHITE, "23-19")]
    assert (shown.on_roll, shown.proposal, [turn.play for turn in shown.history]) == ("black", None, ["11-15", "23-19"])
    assert shown.verdict.finding == "not_moved"
    assert replay(players.events) == players.game


def test_one_player_alone_cannot_accept_both_moves(players):
    players.taps(player=BLACK)
    assert taps_late(players, BLACK).notice.key == "ruling.agrees_already"
    assert not any(isinstance(event, Played) for event in players.events)


def test_a_double_press_on_a_shared_button_is_one_tap(players):
    players.taps()
    assert players.taps().notice.key == "ruling.two_taps"


def test_hint_declines_and_the_reply_has_to_be_taken_back(players):
    players.taps()
    assert players.taps(Button.HINT).proposal is None
    assert players.plays("11-15").verdict.play == "11-15"
    assert players.taps().on_roll == "white"


def test_the_proposal_is_withdrawn_if_the_reply_is_taken_back(players):
    players.taps()
    shown = players.plays("11-15")
    assert (shown.proposal, shown.verdict.finding) == (None, "legal")
    assert players.taps().on_roll == "white"


def test_a_hand_over_the_board_does_not_withdraw_the_proposal(players):
    players.taps()
    assert players.cannot_see("hand").proposal is not None


def test_both_moves_can_be_proposed_and_agreed_on_the_page(players):
    shown = players.does(Proposes(Remedy.BOTH, 4.0, WHITE))
    assert shown.proposal.by == "white"
    shown = players.does(Agrees(shown.proposal.number, 5.0, BLACK))
    assert [turn.play for turn in shown.history] == ["11-15", "23-19"]


def test_in_a_dispute_both_moves_can_be_agreed_on_as_they_stood_when_it_was_called(players):
    players.taps(Button.REFEREE)
    assert players.game.dispute.verdict.reply == "23-19"
    players.plays("11-15")
    shown = players.taps(Button.REFEREE)
    assert shown.proposal.remedy is Remedy.BOTH
    players.taps(player=BLACK)
    shown = taps_late(players, WHITE)
    assert isinstance(players.events[-2], Ruled)
    assert [turn.play for turn in shown.history] == ["11-15", "23-19"]
    assert shown.settled[-1].ruling is Remedy.BOTH
    assert replay(players.events) == players.game


@pytest.mark.parametrize("disputed", [False, True])
def test_on_a_full_disk_no_play_is_recorded_without_its_agreed_reply(players, disputed):
    """The same holds for a power cut: they are written in one transaction."""
    if disputed:
        players.taps(Button.REFEREE)
    players.does(Proposes(Remedy.BOTH, 4.0, WHITE))
    fill_after_one(players)
    assert [turn.play for turn in players.accepts(BLACK).history] == ["11-15", "23-19"]
    assert players.snapshot.verdict.finding == "not_moved"
    assert replay(players.events) == players.game


def test_a_reply_that_ends_the_game_ends_it_once_both_agree(sit_down):
    players = sit_down("acf")
    players.does(SetUp(CheckersPosition.from_fen("W:W14:BK15"), None, 0.0))
    players.sets(players.game.position)
    answered(players, "14-10", "15x6")
    assert players.game.running
    players.taps(player=WHITE)
    assert taps_late(players, BLACK).ended.winner is BLACK


def test_after_a_power_cut_between_the_moves_the_reply_can_be_accepted(sit_down, players):
    players.taps(player=BLACK)
    taps_late(players, WHITE)
    again = sit_down("acf", resume=players.events[:-1])
    shown = again.sees(players.game.position)
    assert (shown.on_roll, shown.verdict.play) == ("white", "23-19")


@pytest.mark.parametrize(
    ("language", "style", "said"),
    [
        (
            "en",
            Style.FRIENDLY,
            (
                "White has moved too, before Roll was tapped: Black eleven to fifteen and White twenty-three to "
                "nineteen. Take back twenty-three to nineteen; or, if both moves are to count, each player taps Roll."
            ),
        ),
        ("en", Style.TERSE, "White has moved too. Take it back, or Roll: both count."),
        ("de", Style.TERSE, "Weiß hat auch schon gezogen. Zurücknehmen, oder Roll: beide gelten."),
    ],
)
def test_it_is_spoken(players, language, style, said):
    announcer = Announcer(Language(language, style))
    seen = [line.text for snapshot, _ in players.shown for line in announcer.see(snapshot)]
    assert seen[-1] == said


def test_agreement_is_spoken(players):
    players.taps()
    taps_late(players)
    announcer = Announcer(Language("en", Style.FRIENDLY))
    said = [line.text for snapshot, _ in players.shown for line in announcer.see(snapshot)]
    assert "Proposed: both moves count. Each player taps Roll to agree. Tap Hint for no." in said
    assert "Agreed: both moves count." in said
