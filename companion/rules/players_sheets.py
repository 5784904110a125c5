"""The players' own rule sheets: a folder of TOML files, and another with a copy of each sheet used at a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core import OutsideError, parse_toml, written_whole
from companion.rules.registry import rules_named
from companion.rules.sheet import SheetError
from companion.rules.sheet_loading import load_sheet, sheet_files, sheet_text, shipped_sheets

if TYPE_CHECKING:
    from companion.rules.ruleset import Ruleset

COPIES = "sheets.used"


def own_sheets(folder: Path) -> tuple[str, ...]:
    """Paths of the sheets in `folder`, sorted; none where the folder does not exist."""
    return tuple(str(path) for path in sorted(folder.glob("*.toml")))


def with_own_sheets(name_or_path: str, folder: Path) -> str:
    """The path of the sheet of that name in `folder`, else the argument unchanged.

    A shipped sheet takes precedence over one in `folder`.
    """
    bare = name_or_path and "/" not in name_or_path and not name_or_path.endswith(".toml")
    own = _file_of(name_or_path, folder) if bare and name_or_path not in shipped_sheets() else None
    return name_or_path if own is None else str(own)


def _file_of(name: str, folder: Path) -> Path | None:
    """The file in `folder` with the sheet of that name: by its file name, else by the name that it states; or None."""
    file = folder / f"{name}.toml"
    if file.exists() and _stated_name(file) in (None, name):
        return file
    named = (path for path in sorted(folder.glob("*.toml")) if _stated_name(path) == name)
    return next(named, file if file.exists() else None)


def _stated_name(path: Path) -> object:
    """The name that a sheet gives itself; None where it gives none, or cannot be read."""
    try:
        return parse_toml(sheet_text(str(path))).get("name")
    except (SheetError, OutsideError):
        return None


def copy_of_own(name_or_path: str, folder: Path) -> Path | None:
    """Path at which a sheet of `folder` has its copy, existing or not; None for a sheet that is not of `folder`."""
    copies = folder.with_name(COPIES)
    if "/" not in name_or_path and not name_or_path.endswith(".toml"):
        if name_or_path in shipped_sheets():
            return None
        return _file_of(name_or_path, copies) or copies / f"{name_or_path}.toml"
    path = Path(name_or_path)
    return copies / path.name if path.parent == folder else None


def keep_copies(name_or_path: str, folder: Path) -> None:
    """Keep a copy of one of the players' own sheets, wherever it is, and of those that it builds on.

    Records name sheets without their folder. Raises SheetError or OSError.
    """
    if name_or_path in shipped_sheets():
        return
    copies, own = folder.with_name(COPIES), load_sheet(name_or_path).name
    for file in sheet_files(name_or_path):
        at_home = file.parent == folder or file != Path(name_or_path)  # bases are looked for by their files' names
        _keep(file, copies / (file.name if at_home else f"{own}.toml"))


def _keep(sheet: Path, copy: Path) -> None:
    content = sheet.read_bytes()
    if sheet == copy or (copy.is_file() and copy.read_bytes() == content):
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(copy) as file:
        file.write(content)


def rules_on_record(sheet: str, folder: Path) -> Ruleset[Any]:
    """The rules of the sheet that a record names; `folder` has the players' own. Raises SheetError."""
    return rules_named(sheet_on_record(sheet, folder))


def sheet_on_record(sheet: str, folder: Path) -> str:
    """The name or path of the sheet that a record names: a shipped one, one in `folder`, or else the copy of it."""
    named = with_own_sheets(sheet, folder)
    copy = copy_of_own(named, folder)
    if copy is not None and copy.is_file():
        try:
            load_sheet(named)
        except SheetError:
            return str(copy)
    return named
