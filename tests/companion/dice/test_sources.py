import os

import pytest
from memory_secrets import MemorySecrets
from scripted_dice import ScriptedDice

from companion.dice import FairDice, HandDice, SecretFile
from companion.dice.commitment import commitment_to, numbers
from companion.dice.sources import NoDiceError, RollInputs
from companion.game import OpenCommitment, with_tap

SECRET = bytes(range(32))


def test_fair_dice_follow_from_the_secret_the_rolls_number_and_all_taps_so_far():
    dice = FairDice(MemorySecrets(), lambda count: SECRET[:count])
    commitment = dice.commit()
    assert commitment == commitment_to(SECRET)
    rolled = dice.roll(2, RollInputs(1500, OpenCommitment(commitment, 7, "earlier taps")))
    assert rolled == numbers(SECRET, 7, with_tap("earlier taps", 1500), 2)


def test_every_commitment_has_a_secret_of_its_own_from_the_operating_system():
    dice = FairDice(MemorySecrets())
    secrets = [dice.secret(dice.commit()) for _ in range(3)]
    assert len(set(secrets)) == 3
    assert {len(secret) for secret in secrets} == {32}


def test_the_secret_is_on_the_disk_before_the_commitment_is_known(tmp_path):
    path = tmp_path / "dice.secrets"
    commitment = FairDice(SecretFile(path)).commit()
    again = FairDice(SecretFile(path))
    inputs = RollInputs(5, OpenCommitment(commitment, 3))
    assert again.roll(2, inputs) == numbers(again.secret(commitment), 3, with_tap("", 5), 2)


@pytest.mark.parametrize("commitment", [None, OpenCommitment("a commitment whose secret is gone")])
def test_without_an_open_commitment_fair_dice_do_not_roll(commitment):
    with pytest.raises(NoDiceError, match=r"dice\.no_commitment"):
        FairDice(MemorySecrets()).roll(2, RollInputs(0, commitment))


def test_each_number_comes_up_over_many_rolls():
    dice = FairDice(MemorySecrets(), os.urandom)
    commitment = OpenCommitment(dice.commit())
    assert {number for tap in range(100) for number in dice.roll(2, RollInputs(tap, commitment))} == set(range(1, 7))


def test_scripted_dice_come_in_order_and_end_with_a_message():
    dice = ScriptedDice([6, 1, 3])
    assert dice.roll(2) == (6, 1)
    with pytest.raises(NoDiceError, match="2 numbers were asked for, 1 were left"):
        dice.roll(2)


def test_dice_rolled_by_hand_are_requested_with_a_message():
    with pytest.raises(NoDiceError, match=r"dice\.enter"):
        HandDice().roll(2)
