"""Long sweeps: `make test` runs a sample of them, `make test-slow` the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def sampled(every: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Parameters of a test, of which all but the `quick` ones are marked slow; a tuple is the values of several."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=[] if one in quick else pytest.mark.slow)
        for one in every
    ]


def examples(few: int, many: int) -> pytest.MarkDecorator:
    """Test a property with `few` examples, in the slow set with `many`; the test gets the number as `examples`."""
    return pytest.mark.parametrize("examples", sampled((few, many), (few,)))


def part(few: slice) -> pytest.MarkDecorator:
    """Run a test on a part of a list, and in the slow set on all of it; the test gets the slice as `part`."""
    return pytest.mark.parametrize("part", [few, pytest.param(slice(None), marks=pytest.mark.slow)], ids=["few", "all"])
