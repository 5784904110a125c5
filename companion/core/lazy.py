"""Packages whose names are imported when they are first used (PEP 562)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_face(room: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package; `modules` maps each exported name to its module."""

    def get(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(f"{room}.{modules[name]}"), name)

    return get
