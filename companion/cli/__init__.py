"""The command line of `boardside`.

Each command imports its modules when it runs, so that listing plays loads neither OpenCV nor a web server.
"""

from __future__ import annotations

from companion.cli.command_line import build_parser, main

__all__ = ["build_parser", "main"]
