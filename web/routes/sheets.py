"""The page of the rule sheets in plain words: those that come with Boardside and the players' own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, render_template

from companion.core import BoardsideError
from companion.rules import load_sheet, own_sheets, shipped_sheets
from companion.texts import ENGLISH
from companion.views import sheet_json
from web.access import watchers
from web.language import page_texts

if TYPE_CHECKING:
    from pathlib import Path


def blueprint(folder: Path | None) -> Blueprint:
    """Routes of the sheets; `folder` holds the players' own, None: there are none."""
    routes = Blueprint("sheets", __name__)

    @routes.get("/sheets")
    @watchers
    def page() -> str:
        return render_template("sheets.html", sheets=listed(folder, page_texts().language), words=page_texts())

    @routes.get("/sheets.json")
    @watchers
    def sheets() -> Response:
        return jsonify(listed(folder))

    return routes


def listed(folder: Path | None, language: str = ENGLISH) -> list[dict[str, Any]]:
    """Every sheet in words (`companion.views.sheet_json`); "trouble" is the error of an invalid one, else None."""
    own = own_sheets(folder) if folder is not None else ()
    return [*_shipped(language), *(_in_words(name, language) for name in own)]


@cache
def _shipped(language: str) -> tuple[dict[str, Any], ...]:
    """The sheets that come with Boardside, cached by language."""
    return tuple(_in_words(name, language) for name in shipped_sheets())


def _in_words(name_or_path: str, language: str) -> dict[str, Any]:
    try:
        return {**sheet_json(load_sheet(name_or_path), language), "trouble": None}
    except BoardsideError as trouble:
        return {"name": name_or_path, "title": name_or_path, "says": [], "trouble": str(trouble)}
