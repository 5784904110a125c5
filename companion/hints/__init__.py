"""Engines that rank plays, and the worker that asks them."""

from __future__ import annotations

from companion.hints.cube import CubeAdvice, CubeQuestion
from companion.hints.engine import Engine, HintRequest, RankedPlay, Ranking
from companion.hints.select import choose_engine
from companion.hints.worker import HintWorker

__all__ = [
    "CubeAdvice",
    "CubeQuestion",
    "Engine",
    "HintRequest",
    "HintWorker",
    "RankedPlay",
    "Ranking",
    "choose_engine",
]
