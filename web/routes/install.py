"""Lets a device install the page as an app: its manifest, and a service worker for when the table is not reachable."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template, url_for

from companion.core import digest_of
from web.access import anybody
from web.language import page_texts

WEB = Path(__file__).parents[1]
COLOUR = "#2f6b5e"
"""Colour of the icon."""
ICONS = (
    ("icon.svg", "image/svg+xml", "any", "any"),
    ("icon-192.png", "image/png", "192x192", "any"),
    ("icon-512.png", "image/png", "512x512", "any"),
    ("icon-maskable.png", "image/png", "512x512", "maskable"),
)
"""File, type, size and purpose of each."""


def blueprint() -> Blueprint:
    """Routes without any information about the table, for every device."""
    routes = Blueprint("install", __name__)

    @routes.get("/manifest.webmanifest")
    @anybody
    def manifest() -> Response:
        words = page_texts()
        icons = [
            {"src": url_for("static", filename=name), "type": kind, "sizes": sizes, "purpose": purpose}
            for name, kind, sizes, purpose in ICONS
        ]
        described = words.translated("The referee beside the board: dice, verdict, hints and what the camera sees.")
        answer = jsonify(
            id="/",
            name="Boardside",
            short_name="Boardside",
            description=described,
            lang=words.language,
            start_url="/",
            scope="/",
            display="standalone",
            background_color=COLOUR,
            theme_color=COLOUR,
            icons=icons,
        )
        answer.mimetype = "application/manifest+json"
        return answer

    @routes.get("/worker.js")
    @anybody
    def worker() -> Response:
        """The service worker; it differs with each version of the page and each language."""
        version = f"{version_of_page()}-{page_texts().language}"
        script = (WEB / "static" / "worker.js").read_text(encoding="utf-8")
        return Response(f'const VERSION = "{version}";\n\n{script}', mimetype="text/javascript")

    @routes.get("/offline")
    @anybody
    def offline() -> str:
        """The page that the service worker shows while the table is not reachable."""
        return render_template("offline.html", words=page_texts())

    return routes


@cache
def version_of_page() -> str:
    """A digest of all scripts, styles, templates and texts of the page."""
    parts = (path for name in ("static", "templates", "texts") for path in (WEB / name).rglob("*.*"))
    return digest_of(WEB, (path for path in parts if path.is_file() and path.suffix != ".pyc"))
