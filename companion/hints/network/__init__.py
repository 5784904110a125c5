"""The embedded backgammon engine: networks, evaluated for many positions at once, and their look-ahead."""

from __future__ import annotations

from companion.hints.network.engine import NetworkEngine

__all__ = ["NetworkEngine"]
