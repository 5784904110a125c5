"""The players' own rule sheets: a folder of TOML files, and another with a copy of each sheet used at a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.rules.registry import rules_named
from companion.rules.sheet import SheetError, load_sheet, shipped_sheets

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
    own = folder / f"{name_or_path}.toml"
    bare = name_or_path and "/" not in name_or_path and not name_or_path.endswith(".toml")
    return str(own) if bare and name_or_path not in shipped_sheets() and own.exists() else name_or_path


def copy_of_own(name_or_path: str, folder: Path) -> Path | None:
    """Path for the copy of a sheet in `folder`; None for a shipped sheet, or one in another place."""
    is_name = "/" not in name_or_path and name_or_path not in shipped_sheets()
    if not is_name and Path(name_or_path).parent != folder:
        return None
    return folder.with_name(COPIES) / f"{Path(name_or_path).name.removesuffix('.toml')}.toml"


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
