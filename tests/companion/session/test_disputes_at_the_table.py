"""The Referee button: evidence, rulings, and their effects."""

import pytest
from crowded_looks import crowded_look
from played_table import (
    AFTER_61,
    BLACK,
    CLOCK,
    ILLEGAL_61,
    RULES,
    START,
    WHITE,
    PlayedTable,
    doubtful_look,
    fill_disk,
    first_turn,
    moved,
)
from said import keys_of, notice_of, phrase_of

from companion.core import Cause, Dice, message, verbatim
from companion.game import Phase, Remedy, Ruled
from companion.interface import (
    Agrees,
    Button,
    CubeActed,
    CubeAction,
    Light,
    Proposes,
    Resigns,
    Ruling,
    Saw,
    SetUp,
    Stirred,
    Tapped,
)
from companion.record import picture_name


@pytest.fixture
def table():
    return first_turn()


def test_the_referee_button_freezes_the_evidence(table):
    table.sees(ILLEGAL_61, b"after")
    dispute = table.taps(Button.REFEREE).dispute
    assert dispute.evidence.dice == Dice((6, 1))
    assert dispute.side is WHITE
    assert (dispute.before, dispute.after) == (picture_name(b"jpeg"), picture_name(b"after"))
    assert dispute.verdict.reason == "wrong_distance"
    assert "13/7 8/7" in dispute.evidence.plays
    assert table.pictures == [b"jpeg", b"after"]


