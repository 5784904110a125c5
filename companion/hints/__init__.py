"""Ranks legal plays, says why, and advises on the cube, with gnubg or engines of its own, in a worker thread."""

from __future__ import annotations

from companion.hints.cube import CubeAdvice, CubeQuestion, longest_match, worth
from companion.hints.decisions import BEST_LEVEL, DecisionRequest, Player, PlayerDecision
from companion.hints.engine import Engine, EngineError, HintRequest, RankedPlay, Ranking
from companion.hints.gnubg import find_gnubg, required_gnubg
from companion.hints.gnubg_process import GnubgProcess
from companion.hints.lessons import DOUBTFUL, DOUBTFUL_IN_MEN, Lesson, LessonRequest
from companion.hints.scoring import equity_of, worths_of
from companion.hints.select import choose_engine, choose_weaker_engine
from companion.hints.why import explained
from companion.hints.worker import Answer, HintWorker

__all__ = [
    "BEST_LEVEL",
    "DOUBTFUL",
    "DOUBTFUL_IN_MEN",
    "Answer",
    "CubeAdvice",
    "CubeQuestion",
    "DecisionRequest",
    "Engine",
    "EngineError",
    "GnubgProcess",
    "HintRequest",
    "HintWorker",
    "Lesson",
    "LessonRequest",
    "Player",
    "PlayerDecision",
    "RankedPlay",
    "Ranking",
    "choose_engine",
    "choose_weaker_engine",
    "equity_of",
    "explained",
    "find_gnubg",
    "longest_match",
    "required_gnubg",
    "worth",
    "worths_of",
]
