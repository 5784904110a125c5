"""Mock pins that every test finds unused."""

import pytest

from hardware.factory import mock_pins


@pytest.fixture
def factory():
    factory = mock_pins()
    yield factory
    factory.reset()
