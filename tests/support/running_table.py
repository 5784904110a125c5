"""A whole table in a process of its own, and a client of its page."""

import json
import os
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from urllib.request import Request, urlopen

SIMULATED = ("--camera", "simulated", "--gpio", "mock")


@contextmanager
def tables(state):
    """`run(port, program=…, **environment)` starts a simulated table with that state directory."""
    children = []

    def run(port, program=("-m", "companion"), **environment):
        command = [sys.executable, *program, "run", *SIMULATED, "--host", "127.0.0.1"]
        command += ["--port", str(port), "--state", str(state)]
        children.append(
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "LANG": "C", **environment},
            )
        )
        return children[-1]

    try:
        yield run
    finally:
        for child in children:
            child.kill()
            child.communicate()


def free_port() -> int:
    """A TCP port that is not in use."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Page:
    """A client of the page of the table at `port`."""

    def __init__(self, port):
        self._at = f"http://127.0.0.1:{port}"

    def _states(self):
        with urlopen(f"{self._at}/events", timeout=60) as feed:
            for line in feed:
                if line.startswith(b"data:"):
                    yield json.loads(line.removeprefix(b"data:"))

    def until(self, condition):
        """The first state shown that fulfils the condition."""
        with closing(self._states()) as states:
            return next(state for state in states if condition(state))

    def rolls(self):
        """Tap White's own button, which is not debounced, until a game has begun; returns the state."""
        rolled = {"phase": "opening", "version": 0}
        while rolled["phase"] == "opening":  # a tie is rolled again
            tap = Request(f"{self._at}/tap/roll", b'{"player": "white"}', {"Content-Type": "application/json"})
            urlopen(tap, timeout=60).close()
            last = rolled["version"]
            rolled = self.until(lambda state, last=last: state["dice"] and state["version"] > last)
        return rolled
