"""An attribute that another thread clears at the worst moment."""

from __future__ import annotations

from typing import Any


class ClearedWhenRead:
    """Descriptor of an attribute that is None again as soon as it has been read once."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._kept = f"{name}_kept"

    def __get__(self, instance: Any, owner: type) -> Any:
        kept = getattr(instance, self._kept, None)
        setattr(instance, self._kept, None)
        return kept

    def __set__(self, instance: Any, value: Any) -> None:
        setattr(instance, self._kept, value)
