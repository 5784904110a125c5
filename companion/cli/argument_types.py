"""Argument types: each parses one value of the command line, or raises ArgumentTypeError."""

from __future__ import annotations

import argparse
import re
from ipaddress import ip_address

from companion.cli.choices import FORMER_ENGINES
from companion.core import quoted

LAST_PORT = 65535
SITE = re.compile(r"[\w.-]++")
"""Names of hosts, without a port: a name is valid for all ports (`web.guard`)."""


def port(text: str) -> int:
    """A port number."""
    if not text.isdecimal() or len(text) > len(str(LAST_PORT)) or not 1 <= int(text) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no port: expected one from 1 to {LAST_PORT}, such as 8000")
    return int(text)


def stake(text: str) -> float:
    """A stake, in any unit."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no stake: expected a number such as 0.5") from error


def address(text: str) -> str:
    """An address of the network."""
    try:
        return str(ip_address(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no address: expected one such as 127.0.0.1") from error


def site(text: str) -> str:
    """The name of a host."""
    if not SITE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no name of a host: expected one such as table.example.org")
    return text


def engine(text: str) -> str:
    """The name of an engine; a name from an earlier version is replaced."""
    return FORMER_ENGINES.get(text, text)
