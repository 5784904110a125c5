"""Rulings, proposals and takebacks as events: what each does to the game, and that records keep them."""

import json

import pytest

from companion.core import Dice, Finding, Side
from companion.game import (
    AS_BEFORE,
    Agreed,
    Beavered,
    Corrected,
    Declined,
    Disputed,
    DisputeEvidence,
    Doubled,
    Ended,
    MatchBegan,
    OpeningRolled,
    Passed,
    Phase,
    Played,
    Proposed,
    RecordedVerdict,
    Remedy,
    Rolled,
    Ruled,
    Started,
    Taken,
    TakenBack,
    both_agree,
    replay,
)
from companion.game.state import OutOfTurnError
from companion.notation.match_script import note_in
from companion.record import EventJson

WHITE, BLACK = Side.WHITE, Side.BLACK
BEGIN = [Started("backgammon", "standard", "start"), OpeningRolled(6, 1)]
PLAYED = [*BEGIN, Played(WHITE, "13/7 8/7", "a"), Rolled(BLACK, Dice((5, 3)), "fair")]
BOTH = (WHITE, BLACK)
DISPUTE = Disputed(
    1,
    WHITE,
    "seen",
    RecordedVerdict(Finding.ILLEGAL, reason="wrong_distance"),
    "b",
    "a",
    BLACK,
    DisputeEvidence(at_s=5.0),
)
CODEC = EventJson(lambda position: {"at": position}, lambda value: value["at"])


@pytest.mark.parametrize(
    "event",
    [
        DISPUTE,
        Ruled(1, "seen", Remedy.OVERRULED, (None, WHITE), "13/7"),
        Corrected("b", BLACK, BOTH, "lost", dice_stay=True),
        Proposed(1, Remedy.POSITION, None, (None,), "b", turn_over=True, why="misread"),
        Proposed(2, Remedy.TAKEBACK, WHITE, (WHITE,)),
        Agreed(1, None),
        Agreed(1, BLACK),
        Declined(1, WHITE),
        TakenBack(BOTH, turn=False, end=True),
    ],
)
def test_every_event_of_the_procedure_survives_a_round_trip_through_the_record(event):
    assert CODEC.decode(json.loads(json.dumps(CODEC.encode(event)))) == event


def test_a_record_from_before_there_were_agreements_still_loads():
    old = {"event": "Ruled", "number": 1, "after": {"at": "seen"}}
    assert CODEC.decode(old) == Ruled(1, "seen")
    game = replay([*BEGIN, DISPUTE, CODEC.decode(old)])
    assert (game.on_roll, game.settled[0].ruling) == (BLACK, Remedy.STANDS)


@pytest.mark.parametrize(
    ("taps", "agreed"),
    [
        ((), False),
        ((WHITE,), False),
        ((None,), False),
        ((None, None), True),
        (BOTH, True),
        ((WHITE, None), False),
        ((WHITE, None, None), True),
    ],
)
def test_both_agree_by_name_or_by_one_tap_each(taps, agreed):
    assert both_agree(taps) is agreed


def test_a_proposal_waits_until_it_is_declined():
    proposed = [*PLAYED, Proposed(1, Remedy.TAKEBACK, WHITE, (WHITE,))]
    assert replay(proposed).proposal.agreed == (WHITE,)
    assert replay([*proposed, Declined(1, BLACK)]).proposal is None


def test_agreeing_twice_or_without_a_proposal_is_refused():
    proposed = [*PLAYED, Proposed(1, Remedy.TAKEBACK, WHITE, (WHITE,))]
    for event in (Agreed(1, WHITE), Agreed(2, BLACK), Declined(2, BLACK)):
        with pytest.raises(OutOfTurnError):
            replay([*proposed, event])


def test_a_turn_taken_back_is_played_again_with_the_same_dice():
    game = replay([*PLAYED, TakenBack(BOTH)])
    assert (game.phase, game.position, game.on_roll, game.dice) == (Phase.TO_MOVE, "start", WHITE, Dice((6, 1)))
    assert (game.history, game.past, game.taken_back) == ((), ("start",), "a")


def test_the_opponents_roll_is_kept_after_a_takeback():
    again = [*PLAYED, TakenBack(BOTH), Played(WHITE, "24/18 13/12", "c")]
    assert replay(again).pending_rolls == ((BLACK, Dice((5, 3))),)
    game = replay([*again, Rolled(BLACK, Dice((5, 3)), AS_BEFORE)])
    assert (game.dice, game.pending_rolls) == (Dice((5, 3)), ())
    assert sum(game.dice_book.faces) == 4, "the dice that lie again were not rolled twice"


