"""Short constructors of verdicts."""

from __future__ import annotations

from typing import Any

from companion.core import Cause, Finding, Verdict
from companion.core import message as as_it_stands


def verdict(finding: str, message: str = "", cause: str | None = None, **more: Any) -> Verdict[Any]:
    """A verdict with `finding` and `cause` by their names; lists become tuples."""
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in more.items()}
    said = as_it_stands("list", facts=(message,))
    return Verdict(Finding(finding), said, cause=None if cause is None else Cause(cause), **fields)
