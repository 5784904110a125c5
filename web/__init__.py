"""The page on the local network: live board, verdict, hints and disputes in any browser, and the simulated table."""

from web.app import create_app
from web.serve import PageNotServedError, PageServer, make_server
from web.table_view import TableView

__all__ = ["PageNotServedError", "PageServer", "TableView", "create_app", "make_server"]
