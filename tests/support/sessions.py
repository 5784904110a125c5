"""Sessions for tests, with ports and start by the names of their fields."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from companion.session import Session, SessionPorts, SessionStart

PORTS = frozenset(field.name for field in fields(SessionPorts))


def session_of(rules: Any, dice: Any, **options: Any) -> Session[Any]:
    """A session whose ports and beginning have the fields named in `options`."""
    ports = {name: value for name, value in options.items() if name in PORTS}
    start = {name: value for name, value in options.items() if name not in PORTS}
    return Session(rules, dice, SessionPorts(**ports), SessionStart(**start))
