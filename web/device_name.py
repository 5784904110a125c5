"""The name of a device in the list of seats: browser and system, from its User-Agent header."""

from __future__ import annotations

import re

BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "HeadlessChrome/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""Names by the part of the header that identifies them; a header may also contain parts further down."""
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def device_name(user_agent: str) -> str:
    """A name such as "Firefox, Android"; of a program its own name, "?" if it sends none."""
    found = [next((name for mark, name in known.items() if mark in user_agent), "") for known in (BROWSERS, SYSTEMS)]
    program = re.match(r"[A-Za-z][\w.-]{0,19}", user_agent, re.ASCII)
    return ", ".join(filter(None, found)) or (program[0] if program else "?")
