"""`boardside` and `python -m companion`."""

import sys

from companion.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
