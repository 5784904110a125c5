"""The harness that runs every benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmark import import_benchmark
from places import BENCHMARKS

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def run_all() -> ModuleType:
    return import_benchmark("run_all")


def test_scripts_with_a_main_are_benchmarks_and_others_are_not(run_all: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "b_table.py").write_text("def main() -> None:\n    print('table')\n", encoding="utf-8")
    (tmp_path / "a_helper.py").write_text("def table() -> None: ...\n", encoding="utf-8")
    (tmp_path / "run_all.py").write_text("def main() -> None: ...\n", encoding="utf-8")
    assert list(run_all.benchmarks(tmp_path)) == ["b_table"]


def test_every_benchmark_can_be_loaded(run_all: ModuleType) -> None:
    names = list(run_all.benchmarks(BENCHMARKS))
    assert "dice" in names
    assert all(callable(import_benchmark(name).main) for name in names)


def test_a_failing_benchmark_is_reported_and_sets_the_status(
    run_all: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    assert run_all.run("broken", tmp_path / "broken.py") is False
    assert "broken.py failed with exit status 3" in capfd.readouterr().out


def test_a_table_is_printed_under_its_name(
    run_all: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "speed.py").write_text("print('moves  0.4 ms')\n", encoding="utf-8")
    assert run_all.run("speed", tmp_path / "speed.py") is True
    assert capfd.readouterr().out.splitlines()[-2:] == ["== speed ==", "moves  0.4 ms"]


def test_an_unknown_benchmark_is_refused_with_those_that_there_are(run_all: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no benchmark 'nope'.*there are: speed"):
        run_all.chosen(["nope"], {"speed": tmp_path / "speed.py"})
