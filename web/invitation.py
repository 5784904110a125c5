"""The QR code that takes another device in: the page's address as that device reaches it, and an invitation."""

from __future__ import annotations

from urllib.parse import urlsplit

import segno

from companion.seats import local_address
from web.seats import is_loopback_host

QUIET_ZONE = 4
"""Modules of light ground around a QR code (ISO/IEC 18004)."""


def reachable_host(host: str) -> str:
    """The Host header `host` ("name:port"), with this machine's own address in place of a loopback one."""
    if not is_loopback_host(host):
        return host
    port = urlsplit(f"//{host}").port
    return local_address() if port is None else f"{local_address()}:{port}"


def qr_code(text: str) -> str:
    """`text` as a QR code, dark on light: an SVG element without a size of its own."""
    return segno.make(text, micro=False).svg_inline(border=QUIET_ZONE, light="#fff", omitsize=True)
