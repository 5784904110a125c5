"""The page of the settings: reads, changes and postpones them, and manages the players' own rule sheets."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, get_args

from flask import Blueprint, Response, jsonify, render_template

from companion.clock import MOST_DELAY_S, MOST_MINUTES, ClockSetting
from companion.core import Colour, PlayerNameError, Refusal, message
from companion.rules import (
    LayoutError,
    SheetError,
    base_sheet,
    load_sheet,
    names_on_record,
    names_under,
    own_sheets,
    refuse_mirrored,
    shipped_sheets,
    with_own_sheets,
)
from companion.seats import Seat
from companion.settings import (
    CAMERAS,
    LEAST_STAKE,
    LONGEST_MATCH,
    LONGEST_NAME,
    MOST_AUTOMATIC_DOUBLES,
    MOST_STAKE,
    ONE_OF,
    Effect,
    Settings,
    Terms,
)
from companion.texts import COLOURS
from web.access import seated
from web.forms import choice, number, posted, truth, whole_number
from web.language import page_texts
from web.refusals import refuse
from web.routes.sheets import listed
from web.seats import seat_now
from web.texts import SETTINGS_IN_BROWSER, browser_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules import Sheet
    from companion.settings import SettingsDesk
    from web.table_view import TableView

LEAST_MINUTES = 0.1
PLAYED_FOR = ("match", "games", "stake")
TERMS_FIELDS = ("played_for", "length", "stake", "jacoby", "beavers", "crawford", "automatic_doubles")
NAMES_FIELDS = ("white_name", "white_colour", "black_name", "black_colour")
CLOCK_FIELDS = ("clock", "minutes", "delay")
"""The fields of the settings that have several: a form may send only some of them."""
LONGEST_FILE_NAME = 200


def blueprint(table: TableView) -> Blueprint:
    """The routes; they answer 404 if the table has no settings."""
    routes = Blueprint("settings", __name__)
    _add_page(routes, table)
    _add_changes(routes, table)
    _add_sheets(routes, table)
    return routes


def _add_page(routes: Blueprint, table: TableView) -> None:
    @routes.get("/settings")
    @seated
    def page() -> str:
        desk, words = _desk(table), page_texts()
        texts = browser_texts(words) | {key: words.translated(text) for key, text in SETTINGS_IN_BROWSER.items()}
        return render_template(
            "settings.html",
            words=words,
            texts=texts,
            now=_values(desk.now, _sheet_of(desk.now, table)),
            desk=desk,
            later=None if desk.later is None else [_setting(name) for name in desk.later.chosen],
            sheets=listed(desk.own, words.language),
            own=[_stem(one) for one in own_sheets(desk.own)],
            colours={colour: words.translated(COLOURS[colour]) for colour in get_args(Colour)},
            cameras=CAMERAS,
            levels=ONE_OF["level"],
            seat=seat_now() or "none",
            table=table,
        )

    @routes.get("/settings.json")
    @seated
    def settings() -> Response:
        desk = _desk(table)
        return jsonify(
            run=desk.run_id,
            settings=_values(desk.now, _sheet_of(desk.now, table)),
            fixed=sorted(desk.fixed),
            busy=desk.busy,
            later=None if desk.later is None else desk.later.to_json(),
        )


def _add_changes(routes: Blueprint, table: TableView) -> None:
    @routes.post("/settings")
    @seated
    def change() -> tuple[Response, int]:
        """Absent settings and fields are unchanged; {"when": "later"}: after the game or the match.

        409: not possible now; 503: the disk is full or read-only.
        """
        desk, fields = _desk(table), posted()
        both = seat_now() is Seat.BOTH and truth(fields, "white_agrees") and truth(fields, "black_agrees")
        later = choice(fields, "when", ("now", "later"), "now") == "later"
        asked = _asked(fields, table, desk.later if later else None)
        with _answering_refusals():
            outcome = desk.postpone(asked) if later else desk.change(asked, both=both)
        words = page_texts()(f"outcome.{outcome}")
        return jsonify(ok=True, outcome=outcome, run=desk.run_id, words=words), 202

    @routes.post("/settings/forget")
    @seated
    def forget() -> tuple[Response, int]:
        """Cancel the postponed changes."""
        with _answering_refusals():
            _desk(table).forget_later()
        return jsonify(ok=True, words=page_texts()(f"outcome.{Effect.NOTHING}")), 202


def _add_sheets(routes: Blueprint, table: TableView) -> None:
    @routes.post("/settings/sheets")
    @seated
    def add() -> tuple[Response, int]:
        """{"file": its name, "text": the sheet}: checked as `boardside sheets --check` does."""
        desk, fields = _desk(table), posted()
        file, text = fields.get("file"), fields.get("text")
        if not isinstance(file, str) or not isinstance(text, str) or len(file) > LONGEST_FILE_NAME:
            refuse("sheet_file", field='"file", "text"')
        with _answering_refusals():
            sheet = desk.add_sheet(file, text)
        return jsonify(ok=True, name=sheet.name, title=sheet.title, examples=len(sheet.examples)), 201

    @routes.post("/settings/sheets/remove")
    @seated
    def remove() -> tuple[Response, int]:
        """{"name": a sheet of the players' own}."""
        name = posted().get("name")
        with _answering_refusals():
            _desk(table).remove_sheet(name if isinstance(name, str) else "")
        return jsonify(ok=True), 202


def _desk(table: TableView) -> SettingsDesk:
    if table.settings is None:
        refuse("settings.none", 404)
    return table.settings


@contextmanager
def _answering_refusals() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        key = refusal.message.key
        status = 409 if key.startswith("settings.busy") else 503 if key == "settings.not_written" else 400
        refuse("as_it_is", status, why=page_texts().rendered(refusal.message))


def _sheet_of(settings: Settings, table: TableView) -> Sheet:
    """The sheet of `settings`; if only the command line names its file, the base sheet of the table's game."""
    try:
        return load_sheet(with_own_sheets(settings.sheet or "", _desk(table).own))
    except SheetError:
        return load_sheet(base_sheet(table.snapshot().game))


def _sheet_asked(fields: dict[str, Any], now: Settings, table: TableView) -> Sheet:
    """The sheet that a form asks for; that of `now` if it names none."""
    desk = _desk(table)
    if fields.get("sheet", now.sheet) == now.sheet:
        return _sheet_of(now, table)
    own = [_stem(one) for one in own_sheets(desk.own)]
    try:
        return load_sheet(with_own_sheets(choice(fields, "sheet", (*shipped_sheets(), *own)), desk.own))
    except SheetError as error:
        refuse("as_it_is", why=error)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".toml")


