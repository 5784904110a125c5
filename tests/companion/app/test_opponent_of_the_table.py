"""The name of Boardside as an opponent."""

import pytest

from companion.app.effective_settings import with_opponent
from companion.core import Side


@pytest.mark.parametrize(
    ("asked", "opponent", "called"),
    [
        ((), Side.BLACK, ("", "Boardside")),
        (("Anna", ""), Side.BLACK, ("Anna", "Boardside")),
        (("Anna", "(RED)"), Side.BLACK, ("Anna", "Boardside (RED)")),
        (("Anna", "Ben"), Side.BLACK, ("Anna", "Ben")),
        (("Anna", "Boardside"), Side.WHITE, ("Anna", "")),
        (("", "Boardside (RED)"), Side.WHITE, ("Boardside", "(RED)")),
        (("Anna", "Boardside"), None, ("Anna", "")),
    ],
)
def test_boardside_has_its_own_name_unless_another_was_chosen(asked, opponent, called):
    assert with_opponent(asked, opponent) == called
