"""Answers to what cannot be done: a plain page for people, JSON for scripts, always with what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

if TYPE_CHECKING:
    from flask import Flask, Response

WORDS = {
    400: "That request cannot be understood.",
    403: "That is not allowed.",
    404: "There is nothing here.",
    405: "That cannot be done this way.",
    413: "That is too much at once.",
    500: "Something went wrong here; the game is kept. The log says more.",
    503: "Too many pages are watching this table.",
}


def answer_errors(app: Flask) -> None:
    """Let `app` answer every HTTP error with its own page or JSON."""

    @app.errorhandler(HTTPException)
    def answer(error: HTTPException) -> Response:
        status = error.code or 500
        own_words = error.description if error.description != type(error).description else None
        message = own_words or WORDS.get(status) or error.name
        if request.method in ("GET", "HEAD") and request.accept_mimetypes.best == "text/html":
            body = render_template("error.html", status=status, title=error.name, message=message)
            response = make_response(body, status)
        else:
            response = make_response(jsonify(error=message, status=status), status)
        if status == 405:
            response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ["GET"]))
        return response
