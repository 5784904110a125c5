"""Disputes, proposals and what was settled, in the page's words."""

from dataclasses import replace

import pytest
from whole_page import page_state

from companion.core import Dice, Finding, Side, verbatim
from companion.game import (
    Disputed,
    DisputeEvidence,
    DoubtfulCell,
    LikelyContent,
    Phase,
    RecordedVerdict,
    Remedy,
    Settled,
    Turn,
)
from companion.interface import Light, OfferView, ProposalView, Snapshot
from web.page_state.procedure import doubt_words
from web.texts import ENGLISH_TEXTS

EVENING = Snapshot(1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard", on_roll=Side.WHITE, dice=(6, 1))
DOUBT = DoubtfulCell(6, 7, (LikelyContent((2, 0), 75.5, 0.0), LikelyContent((0, 0), 24.5, -1.1)))
DISPUTE = Disputed(
    number=3,
    side=Side.WHITE,
    seen=None,
    verdict=RecordedVerdict(Finding.ILLEGAL, "That is 5.", "wrong_distance"),
    before="b1",
    after=None,
    by=Side.BLACK,
    evidence=DisputeEvidence(at_s=0.0, dice=Dice((6, 1)), plays=("13/7 8/7",), doubts=(DOUBT,)),
)
PROPOSAL = ProposalView(2, Remedy.STANDS, words=verbatim("Proposed: that."))


def state(**changes):
    return page_state(replace(EVENING, **changes))


def test_a_dispute_shows_who_called_when_and_what_was_uncertain():
    dispute = state(dispute=DISPUTE)["dispute"]
    assert dispute["called"].startswith("Black called the referee at ")
    assert dispute["doubts"] == ["Point 7: 2 of White’s 75.5 %, empty 24.5 %"]
    assert dispute["player"] == "White"


def test_a_dispute_of_an_old_record_shows_what_was_recorded():
    old = Disputed(1, None, None, None, None, None)
    assert state(dispute=old)["dispute"]["called"] == "The referee was called"


@pytest.mark.parametrize(
    ("agreed", "words", "open_to"),
    [
        ((), "Nobody has agreed yet", ["white", "black"]),
        ((Side.WHITE,), "White agrees", ["black"]),
        ((None,), "One player agrees", ["white", "black"]),
    ],
)
def test_a_proposal_shows_who_agrees_and_who_is_asked(agreed, words, open_to):
    proposal = state(proposal=replace(PROPOSAL, agreed=agreed))["proposal"]
    assert (proposal["agreed"], proposal["open"]) == (words, open_to)


@pytest.mark.parametrize(
    ("remedy", "by", "offered_by", "title"),
    [
        (Remedy.RESIGNATION, Side.WHITE, "white", "An offer waits for its answer"),
        (Remedy.DRAW, None, None, "Both players must agree"),
    ],
)
def test_an_offer_is_accepted_or_refused_by_the_other_player(remedy, by, offered_by, title):
    offer = ProposalView(3, remedy, by, (by,), words=verbatim("An offer."), offer=verbatim("An offer."))
    shown = state(proposal=offer, light=Light.AMBER)
    assert (shown["proposal"]["offered_by"], shown["proposal"]["title"]) == (offered_by, title)
    assert shown["light"]["words"] == (title if by else "The players have to agree")


def test_rulings_and_other_remedies_are_separate_and_explain_why_they_are_refused():
    offers = (
        OfferView(Remedy.STANDS, verbatim("what stood there counts")),
        OfferView(Remedy.TAKEBACK, verbatim("the last turn is taken back"), verbatim("no turn has been played")),
    )
    shown = state(offers=offers)
    stands = "It counts, whatever the referee said. What stood there counts."
    assert [(one["label"], one["words"]) for one in shown["rulings"]] == [("It stands", stands)]
    assert [(one["label"], one["refused"]) for one in shown["mends"]] == [
        ("Take the last turn back", "Not now: no turn has been played.")
    ]


@pytest.mark.parametrize(
    ("agreed", "words"),
    [((Side.WHITE, Side.BLACK), "Agreed by White and Black."), ((None, None), "Agreed by both players.")],
)
def test_a_settled_dispute_is_shown_with_its_evidence(agreed, words):
    settled = Settled(DISPUTE, Remedy.STANDS, agreed)
    (shown,) = state(settled=(settled,))["settled"]
    assert (shown["turn"], shown["ruling"], shown["agreed"]) == ("White 6-1", "The play stands.", words)
    assert (shown["before"], shown["after"], shown["message"]) == ("/evidence/b1", None, "That is 5.")
    assert shown["doubts"] == ["Point 7: 2 of White’s 75.5 %, empty 24.5 %"]


def test_doubtful_places_have_the_numbers_on_the_board():
    doubt = DoubtfulCell(24, "bar", (LikelyContent((1, 0), 60.0, 0.0), LikelyContent((0, 0), 40.0, -0.4)))
    labels = [24 - n for n in range(24)]
    assert doubt_words(doubt, labels, ENGLISH_TEXTS) == "White’s bar: 1 of White’s 60 %, empty 40 %"
    assert doubt_words(replace(doubt, cell=6, label=7), labels, ENGLISH_TEXTS).startswith("Point 18: ")


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("", ""),
        ("stands: wrong_distance", "Stands by agreement: the move does not fit the dice"),
        ("overruled: too_far", "The referee was overruled: a piece moved too far"),
        ("condoned: blocked_point", "Stood once the opponent rolled or doubled: the opponent holds that point"),
        ("as agreed", "As both players agreed"),
    ],
)
def test_a_turn_with_a_note_has_it_in_words(note, words):
    turn = Turn(Side.WHITE, Dice((6, 1)), "13/7 8/7", note)
    assert state(history=(turn,))["history"][0]["note"] == words


def test_while_the_players_have_to_agree_the_light_shows_it():
    assert state(proposal=PROPOSAL)["light"]["words"] == "The players have to agree"


def test_the_cells_in_which_a_lost_board_differs_are_marked():
    position = {"points": [15, *[0] * 22, -15], "bar": [0, 0], "off": [0, 0]}
    lost = (4, 9)
    assert state(position=position, seen=position, lost=lost)["board"]["highlighted"] == [4, 9]
