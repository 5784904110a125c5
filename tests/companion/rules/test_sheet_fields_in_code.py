"""Every field of a sheet is a rule that the code follows, and each is read in exactly one place."""

import ast
from dataclasses import fields
from functools import cache

import pytest
from places import ROOT

from companion.cli import main
from companion.rules import Sheet, load_sheet, refuse_mirrored
from companion.rules.sheet import SHEET_TYPES
from companion.rules.sheet_terms import LayoutError

DECLARED_IN = "companion/rules/sheet.py"
"""Loads the fields and sees that no two contradict each other; what they mean is read elsewhere."""
SHARED = {field.name for field in fields(Sheet)}
RULE_FIELDS = sorted({field.name for kind in SHEET_TYPES.values() for field in fields(kind)} - SHARED)


def _is_sheet(node: ast.expr) -> bool:
    """Whether an expression is called a sheet: `sheet`, `self.sheet`, `rules.sheet`, `self._sheet`."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.strip("_") == "sheet"


def _reads(tree: ast.AST):
    """Names of the fields that a piece of code reads from a sheet."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_sheet(node.value):
            yield node.attr
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
        if named and _is_sheet(node.args[0]) and isinstance(node.args[1], ast.Constant):
            yield node.args[1].value


@cache
def _places() -> dict[str, set[str]]:
    """For every field the functions (or class bodies) that read it."""
    found: dict[str, set[str]] = {name: set() for name in RULE_FIELDS}
    for package in ("companion", "vision", "web", "hardware"):
        for path in (ROOT / package).rglob("*.py"):
            module = path.relative_to(ROOT).as_posix()
            code = path.read_text(encoding="utf-8")
            if module == DECLARED_IN or "sheet" not in code:
                continue
            for node in ast.walk(ast.parse(code)):
                if isinstance(node, ast.FunctionDef):
                    for name in found.keys() & set(_reads(node)):
                        found[name].add(f"{module}: {node.name}")
    return found


TOLD_ONLY = {"dice_manners"}
"""Told to the players in words (`sheet_words`), whether or not an eye for dice looks at it too."""


@pytest.mark.parametrize("name", RULE_FIELDS)
def test_a_field_is_read_in_exactly_one_place(name):
    fewest = 0 if name in TOLD_ONLY else 1
    places = _places()[name]
    assert fewest <= len(places) <= 1, f"{name} is read in {sorted(places) or 'no place'}"


def test_a_mirrored_board_is_refused_under_a_sheet_without_one(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "standard"\nmirrored_allowed = false\n')
    sheet = load_sheet(str(mine))
    with pytest.raises(LayoutError, match="home on the right only"):
        refuse_mirrored(sheet, mirrored=True)
    refuse_mirrored(sheet, mirrored=False)
    refuse_mirrored(load_sheet("standard"), mirrored=True)
    refuse_mirrored(load_sheet("acf"), mirrored=True)


@pytest.mark.parametrize("command", ["run", "calibrate"])
def test_a_mirrored_board_is_refused_before_anything_is_set_up(tmp_path, capsys, command):
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "standard"\nmirrored_allowed = false\n')
    more = {
        "run": ["--state", str(tmp_path / "state"), "--camera", "simulated"],
        "calibrate": [str(tmp_path / "no-such.jpg"), "-o", str(tmp_path / "board.cal")],
    }[command]
    assert main([command, "--sheet", str(mine), "--mirror", *more]) == 1
    assert "home on the right only" in capsys.readouterr().err
