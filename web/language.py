"""The language of an answer: the one in the settings, else the one that the browser prefers.

A page opens the live feed with its own language as `?language=`, so that both agree.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from flask import g, request
from werkzeug.datastructures import Accept

from companion.texts import ENGLISH, LANGUAGES
from web.texts import ENGLISH_TEXTS, PageTexts

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response

    from companion.core import Names
    from web.table_view import TableView


def answer_in_language(app: Flask, setting: Callable[[], str | None], table: TableView) -> None:
    """Let `app` answer in the language `setting()`, or if that is None in each browser's; templates translate with `_`.

    Players are called by the names in the table's snapshot.
    """
    environment = app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: page_texts().translated(text), lambda one, many, n: one if n == 1 else many
    )

    @app.before_request
    def choose_language() -> None:
        named = request.args.get("language")
        asked = named if named in LANGUAGES else preferred(request.accept_languages)
        g.page_texts = texts_in(setting() or asked, table.snapshot().names)

    @app.after_request
    def name_language(response: Response) -> Response:
        if request.endpoint != "static":
            response.headers["Content-Language"] = page_texts().language
            if setting() is None:
                response.vary.add("Accept-Language")
        return response


def page_texts() -> PageTexts:
    """The page's texts in the language of this request; English until it is known."""
    return cast("PageTexts", g.get("page_texts", ENGLISH_TEXTS))


def preferred(accepted: Accept) -> str:
    """The one of `LANGUAGES` that a browser prefers, of any region; English if it accepts none of them."""
    primary = Accept([(tag.partition("-")[0], quality) for tag, quality in accepted])
    return primary.best_match(LANGUAGES, ENGLISH) or ENGLISH


@cache
def texts_in(language: str, names: Names) -> PageTexts:
    """The page's texts in one of `LANGUAGES`."""
    return PageTexts(language, names)
