"""A table that is stopped at random moments; `benchmarks/stopped.py` does so several dozen times."""

import pytest
from benchmark import run_benchmark


@pytest.mark.slow
def test_a_table_stopped_at_a_random_moment_ends_cleanly(tmp_path):
    said = run_benchmark("stopped", "--stops", 2, "--latest", 2.5, "--seed", 1, folder=tmp_path)
    assert "something wrong at 0 stops" in said


@pytest.mark.slow
def test_tables_stopped_at_random_moments_end_cleanly(tmp_path):
    assert "something wrong at 0 stops" in run_benchmark("stopped", "--stops", 40, "--seed", 2, folder=tmp_path)
