"""Protection against foreign pages and floods: checks of hosts, origins and posts; security headers."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import request

from companion.core import quoted
from web.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask, Response
    from werkzeug.datastructures import Headers

    from web.post_limits import PostLimits

LOCAL_SUFFIXES = ("", ".local", ".lan", ".home.arpa")
"""Domains in which a home network knows a device by its host name; none can be registered (RFC 6762, RFC 8375)."""

PAGES = frozenset(
    {"page.page", "seats.page", "settings.page", "sheets.page", "history.matches", "history.review", "dice.document"}
)
"""Endpoints of pages that a link may lead to."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """The names this device answers to, in lower case: localhost, its host name in the local domains, and `more`."""
    host = socket.gethostname().split(".")[0]
    return frozenset(name.lower() for name in ("localhost", *(host + suffix for suffix in LOCAL_SUFFIXES), *more))


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Whether the Host header `host` ("name", "name:port", "[::1]:port") names this device.

    An address is always accepted. A foreign page that was rebound to this device (DNS rebinding) uses a name, which is
    not among `names`.
    """
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return False
    written = f"[{name}]" if name and ":" in name else name
    if not name or host.lower() not in (written, f"{written}:{port}"):
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.rstrip(".") in names
    return True


def guard(app: Flask, names: frozenset[str], posts: PostLimits) -> None:
    """Make `app` refuse foreign hosts (400), foreign pages (403) and too many posts (429), and send HEADERS.

    A foreign page may link to one of PAGES; it cannot change, read or embed anything.
    """

    @app.before_request
    def refuse_foreign_hosts() -> None:
        if not is_own_host(request.headers.get("Host", ""), names):
            refuse("host", host=quoted(request.headers.get("Host", "")), names=", ".join(sorted(names)))

    app.before_request(_refuse_foreign_pages)

    @app.before_request
    def refuse_too_many_posts() -> None:
        if request.method == "POST" and not posts.allowed(request.remote_addr or "", request.blueprint):
            refuse("greedy", 429)

    @app.after_request
    def send_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _refuse_foreign_pages() -> None:
    if not is_foreign(request.headers, request.host):
        return
    reads = request.method in ("GET", "HEAD")
    if reads and request.endpoint in PAGES and request.headers.get("Sec-Fetch-Dest", "document") == "document":
        return
    origin = next(filter(None, map(request.headers.get, ("Origin", "Sec-Fetch-Site", "Referer"))), "")
    refuse("embedded" if reads else "foreign", 403, origin=quoted(origin))


def is_foreign(headers: Headers, host: str) -> bool:
    """Whether a browser sent the request for a page that is not one of `host`.

    Browsers send Sec-Fetch-Site, but over plain http only to localhost. Otherwise Origin shows it for posts and
    requests of scripts, and Referer for pictures and links. Programs other than browsers send none of them.
    """
    if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    return any(not _is_same_origin(headers[name], host) for name in ("Origin", "Referer") if name in headers)


def _is_same_origin(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
