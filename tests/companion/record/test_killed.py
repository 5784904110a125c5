"""A table that is killed while it writes; `benchmarks/killed.py` does it some hundred times."""

from benchmark import run_benchmark


def test_a_table_killed_at_its_write_points_and_at_random_loses_nothing_it_acknowledged(tmp_path):
    said = run_benchmark("killed", "--kills", 24, "--stride", 5, folder=tmp_path)
    assert "lost 0," in said
    assert "something wrong at 0 restarts" in said
    assert said.count("wrong after 0") == 2  # while a damaged record is restored, while an old one is brought up
    assert "in all                 24" in said
