"""A table that is stopped at any moment; `benchmarks/stopped.py` does it some dozen times."""

import os
import subprocess
import sys

import pytest
from places import BENCHMARKS


def stopped(tmp_path, stops, latest_s, seed):
    done = subprocess.run(
        [
            *(sys.executable, str(BENCHMARKS / "stopped.py"), "--stops", str(stops)),
            *("--latest", str(latest_s), "--seed", str(seed)),
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "something wrong at 0 stops" in done.stdout


def test_a_table_stopped_at_a_random_moment_ends_cleanly(tmp_path):
    stopped(tmp_path, 3, 2.5, 1)


@pytest.mark.slow
def test_tables_stopped_at_random_moments_end_cleanly(tmp_path):
    stopped(tmp_path, 40, 5, 2)
