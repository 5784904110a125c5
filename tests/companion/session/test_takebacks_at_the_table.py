"""Takebacks by agreement: one player asks, the other agrees, and the turn is played again with the same dice."""

import pytest
from played_table import AFTER_61, BLACK, ILLEGAL_61, LAST_CHECKERS, RULES, START, WHITE, PlayedTable, first_turn, moved
from said import notice_of

from companion.core import Cause, Dice
from companion.game import AS_BEFORE, Agreed, Declined, Ended, Match, Phase, Played, Proposed, Remedy, Rolled, TakenBack
from companion.interface import (
    Agrees,
    Button,
    CameraTrouble,
    CubeActed,
    CubeAction,
    Declines,
    Light,
    Proposes,
    SetUp,
    Tapped,
)
from companion.rules import rules_named
from companion.texts import render

OTHER_61 = moved(START, WHITE, (24, 18), (6, 5))


@pytest.fixture
def table():
    """White has played 6-1 and Black has rolled 5-3; next come 4-4, then 2-1."""
    table = first_turn()
    table.sees(AFTER_61)
    table.taps()
    return table


def asks(table, player=WHITE):
    return table.does(Proposes(Remedy.TAKEBACK, 10.0, player))


def test_a_requested_takeback_is_shown_with_the_player_who_has_to_answer(table):
    shown = asks(table)
    assert notice_of(shown) == (
        "White proposes: White’s 13/7 8/7 is taken back, and White plays 6-1 again. "
        "Black taps Roll to agree. Tap Hint for no. Tap Referee to open a dispute."
    )
    assert (shown.light, shown.dice, shown.proposal.by) == (Light.AMBER, (5, 3), "white")
    assert table.events[-1] == Proposed(1, Remedy.TAKEBACK, WHITE, (WHITE,))


def test_after_agreement_the_game_is_as_before_the_turn_with_its_dice(table):
    asks(table)
    shown = table.taps(player=BLACK)
    assert table.events[-1] == TakenBack((WHITE, BLACK))
    assert (shown.position, shown.on_roll, shown.dice) == (RULES.to_json(START), "white", (6, 1))
    assert shown.history == ()


def test_a_named_player_cannot_grant_their_own_request_by_the_shared_button(table):
    asks(table)
    assert "One player agrees" in notice_of(table.does(Tapped(Button.ROLL, 20.0)))
    assert isinstance(table.events[-1], Agreed)
    table.does(Tapped(Button.ROLL, 21.0))
    assert table.events[-1] == TakenBack((WHITE, None, None))


def test_the_player_who_asked_cannot_agree_for_the_other(table):
    asks(table)
    assert "White agrees already" in notice_of(table.taps(player=WHITE))
    assert isinstance(table.events[-1], Proposed)


def test_the_board_has_to_be_restored_first_and_the_differences_are_named(table):
    asks(table)
    shown = table.taps(player=BLACK)
    assert (shown.light, shown.verdict.finding) == (Light.AMBER, "unfinished")
    assert "put the board back as it was before that turn. Still to put back: points 7, 8, 13." in render(
        shown.verdict.message
    )
    assert shown.verdict.cells == (6, 7, 12)
    assert "put the board back" in notice_of(table.taps())
    assert table.sees(START).verdict.finding == "not_moved"


def test_after_the_board_is_restored_any_legal_play_counts_also_the_same(table):
    for play in (OTHER_61, AFTER_61):
        asks(table)
        table.taps(player=BLACK)
        table.sees(START)
        assert table.sees(play).light is Light.GREEN
        table.does(Tapped(Button.ROLL, 20.0))
        assert table.session.game.position == play


def test_another_play_counts_even_if_the_camera_did_not_see_the_restored_board(table):
    asks(table)
    table.taps(player=BLACK)
    assert table.sees(OTHER_61).light is Light.GREEN


def test_the_next_player_gets_the_dice_already_rolled(table):
    asks(table)
    table.taps(player=BLACK)
    table.sees(OTHER_61)
    shown = table.taps()
    assert table.events[-2:] == [Played(WHITE, "24/18 6/5", OTHER_61), Rolled(BLACK, Dice((5, 3)), AS_BEFORE)]
    assert (shown.on_roll, shown.dice) == ("black", (5, 3))
    table.sees(moved(OTHER_61, BLACK, (8, 3), (6, 3)))
    assert table.taps().dice == (4, 4)


