"""Loads rule sheets: TOML files that name a base sheet and state only the fields that differ from it.

A sheet has flat keys (`name`, `title`, `game`, `base`, `source` and the fields of `BackgammonSheet` or
`CheckersSheet`) and `[[example]]` blocks. A sheet without a base states every field.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from companion.core import Colour, Colours, OutsideError, parse_toml, quoted, read_text
from companion.rules.sheet import COMMON_FIELDS, HEAD_KEYS, SHEET_TYPES, SheetError, contradictions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.rules.sheet import Sheet

MOST_BYTES = 100_000
"""Longest sheet in bytes; those that come with Boardside have up to 9,000."""
MOST_LETTERS = {"name": 100, "title": 100, "game": 100, "base": 4096, "source": 1000}
"""Longest text in letters, by key; a base may be a path."""
MOST_ABOVE = 8
"""Sheets in a chain of bases."""
BASES = {"backgammon": "standard", "checkers": "acf"}
SHEETS_FOLDER = Path(__file__).parent / "sheets"

EXAMPLE_KEYS = frozenset(
    {"says", "position", "fen", "player", "dice", "play", "after", "done", "finding", "reason"}
    | {"winner", "stake", "cube", "points", "kind"}
)
PLAYERS = 2


def shipped_sheets() -> tuple[str, ...]:
    """Names of the sheets that come with Boardside, bases first."""
    names = sorted(path.stem for path in SHEETS_FOLDER.glob("*.toml"))
    return tuple(sorted(names, key=lambda name: (name not in BASES.values(), name == BASES["checkers"], name)))


def base_sheet(game: str) -> str:
    """Name of the base sheet of `game`; raises SheetError for an unknown game."""
    if game not in BASES:
        raise SheetError(f"game {quoted(game)} is not known; say one of {', '.join(BASES)}")
    return BASES[game]


def load_sheet(name_or_path: str) -> Sheet:
    """The shipped sheet of that name, or the sheet in that file (a path ends in .toml or contains a slash).

    Raises SheetError where it does not exist or cannot be parsed, or where a key is unknown, has a wrong type or
    contradicts another key.
    """
    return _load(name_or_path, ())


def sheet_text(name_or_path: str) -> str:
    """The text of a shipped sheet, or of the one in that file. Raises SheetError where it cannot be read."""
    path = _path_of(name_or_path)
    try:
        return read_text(path, MOST_BYTES)
    except FileNotFoundError as error:
        raise SheetError(f"there is no sheet file {str(path)!r}") from error
    except OSError as error:
        raise SheetError(f"sheet file {str(path)!r} cannot be read: {error.strerror or error}") from error


def sheet_files(name_or_path: str) -> tuple[Path, ...]:
    """The file of a sheet, then those of the players' own sheets that it builds on; shipped bases are left out.

    Raises SheetError.
    """
    files = [_path_of(name_or_path)]
    above: tuple[str, ...] = ()
    while (wanted := _base_wanted(files[-1].stem, files[-1], _content(str(files[-1])), above)) is not None:
        if wanted in shipped_sheets() or files[-1].parent == SHEETS_FOLDER:
            break
        files.append(_path_of(wanted))
        above = (*above, wanted)
    return tuple(files)


def sheet_from(data: dict[str, Any], name: str, built_on: Sheet | None = None) -> Sheet:
    """The sheet for the parsed content `data` of a TOML file `name`; `built_on` is its base, None: load it.

    Raises SheetError.
    """
    path = Path(f"{name}.toml")
    return _build(path, data, built_on or _base_of(_named(path, data), path, data, ()))


def _load(name_or_path: str, above: tuple[str, ...]) -> Sheet:
    path, data = _path_of(name_or_path), _content(name_or_path)
    return _build(path, data, _base_of(_named(path, data), path, data, above))


def _content(name_or_path: str) -> dict[str, Any]:
    try:
        return parse_toml(sheet_text(name_or_path))
    except OutsideError as error:
        raise SheetError(f"sheet file {str(_path_of(name_or_path))!r} is not TOML: {error}") from error


def _named(path: Path, data: Mapping[str, Any]) -> str:
    return _text(data, "name", path.stem, path.stem)


def _path_of(name_or_path: str) -> Path:
    if name_or_path.endswith(".toml") or "/" in name_or_path:
        return Path(name_or_path)
    if name_or_path not in shipped_sheets():
        known = ", ".join(shipped_sheets())
        raise SheetError(
            f"sheet {quoted(name_or_path)} is not known; known are {known}, or give the path of a .toml file"
        )
    return SHEETS_FOLDER / f"{name_or_path}.toml"


def _build(path: Path, data: dict[str, Any], base: Sheet | None) -> Sheet:
    name = _named(path, data)
    game = _text(data, "game", base.game if base else "", name)
    if game not in SHEET_TYPES or (base and game != base.game):
        known = repr(base.game) if base else " or ".join(map(repr, SHEET_TYPES))
        raise SheetError(f"sheet {name!r}: game = {quoted(game)}, expected {known}")
    sheet_type = SHEET_TYPES[game]
    kinds = {key: kind for key, kind in get_type_hints(sheet_type).items() if key not in COMMON_FIELDS}
    _refuse_unknown(name, data, kinds)
    stated = {key: _checked(name, key, data[key], kinds[key]) for key in kinds if key in data}
    inherited = {key: getattr(base, key) for key in kinds} if base else {}
    missing = kinds.keys() - stated.keys() - inherited.keys()
    if missing:
        raise SheetError(
            f"sheet {name!r} names no base and does not state {', '.join(sorted(missing))}; "
            f"add base = {base_sheet(game)!r} or state every field"
        )
    sheet = sheet_type(
        name=name,
        title=_text(data, "title", name, name),
        game=game,
        source=_text(data, "source", "", name),
        built_on=base,
        stated=frozenset(stated),
        examples=_examples(name, data),
        **(inherited | stated),
    )
    for first, second in contradictions(sheet):
        raise SheetError(f"sheet {name!r}: {first} contradicts {second}; change one of the two")
    return sheet


def _base_of(name: str, path: Path, data: Mapping[str, Any], above: tuple[str, ...]) -> Sheet | None:
    wanted = _base_wanted(name, path, data, above)
    return None if wanted is None else _load(wanted, (*above, wanted))


def _base_wanted(name: str, path: Path, data: Mapping[str, Any], above: tuple[str, ...]) -> str | None:
    """The name or path of the base; None where there is none."""
    if "base" not in data:
        return None
    wanted = _text(data, "base", "", name)
    if wanted.endswith(".toml") and not Path(wanted).is_absolute():
        wanted = str(path.parent / wanted)
    if wanted in above or len(above) > MOST_ABOVE:
        raise SheetError(
            f"sheet {name!r}: base = {quoted(wanted)} leads back to itself; name a base such as 'standard'"
        )
    return wanted


def _text(data: Mapping[str, Any], key: str, default: str, name: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or not value.isprintable() or len(value) > MOST_LETTERS[key]:
        raise SheetError(
            f"sheet {name!r}: {key} = {quoted(value)}, expected a line of at most {MOST_LETTERS[key]} letters"
        )
    return value


def _refuse_unknown(name: str, data: Mapping[str, Any], kinds: Mapping[str, Any]) -> None:
    for key in data:
        if key not in HEAD_KEYS and key not in kinds:
            raise SheetError(
                f"sheet {name!r}: unknown key {quoted(key)}; known are {', '.join(sorted(HEAD_KEYS | set(kinds)))}"
            )


def _checked(name: str, key: str, value: object, kind: Any) -> object:
    if get_origin(kind) is Literal:
        right, expected = value in get_args(kind), "one of " + ", ".join(map(repr, get_args(kind)))
    elif kind == Colours:
        known = {one for one in value if one in get_args(Colour)} if isinstance(value, list) else set()
        right = isinstance(value, list) and len(value) == len(known) == PLAYERS
        expected = f"two different ones of {', '.join(get_args(Colour))}: White's, then Black's"
    elif kind is bool:
        right, expected = isinstance(value, bool), "true or false"
    else:
        right, expected = type(value) is int and value >= 0, "a whole number, 0 for no limit"
    if not right:
        raise SheetError(f"sheet {name!r}: {key} = {quoted(value)}, expected {expected}")
    return tuple(value) if isinstance(value, list) else value


def _examples(name: str, data: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    blocks = data.get("example", [])
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise SheetError(f"sheet {name!r}: example = {quoted(blocks)}, expected [[example]] blocks")
    for block in blocks:
        for key in block:
            if key not in EXAMPLE_KEYS:
                known = ", ".join(sorted(EXAMPLE_KEYS))
                raise SheetError(f"sheet {name!r}: unknown key {quoted(key)} in an example; known are {known}")
    return tuple(blocks)
