"""The language of an answer: the one in the settings, else the best that the browser asks for.

A page names its own as `?language=` where it opens the live feed, so that both always agree.
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
    """Let `app` answer in the language of `setting()`, None: each browser in its own; templates translate with `_`.

    Players have the names that `table` shows now.
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
    """The page's words in the language of the request that is answered now; English until it is known."""
    return cast("PageTexts", g.get("page_texts", ENGLISH_TEXTS))


def preferred(accepted: Accept) -> str:
    """The language a browser likes best of `LANGUAGES`, in any region; English if it asks for none of them."""
    primary = Accept([(tag.partition("-")[0], quality) for tag, quality in accepted])
    return primary.best_match(LANGUAGES, ENGLISH) or ENGLISH


@cache
def texts_in(language: str, names: Names) -> PageTexts:
    """The page's words in one of `LANGUAGES`."""
    return PageTexts(language, names)
