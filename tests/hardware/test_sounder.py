from dataclasses import replace

import pytest
from gpiozero.tones import Tone

from companion.core import Side, verbatim
from companion.game import Match, Phase, Remedy, Turn
from companion.interface import ClockView, Light, ProposalView, Snapshot
from hardware.sounder import ASK, FAULT, FLAG, OFFER, OVER, ROLL, ActiveSounder, PassiveSounder, newly_rolled, tune

QUIET = Snapshot(1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard")
FALLEN = ClockView((0.0, 60.0), (0.0, 0.0), fallen=(Side.WHITE,))
ROLLED = replace(QUIET, dice=(3, 1))
PIN = 18


def test_a_roll_a_fault_the_end_and_a_flag_sound_different():
    assert tune(None, ROLLED) == ()
    assert tune(QUIET, ROLLED) == ROLL
    assert tune(ROLLED, ROLLED) == ()
    assert tune(ROLLED, replace(ROLLED, light=Light.RED)) == FAULT
    first = replace(ROLLED, proposal=ProposalView(1, Remedy.CORRECTED, words=verbatim("")))
    third = replace(ROLLED, proposal=ProposalView(2, Remedy.OVERRULED, words=verbatim("")))
    assert (tune(ROLLED, first), tune(first, third)) == (ASK, ASK * 3)
    assert (
        tune(
            third, replace(third, proposal=ProposalView(2, Remedy.OVERRULED, agreed=(Side.WHITE,), words=verbatim("")))
        )
        == ()
    )
    assert tune(third, ROLLED) == ()
    assert tune(ROLLED, replace(ROLLED, phase=Phase.OVER, light=Light.GREEN)) == OVER
    assert tune(ROLLED, replace(ROLLED, clock=FALLEN)) == FLAG
    assert tune(replace(ROLLED, clock=FALLEN), replace(ROLLED, clock=FALLEN)) == ()


def test_a_double_sounds_as_any_offer_does_and_its_answer_does_not():
    doubled = replace(QUIET, phase=Phase.TO_ROLL, match=Match(7).doubled(Side.BLACK))
    undoubled = replace(doubled, match=Match(7))
    assert tune(undoubled, doubled) == OFFER
    assert (tune(doubled, doubled), tune(doubled, undoubled)) == ((), ())


def test_a_reading_of_the_board_sounds_by_its_place_among_those_offered():
    second = replace(ROLLED, proposal=ProposalView(1, Remedy.READING, words=verbatim(""), place=2))
    assert tune(ROLLED, second) == ASK * 2


def test_on_a_buzzer_of_one_tone_sounds_differ_in_number_and_length():
    rhythms = [tuple(for_s for note, for_s in notes if note) for notes in (ROLL, FAULT, OVER, FLAG)]
    assert [len(rhythm) for rhythm in rhythms] == [1, 2, 3, 1]
    assert rhythms[3][0] > 5 * rhythms[0][0]


def test_the_same_numbers_rolled_again_are_a_new_roll_and_a_play_taken_back_is_none():
    later = replace(ROLLED, history=(Turn(Side.WHITE, None, "8/5 6/5"),))
    assert newly_rolled(ROLLED, later)
    assert not newly_rolled(later, ROLLED)


@pytest.mark.parametrize("note", sorted({note for notes in (ROLL, FAULT, OVER, FLAG) for note, _ in notes if note}))
def test_a_passive_buzzer_is_given_the_note(factory, note):
    sounder = PassiveSounder(PIN, factory)
    sounder.sound(note)
    assert factory.pin(PIN).frequency == pytest.approx(Tone(note).frequency)
    sounder.sound(None)
    assert factory.pin(PIN).frequency is None
    sounder.close()


def test_an_active_buzzer_is_on_or_off(factory):
    sounder = ActiveSounder(PIN, factory)
    sounder.sound("E6")
    assert factory.pin(PIN).state == 1
    sounder.sound(None)
    assert factory.pin(PIN).state == 0
    sounder.close()