def test_a_takeback_can_be_declined_on_the_panel_and_on_the_page(table):
    panel, page = (
        (Tapped(Button.HINT, 11.0), "There is no agreement"),
        (Declines(2, 11.0, BLACK), "Black does not agree"),
    )
    for number, (no, said) in enumerate((panel, page), start=1):
        asks(table)
        shown = table.does(no)
        assert isinstance(table.events[-1], Declined)
        assert (shown.proposal, shown.dice, table.events[-1].number) == (None, (5, 3), number)
        assert f"{said}: everything stays as it was" in notice_of(shown)


def test_on_the_panel_referee_proposes_the_takeback_and_each_player_agrees_with_roll(table):
    words = []
    for second in range(10, 16):
        shown = table.does(Tapped(Button.REFEREE, float(second)))
        words.append(None if shown.proposal is None else shown.proposal.remedy)
        if words[-1] == "takeback":
            break
    assert words[0] is None, "the first tap opens the dispute view"
    table.does(Tapped(Button.ROLL, 20.0))
    assert isinstance(table.events[-1], Agreed)
    table.does(Tapped(Button.ROLL, 22.0))
    assert isinstance(table.events[-1], TakenBack)
    assert table.snapshot.dispute is None
    assert table.snapshot.settled[0].ruling == "takeback"


def test_a_double_press_does_not_count_as_two_players(table):
    table.does(Tapped(Button.REFEREE, 10.0), Tapped(Button.ROLL, 11.0))
    shown = table.does(Tapped(Button.ROLL, 11.3))
    assert "quick succession" in notice_of(shown)
    assert shown.dispute is not None


def test_an_answer_to_another_proposal_has_no_effect(table):
    asks(table)
    assert notice_of(table.does(Agrees(7, 11.0, BLACK))) == "That is no longer proposed."
    assert isinstance(table.events[-1], Proposed)


def test_before_the_first_turn_a_takeback_is_refused():
    table = first_turn()
    assert notice_of(table.does(Proposes(Remedy.TAKEBACK, 10.0, WHITE))) == (
        "That cannot be agreed on: no turn has been played in this game."
    )


def test_after_the_cube_was_turned_the_turn_before_cannot_be_taken_back():
    table = PlayedTable([6, 1, 5, 3], terms=Match(5))
    table.sees(START)
    table.taps()
    table.sees(AFTER_61)
    table.does(CubeActed(CubeAction.DOUBLE, 5.0), CubeActed(CubeAction.TAKE, 6.0))
    assert "the cube was turned since that turn" in notice_of(asks(table))


def test_a_restart_during_a_takeback_keeps_the_proposal(table):
    asks(table)
    again = PlayedTable([4, 4], resume=table.events)
    shown = again.sees(AFTER_61)
    assert notice_of(shown).startswith(
        "The game goes on where it stopped. White proposes: White’s 13/7 8/7 is taken back"
    )
    assert again.taps(player=BLACK).dice == (6, 1)


def test_a_restart_before_the_board_is_restored_still_waits_for_it(table):
    asks(table)
    table.taps(player=BLACK)
    again = PlayedTable([4, 4], resume=table.events)
    assert again.sees(AFTER_61).verdict.message.key == "taken_back"
    again.sees(START)
    again.sees(AFTER_61)
    assert again.taps().dice == (5, 3)


def test_a_takeback_can_be_agreed_without_a_camera(table):
    asks(table)
    table.does(CameraTrouble("USB camera 0 is gone: plug it in again.", 12.0))
    shown = table.taps(player=BLACK)
    assert (shown.light, shown.dice) == (Light.RED, (6, 1))
    assert "plug it in again" in notice_of(table.taps())
    table.does(CameraTrouble(None, 13.0))
    assert table.sees(START).verdict.finding == "not_moved"


# --- after the end ---


@pytest.fixture
def won():
    """White has borne off the last checker and won a match to one point."""
    table = PlayedTable([6, 1, 3, 2], terms=Match(1))
    table.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    table.sees(LAST_CHECKERS)
    table.taps()
    table.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))
    assert isinstance(table.events[-1], Ended)
    return table


