"""A board that no turn leads to: the table names the differences, waits, or lets the players agree."""

from dataclasses import replace

import pytest
from played_table import (
    AFTER_61,
    BLACK,
    ILLEGAL_61,
    RULES,
    START,
    WHITE,
    PlayedTable,
    certain,
    doubtful_look,
    first_turn,
    moved,
)
from said import notice_of, phrase_of, words_of

from companion.core import Cause
from companion.game import Corrected, Ended, Phase, Played, Proposed, Remedy, Ruled
from companion.interface import Button, CameraTrouble, Light, Proposes, Saw, SetUp, Tapped
from companion.rules import rules_named

SCATTERED = replace(START, points=(3, 3, 3, 3, 3, *[0] * 14, -3, -3, -3, -3, -3))
"""No single turn leads there."""


@pytest.fixture
def table():
    return first_turn()


def agreed_by_panel(table, remedy):
    """Tap Referee until `remedy` is proposed, then Roll for each player."""
    for second in range(10, 20):
        table.does(Tapped(Button.REFEREE, float(second)))
        if table.snapshot.proposal is not None and table.snapshot.proposal.remedy == remedy:
            break
    return table.does(Tapped(Button.ROLL, 30.0), Tapped(Button.ROLL, 32.0))


def test_the_differences_of_an_unreachable_board_are_named_until_corrected(table):
    shown = table.sees(SCATTERED)
    assert shown.light is Light.RED
    assert notice_of(shown).startswith("The board differs from the game on points 1, 2, 3, 4, 5, 6")
    assert notice_of(shown).endswith("put it right, or tap Referee to agree that it counts as it stands.")
    assert shown.lost == tuple(n for n in range(24) if SCATTERED.points[n] != START.points[n])
    assert "No roll yet" in notice_of(table.taps())
    assert table.sees(START).lost is None
    assert table.sees(AFTER_61).light is Light.GREEN


def test_on_the_panel_the_players_agree_to_continue_the_turn_from_the_board(table):
    table.sees(SCATTERED)
    shown = agreed_by_panel(table, "position")
    assert table.events[-1] == Corrected(SCATTERED, WHITE, (None, None), "lost", dice_stay=True)
    assert (shown.position, shown.on_roll, shown.dice) == (RULES.to_json(SCATTERED), "white", (6, 1))
    assert (shown.dispute, shown.lost, shown.verdict.finding) == (None, None, "not_moved")


def test_on_the_panel_the_players_agree_that_the_board_is_the_play(table):
    table.sees(SCATTERED)
    shown = agreed_by_panel(table, "stands")
    assert (shown.phase, shown.on_roll, shown.position) == (Phase.TO_ROLL, "black", RULES.to_json(SCATTERED))
    assert table.taps().dice == (5, 3)


def test_before_a_roll_a_differing_board_is_agreed_on_in_the_same_way():
    table = PlayedTable([3, 1])
    table.does(SetUp(START, BLACK, 0.0))
    assert notice_of(table.sees(AFTER_61)).startswith("The board differs from the game on points 12, 17, 18: ")
    shown = agreed_by_panel(table, "position")
    assert (shown.position, shown.on_roll, shown.lost) == (RULES.to_json(AFTER_61), "black", None)
    assert table.taps().dice == (3, 1)


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ((14, *[0] * 22, -15), "White has 14 checkers in it, expected 15"),
        ((15, 0, -1, *[0] * 20, -15), "Black has 16 checkers on points, bar and off; expected 1 to 15"),
    ],
)
def test_an_agreement_cannot_add_or_remove_checkers(table, points, says):
    value = {"points": list(points), "bar": [0, 0], "off": [0, 0]}
    assert says in notice_of(table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=value)))
    assert not isinstance(table.events[-1], Proposed)


def test_a_stack_that_the_sheet_forbids_cannot_be_agreed_on():
    rules = rules_named("encyclopedia")
    table = PlayedTable([6, 1], rules=rules)
    table.sees(rules.start())
    table.taps()
    value = rules.to_json(replace(START, points=(-2, 0, 0, 0, 0, 6, 0, 2, *START.points[8:])))
    shown = table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=value))
    assert "6 checkers stand on point 6, and under the sheet encyclopedia at most 5 may" in notice_of(shown)


def test_an_invalid_position_is_refused_with_the_reason(table):
    shown = table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position={"points": [1, 2]}))
    assert notice_of(shown).startswith("That position cannot be: points [1, 2]")


def test_a_board_with_a_missing_checker_cannot_stand_and_the_reason_is_shown(table):
    table.sees(replace(START, points=(*START.points[:23], 1)))
    shown = table.taps(Button.REFEREE)
    assert "White has 14 checkers in it, expected 15" in shown.dispute.evidence.unsure
    refused = {offer.remedy: phrase_of(offer.refused) for offer in shown.offers}
    assert "White has 14 checkers" in refused["stands"]
    assert refused["corrected"] is None


# --- a misreading put right on the page ---


def test_a_player_enters_the_content_of_a_doubtful_cell_and_the_other_agrees(table):
    shown = table.does(Saw(doubtful_look(AFTER_61, moved(START, WHITE, (13, 7), (13, 12))), 2.0))
    assert shown.verdict.finding == "ambiguous"
    shown = table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=RULES.to_json(AFTER_61), turn_over=True))
    assert notice_of(shown).startswith(
        "White proposes: the position that was entered counts; it differs from the game on points 7, 8, 13, "
        "and Black is to roll."
    ), "who agrees reads what was entered"
    shown = table.taps(player=BLACK)
    assert table.events[-1] == Played(WHITE, "13/7 8/7", AFTER_61)
    assert (shown.on_roll, shown.phase) == ("black", Phase.TO_ROLL)


