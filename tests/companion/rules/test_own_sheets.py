"""Sheets of the players' own, in the folder `sheets/` of the state directory."""

import io
import json
from pathlib import Path

import pytest
from analysed import SHORT

from companion.analysis.match_to_analyse import recorded_match
from companion.app.own_sheets import readable_sheet
from companion.cli import main
from companion.history import History
from companion.record import Keep, KeptPictures
from companion.rules import (
    SheetError,
    differences,
    load_sheet,
    own_sheets,
    rules_named,
    shipped_sheets,
    with_own_sheets,
)
from companion.texts import render

OURS = 'base = "standard"\ntitle = "Ours"\nsource = "as we play it"\ncube = false\n'


@pytest.fixture
def folder(tmp_path):
    """A state directory's folder of sheets, with one in it."""
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "ours.toml").write_text(OURS)
    return folder


def test_a_sheet_in_the_folder_is_found_by_its_name(folder):
    assert load_sheet(with_own_sheets("ours", folder)).title == "Ours"
    assert own_sheets(folder) == (str(folder / "ours.toml"),)


def test_no_own_sheet_hides_a_shipped_one(folder):
    (folder / "standard.toml").write_text(OURS)
    assert with_own_sheets("standard", folder) == "standard"


def test_files_and_unknown_names_are_unchanged(folder):
    assert with_own_sheets("./ours.toml", folder) == "./ours.toml"
    with pytest.raises(SheetError, match="'theirs' is not known"):
        load_sheet(with_own_sheets("theirs", folder))


def test_without_a_folder_there_are_no_own_sheets(tmp_path):
    assert own_sheets(tmp_path / "nowhere") == ()


def test_boardside_sheets_lists_own_sheets_with_the_others(folder, capsys):
    assert main(["sheets", "--json", "--state", str(folder.parent)]) == 0
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert names[-1] == "ours"
    assert len(names) == len(shipped_sheets()) + 1


def test_an_invalid_own_sheet_is_named(folder, capsys):
    (folder / "ours.toml").write_text(OURS + "cubes = 2\n")
    assert main(["sheets", "ours", "--state", str(folder.parent)]) == 1
    assert "unknown key 'cubes'" in capsys.readouterr().err


def test_the_line_commands_accept_own_sheets(folder, capsys, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(folder.parent))
    over = {"points": [0] * 18 + [-5] * 3 + [0] * 3, "off": [15, 0]}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"position": over, "winner": "white", "cube": 4}) + "\n"))
    assert main(["score", "--sheet", "ours"]) == 0
    assert json.loads(capsys.readouterr().out) == {"points": 2, "kind": "gammon"}


@pytest.mark.parametrize("spoil", [lambda path: path.write_text("base = "), lambda path: path.unlink()])
def test_a_match_under_a_missing_sheet_is_exported_and_analysed_by_its_copy(folder, spoil):
    state, (match, text, report) = folder.parent, (folder.parent / name for name in ("a.mat", "b.mat", "c.json"))
    match.write_text(SHORT)
    assert main(["import", str(match), "--sheet", "ours", "--state", str(state)]) == 0
    readable_sheet("ours", folder)
    spoil(folder / "ours.toml")
    rules_named.cache_clear()
    assert main(["export", str(text), "--state", str(state)]) == 0
    assert main(["analyse", str(report), "--state", str(state), "--engine", "embedded"]) == 0
    assert json.loads(report.read_text())["sheet"] == "ours"
    assert History(state / "record.db", folder, KeptPictures(state / "pictures", Keep.MATCH)).rules("ours").sheet == (
        recorded_match(state).rules.sheet
    )


@pytest.mark.parametrize("name", ["ours", "our-family"])
def test_a_match_under_a_sheet_anywhere_is_exported_and_analysed_by_its_copy(tmp_path, name):
    state, sheet = tmp_path / "state", tmp_path / "ours.toml"
    match, text, report = (tmp_path / file for file in ("a.mat", "b.mat", "c.json"))
    sheet.write_text(f'name = "{name}"\n{OURS}')
    match.write_text(SHORT)
    assert main(["import", str(match), "--sheet", str(sheet), "--state", str(state)]) == 0
    sheet.unlink()
    rules_named.cache_clear()
    assert main(["export", str(text), "--state", str(state)]) == 0
    assert main(["analyse", str(report), "--state", str(state), "--engine", "plain"]) == 0
    assert json.loads(report.read_text())["sheet"] == name


def test_a_sheet_is_found_by_the_name_in_its_file(folder):
    (folder / "a.toml").write_text(f'name = "b"\n{OURS}')
    (folder / "b.toml").write_text(f'name = "c"\n{OURS}')
    found = [Path(with_own_sheets(name, folder)).name for name in ("b", "c", "ours")]
    assert found == ["a.toml", "b.toml", "ours.toml"]
    assert Path(with_own_sheets("a", folder)).name == "a.toml"  # no other is called so


def test_a_sheet_with_another_name_than_its_file_is_used_from_its_copy(folder):
    (folder / "fam.toml").write_text(f'name = "our-family"\n{OURS}')
    assert readable_sheet("our-family", folder) == (str(folder / "fam.toml"), None)
    (folder / "fam.toml").write_text("base = ")
    for name in ("our-family", "fam"):
        path, said = readable_sheet(name, folder)
        assert (load_sheet(path).name, said.key) == ("our-family", "sheet_copy")
    (folder / "fam.toml").unlink()
    assert load_sheet(readable_sheet("our-family", folder)[0]).name == "our-family"


def test_the_player_who_begins_is_named_by_the_colours_of_the_sheet(tmp_path):
    path = tmp_path / "red.toml"
    path.write_text('base = "acf"\ncolours = ["red", "yellow"]\nfirst_mover = "white"\n')
    says = {render(one) for one in differences(load_sheet(str(path)))}
    assert says == {"The players are Red and Yellow.", "Red begins."}
