"""Rule sheets as messages: one for each rule that a sheet states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side, message
from companion.rules.sheet import COMMON_FIELDS
from companion.rules.sheet_terms import dice_land, illegal_play_stands, names_under, premature_stands

if TYPE_CHECKING:
    from companion.core import Message
    from companion.rules.sheet import Sheet


def fields_of(sheet: Sheet) -> tuple[str, ...]:
    """The rule fields of a sheet, in their order."""
    return tuple(
        name for kind in type(sheet).__mro__ for name in getattr(kind, "__slots__", ()) if name in _rules(sheet)
    )


def _rules(sheet: Sheet) -> frozenset[str]:
    return frozenset(type(sheet).__dataclass_fields__) - COMMON_FIELDS


def field_message(sheet: Sheet, field: str) -> Message:
    """One field of a sheet as a sentence."""
    value = getattr(sheet, field)
    half = dice_land(sheet)
    if field == "dice_manners" and half is not None and (half == "either" or premature_stands(sheet)):
        return message(f"dice_land.{half}")
    if field == "illegal_play" and illegal_play_stands(sheet) and premature_stands(sheet):
        return message("illegal_play.stands")  # with dice left to play, the next roll is premature
    if field == "max_checkers_per_point":
        return message(f"sheet.{field}.most", most=value) if value else message(f"sheet.{field}.any")
    if field == "colours":
        return message("sheet.colours.are", **_colours(sheet))
    if field == "first_mover" and value in (colours := _colours(sheet)):
        return message(f"sheet.first_mover.{value}", **{value: colours[value]})
    if isinstance(value, bool):
        value = str(value).lower()  # as in the TOML file
    return message(f"sheet.{field}.{value}")


def _colours(sheet: Sheet) -> dict[str, Message]:
    """What White and Black are called."""
    names = names_under(sheet, ())
    return {side: message(f"colour.{player.colour}") for side, player in zip(Side, names, strict=True)}


def differences(sheet: Sheet) -> tuple[Message, ...]:
    """The rules in which a sheet differs from its base; of a base, all rules.

    Where dice must land is no rule of a sheet without conditions for a throw.
    """
    base = sheet.built_on
    named = [field for field in fields_of(sheet) if field != "dice_half" or dice_land(sheet)]
    return tuple(field_message(sheet, f) for f in named if base is None or getattr(sheet, f) != getattr(base, f))