def _setting(name: str) -> str:
    return page_texts().phrase(message(f"setting.{name}"))


def _values(now: Settings, sheet: Sheet) -> dict[str, Any]:
    """The settings `now` under their sheet, as fields of the form."""
    terms, clock = now.terms or Terms(), now.clock
    setting = ClockSetting.parse(clock) if clock else None
    (white, black), asked = names_on_record(sheet, now.names or ()), now.names or ("", "")
    return {
        "sheet": now.sheet,
        "played_for": "match" if terms.length else "stake" if terms.stake else "games",
        "length": terms.length or 5,
        "stake": terms.stake or 1.0,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
        "crawford": terms.crawford,
        "automatic_doubles": terms.automatic_doubles,
        "white_name": white.name,
        "black_name": black.name,
        "white_colour": white.colour if "(" in asked[0] else "",
        "black_colour": black.colour if "(" in asked[1] else "",
        "clock": setting is not None,
        "minutes": f"{setting.minutes:g}" if setting else "14",
        "delay": f"{setting.delay_s:g}" if setting else "12",
        "mirror": now.mirror,
        **{name: getattr(now, name) for name in ONE_OF},
    }


def _asked(fields: dict[str, Any], table: TableView, later: Settings | None) -> Settings:
    """The settings that a form asks for; the others stay as they are, or as postponed (`later`)."""
    now = _desk(table).now if later is None else later.over(_desk(table).now)
    sheet = _sheet_asked(fields, now, table)
    shown = _values(now, _sheet_of(now, table))

    def part(names: tuple[str, ...]) -> dict[str, Any] | None:
        """All fields of a setting that has several; None if the form has none of them."""
        found = {name: fields.get(name, shown[name]) for name in names}
        return found if fields.keys() & set(names) else None

    terms, named, clock = part(TERMS_FIELDS), part(NAMES_FIELDS), part(CLOCK_FIELDS)
    names = (now.names or ("", "")) if named is None else (_name(named, "white"), _name(named, "black"))
    if named is not None or "sheet" in fields:
        _refuse_names(names, sheet)
    asked = Settings(
        sheet=fields.get("sheet", now.sheet),
        terms=((now.terms or Terms()) if terms is None else _terms(terms)).allowed(sheet),
        names=names,
        clock=(now.clock or "") if clock is None else _clock(clock),
        mirror=truth(fields, "mirror") if "mirror" in fields else now.mirror,
        **{
            name: choice(fields, name, known) if name in fields else getattr(now, name)
            for name, known in ONE_OF.items()
        },
    )
    try:
        refuse_mirrored(sheet, mirrored=bool(asked.mirror))
    except LayoutError:
        refuse("settings.mirror", sheet=sheet.title)
    return asked


def _terms(fields: dict[str, Any]) -> Terms:
    kind = choice(fields, "played_for", PLAYED_FOR)
    return Terms(
        whole_number(fields, "length", 1, LONGEST_MATCH) if kind == "match" else 0,
        number(fields, "stake", LEAST_STAKE, MOST_STAKE) if kind == "stake" else 0.0,
        jacoby=truth(fields, "jacoby"),
        beavers=truth(fields, "beavers"),
        crawford=truth(fields, "crawford"),
        automatic_doubles=whole_number(fields, "automatic_doubles", 0, MOST_AUTOMATIC_DOUBLES),
    )


def _refuse_names(names: tuple[str, str], sheet: Sheet) -> None:
    """Refuse names or colours that the players cannot have under `sheet`, such as one colour for both."""
    try:
        names_under(sheet, names)
    except PlayerNameError:
        refuse("settings.names")


def _name(fields: dict[str, Any], side: str) -> str:
    name, colour = fields[f"{side}_name"], choice(fields, f"{side}_colour", ("", *get_args(Colour)))
    if not isinstance(name, str) or len(name) > LONGEST_NAME or "(" in name:
        refuse("settings.names")
    return " ".join(f"{name} ({colour})".split()) if colour else " ".join(name.split())


def _clock(fields: dict[str, Any]) -> str:
    if not truth(fields, "clock"):
        return ""
    minutes, delay_s = number(fields, "minutes", LEAST_MINUTES, MOST_MINUTES), number(fields, "delay", 0, MOST_DELAY_S)
    return str(ClockSetting(minutes, delay_s))
