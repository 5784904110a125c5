"""The file of the settings: complete or renamed, and never an obstacle to a start."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.app.effective_settings import DEFAULTS, revert_failed_settings
from companion.core import BoardsideError, Refusal
from companion.record import write_backup
from companion.rules import load_sheet
from companion.settings import Settings, SettingsFile, Terms, fitting
from vision.cameras import CameraLost

CHOSEN = Settings(
    sheet="travel-set", terms=Terms(7, crawford=False), names=("Anna (red)", "Ben"), clock="14.0+12.0", mirror=False
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings.json"


def test_chosen_settings_survive_a_restart(path):
    SettingsFile(path).keep(CHOSEN)
    again = SettingsFile(path)
    assert (again.kept.settings, again.is_new, again.trouble) == (CHOSEN, False, None)


def test_a_table_never_set_up_has_no_file_and_no_message(path):
    file = SettingsFile(path)
    assert (file.is_new, file.trouble, file.kept.settings) == (True, None, Settings())
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b'{"version": 2, "settings": {}}',
        b'{"version": 1, "settings": {}, "more": 1}',
        b'{"version": 1, "settings": []}',
        b'{"version": 1, "settings": {"sheet": "../../etc/x"}}',
        b'{"version": 1, "settings": {"camera": "folder:/home"}}',
        b'{"version": 1, "settings": {"dice": "loaded"}}',
        b'{"version": 1, "settings": {"names": ["Anna"]}}',
        b'{"version": 1, "settings": {"clock": "soon"}}',
        b'{"version": 1, "settings": {"terms": {"length": -1}}}',
        b'{"version": 1, "settings": {"terms": {"length": true}}}',
        b'{"version": 1, "settings": {"mirror": 1}}',
        b"x" * 30_000,
    ],
)
def test_a_damaged_or_newer_file_is_renamed_and_reported(path, content):
    path.write_bytes(content)
    file = SettingsFile(path)
    assert (file.kept.settings, file.is_new) == (Settings(), False)
    assert file.trouble.key == "settings.damaged"
    assert path.with_name("settings.json.damaged-1").read_bytes() == content
    file.keep(CHOSEN)
    assert SettingsFile(path).kept.settings == CHOSEN


def test_settings_with_which_no_table_opens_are_reverted_also_after_a_power_cut(path):
    SettingsFile(path).keep(CHOSEN)
    SettingsFile(path).change(Settings(camera="usb:3"))
    file = SettingsFile(path)
    assert file.kept.settings.camera == "usb:3"
    assert file.revert()
    assert SettingsFile(path).kept.settings == CHOSEN
    assert not SettingsFile(path).revert()


def test_after_two_changes_the_settings_of_the_last_opened_table_are_restored(path):
    file = SettingsFile(path)
    file.keep(CHOSEN)
    file.change(Settings(camera="usb:3"))
    file.change(Settings(camera="usb:2"))
    assert file.revert()
    assert file.kept.settings == CHOSEN


def test_a_camera_missing_at_a_later_start_does_not_stop_the_table(path):
    SettingsFile(path).keep(replace(CHOSEN, camera="usb:3"))
    gone, other = CameraLost("no camera at /dev/video3."), BoardsideError("none")
    assert revert_failed_settings(SettingsFile(path), Settings(), other) is None
    assert revert_failed_settings(SettingsFile(path), Settings(camera="usb:3"), gone) is None
    said = revert_failed_settings(SettingsFile(path), Settings(), gone)
    assert (said.key, said.facts["why"]) == ("settings.camera.gone", "no camera at /dev/video3")
    assert SettingsFile(path).kept.settings == replace(CHOSEN, camera=None)
    assert revert_failed_settings(SettingsFile(path), Settings(), gone) is None


def test_settings_that_opened_a_table_are_not_reverted(path):
    file = SettingsFile(path)
    file.change(CHOSEN)
    file.confirm()
    assert not SettingsFile(path).revert()


def test_if_nothing_can_be_stored_nothing_is_changed(path):
    file = SettingsFile(path)
    path.with_name("settings.json.new").mkdir()
    with pytest.raises(Refusal, match="not_written"):
        file.keep(CHOSEN)
    assert file.kept.settings == Settings()


def test_settings_belong_to_a_backup(path, tmp_path_factory):
    SettingsFile(path).keep(CHOSEN)
    backed_up = write_backup(path.parent, tmp_path_factory.mktemp("backup") / "b.zip", secrets=False, now_s=0.0)
    assert "settings.json" in backed_up.files


def test_chosen_settings_override_those_below():
    over = Settings(camera="csi", clock="").over(Settings(camera="auto", clock="5", dice="hand"))
    assert over == Settings(camera="csi", clock="", dice="hand")
    assert CHOSEN.over(DEFAULTS).chosen == tuple(json.loads(json.dumps(CHOSEN.over(DEFAULTS).to_json())))


def test_settings_that_a_sheet_does_not_allow_have_no_effect_under_it(tmp_path):
    one_way = tmp_path / "one-way.toml"
    one_way.write_text('base = "standard"\nmirrored_allowed = false\n')
    backgammon = Settings(terms=Terms(jacoby=True), names=("Anna", "(white)"), mirror=True, dice="hand")
    assert fitting(backgammon, load_sheet("standard")) == Settings(terms=Terms(jacoby=True), mirror=True, dice="hand")
    assert fitting(backgammon, load_sheet("acf")).terms is None
    assert fitting(backgammon, load_sheet(str(one_way))).mirror is None


@pytest.mark.parametrize("sheet", ["standard", "travel-set", "tournament", "acf"])
@pytest.mark.parametrize("length", [0, 1, 7])
def test_terms_adapted_to_a_sheet_are_allowed_by_it(sheet, length):
    asked = Terms(length, stake=2.0, jacoby=True, beavers=True, crawford=False, automatic_doubles=3)
    allowed = asked.allowed(load_sheet(sheet))
    assert allowed.under(load_sheet(sheet)).length == length
    assert allowed.allowed(load_sheet(sheet)) == allowed
