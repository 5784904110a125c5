"""Who may ask, and what a browser may do with the answer: Host and origin checks, and the security headers."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import request

from web.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask, Response

LOCAL_SUFFIXES = ("", ".local", ".lan", ".home.arpa")
"""Endings under which a home network knows a device by its own name; nobody can register them (RFC 6762, RFC 8375)."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
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

    An address is always fine: a page of somebody else's that was rebound to this device comes under a name (DNS
    rebinding), and that name is not among `names`.
    """
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not name or parts.netloc != host or "@" in host:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.rstrip(".") in names
    return True


def guard(app: Flask, names: frozenset[str]) -> None:
    """Make `app` refuse foreign hosts (400) and changes asked for by foreign pages (403), and send the headers."""

    @app.before_request
    def refuse_foreign_hosts() -> None:
        if not is_own_host(request.headers.get("Host", ""), names):
            refuse("host", host=repr(request.headers.get("Host", "")), names=", ".join(sorted(names)))

    @app.before_request
    def refuse_foreign_pages() -> None:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        if site not in ("same-origin", "none") or (origin is not None and not _is_same_origin(origin)):
            refuse("foreign", 403, origin=repr(origin or site))

    @app.after_request
    def send_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _is_same_origin(origin: str) -> bool:
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == request.host.lower()