def test_a_corrected_play_keeps_dice_and_turn(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    shown = table.does(Ruling(1, Remedy.CORRECTED, 4.0))
    assert (shown.dispute, shown.dice, shown.on_roll) == (None, (6, 1), "white")
    assert table.sees(AFTER_61).light is Light.GREEN
    assert table.taps().on_roll == "black"


def test_an_illegal_play_that_stands_counts_and_is_marked_in_the_record(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    shown = table.does(Ruling(1, Remedy.STANDS, 4.0))
    assert (shown.phase, shown.on_roll, shown.position) == (Phase.TO_ROLL, "black", RULES.to_json(ILLEGAL_61))
    assert shown.history[-1].note == "stands: wrong_distance"
    assert table.taps(player=BLACK).dice == (5, 3)


def test_the_evidence_is_frozen_when_the_referee_is_called(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    table.sees(START)
    assert table.does(Ruling(1, Remedy.STANDS, 4.0)).position == RULES.to_json(ILLEGAL_61)


def test_in_a_dispute_roll_does_not_roll_and_a_tap_of_each_player_corrects_the_play(table):
    table.sees(AFTER_61)
    table.taps(Button.REFEREE)
    shown = table.taps(player=WHITE)
    assert (shown.on_roll, shown.dice, shown.light) == ("white", (6, 1), Light.AMBER)
    assert "the play is put right, and White plays 6-1 again. Black taps Roll to agree." in notice_of(shown)
    shown = table.taps(player=BLACK)
    assert (shown.dispute, shown.proposal, shown.on_roll, shown.dice) == (None, None, "white", (6, 1))
    assert table.taps().on_roll == "black"


def test_an_uncertain_position_cannot_stand(table):
    table.cannot_see(Cause.DARK)
    table.taps(Button.REFEREE)
    shown = table.does(Ruling(1, Remedy.STANDS, 4.0))
    assert shown.notice == message("ruling.not_possible", why=verbatim("the board cannot be read"))
    assert shown.dispute is not None


def offers_of(snapshot):
    return {offer.remedy: (phrase_of(offer.words), offer.refused) for offer in snapshot.offers}


def test_if_nothing_was_moved_no_play_can_stand_or_be_legal(table):
    shown = offers_of(table.taps(Button.REFEREE))
    nothing = message("offer.nothing_moved")
    assert shown[Remedy.CORRECTED] == ("nothing was moved, and White has 6-1 to play", None)
    assert (shown[Remedy.STANDS][1], shown[Remedy.OVERRULED][1]) == (nothing, nothing)
    assert table.taps(Button.REFEREE).proposal.remedy is Remedy.CORRECTED
    assert table.taps(Button.REFEREE).proposal.remedy is Remedy.CORRECTED, "there is nothing else to go on to"


def test_if_nothing_was_moved_a_play_can_still_be_named(table):
    table.taps(Button.REFEREE)
    shown = table.does(Proposes(Remedy.OVERRULED, 4.0, WHITE, dispute=1, play="13/7 8/7"))
    assert shown.proposal.remedy is Remedy.OVERRULED


def test_before_a_roll_a_board_as_recorded_cannot_be_ruled_to_stand(table):
    table.sees(AFTER_61)
    table.doubles(BLACK)
    table.takes(WHITE)
    shown = offers_of(table.taps(Button.REFEREE))
    assert shown[Remedy.CORRECTED] == ("nothing was moved, and Black is to roll", None)
    assert shown[Remedy.STANDS][1] == message("offer.nothing_moved")


def test_after_a_dispute_an_unanswered_double_still_has_to_be_answered(table):
    table.sees(AFTER_61)
    table.doubles(BLACK)
    table.sees(ILLEGAL_61)
    shown = offers_of(table.snapshot)
    assert shown[Remedy.POSITION][0] == "the board counts as it stands, and White takes or passes"
    shown = offers_of(table.taps(Button.REFEREE))
    assert shown[Remedy.STANDS][0] == "what stood there counts – White takes or passes"
    table.taps(Button.REFEREE)
    assert table.does(Ruling(1, Remedy.STANDS, 4.0)).offered_by is BLACK


def test_a_ruling_on_another_dispute_has_no_effect(table):
    table.taps(Button.REFEREE)
    assert table.does(Ruling(7, Remedy.STANDS, 4.0)).notice.key == "ruling.settled"


def test_before_the_first_turn_no_dispute_can_be_opened():
    assert PlayedTable().taps(Button.REFEREE).notice.key == "ruling.nothing_yet"


def test_a_board_that_differs_before_a_roll_can_be_ruled_to_stand():
    table = PlayedTable([3, 1])
    table.does(SetUp(START, BLACK, 0.0))
    shown = table.sees(AFTER_61)
    assert shown.light is Light.RED
    assert "points 12, 17, 18" in notice_of(shown)
    assert {"no_roll", "differs.game"} <= keys_of(table.taps().notice)
    table.taps(Button.REFEREE)
    shown = table.does(Ruling(1, Remedy.STANDS, 4.0))
    assert (shown.position, shown.on_roll, shown.light) == (RULES.to_json(AFTER_61), "black", Light.BLUE)
    assert table.taps().dice == (3, 1)


# --- the procedure ---


def proposed(snapshot):
    return None if snapshot.proposal is None else snapshot.proposal.remedy


def refused(snapshot):
    return {offer.remedy: phrase_of(offer.refused) for offer in snapshot.offers}


def test_the_dispute_contains_its_caller_time_and_uncertain_cells(table):
    table.does(Saw(doubtful_look(AFTER_61, moved(START, WHITE, (13, 7))), 2.0))
    dispute = table.taps(Button.REFEREE, BLACK).dispute
    assert (dispute.by, dispute.side) == ("black", "white")
    assert dispute.evidence.at_s < next(CLOCK)
    assert [(doubt.label, doubt.contents[0].content) for doubt in dispute.evidence.doubts] == [(7, (2, 0)), (8, (2, 0))]
    for doubt in dispute.evidence.doubts:
        likelier, other = doubt.contents
        assert likelier.percent + other.percent == pytest.approx(100, abs=0.2)
        assert (likelier.nats, other.nats) == (0.0, -0.1)


def test_taps_on_referee_go_through_the_rulings_and_start_over(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    order = [proposed(table.taps(Button.REFEREE)) for _ in range(5)]
    assert order == ["corrected", "stands", "overruled", "position", "corrected"]
    assert notice_of(table.snapshot).startswith("Proposed: the play is put right, and White plays 6-1 again.")


def test_the_referee_is_overruled_if_both_players_say_that_the_play_was_legal(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    table.does(Proposes(Remedy.OVERRULED, 10.0, WHITE, dispute=1))
    shown = table.taps(player=BLACK)
    assert table.events[-1] == Ruled(1, ILLEGAL_61, Remedy.OVERRULED, (WHITE, BLACK), "13/8")
    assert (shown.on_roll, shown.history[-1].note) == ("black", "overruled: wrong_distance")


def test_when_overruling_the_players_may_name_the_play_that_was_made(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    shown = table.does(Proposes(Remedy.OVERRULED, 10.0, BLACK, dispute=1, play="8/7 13/7"))
    assert "Black proposes: the referee is overruled – the play was 8/7 13/7. White taps Roll to agree" in notice_of(
        shown
    )
    shown = table.taps(player=WHITE)
    assert (shown.position, shown.on_roll) == (RULES.to_json(AFTER_61), "black")
    assert "differs from the game on points 17, 18" in notice_of(shown)


def test_a_play_named_with_another_remedy_is_neither_spoken_nor_recorded(table):
    """Otherwise a player could agree to one play and get another."""
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    shown = table.does(Proposes(Remedy.STANDS, 10.0, WHITE, dispute=1, play="8/7 13/7"))
    assert "8/7" not in notice_of(shown)
    table.taps(player=BLACK)
    assert table.events[-1] == Ruled(1, ILLEGAL_61, Remedy.STANDS, (WHITE, BLACK), "13/8")


def test_a_play_that_the_roll_does_not_allow_cannot_be_named(table):
    table.taps(Button.REFEREE)
    shown = table.does(Proposes(Remedy.OVERRULED, 10.0, BLACK, dispute=1, play="13/8"))
    assert shown.notice == message("ruling.no_play", play="13/8")
    shown = table.does(Proposes(Remedy.OVERRULED, 10.0, BLACK, dispute=1, play="nonsense"))
    assert "nonsense" in notice_of(shown)
    assert shown.proposal is None


def test_a_wrong_legal_verdict_is_corrected_by_overruling(table):
    table.sees(AFTER_61)
    table.taps(Button.REFEREE)
    table.does(Proposes(Remedy.OVERRULED, 10.0, BLACK, dispute=1))
    shown = table.taps(player=WHITE)
    assert (shown.on_roll, shown.dice, shown.dispute) == ("white", (6, 1), None)
    assert shown.settled[0].ruling == "overruled"


def test_one_player_alone_cannot_settle_a_dispute(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    table.does(Proposes(Remedy.STANDS, 10.0, WHITE, dispute=1))
    shown = table.does(Agrees(1, 11.0, WHITE))
    assert shown.notice == message("ruling.agrees_already", player=WHITE, other=BLACK)
    assert (shown.dispute.number, shown.on_roll) == (1, "white")


def test_after_a_declined_ruling_the_dispute_stays_open(table):
    table.sees(ILLEGAL_61)
    table.taps(Button.REFEREE)
    table.does(Proposes(Remedy.STANDS, 10.0, WHITE, dispute=1))
    shown = table.taps(Button.HINT, BLACK)
    assert (keys_of(shown.notice), shown.proposal) == ({"declined.by", "declined.dispute"}, None)
    assert proposed(table.does(Proposes(Remedy.CORRECTED, 12.0, BLACK, dispute=1))) == "corrected"
    assert table.taps(player=WHITE).dispute is None


def test_a_late_request_does_not_rule_on_another_dispute(table):
    table.taps(Button.REFEREE)
    assert "settled already" in notice_of(table.does(Proposes(Remedy.CORRECTED, 10.0, WHITE, dispute=7)))
    assert table.snapshot.proposal is None


def test_without_a_dispute_a_ruling_is_refused(table):
    assert table.does(Proposes(Remedy.STANDS, 10.0, WHITE)).notice.key == "ruling.no_dispute"


def test_a_restart_during_a_dispute_shows_its_evidence_and_proposal(table):
    table.sees(ILLEGAL_61, b"after")
    table.taps(Button.REFEREE, BLACK)
    table.does(Proposes(Remedy.STANDS, 10.0, WHITE, dispute=1))
    again = PlayedTable([5, 3], resume=table.events)
    shown = again.does(Stirred(1.0))
    assert (shown.dispute, shown.proposal) == (table.snapshot.dispute, table.snapshot.proposal)
    assert notice_of(shown).startswith("The game goes on where it stopped. White proposes: what stood there counts")
    assert again.taps(player=BLACK).on_roll == "black"


def test_a_settled_dispute_is_shown_again_after_a_restart(table):
    table.sees(ILLEGAL_61, b"after")
    table.taps(Button.REFEREE, BLACK)
    table.does(Proposes(Remedy.STANDS, 10.0, WHITE, dispute=1), Agrees(1, 11.0, BLACK))
    (settled,) = PlayedTable(resume=table.events).does(Stirred(1.0)).settled
    assert (settled.dispute.by, settled.agreed, settled.ruling) == (BLACK, (WHITE, BLACK), Remedy.STANDS)
    assert settled.dispute.after == picture_name(b"after")
    assert settled.dispute.evidence.dice == Dice((6, 1))
    assert settled.dispute.verdict.reason == "wrong_distance"
    assert "13/7 8/7" in settled.dispute.evidence.plays


def test_during_a_dispute_or_proposal_other_actions_are_refused(table):
    table.sees(AFTER_61)
    table.taps(Button.REFEREE)
    for item in (CubeActed(CubeAction.DOUBLE, 5.0), Resigns(WHITE, "single", 5.0)):
        assert "dispute.what_now" in keys_of(table.does(item).notice)
    table.does(Proposes(Remedy.CORRECTED, 10.0, WHITE))
    for item in (CubeActed(CubeAction.DOUBLE, 5.0), Resigns(WHITE, "single", 5.0)):
        assert table.does(item).notice.key == "ruling.proposed"


def test_hints_are_available_in_a_dispute_without_a_proposal(table):
    table.taps(Button.REFEREE)
    table.taps(Button.HINT)
    assert len(table.asked) == 1


def test_on_a_full_disk_no_dispute_is_opened_or_settled(table):
    appended = fill_disk(table)
    assert table.taps(Button.REFEREE).dispute is None
    table.append_all = appended
    table.taps(Button.REFEREE)
    table.does(Proposes(Remedy.CORRECTED, 10.0, WHITE))
    fill_disk(table)
    shown = table.taps(player=BLACK)
    assert (notice_of(shown), shown.dispute.number) == ("the disk is full", 1)
    table.append_all = appended
    assert table.taps(player=BLACK).dispute is None


def test_with_the_starting_position_set_up_in_a_dispute_roll_still_answers_it(table):
    table.sees(AFTER_61)
    table.taps()
    table.taps(Button.REFEREE)
    table.sees(START)
    shown = table.does(Tapped(Button.ROLL, 10.0))
    assert "nothing was moved, and Black has 5-3 to play" in notice_of(shown)
    assert table.session.game.running
    shown = table.does(Tapped(Button.ROLL, 12.0))
    assert (shown.dispute, shown.dice) == (None, (5, 3))


def test_a_board_whose_cells_are_certain_only_one_by_one_does_not_count():
    """Too many other objects may be on it to be all found."""
    table = first_turn()
    table.does(Stirred(1.0), Saw(crowded_look(second_nats=3.05), 2.0, b"jpeg"))
    shown = table.taps(Button.REFEREE)
    assert shown.verdict.finding == "unreadable"
    assert shown.doubtful
    assert {offer.remedy for offer in shown.offers if offer.refused is None}.isdisjoint({"stands", "position"})
