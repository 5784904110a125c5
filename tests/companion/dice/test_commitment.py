"""Sealed dice: what is promised before the first roll settles all that follow."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dice import commitment as module
from companion.dice.commitment import commitment_to, numbers
from companion.game import DiceRevealed, DiceSealed, OpenCommitment, Proof, with_tap
from companion.game.dice_book import CommittedRoll, DiceBook

SECRET = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
"""SHA-256 of the bytes 0 to 31, by sha256sum."""


def test_the_commitment_is_the_sha256_of_the_secret():
    assert commitment_to(SECRET) == COMMITMENT


def test_a_roll_is_derived_as_documented():
    taps = hashlib.sha256(b" 1500").hexdigest()
    assert with_tap("", 1500) == taps
    digest = hmac.new(SECRET, f"1 0 {taps}".encode(), hashlib.sha256).digest()
    assert numbers(SECRET, 1, taps, 2) == tuple(byte % 6 + 1 for byte in digest if byte < 252)[:2]


KNOWN = [(6, 6), (1, 4), (1, 4), (6, 5), (2, 3)]


def test_known_rolls_stay_what_they_were():
    """A record of today must be checked alike by every later version."""
    taps = with_tap(with_tap("", 1500), 83211)
    assert [numbers(SECRET, counter, taps, 2) for counter in range(1, 6)] == KNOWN


def test_bytes_that_would_favour_low_numbers_are_dropped(monkeypatch):
    blocks = iter([bytes([252, 253, 254, 255, 251]), bytes([255, 6])])
    monkeypatch.setattr(module.hmac, "digest", lambda *_: next(blocks))
    assert numbers(SECRET, 1, "", 2) == (6, 1)


def test_each_number_comes_from_equally_many_bytes(monkeypatch):
    monkeypatch.setattr(module.hmac, "digest", lambda *_: bytes(range(256)))
    assert Counter(numbers(SECRET, 1, "", 252)) == dict.fromkeys(range(1, 7), 42)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**6), st.integers(0, 10**12), st.integers(1, 80))
def test_as_many_numbers_of_a_die_come_as_are_asked_for_and_the_same_each_time(secret, counter, tapped_ms, count):
    rolled = numbers(secret, counter, with_tap("", tapped_ms), count)
    assert len(rolled) == count
    assert set(rolled) <= set(range(1, 7))
    assert rolled == numbers(secret, counter, with_tap("", tapped_ms), count)


def test_every_tap_counts_and_so_does_their_order():
    chains = {with_tap(with_tap("", a), b) for a, b in [(1, 2), (2, 1), (1, 1), (12, 1), (1, 21)]}
    assert len(chains) == 5


def test_the_book_counts_rolls_and_faces_and_continues_after_a_restart():
    book = DiceBook().with_event(DiceSealed(COMMITMENT)).rolled((6, 1), Proof(1, 1500)).rolled((3, 3), Proof(2, 4000))
    assert book.open_commitment == OpenCommitment(COMMITMENT, 3, with_tap(with_tap("", 1500), 4000))
    assert book.faces == (1, 0, 2, 0, 0, 1)


def test_the_book_keeps_the_rolls_of_the_last_revealed_secret():
    book = DiceBook().with_event(DiceSealed(COMMITMENT)).rolled((6, 1), Proof(1, 1500)).rolled((2, 5), None)
    book = book.rolled((4, 2, 2), Proof(2, 4000), counted=False)
    told = book.with_event(DiceRevealed(COMMITMENT, "00", 2)).with_event(DiceSealed("another"))
    assert told.revealed_rolls == (CommittedRoll(1, 1500, (6, 1)), CommittedRoll(2, 4000, (4, 2, 2)))
    assert (book.revealed_rolls, told.rolls, sum(told.faces)) == ((), (), 4)


def test_own_dice_are_counted_and_do_not_advance_the_commitment():
    book = DiceBook().with_event(DiceSealed(COMMITMENT)).rolled((2, 5), None)
    assert (book.open_commitment, book.faces) == (OpenCommitment(COMMITMENT), (0, 1, 0, 0, 1, 0))


@pytest.mark.parametrize(("told", "left"), [(COMMITMENT, None), ("another", OpenCommitment(COMMITMENT))])
def test_a_revealed_secret_closes_its_own_commitment_only(told, left):
    book = DiceBook().with_event(DiceSealed(COMMITMENT)).with_event(DiceRevealed(told, "00", 0))
    assert (book.open_commitment, book.revealed) == (left, (told, "00"))
