"""Ranks legal plays and advises on the cube, with gnubg or engines of its own, in a worker thread."""

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
