"""Processor time by address: an address that uses up its share waits, players do not."""

from __future__ import annotations

from types import SimpleNamespace

from web.processor_budget import MOST_OWING, PLAYER_S, ProcessorBudget


def test_an_address_that_uses_up_its_time_waits_and_others_do_not() -> None:
    now = SimpleNamespace(s=0.0)
    budget = ProcessorBudget(share=0.2, reserve_s=0.5, reserves_s=1.0, clock=lambda: now.s)
    budget.charge("127.1.0.1", 1.0)
    budget.charge("127.1.0.2", 0.1)
    assert not budget.may_ask("127.1.0.1")
    assert budget.may_ask("127.1.0.2")
    assert budget.may_ask("127.1.0.3")
    now.s = 2.9  # 0.58 s are paid back: 0.1 for the second, the rest for the first
    budget.reduce_debts()
    assert not budget.may_ask("127.1.0.1")
    now.s = 3.1
    budget.reduce_debts()
    assert budget.may_ask("127.1.0.1")


def test_the_reserve_of_each_address_shrinks_with_the_number_of_addresses_in_debt() -> None:
    budget = ProcessorBudget(share=0.2, reserve_s=0.5, reserves_s=1.0, clock=lambda: 0.0)
    budget.charge("127.1.0.1", 0.2)
    assert budget.may_ask("127.1.0.1")
    for n in range(2, 8):
        budget.charge(f"127.1.0.{n}", 0.2)
    assert not budget.may_ask("127.1.0.1")
    assert budget.may_ask("127.1.0.9")


def test_an_address_counts_as_a_players_for_some_minutes() -> None:
    now = SimpleNamespace(s=0.0)
    budget = ProcessorBudget(share=0.0, reserve_s=0.5, reserves_s=1.0, clock=lambda: now.s)
    budget.charge("127.1.0.1", 1000.0)
    budget.note_player("127.1.0.1")
    budget.reduce_debts()
    assert budget.may_ask("127.1.0.1")
    now.s = PLAYER_S
    budget.reduce_debts()
    assert not budget.may_ask("127.1.0.1")


def test_a_client_with_very_many_addresses_waits_too_and_players_do_not() -> None:
    now = SimpleNamespace(s=0.0)
    budget = ProcessorBudget(share=0.2, reserve_s=0.5, reserves_s=1.0, clock=lambda: now.s)
    for n in range(MOST_OWING):
        assert budget.may_ask(f"2001:db8::{n:x}")
        budget.charge(f"2001:db8::{n:x}", 0.002)
    assert not budget.may_ask("2001:db8::ffff")
    budget.note_player("127.2.0.1")
    assert budget.may_ask("127.2.0.1")
    now.s = 3.0
    budget.reduce_debts()
    assert budget.may_ask("2001:db8::ffff")
