"""Answers to failed requests: a page for people, JSON for scripts, both with advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import jsonify, make_response, render_template, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException

from web.language import page_texts
from web.refusals import STATUS

if TYPE_CHECKING:
    from flask import Flask, Response


def wants_page() -> bool:
    """Whether a browser asks for a page: only browsers prefer HTML to JSON.

    HTML need not be the first type that they accept: Chrome gives pictures and signed exchanges the same quality.
    """
    accepted = request.accept_mimetypes
    return accepted.quality("text/html") > accepted.quality("application/json")


def answer_errors(app: Flask) -> None:
    """Let `app` answer every HTTP error with its own page or JSON."""

    @app.errorhandler(HTTPException)
    def answer(error: HTTPException) -> Response:
        status = error.code or 500
        own_words = error.description if error.description != type(error).description else None
        words = page_texts()
        title, usual = STATUS.get(status, (error.name, error.name))
        message = own_words or words.translated(usual)
        addressable = request_ctx.url_adapter is not None  # no language is known if the Host header is no name
        if addressable and request.method in ("GET", "HEAD") and wants_page():
            named = words.translated(title)
            body = render_template("error.html", status=status, title=named, message=message, words=words)
            response = make_response(body, status)
        else:
            response = make_response(jsonify(error=message, status=status), status)
        if status == 405:
            response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ["GET"]))
        return response
