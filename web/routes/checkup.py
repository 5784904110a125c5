"""The camera's light and focus, and the test of the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.interface import PanelPart
from web.access import seated
from web.forms import choice, posted
from web.language import page_texts
from web.refusals import refuse

if TYPE_CHECKING:
    from companion.interface import Press
    from web.table_view import CheckedPanel, TableView


def blueprint(table: TableView) -> Blueprint:
    """Routes that answer 404 without a camera or a panel."""
    routes = Blueprint("checkup", __name__)

    @routes.get("/camera.json")
    @seated
    def camera() -> Response:
        """Light and focus of the newest picture in figures and words; null until one is measured."""
        if table.meter is None:
            refuse("corners.none", 404)
        reading, snapshot, words = table.meter.read(), table.snapshot(), page_texts()
        measured = reading and {
            "lighting": reading.lighting,
            "brightness": round(reading.brightness, 3),
            "focus": reading.focus,
            "sharpness": round(reading.sharpness, 3),
            "light_words": words(f"lighting.{reading.lighting}"),
            "focus_words": words(f"focus.{reading.focus}"),
        }
        seen = words.rendered(snapshot.camera) or words("camera.waits" if snapshot.seen is None else "camera.reads")
        picture = f"/picture/{snapshot.picture}.jpg" if snapshot.picture else None
        return jsonify(
            reading=measured, words=seen, seen=snapshot.seen is not None, picture=picture, phase=snapshot.phase
        )

    @routes.get("/panel.json")
    @seated
    def panel() -> Response:
        """The last press during the test."""
        press = _panel(table).heard()
        return jsonify(heard=press and {"number": press.number, "button": press.button, "words": _pressed(press)})

    @routes.post("/panel/check")
    @seated
    def check() -> tuple[Response, int]:
        """{"what": the part}: that part alone lights or sounds for a moment; meanwhile buttons have no other effect."""
        part = PanelPart(choice(posted(), "what", list(PanelPart)))
        if table.settings is None or table.settings.busy == "game":
            refuse("panel.game", 409)
        _panel(table).check(part)
        return jsonify(ok=True), 202

    return routes


def _panel(table: TableView) -> CheckedPanel:
    if table.panel is None:
        refuse("panel.none", 404)
    return table.panel


def _pressed(press: Press) -> str:
    words, button = page_texts(), press.button.value.title()
    if press.player is None:
        return words("panel.pressed", button=button)
    return words("panel.pressed.by", button=button, player=press.player)
