"""Rule sheets: what they may say, and what is refused."""

from __future__ import annotations

import dataclasses

import pytest
from places import DOCUMENTATION

from companion.core import message
from companion.rules import BackgammonSheet, SheetError, check_examples, differences, load_sheet, shipped_sheets
from companion.rules.examples import ExampleError
from companion.rules.sheet import HEAD_KEYS
from companion.rules.sheet_words import fields_of
from companion.texts import TEXTS
from companion.views import described

FIELDS = DOCUMENTATION / "rule-sheets.md"


def written(folder, text: str, name="mine"):
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return load_sheet(str(path))


@pytest.mark.parametrize("name", shipped_sheets())
def test_the_examples_of_every_shipped_sheet_hold(name):
    assert check_examples(load_sheet(name)) >= 2


@pytest.mark.parametrize("name", shipped_sheets())
def test_every_shipped_sheet_states_its_source_in_one_line(name):
    sheet = load_sheet(name)
    assert sheet.source
    assert sheet.title != name


@pytest.mark.parametrize("name", shipped_sheets())
def test_a_sheet_states_only_what_differs_from_its_base(name):
    sheet = load_sheet(name)
    base = sheet.built_on
    if base is not None:
        assert [key for key in sheet.stated if getattr(sheet, key) == getattr(base, key)] == []


def test_a_sheet_inherits_the_rules_of_its_base(tmp_path):
    sheet = written(tmp_path, 'base = "standard"\nmax_checkers_per_point = 6\n')
    standard = load_sheet("standard")
    assert isinstance(sheet, BackgammonSheet)
    mine = {field.name for field in dataclasses.fields(sheet)} - HEAD_KEYS - {"stated", "examples", "built_on"}
    assert {key for key in mine if getattr(sheet, key) != getattr(standard, key)} == {"max_checkers_per_point"}
    assert (sheet.name, sheet.game, sheet.base) == ("mine", "backgammon", "standard")


def test_a_sheet_may_build_on_a_file_beside_it(tmp_path):
    written(tmp_path, 'base = "standard"\ncube = false\n', "family")
    assert written(tmp_path, 'base = "family.toml"\n').cube is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('base = "standard"\nmax_chequers = 5', r"sheet 'mine': unknown key 'max_chequers'; known are .*max_checkers"),
        ('base = "standard"\ncube = "no"', r"sheet 'mine': cube = 'no', expected true or false"),
        ('base = "standard"\ncube = 1', r"sheet 'mine': cube = 1, expected true or false"),
        ('base = "standard"\nmax_checkers_per_point = true', r"max_checkers_per_point = True, expected a whole number"),
        ('base = "standard"\ngammon_when = "always"', r"gammon_when = 'always', expected one of 'never', 'none_off'"),
        ('base = "standard"\ncapture = "optional"', r"unknown key 'capture'"),
        ('base = "standard"\ncube = false\njacoby_allowed = true', r"jacoby_allowed = true contradicts cube = false"),
        ('base = "standard"\ndice_half = "either"', r"dice_half = 'either' contradicts dice_manners = false"),
        ('base = "standard"\npremature_action = "counts"', r"expected one of 'has_no_effect', 'stands'"),
        ('base = "standard"\ncube = false\ncrawford = true', r"crawford = true contradicts cube = false"),
        ('base = "standard"\nmax_checkers_per_point = 4', r"contradicts the starting position"),
        (
            'base = "standard"\ngammon_when = "never"\nbackgammon_when = "back"',
            r"backgammon_when = 'back' contradicts gammon_when = 'never'",
        ),
        ('base = "nonesuch"', r"sheet 'nonesuch' is not known; known are standard, .*"),
        ('game = "chess"', r"sheet 'mine': game = 'chess', expected 'backgammon' or 'checkers'"),
        ('game = "backgammon"', r"names no base and does not state backgammon_when"),
        ('base = "standard"\n[[example]]\ndices = [1, 2]', r"unknown key 'dices' in an example; known are .*dice"),
        ('base = "mine.toml"', r"leads back to itself"),
        ("base = ", r"is not TOML"),
    ],
)
def test_a_faulty_sheet_is_refused_by_name_and_key(tmp_path, text, message):
    with pytest.raises(SheetError, match=message):
        written(tmp_path, text)


def test_a_missing_sheet_file_is_named(tmp_path):
    with pytest.raises(SheetError, match=r"there is no sheet file .*nowhere\.toml'"):
        load_sheet(str(tmp_path / "nowhere.toml"))


def test_an_example_that_does_not_hold_is_named(tmp_path):
    sheet = written(
        tmp_path, 'base = "standard"\n[[example]]\nplayer = "white"\ndice = [3, 1]\nplay = "8/4"\nfinding = "illegal"'
    )
    with pytest.raises(ExampleError, match=r"sheet 'mine', example 1.*expected \('illegal', None\), got \('legal'"):
        check_examples(sheet)


@pytest.mark.parametrize("name", shipped_sheets())
def test_every_sheet_describes_its_differences_in_plain_words(name):
    sheet = load_sheet(name)
    unsaid = {"dice_half"} if name == "standard" else set()  # nothing is said of where dice land
    assert len(differences(sheet)) == len(sheet.stated - unsaid)
    assert sheet.source in described(sheet)


def test_a_limited_stack_is_put_into_words():
    assert message("sheet.max_checkers_per_point.most", most=5) in differences(load_sheet("encyclopedia"))


def test_rules_of_manners_include_where_and_when_dice_must_land(tmp_path):
    assert message("sheet.dice_manners.true") in differences(load_sheet("encyclopedia"))
    assert message("dice_land.right_hand") in differences(load_sheet("tournament"))
    assert message("illegal_play.stands") in differences(load_sheet("tournament"))
    either = written(tmp_path, 'base = "tournament"\ndice_half = "either"')
    assert differences(either) == (message("sheet.dice_half.either"),)


@pytest.mark.parametrize("name", ["standard", "acf"])
def test_the_documentation_names_every_field_with_its_values(name):
    sheet = load_sheet(name)
    rows = [line for line in FIELDS.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    for field in fields_of(sheet):
        (row,) = (row for row in rows if f"`{field}`" in row.split("|")[1])
        values = [key.removeprefix(f"sheet.{field}.") for key in TEXTS if key.startswith(f"sheet.{field}.")]
        assert values
        assert all(f"`{value}`" in row for value in values if field not in ("max_checkers_per_point", "colours"))
