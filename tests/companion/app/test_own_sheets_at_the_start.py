"""A sheet of the players' own that a table uses and that cannot be read at its next start."""

from contextlib import ExitStack

import pytest

from companion.app.assembly import open_storage
from companion.app.effective_settings import effective_settings
from companion.app.own_sheets import readable_sheet
from companion.rules import SheetError, load_sheet
from companion.rules.players_sheets import COPIES
from companion.settings import Settings

GOOD = b'base = "standard"\ncube = false\n'


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "ours.toml").write_bytes(GOOD)
    return folder


def damaged(path):
    path.write_bytes(b"base = \xff\xff")


@pytest.mark.parametrize("spoil", [damaged, lambda path: path.unlink()])
def test_an_unreadable_sheet_is_replaced_by_its_last_copy_with_a_message(own, spoil):
    assert readable_sheet("ours", own) == (str(own / "ours.toml"), None)
    spoil(own / "ours.toml")
    path, said = readable_sheet("ours", own)
    assert (load_sheet(path).name, load_sheet(path).cube) == ("ours", False)
    assert said.key == "sheet_copy"


def test_a_sheet_based_on_an_unreadable_one_is_replaced_by_its_last_copy_too(own):
    (own / "late.toml").write_text('base = "ours.toml"\ncrawford = false\n')
    assert not load_sheet(readable_sheet("late", own)[0]).cube
    damaged(own / "ours.toml")
    path, said = readable_sheet("late", own)
    assert (load_sheet(path).name, load_sheet(path).cube) == ("late", False)
    assert said.key == "sheet_copy"


def test_a_changed_sheet_takes_effect_at_the_next_start_at_which_it_is_valid(own):
    readable_sheet("ours", own)
    (own / "ours.toml").write_bytes(b'base = "standard"\ncube = true\n')
    readable_sheet("ours", own)
    damaged(own / "ours.toml")
    assert load_sheet(readable_sheet("ours", own)[0]).cube


def test_an_unreadable_sheet_without_a_copy_is_named(own, tmp_path):
    damaged(own / "ours.toml")
    with pytest.raises(SheetError, match="ours"):
        readable_sheet("ours", own)
    elsewhere = tmp_path / "ours.toml"
    damaged(elsewhere)
    (own.with_name(COPIES)).mkdir()
    (own.with_name(COPIES) / "ours.toml").write_bytes(GOOD)
    with pytest.raises(SheetError):
        readable_sheet(str(elsewhere), own)


def test_an_unreadable_copy_of_a_sheet_is_not_used(own):
    readable_sheet("ours", own)
    damaged(own / "ours.toml")
    damaged(own.with_name(COPIES) / "ours.toml")
    with pytest.raises(SheetError):
        readable_sheet("ours", own)


def test_a_shipped_sheet_needs_no_copy(own):
    assert readable_sheet("standard", own) == ("standard", None)
    assert not own.with_name(COPIES).exists()


@pytest.mark.parametrize(
    ("asked", "holds", "said"), [(None, "standard", ["settings.sheet.gone"]), ("tournament", "tournament", [])]
)
def test_a_missing_chosen_sheet_is_reported_only_if_the_default_replaces_it(tmp_path, asked, holds, said):
    with ExitStack() as stack:
        storage = open_storage(tmp_path, "hand", stack, lambda: None)
        storage.settings.keep(Settings(sheet="ours"))
        counts = effective_settings(Settings(sheet=asked), storage, Settings(), None)
    assert counts.rules.sheet.name == holds
    assert [one.key for one in counts.said] == said
