"""All readers of external input, with a few hundred damaged inputs each; `benchmarks/fuzz.py` runs more."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from fuzz_commands import commands
from fuzz_routes import routes
from fuzz_targets import boards, evidence, lines, matches, pictures, texts
from fuzzing import fuzzed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fuzzing import Target

    Check = Callable[[tuple[Target, ...], int], None]

SEED = 7
FILES, COMMANDS, LOOKS, REQUESTS = 120, 12, 3, 120
"""Inputs for each reader: parsers in memory, commands, readers of pictures, and the page."""
SLOW = {"read IMG", "read CAL", "hint", "--corners"}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Ignore warnings about damaged files."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(params=[2, pytest.param(1, marks=pytest.mark.slow)], ids=["half", "all"])
def check(request: pytest.FixtureRequest) -> Check:
    """Runs each reader on a number of inputs; a quick run on half of them."""

    def tried(targets: tuple[Target, ...], count: int) -> None:
        counts = [(LOOKS if target.name in SLOW else count) for target in targets]
        reports = [fuzzed(one, SEED, count=-(-n // request.param)) for one, n in zip(targets, counts, strict=True)]
        assert not [report.words for report in reports if report.faults]

    return tried


def test_texts_and_small_files_are_read_or_refused(check: Check, tmp_path: Path) -> None:
    check((*matches(), *texts(tmp_path), *lines()), FILES)


def test_evidence_is_checked_or_refused(check: Check, tmp_path: Path) -> None:
    check(evidence(tmp_path), FILES // 4)


def test_pictures_are_read_or_refused(check: Check, tmp_path: Path) -> None:
    check(pictures(tmp_path), FILES)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_learned_boards_are_used_or_refused(check: Check, tmp_path: Path) -> None:
    check(boards(tmp_path), LOOKS)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_commands_answer_or_fail_with_one_line(check: Check, tmp_path: Path) -> None:
    check(commands(tmp_path), COMMANDS)


def test_no_request_brings_the_page_down(check: Check, tmp_path: Path) -> None:
    check(routes(tmp_path), REQUESTS)
