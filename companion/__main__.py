"""`boardside` and `python -m companion`."""

import os
import sys
import threading

from companion import cli as cli


def main() -> int:
    """Run the command line; returns the exit status.

    Where a thread still runs, leaves without the interpreter's shutdown: that kills daemon threads, and killing one
    inside native code (OpenCV, NumPy, SQLite) aborts the process. By then everything is closed.
    """
    status = cli.main()
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
