"""Files that pages load: several style sheets in one answer, and compression."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, abort, request

from web.access import anybody

STATIC = Path(__file__).parents[1] / "static"
STYLES = frozenset(path.stem for path in STATIC.glob("*.css"))
COMPRESSED = ("text/css", "text/javascript", "image/svg+xml")
"""Types of files that are the same for everybody. Pages are not compressed: the length of a page could reveal a secret
in it (BREACH)."""


def blueprint() -> Blueprint:
    """Routes without any information about the table, for every device."""
    routes = Blueprint("files", __name__)

    @routes.get("/styles/<names>.css")
    @anybody
    def styles(names: str) -> Response:
        """Style sheets, named with "+" between them, as one file: each separate file costs a round trip."""
        parts = names.split("+")
        if not STYLES.issuperset(parts) or len(set(parts)) < len(parts):
            abort(404)
        answer = Response(b"\n".join(map(_style, parts)), mimetype="text/css", headers={"Cache-Control": "no-cache"})
        answer.add_etag()
        return answer.make_conditional(request)  # type: ignore[return-value]

    routes.after_app_request(_compress)
    return routes


@lru_cache
def _style(name: str) -> bytes:
    return (STATIC / f"{name}.css").read_bytes()


def _compress(response: Response) -> Response:
    """Compress a file if the browser accepts gzip: over a slow connection it takes a quarter of the time."""
    if request.endpoint not in ("static", "files.styles") or response.mimetype not in COMPRESSED:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or request.method != "GET" or not request.accept_encodings.quality("gzip"):
        return response
    response.direct_passthrough = False
    response.set_data(_gzipped(response.get_data()))
    response.content_encoding = "gzip"
    etag, _ = response.get_etag()
    if etag is not None:
        response.set_etag(etag, weak=True)
    return response


@lru_cache
def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