def test_the_turn_that_won_the_match_can_be_taken_back(won):
    shown = won.taps(Button.REFEREE)
    assert notice_of(shown).startswith("Proposed: White’s 1/off is taken back, and White plays 6-1 again.")
    won.does(Tapped(Button.ROLL, 10.0))
    shown = won.does(Tapped(Button.ROLL, 12.0))
    assert (shown.phase, shown.score, shown.dice) == (Phase.TO_MOVE, (0, 0), (6, 1))
    assert shown.match.winner is None
    assert shown.verdict.message.key == "taken_back"
    won.sees(LAST_CHECKERS)
    shown = won.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))
    assert (shown.phase, shown.score) == (Phase.OVER, (1, 0))


def test_a_second_tap_on_referee_does_not_resume_a_finished_game(won):
    won.taps(Button.REFEREE)
    shown = won.taps(Button.REFEREE)
    assert (shown.phase, shown.proposal) == (Phase.OVER, None)
    won.sees(START)
    assert won.taps().phase is Phase.TO_MOVE


def test_a_pending_takeback_delays_the_next_game_also_with_the_start_set_up(won):
    won.taps(Button.REFEREE)
    shown = won.sees(START)
    assert "is taken back" in notice_of(shown)
    won.taps(Button.HINT)
    assert won.taps().phase is Phase.TO_MOVE


def test_a_resignation_can_be_taken_back_and_the_turn_continues(table):
    table.resigns(BLACK)
    assert table.snapshot.phase is Phase.OVER
    shown = table.taps(Button.REFEREE)
    assert "the end of the game is taken back, and it goes on" in notice_of(shown)
    table.does(Tapped(Button.ROLL, 10.0), Tapped(Button.ROLL, 12.0))
    shown = table.snapshot
    assert (shown.phase, shown.on_roll, shown.dice, shown.score) == (
        Phase.TO_MOVE,
        "black",
        (5, 3),
        (0, 0),
    )


# --- what was played since is nobody's play ---


def says_to_put_back(shown, cells):
    verdict = shown.verdict
    assert (verdict.finding, verdict.message.key, verdict.cells) == ("unfinished", "taken_back", cells)
    return True


def test_the_opponents_later_play_has_to_be_undone_too_without_blame(table):
    table.sees(moved(AFTER_61, BLACK, (8, 3), (6, 3)))
    asks(table)
    assert says_to_put_back(table.taps(player=BLACK), (6, 7, 12, 16, 18, 21))
    assert says_to_put_back(table.sees(moved(AFTER_61, BLACK, (8, 3))), (6, 7, 12, 16, 21))
    assert says_to_put_back(table.sees(moved(START, WHITE, (13, 7))), (6, 12))
    assert table.sees(START).verdict.finding == "not_moved"
    assert table.sees(ILLEGAL_61).verdict.finding == "illegal"


def test_if_a_hand_covers_the_board_at_agreement_it_still_has_to_be_restored(table):
    played_since = moved(AFTER_61, BLACK, (8, 3), (6, 3))
    table.sees(played_since)
    asks(table)
    table.cannot_see(Cause.HAND)
    table.taps(player=BLACK)
    assert says_to_put_back(table.sees(played_since), (6, 7, 12, 16, 18, 21))


def test_two_turns_taken_back_both_have_to_be_undone_on_the_board(table):
    after_53 = moved(AFTER_61, BLACK, (8, 3), (6, 3))
    table.sees(after_53)
    table.taps()
    for _ in range(2):
        asks(table)
        shown = table.taps(player=BLACK)
    assert says_to_put_back(shown, (6, 7, 12, 16, 18, 21))
    again = PlayedTable([2, 1], resume=table.events)
    assert says_to_put_back(again.sees(after_53), (6, 7, 12, 16, 18, 21))


def test_an_accepted_illegal_play_that_was_taken_back_is_not_accepted_by_a_single_tap():
    table = PlayedTable([6, 1, 5, 3, 4, 4], rules=rules_named("tournament"))
    table.sets()
    table.taps()
    table.sees(ILLEGAL_61)
    table.taps()
    assert table.events[-2].condoned
    asks(table)
    assert says_to_put_back(table.taps(player=BLACK), (7, 12))
    recorded = len(table.events)
    table.taps()
    assert len(table.events) == recorded


def test_another_play_after_a_takeback_is_judged(table):
    asks(table)
    table.taps(player=BLACK)
    assert table.sees(moved(START, WHITE, (24, 16))).verdict.finding == "illegal"
