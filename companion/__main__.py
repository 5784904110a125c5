"""`boardside` and `python -m companion`."""

import os
import signal
import sys
import threading

# Read as NumPy is imported: one thread for its products. More are no faster here, and wait for each other under load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as by a shell's `&`
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until a command runs, Ctrl-C ends the process without a traceback

from companion import cli as cli


def main() -> int:
    """Run the command line; returns the exit status.

    If a thread still runs, this skips the interpreter's shutdown, which kills daemon threads: killing one inside native
    code (OpenCV, NumPy, SQLite) aborts the process. By then everything is closed.
    """
    status = cli.main()
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
