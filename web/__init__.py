"""The page on the local network: live board, verdict, hints and disputes in any browser, and the simulated table."""

from web.app import create_app
from web.serve import PageServer, make_server

__all__ = ["PageServer", "create_app", "make_server"]
