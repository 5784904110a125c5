"""The recorded matches: their list, a match move by move, its pictures, and files."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import time
from typing import TYPE_CHECKING, NoReturn, TypeVar

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for

from companion.core import BoardsideError, quoted
from companion.game import PLAYING
from companion.history import HistoryError, formats_of
from companion.record import NotYetDeletedError
from web.access import may_see_pictures, picture_viewers, seated, watchers
from web.forms import choice, posted
from web.language import page_texts
from web.page_state import game_state
from web.page_state.history import PER_PAGE, MatchSearch, match_row
from web.refusals import refuse
from web.seats import converted_side, player_of, seat_now
from web.texts import browser_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.history import History, RecordedMatch
    from web.table_view import TableView

MIMETYPES = {"json": "application/x-ndjson", "sgf": "application/x-go-sgf"}
GAMES = ("backgammon", "checkers")
ReadT = TypeVar("ReadT")


def blueprint(table: TableView, history: History | None, *, analysed: bool = False) -> Blueprint:
    """Routes of the matches in `history`; None: there are none. `analysed`: their decisions are analysed."""
    routes = Blueprint("history", __name__)
    _add_list(routes, history)
    _add_last(routes, history)
    _add_review(routes, table, history, analysed=analysed)
    _add_games(routes, table, history)
    _add_files(routes, history)
    _add_evidence(routes, history)
    _add_deleting(routes, table, history)
    return routes


def _add_list(routes: Blueprint, history: History | None) -> None:
    @routes.get("/matches")
    @watchers
    def matches() -> str:
        words = page_texts()
        search = MatchSearch.of(request.args)
        found = [match for match in _all(history) if search.finds(match)]
        shown = search.shown(found)
        named = [(match, words.calling(history.names(match))) for match in shown] if history is not None else []
        first = (search.page - 1) * PER_PAGE
        fields = {key: value for key, value in request.args.items() if key in ("name", "game", "since", "until")}
        return render_template(
            "matches.html",
            words=words,
            rows=[match_row(match, its_words) for match, its_words in named],
            search=search,
            fields=fields,
            games=GAMES,
            wrong=[words("matches.date", value=quoted(one), form="2026-11-22") for one in search.wrong],
            count=words("matches.found", first=first + 1, last=first + len(shown), number=len(found)) if shown else "",
            newer=search.page - 1,
            older=search.page + 1 if first + len(shown) < len(found) and shown else 0,
            trouble=None if history is None else history.pictures.trouble,
        )


def _add_last(routes: Blueprint, history: History | None) -> None:
    @routes.get("/matches/last")
    @routes.get("/matches/last/match.<ending>")
    @watchers
    def last(ending: str | None = None) -> Response:
        """The match that began last, or its file; its result is shown until the next begins."""
        number = next((match.number for match in _all(history)), None)
        if number is None:
            where = url_for("history.matches")
        elif ending is None:
            where = url_for("history.review", number=number)
        else:
            where = url_for("history.file", number=number, ending=ending)
        return redirect(where)  # type: ignore[return-value]


def _add_review(routes: Blueprint, table: TableView, history: History | None, *, analysed: bool) -> None:
    @routes.get("/matches/<int:number>")
    @watchers
    def review(number: int) -> str:
        kept, match = _match(history, number)
        gone_through = _read(partial(kept.review, match))
        words = page_texts().calling(kept.names(match)).on(tiles=gone_through.tiles)
        asked = kept.joint_requests.waiting(number)
        games = [
            {"number": game.number, "title": words("review.game", number=game.number)} for game in gone_through.games
        ]
        layout = replace(table.snapshot().layout, tiles=gone_through.tiles)  # the home's side is not recorded
        trouble = words("review.trouble", why=gone_through.trouble) if gone_through.trouble else ""
        return render_template(
            "review.html",
            words=words,
            texts=browser_texts(words),
            match=match_row(match, words),
            games=games,
            formats=formats_of(match),
            layout=layout.to_json(match.game),
            trouble=trouble,
            may_see_pictures=may_see_pictures(table),
            analysed=analysed,
            may_delete=seat_now() is not None,
            waiting=None if asked is None else converted_side(asked, table),
        )


def _add_games(routes: Blueprint, table: TableView, history: History | None) -> None:
    @routes.get("/matches/<int:number>/games/<int:game>.json")
    @watchers
    def game(number: int, game: int) -> Response:
        kept, match = _match(history, number)
        gone_through = _read(partial(kept.review, match))
        if not 1 <= game <= len(gone_through.games):
            refuse("match.game", 404, number=game, count=len(gone_through.games))
        words = page_texts().calling(gone_through.names[game - 1]).on(tiles=gone_through.tiles)
        with_pictures = may_see_pictures(table)
        pictures = _read(kept.picture_names) if with_pictures else ()
        state = game_state(gone_through.games[game - 1], (match.game, match.sheet), pictures, words)
        for moment in state["moments"]:
            with_file = with_pictures and moment["kind"] == "dispute"
            moment["evidence"] = f"/matches/{number}/evidence-{moment['entry']}.zip" if with_file else None
        return jsonify(state)

    @routes.get("/matches/pictures/<name>")
    @picture_viewers
    def picture(name: str) -> Response:
        jpeg = None if history is None else _read(partial(history.picture, name))
        if jpeg is None:
            refuse("evidence", 404, name=quoted(name))
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


def _add_files(routes: Blueprint, history: History | None) -> None:
    @routes.get("/matches/<int:number>/match.<ending>")
    @watchers
    def file(number: int, ending: str) -> Response:
        kept, match = _match(history, number)
        if ending not in formats_of(match):
            refuse("match.format", 404, format=quoted(ending), known=", ".join(formats_of(match)))
        try:
            text = kept.text(match, ending)
        except BoardsideError as error:
            refuse("match.no_file", 409, format=ending, why=error)
        return download(text.encode(), f"boardside-{number}.{ending}", MIMETYPES.get(ending, "text/plain"))


def _add_evidence(routes: Blueprint, history: History | None) -> None:
    @routes.get("/matches/<int:number>/evidence-<int:dispute>.zip")
    @picture_viewers
    def evidence(number: int, dispute: int) -> Response:
        kept, match = _match(history, number)
        try:
            content = kept.evidence(match, dispute, time())
        except HistoryError:
            refuse("match.dispute", 404, number=dispute)
        except BoardsideError as error:
            _unreadable(error)
        return download(content, f"boardside-{number}-dispute-{dispute}.zip", "application/zip")


def _add_deleting(routes: Blueprint, table: TableView, history: History | None) -> None:
    @routes.post("/matches/<int:number>/delete")
    @seated
    def delete(number: int) -> Response:
        """{"do": "delete" or "withdraw"}: a match's pictures are deleted once both players have asked for it."""
        kept, match = _match(history, number)
        player = player_of({})
        if choice(posted(), "do", ("delete", "withdraw"), "delete") == "withdraw":
            kept.joint_requests.withdraw(number)
        elif table.snapshot().phase in PLAYING:
            refuse("delete.playing", 409)
        elif kept.joint_requests.ask(number, None if player is None else converted_side(player, table)):
            try:
                kept.delete_pictures(match)
            except NotYetDeletedError:
                refuse("delete.not_yet", 503)
            except (BoardsideError, OSError) as error:
                refuse("delete.failed", 503, why=error)
        return redirect(url_for("history.review", number=number), 303)  # type: ignore[return-value]


def download(content: bytes, name: str, mimetype: str) -> Response:
    """A file that the browser saves."""
    return Response(content, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _all(history: History | None) -> list[RecordedMatch]:
    return [] if history is None else _read(history.matches)


def _match(history: History | None, number: int) -> tuple[History, RecordedMatch]:
    """The match of that number. Answers 404 if there is none, 503 if the record cannot be read."""
    found = None if history is None else _read(partial(history.match, number))
    if history is None or found is None:
        refuse("match.none", 404, number=number)
    return history, found


def _read(read: Callable[[], ReadT]) -> ReadT:
    """The result of `read`. Answers 503 if the record cannot be read."""
    try:
        return read()
    except BoardsideError as error:
        _unreadable(error)


def _unreadable(error: BoardsideError) -> NoReturn:
    refuse("match.unreadable", 503, why=error)
