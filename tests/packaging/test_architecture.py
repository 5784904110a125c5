"""ARCHITECTURE.md is true: its picture shows the contracts, its table has every room."""

from __future__ import annotations

import re
import tomllib

import pytest
from places import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
LEVELS = {contract["containers"][0]: contract["layers"] for contract in CONTRACTS if contract["type"] == "layers"}


def drawn(package: str) -> list[str]:
    """The levels of a package as the picture has them, from the top: the column under its name."""
    picture = PAGE.split("```")[1].strip("\n").splitlines()
    start = picture[0].index(package)
    rows = [re.split(r" {3,}", line[start:].strip())[0] for line in picture[1:] if line[start : start + 2] == "  "]
    return [row for row in rows if row]


@pytest.mark.parametrize("package", ["companion", "vision"])
def test_the_picture_shows_the_levels_that_the_contracts_hold(package):
    assert drawn(package)[: len(LEVELS[package])] == LEVELS[package]


@pytest.mark.parametrize("package", ["companion", "vision"])
def test_the_table_of_rooms_is_complete(package):
    rooms = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    named = set(re.findall(r"`(?:companion|vision)?\.(\w+)`", PAGE.split("## Two ways")[0]))
    assert rooms <= named


def test_every_module_on_the_two_ways_exists():
    ways = PAGE.split("## Two ways through the house")[1].split("Nothing is shown")[0]
    for name in re.findall(r"`([a-z_.]+)`", ways):
        parts = name.split(".")
        places = [ROOT.joinpath(*parts), *(ROOT.joinpath(top, *parts) for top in ("companion", "vision"))]
        assert any(place.with_suffix(".py").exists() or place.is_dir() for place in places), name
