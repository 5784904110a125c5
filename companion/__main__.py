"""`boardside` and `python -m companion`."""

import os
import signal
import sys
import threading

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the imports ends the process without a traceback

from companion import cli as cli  # noqa: E402


def main() -> int:
    """Run the command line; returns the exit status.

    Where a thread still runs, leaves without the interpreter's shutdown: that kills daemon threads, and killing one
    inside native code (OpenCV, NumPy, SQLite) aborts the process. By then everything is closed.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = cli.main()
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
