"""What decoding a picture will take, from its headers: width and height, and the scans of a JPEG."""

from __future__ import annotations

import re
from struct import error, unpack_from
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Size = tuple[int, int]
"""Width and height in pixels."""

_JPEG = b"\xff\xd8"
"""The first bytes of a JPEG."""
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG's frame headers (SOF0 to SOF15; the three other codes are no frames)."""
_SEGMENT = re.compile(rb"\xff[\xc0-\xcf\xd9-\xfe]")
"""JPEG's markers with a length, and its end. Pixels hold none: there, 0 or a marker without a length follows 255."""
_END, _SCAN = 0xD9, 0xDA
_OS2_HEADER_BYTES = 12
"""Bytes of the header of OS/2 bitmaps, in which width and height have 16 bits."""


def picture_size(content: bytes) -> Size | None:
    """Width and height of a JPEG, PNG, BMP or WebP; None for another format or an incomplete header."""
    try:
        if content.startswith(_JPEG):
            return _jpeg(content)
        if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR":
            return unpack_from(">II", content, 16)
        if content.startswith(b"BM"):
            return _bmp(content)
        if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
            return _webp(content)
    except error:
        pass
    return None


def jpeg_scans(content: bytes) -> int:
    """Number of scans of a JPEG up to its end; 0 for another format. What segments and later bytes hold is no scan.

    Phones put a small picture before the pixels, and a film behind them.
    """
    return sum(marker == _SCAN for marker, _ in _segments(content)) if content.startswith(_JPEG) else 0


def _segments(content: bytes) -> Iterator[tuple[int, int]]:
    """Marker of each segment of a JPEG and where its length is; like libjpeg, this skips bytes between two segments."""
    at = len(_JPEG)
    while (found := _SEGMENT.search(content, at)) is not None:
        marker, at = content[found.end() - 1], found.end()
        if marker == _END:
            return
        yield marker, at
        at += int.from_bytes(content[at : at + 2])


def _jpeg(content: bytes) -> Size | None:
    """From the first frame's header."""
    for marker, at in _segments(content):
        if marker in _FRAME_HEADERS:
            height, width = unpack_from(">HH", content, at + 3)
            return width, height
    return None


def _bmp(content: bytes) -> Size:
    (header,) = unpack_from("<I", content, 14)
    width, height = unpack_from("<HH" if header == _OS2_HEADER_BYTES else "<ii", content, 18)
    return abs(width), abs(height)


def _webp(content: bytes) -> Size | None:
    kind = content[12:16]
    if kind == b"VP8 ":
        width, height = unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = unpack_from("<I", content, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        low, high, low_height, high_height = unpack_from("<HBHB", content, 24)
        return (low | high << 16) + 1, (low_height | high_height << 16) + 1
    return None
