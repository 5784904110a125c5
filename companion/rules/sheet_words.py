"""Rule sheets in plain words, for the page and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.rules.sheet import COMMON_FIELDS

if TYPE_CHECKING:
    from companion.rules.sheet import Sheet

Words = dict[object, str]

WORDS: dict[str, Words] = {
    "opening_roll": {
        "kept": "The starter plays the two numbers of the opening roll.",
        "rolled_again": "The starter rolls again for the first turn.",
    },
    "next_game_starter": {
        "roll_off": "Every game begins with one die each.",
        "previous_winner": "Later games are started by the previous winner.",
    },
    "use_as_many_dice_as_possible": {
        True: "As many dice as possible must be played.",
        False: "Dice may be left unplayed.",
    },
    "larger_die_if_only_one": {
        True: "If either number but not both can be played, the larger must be.",
        False: "If either number but not both can be played, the player chooses.",
    },
    "bear_off_with_larger_die": {
        True: "A number higher than every occupied point bears off from the highest.",
        False: "Only a point's own number bears off from it.",
    },
    "gammon_when": {
        "never": "There is no gammon: a win is a win.",
        "none_off": "Gammon (2) if the loser has borne off none.",
        "none_off_or_any_outside_home": "Gammon (2) if the loser has borne off none, or has a checker outside "
        "the home board.",
    },
    "backgammon_when": {
        "never": "There is no triple game.",
        "none_off_and_back": "Backgammon (3) if the loser has borne off none and has a checker on the bar or in the "
        "winner's home board.",
        "back": "Backgammon (3) if the loser has a checker on the bar or in the winner's home board.",
    },
    "levels_count": {
        "always": "Gammon and backgammon always count.",
        "for_stakes": "Gammon and backgammon count only when something is played for.",
    },
    "cube": {True: "There is a doubling cube.", False: "There is no doubling cube."},
    "jacoby_allowed": {True: "The Jacoby rule may be agreed.", False: "There is no Jacoby rule."},
    "illegal_play": {
        "must_be_corrected": "An illegal play must be put right.",
        "stands_once_opponent_rolls": "An illegal play may be put right until the opponent has rolled; then it stands.",
    },
    "bear_off_dice": {
        "two": "Two dice are rolled throughout.",
        "one": "A turn that begins with all checkers at home rolls one die.",
    },
    "dice_manners": {
        True: "Real dice must land flat on the roller's right-hand half, after the other has picked up, and lie until "
        "the move is made; else the roll is repeated.",
        False: "Nothing is said of where real dice land.",
    },
    "board": {"points": "A framed board with points.", "tiles": "A board laid from twelve tiles in a line."},
    "mirrored_allowed": {True: "Home may lie on the left as well.", False: "Home lies on the right."},
    "capture": {"compulsory": "A capture must be made.", "optional": "A capture is a choice."},
    "jump_sequence": {
        "must_be_completed": "A jump that can go on must go on.",
        "may_stop": "A jumper may stop where it likes.",
    },
    "crowning_ends_turn": {True: "A new king waits for its next turn.", False: "A new king may jump on at once."},
    "jump_own": {
        True: "One's own checkers may be jumped, without capture.",
        False: "One's own checkers may not be jumped.",
    },
    "first_mover": {"black": "Black begins.", "white": "White begins.", "agreed": "The players agree who begins."},
}


def fields_of(sheet: Sheet) -> tuple[str, ...]:
    """The rule fields of a sheet, in their order."""
    return tuple(
        name for kind in type(sheet).__mro__ for name in getattr(kind, "__slots__", ()) if name in _rules(sheet)
    )


def _rules(sheet: Sheet) -> frozenset[str]:
    return frozenset(type(sheet).__dataclass_fields__) - COMMON_FIELDS


def in_words(sheet: Sheet, field: str) -> str:
    """One field of a sheet as a sentence."""
    value = getattr(sheet, field)
    if field == "max_checkers_per_point":
        if not value:
            return "A point takes any number of checkers."
        return f"A point takes at most {value} checkers; a full one is closed to its owner, in passing too."
    return WORDS[field][value]


def differences(sheet: Sheet) -> tuple[str, ...]:
    """What a sheet has otherwise than its base; for a base, all that it says."""
    base = sheet.built_on
    named = fields_of(sheet)
    return tuple(in_words(sheet, f) for f in named if base is None or getattr(sheet, f) != getattr(base, f))


def described(sheet: Sheet) -> str:
    """Several lines on a sheet: title, source, base and differences."""
    above = f"as {sheet.built_on.title}, except:" if sheet.built_on else f"a base for {sheet.game}:"
    source = f"  source: {sheet.source}" if sheet.source else "  source: not given"
    lines = [f"{sheet.name}: {sheet.title}", source, f"  {above}", *(f"  - {text}" for text in differences(sheet))]
    return "\n".join(lines)


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """A sheet for the page and for scripts; `says` is what it has otherwise than its base, in words."""
    return {
        "name": sheet.name,
        "title": sheet.title,
        "game": sheet.game,
        "base": sheet.base,
        "source": sheet.source,
        "stated": {field: getattr(sheet, field) for field in sorted(sheet.stated)},
        "says": list(differences(sheet)),
    }
