"""Analyses the decisions of recorded matches: their cost, luck and ratings; in the background, and as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
    from companion.analysis.analysed_matches import AnalysedMatches, MatchStanding
    from companion.analysis.background import Standing
    from companion.analysis.commands import analyse_match, match_json
    from companion.analysis.report import last_graph, report_body, report_file, report_style
    from companion.analysis.wording import Wording

__all__ = [
    "AnalysedMatches",
    "MatchStanding",
    "Standing",
    "Wording",
    "analyse_match",
    "last_graph",
    "match_json",
    "report_body",
    "report_file",
    "report_style",
]
__getattr__ = lazy_face(
    __name__,
    {
        "AnalysedMatches": "analysed_matches",
        "MatchStanding": "analysed_matches",
        "Standing": "background",
        "Wording": "wording",
        "analyse_match": "commands",
        "last_graph": "report",
        "match_json": "commands",
        "report_body": "report",
        "report_file": "report",
        "report_style": "report",
    },
)