def test_several_turns_can_be_taken_back_and_all_rolls_are_kept():
    twice = [
        *PLAYED,
        Played(BLACK, "8/3 6/3", "b"),
        Rolled(WHITE, Dice((2, 1)), "fair"),
        TakenBack(BOTH),
        TakenBack(BOTH),
    ]
    game = replay(twice)
    assert (game.position, game.on_roll, game.dice) == ("start", WHITE, Dice((6, 1)))
    assert game.pending_rolls == ((BLACK, Dice((5, 3))), (WHITE, Dice((2, 1))))


def test_the_end_of_a_game_can_be_taken_back_with_the_turn_that_ended_it():
    won = [MatchBegan(3), *BEGIN, Played(WHITE, "1/off", "won"), Ended(WHITE, 2, "gammon")]
    assert replay(won).score == (2, 0)
    game = replay([*won, TakenBack(BOTH, end=True)])
    assert (game.phase, game.position, game.score, game.dice) == (Phase.TO_MOVE, "start", (0, 0), Dice((6, 1)))


def test_taking_back_a_pass_leaves_the_double_unanswered():
    passed = [*PLAYED[:3], Doubled(BLACK), Passed(WHITE)]
    game = replay([*passed, TakenBack(BOTH, turn=False, end=True)])
    assert (game.phase, game.match.offered_by, game.score) == (Phase.TO_ROLL, BLACK, (0, 0))
    assert replay([*passed, TakenBack(BOTH, turn=False, end=True), Taken(WHITE)]).match.cube == 2


def test_before_the_first_turn_there_is_no_takeback():
    with pytest.raises(OutOfTurnError, match="none to take back"):
        replay([*BEGIN, TakenBack(BOTH)])
    with pytest.raises(OutOfTurnError, match="no end of a game"):
        replay([*PLAYED, TakenBack(BOTH, end=True)])


@pytest.mark.parametrize(
    ("event", "ruling"),
    [
        (Ruled(1, None, Remedy.CORRECTED, BOTH), Remedy.CORRECTED),
        (Ruled(1, "seen", Remedy.STANDS, BOTH, "13/7"), Remedy.STANDS),
        (Ruled(1, "seen", Remedy.OVERRULED, BOTH, "13/7"), Remedy.OVERRULED),
        (Corrected("b", WHITE, BOTH, "lost", dice_stay=True), Remedy.POSITION),
    ],
)
def test_a_settled_dispute_is_kept_with_the_players_who_agreed(event, ruling):
    game = replay([*BEGIN, DISPUTE, event])
    assert game.dispute is None
    assert [(one.dispute, one.ruling, one.agreed) for one in game.settled] == [(DISPUTE, ruling, BOTH)]


def test_a_turn_ended_by_a_ruling_is_marked_in_the_history():
    game = replay([*BEGIN, DISPUTE, Ruled(1, "seen", Remedy.OVERRULED, BOTH, "13/7")])
    assert (game.history[0].play, game.history[0].note) == ("13/7", "overruled: wrong_distance")


@pytest.mark.parametrize("ruling", [*Remedy, None])
def test_the_note_of_every_ruling_can_be_written_as_text(ruling):
    game = replay([*BEGIN, DISPUTE, Ruled(1, "seen", ruling, BOTH, "13/7")])
    assert note_in(game.history[0].note) == game.history[0].note


def test_after_an_agreed_position_the_dice_may_still_have_to_be_played():
    game = replay([*BEGIN, Corrected("b", WHITE, BOTH, "misread", dice_stay=True)])
    assert (game.phase, game.position, game.dice) == (Phase.TO_MOVE, "b", Dice((6, 1)))


def test_a_double_is_kept_after_an_agreed_position_but_not_after_a_scripted_set_up():
    doubled = [*PLAYED[:3], Doubled(BLACK)]
    assert replay([*doubled, Corrected("b", BLACK, BOTH, "lost")]).match.offered_by is BLACK
    assert replay([*doubled, Corrected("b", BLACK)]).match.offered_by is None


def test_a_scripted_set_up_voids_a_beaver_too():
    beavered = [MatchBegan(0, beavers=True), *PLAYED[:3], Doubled(BLACK), Beavered(WHITE)]
    game = replay([*beavered, Corrected("b", WHITE)])
    assert (game.match.offered_by, game.match.beavered) == (None, False)
    assert (game.match.cube, game.match.owner) == (2, WHITE)
    game = replay([*beavered, Corrected("b", WHITE), Doubled(WHITE), Taken(BLACK)])
    assert (game.match.cube, game.match.owner) == (4, BLACK)


def test_on_an_empty_table_there_is_no_proposal():
    asked = [Proposed(1, Remedy.TAKEBACK, None), Agreed(1, None), Declined(1, None)]
    assert replay(asked) == replay([])
