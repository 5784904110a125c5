"""The analysis of a recorded match: figures, part of a page, report as a file, and the request to analyse."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.analysis import (
    MatchStanding,
    Standing,
    Wording,
    last_graph,
    match_json,
    report_body,
    report_file,
    report_style,
)
from companion.core import BoardsideError, message
from web.access import anybody, seated, watchers
from web.language import page_texts
from web.refusals import refuse
from web.routes.history import download

if TYPE_CHECKING:
    from companion.analysis import AnalysedMatches

UNFINISHED = (Standing.WAITS, Standing.RUNS)


def blueprint(analyses: AnalysedMatches | None) -> Blueprint:
    """Routes of the analyses; None if matches are not analysed."""
    routes = Blueprint("analysis", __name__)

    @routes.get("/analysis.css")
    @anybody
    def style() -> Response:
        return Response(report_style(), mimetype="text/css")

    @routes.get("/matches/<int:number>/analysis.json")
    @watchers
    def figures(number: int) -> Response:
        """{"standing", "says", "unfinished", "html", "figures"}; `figures` is null until all games are analysed."""
        known = _standing(analyses, number)
        found = None if known.found is None else match_json(known.found, known.match)
        return jsonify(
            standing=known.standing,
            says=page_texts().rendered(known.says),
            unfinished=known.standing in UNFINISHED,
            html=_section(known, number),
            figures=found,
        )

    @routes.get("/matches/last/graph.json")
    @watchers
    def graph() -> Response:
        """{"html"}: the equity graph of the last game; empty until it is ready, or if it may not be shown."""
        known = _standing(analyses, None)
        return jsonify(html="" if known.found is None else last_graph(known.found, _wording(known)))

    @routes.get("/matches/<int:number>/analysis.html")
    @watchers
    def report(number: int) -> Response:
        known = _standing(analyses, number)
        if known.found is None:
            refuse("analysis.none", 404, why=page_texts().rendered(known.says))
        text = report_file(known.found, _wording(known))
        return download(text.encode(), f"boardside-{number}-analysis.html", "text/html")

    @routes.post("/matches/<int:number>/analysis")
    @seated
    def ask(number: int) -> tuple[Response, int]:
        _standing(analyses, number)
        if analyses is not None:
            analyses.ask(number)
        return jsonify(ok=True), 202

    return routes


def _standing(analyses: AnalysedMatches | None, number: int | None) -> MatchStanding:
    """The state of a match's analysis. Answers 404 if there is no such match, or it cannot be read."""
    if analyses is None:
        refuse("analysis.none", 404, why=page_texts().rendered(message("analysis.none")))
    try:
        return analyses.standing(number)
    except (BoardsideError, OSError) as error:
        refuse("analysis.none", 404, why=error)


def _wording(known: MatchStanding) -> Wording:
    return Wording(page_texts().language, known.match.names, known.match.tiles)


def _section(known: MatchStanding, number: int) -> str:
    """The analysis as a part of a page; all text in it is escaped."""
    words = page_texts()
    heading = f"<h2>{escape(words.rendered(message('analysis.heading')))}</h2>"
    if known.found is not None:
        download = escape(words.rendered(message("analysis.download")))
        link = f'<p><a href="/matches/{number}/analysis.html" download>{download}</a></p>'
        return f"{heading}{report_body(known.found, _wording(known))}{link}"
    says = f'<p role="status">{escape(words.rendered(known.says))}</p>'
    if known.standing in (Standing.NOT_ASKED, Standing.FAILED) and not known.match.open:
        says += f'<button type="button" data-ask>{escape(words.rendered(message("analysis.start")))}</button>'
    return heading + says
