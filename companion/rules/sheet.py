"""Loads rule sheets: TOML files that name a base sheet and state only the fields that differ from it.

A sheet has flat keys (`name`, `title`, `game`, `base`, `source` and the fields of `BackgammonSheet` or
`CheckersSheet`) and `[[example]]` blocks. A sheet without a base states every field.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - get_type_hints reads the annotations of Sheet
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from companion.core import BoardsideError, Colour, Colours, OutsideError, parse_toml, quoted, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

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


class SheetError(BoardsideError):
    """A rule sheet cannot be used; the text names the sheet, the key and the values that are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The fields that sheets of every game have.

    Attributes:
        name: the name on the command line; by default the file's name.
        title: the name for players.
        game: "backgammon" or "checkers".
        source: one line: which text the sheet follows, and which reading of it.
        built_on: the base, whose fields hold where this sheet states none; None for a base.
        stated: names of the rule fields that the sheet itself states.
        examples: positions with the expected verdict or score; see `companion.rules.examples`.
    """

    name: str
    title: str
    game: str
    source: str
    built_on: Sheet | None = None
    stated: frozenset[str] = frozenset()
    examples: tuple[Mapping[str, Any], ...] = ()

    @property
    def base(self) -> str | None:
        """Name of the base sheet."""
        return self.built_on.name if self.built_on else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgammonSheet(Sheet):
    """The rule fields of backgammon; their meanings are in docs/rule-sheets.md."""

    opening_roll: Literal["kept", "rolled_again"]
    next_game_starter: Literal["roll_off", "previous_winner"]
    use_as_many_dice_as_possible: bool
    larger_die_if_only_one: bool
    max_checkers_per_point: int
    bear_off_with_larger_die: bool
    gammon_when: Literal["never", "none_off", "none_off_or_any_outside_home"]
    backgammon_when: Literal["never", "none_off_and_back", "back"]
    levels_count: Literal["always", "for_stakes"]
    cube: bool
    jacoby_allowed: bool
    crawford: bool
    illegal_play: Literal["must_be_corrected", "stands_once_opponent_rolls"]
    bear_off_dice: Literal["two", "one"]
    premature_action: Literal["has_no_effect", "stands"]
    dice_manners: bool
    dice_half: Literal["right_hand", "either"]
    colours: Colours
    board: Literal["points", "tiles"]
    mirrored_allowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckersSheet(Sheet):
    """The rule fields of checkers (English draughts)."""

    capture: Literal["compulsory", "optional"]
    jump_sequence: Literal["must_be_completed", "may_stop"]
    crowning_ends_turn: bool
    jump_own: bool
    colours: Colours
    first_mover: Literal["black", "white", "agreed"]
    match_colours: Literal["alternate", "kept"]
    draw_counts: Literal["half_a_win", "nothing"]
    opening: Literal["free", "three_move_ballot"]


SHEET_TYPES: dict[str, type[Sheet]] = {"backgammon": BackgammonSheet, "checkers": CheckersSheet}
HEAD_KEYS = frozenset({"name", "title", "game", "base", "source", "example"})
COMMON_FIELDS = frozenset(field.name for field in fields(Sheet))
PLAYERS = 2
LARGEST_STARTING_STACK = 5
"""Checkers on one point in the starting position."""


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
    """The file of a sheet, and those of the players' own sheets that it builds on, one after the other.

    Sheets that come with Boardside build on others that do. Raises SheetError.
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
    """The sheet that a TOML file `name` with this content would be; `built_on` is its base, if that is known.

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
    for first, second in _contradictions(sheet):
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


def _contradictions(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Pairs of settings that contradict each other.

    A setting without its precondition is an error only where this sheet states it. Inherited from the base it has no
    effect: a sheet may state `cube = false` alone although its base allows the Jacoby rule.
    """
    if not isinstance(sheet, BackgammonSheet):
        return
    stated = sheet.stated
    if "jacoby_allowed" in stated and sheet.jacoby_allowed and not sheet.cube:
        yield "jacoby_allowed = true", "cube = false (the Jacoby rule speaks of a cube)"
    if "crawford" in stated and sheet.crawford and not sheet.cube:
        yield "crawford = true", "cube = false (the Crawford game is the one without the cube)"
    if "larger_die_if_only_one" in stated and sheet.larger_die_if_only_one and not sheet.use_as_many_dice_as_possible:
        yield "larger_die_if_only_one = true", "use_as_many_dice_as_possible = false (only one die need be played)"
    if "backgammon_when" in stated and sheet.backgammon_when != "never" and sheet.gammon_when == "never":
        yield (
            f"backgammon_when = {sheet.backgammon_when!r}",
            "gammon_when = 'never' (it is more than a gammon)",
        )
    levels = {sheet.gammon_when, sheet.backgammon_when}
    if "levels_count" in stated and sheet.levels_count == "for_stakes" and levels == {"never"}:
        yield "levels_count = 'for_stakes'", "gammon_when = 'never' and backgammon_when = 'never' (nothing to count)"
    if "dice_half" in stated and sheet.dice_half != "right_hand" and not sheet.dice_manners:
        yield f"dice_half = {sheet.dice_half!r}", "dice_manners = false (nothing is said of where dice land)"
    if 0 < sheet.max_checkers_per_point < LARGEST_STARTING_STACK:
        yield (
            f"max_checkers_per_point = {sheet.max_checkers_per_point}",
            "the starting position (five on a point)",
        )
