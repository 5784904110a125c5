"""The QR code that gives another device a seat: the page's address as that device reaches it, and an invitation."""

from __future__ import annotations

from urllib.parse import urlsplit

import segno

from companion.seats import local_address
from web.seats import is_loopback_host

QUIET_ZONE = 4
"""Width of the quiet zone around a QR code, in modules (ISO/IEC 18004)."""


def reachable_host(host: str) -> str:
    """The Host header `host` ("name:port"), with this machine's own address in place of a loopback one."""
    if not is_loopback_host(host):
        return host
    port = urlsplit(f"//{host}").port
    return local_address() if port is None else f"{local_address()}:{port}"


def qr_code(text: str) -> str:
    """`text` as a QR code, dark on light: an SVG element without width and height."""
    return segno.make(text, micro=False).svg_inline(border=QUIET_ZONE, light="#fff", omitsize=True)
