"""A table that is killed while it writes; `benchmarks/killed.py` does it some hundred times."""

import pytest
from benchmark import run_benchmark
from sweeps import sampled


@pytest.mark.parametrize(("kills", "stride"), sampled(((12, 10), (24, 5)), ((12, 10),)))
def test_a_table_killed_at_write_points_or_randomly_loses_no_acknowledged_event(tmp_path, kills, stride):
    said = run_benchmark("killed", "--kills", kills, "--stride", stride, folder=tmp_path)
    assert "lost 0," in said
    assert "something wrong at 0 restarts" in said
    assert said.count("wrong after 0") == 4  # an old record, a damaged one, a missing one, and pictures deleted
    assert f"in all                 {kills}" in said
