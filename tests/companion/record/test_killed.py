"""A table that is killed while it writes; `benchmarks/killed.py` does it some hundred times."""

import os
import subprocess
import sys

from places import BENCHMARKS

KILLED = BENCHMARKS / "killed.py"


def test_a_table_killed_at_its_write_points_and_at_random_loses_nothing_it_acknowledged(tmp_path):
    done = subprocess.run(
        [sys.executable, str(KILLED), "--kills", "24", "--stride", "5"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost 0," in done.stdout
    assert "something wrong at 0 restarts" in done.stdout
    assert done.stdout.count("wrong after 0") == 2  # while a damaged record is restored, while an old one is brought up
    assert "in all                 24" in done.stdout
