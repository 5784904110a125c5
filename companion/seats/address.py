"""The address under which other devices on the local network find the page."""

from __future__ import annotations

import socket

ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737). Connecting a datagram socket to it sends nothing, and binds it to an
address of this machine."""


def local_address() -> str:
    """This machine's IPv4 address on its network; without one, its host name in the domain .local."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            address: str = probe.getsockname()[0]
        except OSError:
            address = ""
    return address if address and not address.startswith("127.") else f"{socket.gethostname().split('.')[0]}.local"
