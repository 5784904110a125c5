"""Everything that reads what comes from outside, on a few hundred damaged inputs; `benchmarks/fuzz.py` goes on."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from fuzz_commands import commands
from fuzz_routes import routes
from fuzz_targets import boards, lines, matches, pictures, texts
from fuzzing import fuzzed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fuzzing import Target

SEED = 7
FILES, COMMANDS, LOOKS, REQUESTS = 120, 12, 3, 120
"""Inputs for each reader: what parses in memory, what runs a command, what looks at a picture, and the page."""
SLOW = {"read IMG", "read CAL", "hint", "--corners"}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Damaged files are warned of, and that is as it should be."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def check(targets: tuple[Target, ...], count: int) -> None:
    reports = [fuzzed(target, SEED, count=LOOKS if target.name in SLOW else count) for target in targets]
    assert not [report.words for report in reports if report.faults]


def test_texts_and_small_files_are_read_or_refused(tmp_path: Path) -> None:
    check((*matches(), *texts(tmp_path), *lines()), FILES)


def test_pictures_are_read_or_refused(tmp_path: Path) -> None:
    check(pictures(tmp_path), FILES)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_learned_boards_are_used_or_refused(tmp_path: Path) -> None:
    check(boards(tmp_path), LOOKS)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_commands_answer_or_say_why_not_on_one_line(tmp_path: Path) -> None:
    check(commands(tmp_path), COMMANDS)


def test_no_request_brings_the_page_down(tmp_path: Path) -> None:
    check(routes(tmp_path), REQUESTS)
