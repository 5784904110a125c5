"""What tests of hints share."""

import pytest

from companion.hints.checkers_compiled import library


@pytest.fixture
def compiled():
    """The compiled checkers search."""
    found = library()
    if found is None:
        pytest.skip("the checkers search was not compiled: there was no C compiler")
    return found
