"""Hostile neighbours of a table: loads that `load.py` measures under, each run by `neighbours.py KIND PORT`."""

from __future__ import annotations

import contextlib
import selectors
import socket
import sys
import time
from collections import deque
from contextlib import closing
from itertools import cycle
from typing import TYPE_CHECKING, Any

from table_at_rest import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable

NET = "10.77"
"""The loads' addresses begin with this: a namespace of its own has the network, and nothing leaves it."""
BYTE_EVERY_S = 3.0
HEAD = "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n"
BODY_BYTES = 300_000_000
CROWD_A_SECOND, CROWD_AT_ONCE, CROWD_HELD = 300, 10, 900


def from_address(port: int, address: str, timeout: float | None = PATIENCE_S) -> socket.socket:
    """A connection to the table that comes from `address`."""
    return socket.create_connection((f"{NET}.0.1", port), timeout, source_address=(address, 0))


def addresses(net: int, count: int) -> list[str]:
    """`count` addresses of the network number `net`."""
    return [f"{NET}.{net}.{1 + n}" for n in range(count)]


def slow_senders(port: int) -> None:
    """200 sockets from ten addresses that send one byte every few seconds."""
    sources = cycle(addresses(1, 10))
    held: list[socket.socket] = []
    sent = cycle(HEAD.format(path="/").encode())
    while True:
        began = time.monotonic()
        while len(held) < 200:
            held.append(from_address(port, next(sources)))
        for each in list(held):
            try:
                each.sendall(bytes([next(sent)]))
            except OSError:
                held.remove(each)
                each.close()
        time.sleep(max(0.0, BYTE_EVERY_S - (time.monotonic() - began)))


def watchers(port: int) -> None:
    """100 streams from as many addresses, read at once, and 20 pages that poll every two seconds."""
    streams_and_pollers(port, streams=100, pollers=20, every_s=2.0)


def flood(port: int) -> None:
    """20 addresses that poll the state without a pause."""
    streams_and_pollers(port, streams=0, pollers=20, every_s=0.0)


def streams_and_pollers(port: int, *, streams: int, pollers: int, every_s: float) -> None:
    """Streams, and pollers of which each asks `every_s` after its answer; a connection lost is made again."""
    selector = selectors.DefaultSelector()
    due: list[tuple[float, str, str]] = [(0.0, each, "/events") for each in addresses(2, streams)]
    due += [(0.0, each, "/state.json") for each in addresses(3, pollers)]
    while True:
        now = time.monotonic()
        for entry in [entry for entry in due if entry[0] <= now]:
            due.remove(entry)
            with contextlib.suppress(OSError):
                opened = from_address(port, entry[1])
                opened.sendall(HEAD.format(path=entry[2]).encode())
                selector.register(opened, selectors.EVENT_READ, entry)
        for key, _ in selector.select(0.05):
            connection: Any = key.fileobj
            try:
                got = connection.recv(1 << 16)
            except OSError:
                got = b""
            _, address, path = key.data
            refused = path == "/events" and b" 503 " in got[:20]
            answered = path != "/events" and got.endswith(b"}\n")
            if not got or refused or (answered and every_s):
                selector.unregister(connection)
                connection.close()
                due.append((time.monotonic() + max(every_s, 2.0 * (path == "/events")), address, path))
            elif answered:
                connection.sendall(HEAD.format(path=path).encode())


def large_bodies(port: int) -> None:
    """Bodies of 300 MB, one after the other, from one address."""
    block = b"0" * (1 << 16)
    while True:
        with contextlib.suppress(OSError), closing(from_address(port, addresses(4, 1)[0])) as sender:
            sender.sendall(
                f"POST /tap/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: {BODY_BYTES}\r\n\r\n".encode()
            )
            for _ in range(BODY_BYTES // len(block)):
                sender.sendall(block)
            sender.recv(100)
        time.sleep(0.1)


def crowd(port: int) -> None:
    """300 connections a second, each from another address: incomplete bodies, invalid requests, posts, pages."""
    half = "POST /seat/take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{"
    post = "POST /tap/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
    said = cycle(each.encode("latin-1") for each in (half, "\0\xff\r\n\r\n", post, HEAD.format(path="/")))
    sources = cycle(address for net in range(100, 200) for address in addresses(net, 250))
    held: deque[socket.socket] = deque()
    while True:
        began = time.monotonic()
        for _ in range(CROWD_AT_ONCE):
            with contextlib.suppress(OSError):
                held.append(from_address(port, next(sources)))
                held[-1].sendall(next(said))
        while len(held) > CROWD_HELD:
            held.popleft().close()
        time.sleep(max(0.0, CROWD_AT_ONCE / CROWD_A_SECOND - (time.monotonic() - began)))


def slow_readers(port: int) -> None:
    """100 sockets from ten addresses that ask for pictures again and again and read a byte every few seconds."""
    sources, held = cycle(addresses(5, 10)), []
    while True:
        while len(held) < 100:
            with contextlib.suppress(OSError):
                reader = socket.socket()
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                reader.bind((next(sources), 0))
                reader.settimeout(PATIENCE_S)
                reader.connect((f"{NET}.0.1", port))
                reader.sendall(HEAD.format(path="/picture/1.jpg").encode() * 40)
                reader.setblocking(False)
                held.append(reader)
        for each in list(held):
            try:
                if not each.recv(1):
                    raise ConnectionResetError
            except BlockingIOError:
                pass
            except OSError:
                held.remove(each)
                each.close()
        time.sleep(BYTE_EVERY_S)


LOADS: dict[str, Callable[[int], None]] = {
    each.__name__: each for each in (slow_senders, watchers, flood, large_bodies, slow_readers, crowd)
}

if __name__ == "__main__":
    LOADS[sys.argv[1]](int(sys.argv[2]))