def test_an_agreed_illegal_position_is_recorded_with_the_broken_rule(table):
    table.does(Proposes(Remedy.POSITION, 10.0, BLACK, position=RULES.to_json(ILLEGAL_61), turn_over=True))
    shown = table.taps(player=WHITE)
    assert table.events[-1] == Played(WHITE, "13/8", ILLEGAL_61, "wrong_distance")
    assert shown.history[-1].note == "condoned: wrong_distance"


def test_in_a_dispute_the_agreed_position_settles_it(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    table.does(Proposes(Remedy.POSITION, 10.0, WHITE, dispute=1, position=RULES.to_json(AFTER_61), turn_over=True))
    shown = table.taps(player=BLACK)
    assert table.events[-1] == Ruled(1, AFTER_61, Remedy.POSITION, (WHITE, BLACK), "13/7 8/7")
    assert (shown.dispute, shown.settled[0].ruling) == (None, Remedy.POSITION)
    assert shown.history[-1].play == "13/7 8/7"


def test_the_board_is_compared_with_the_agreed_position(table):
    table.sees(ILLEGAL_61)
    table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=RULES.to_json(AFTER_61), turn_over=True))
    shown = table.taps(player=BLACK)
    assert "The board differs from the game on points 17, 18" in notice_of(shown)
    assert table.sees(AFTER_61).lost is None


# --- the camera lost, the power cut ---


def test_without_a_camera_the_board_cannot_be_agreed_on_but_a_correction_can(table):
    table.sees(ILLEGAL_61)
    table.does(CameraTrouble("USB camera 0 is gone: plug it in again.", 4.0))
    shown = table.taps(Button.REFEREE)
    assert (shown.light, words_of(shown.camera)) == (Light.RED, "USB camera 0 is gone: plug it in again.")
    refused = {offer.remedy: phrase_of(offer.refused) for offer in shown.offers}
    assert refused["stands"] == "the board cannot be read"
    table.does(Tapped(Button.ROLL, 10.0), Tapped(Button.ROLL, 12.0))
    assert table.snapshot.dispute is None


def test_a_position_entered_by_hand_needs_no_camera(table):
    table.does(CameraTrouble("USB camera 0 is gone: plug it in again.", 4.0))
    table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=RULES.to_json(AFTER_61), turn_over=True))
    assert table.taps(player=BLACK).on_roll == "black"


def test_an_unreadable_board_is_not_reported_as_unreachable(table):
    table.cannot_see(Cause.HAND)
    assert table.snapshot.lost is None


def test_a_restart_with_another_board_names_the_differences(table):
    again = PlayedTable(resume=table.events)
    shown = again.sees(SCATTERED)
    assert "The board differs from the game on points 1, 2, 3" in notice_of(shown)
    assert agreed_by_panel(again, "position").dice == (6, 1)


def test_a_restart_during_an_agreement_keeps_the_proposed_position(table):
    table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=RULES.to_json(AFTER_61), turn_over=True))
    again = PlayedTable([5, 3], resume=table.events)
    assert again.taps(player=BLACK).on_roll == "black"
    again.sees(AFTER_61)
    assert again.taps().dice == (5, 3)


def test_an_agreed_position_can_end_the_game(table):
    done = replace(START, points=(0,) * 23 + (-15,), bar=(0, 0), off=(15, 0))
    table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position=RULES.to_json(done), turn_over=True))
    table.taps(player=BLACK)
    assert table.events[-1] == Ended(WHITE, 2, "gammon")
    assert table.sees(done).phase is Phase.OVER


def test_in_checkers_kings_stay_kings_in_an_agreed_position():
    rules = rules_named("acf")
    table = PlayedTable(rules=rules)
    board = rules.from_json("W:W22,K5:B18,1")
    table.does(SetUp(board, WHITE, 0.0))
    after = rules.from_json("W:W22,K5:B17,1")
    table.does(Saw(certain(after, rules), 2.0))
    shown = agreed_by_panel(table, "position")
    assert shown.position["fen"] == "W:WK5,22:B1,17"


def test_in_checkers_an_entered_move_to_the_last_row_crowns_the_man():
    rules = rules_named("acf")
    table = PlayedTable(rules=rules)
    table.does(SetUp(rules.from_json("W:W6,30:B12,20"), WHITE, 0.0))
    table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position={"fen": "W:W1,30:B12,20"}, turn_over=True))
    shown = table.taps(player=BLACK)
    assert (shown.position["fen"], shown.history[-1].play) == ("B:WK1,30:B12,20", "6-1")


def test_in_checkers_an_agreed_position_may_have_fewer_pieces_but_not_more():
    rules = rules_named("acf")
    table = PlayedTable(rules=rules)
    table.does(SetUp(rules.from_json("W:W22,30:B12,20"), WHITE, 0.0))
    shown = table.does(Proposes(Remedy.POSITION, 10.0, WHITE, position={"fen": "W:W22,30:B12,20,1"}))
    assert "Black has 3 checkers in it, expected at most 2" in notice_of(shown)
    table.does(Proposes(Remedy.POSITION, 11.0, WHITE, position={"fen": "W:W22,30:B12"}))
    assert table.taps(player=BLACK).position["fen"] == "W:W22,30:B12"
