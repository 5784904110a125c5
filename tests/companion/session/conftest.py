"""A table with players, under any sheet."""

from __future__ import annotations

import pytest
from played_table import PlayedTable

from companion.rules import rules_named


@pytest.fixture(scope="session")
def sit_down():
    """How players sit down: `sit_down(sheet, dice, terms=…)`."""

    def seated(sheet="standard", dice=(), **options):
        return PlayedTable(dice, rules_named(str(sheet)), **options)

    return seated
