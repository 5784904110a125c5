"""When settings may change: those that give a player an advantage not during a game or match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.effective_settings import DEFAULTS
from companion.core import Dice, Refusal, Side
from companion.game import Ended, Match, Phase, Turn
from companion.interface import Light, Snapshot
from companion.rules import own_sheets
from companion.settings import DeskPorts, Effect, Settings, SettingsDesk, SettingsFile, Terms

BETWEEN = Snapshot(1, Phase.WAITING, Light.OFF, "backgammon", "standard")
NOW = Settings(sheet="standard", terms=Terms(), names=("", "")).over(DEFAULTS)
OURS = 'base = "standard"\ntitle = "Ours"\n'


class RoomWithDesk:
    """A table whose snapshot the test sets."""

    def __init__(self, folder):
        self.folder, self.snapshot = folder, BETWEEN
        self.applied, self.opened = [], 0
        self.desk = self.sit()

    def sit(self, **options):
        ports = DeskPorts(lambda: self.snapshot, self.applied.append, self._open)
        file = SettingsFile(self.folder / "settings.json")
        return SettingsDesk(file, NOW, ports, own=self.folder / "sheets", **options)

    def _open(self):
        self.opened += 1

    @property
    def kept(self):
        return SettingsFile(self.folder / "settings.json").kept

    def shows(self, phase, **changes):
        self.snapshot = replace(BETWEEN, phase=phase, **changes)


@pytest.fixture
def room(tmp_path):
    return RoomWithDesk(tmp_path)


TERMS = {
    "sheet": "acf",
    "terms": Terms(5),
    "names": ("Anna", "Ben"),
    "clock": "5.0+3.0",
    "dice": "hand",
    "hints": "off",
    "mirror": True,
    "camera": "csi",
    "pictures": "none",
}


@pytest.mark.parametrize("name", TERMS)
def test_terms_cannot_change_during_a_game(room, name):
    for phase in (Phase.TO_ROLL, Phase.TO_MOVE):
        room.shows(phase)
        for both in (False, True):
            with pytest.raises(Refusal) as refused:
                room.desk.change(Settings(**{name: TERMS[name]}), both=both)
            assert refused.value.message.key == "settings.busy.game"
    assert room.kept.settings == Settings()


@pytest.mark.parametrize("name", TERMS)
def test_terms_can_change_before_the_first_roll_and_after_the_end(room, name):
    room.shows(Phase.OVER)
    room.desk.change(Settings(**{name: TERMS[name]}))
    assert getattr(room.kept.settings, name) == TERMS[name]
    room.shows(Phase.OPENING)
    room.desk.change(Settings(**{name: TERMS[name]}))


PLAYED = {"history": (Turn(Side.WHITE, Dice((1, 1)), "8/7(2) 6/5(2)"),)}
ENDED = {**PLAYED, "ended": Ended(Side.WHITE, 1, "single, resigned")}


@pytest.mark.parametrize("dice", [None, (3, 1)])
def test_the_start_on_the_board_after_a_game_is_between_games(room, dice):
    """History and dice of an ended game must not count as a new game."""
    room.shows(Phase.TO_MOVE)
    room.desk.postpone(Settings(hints="off"))
    room.shows(Phase.OPENING, dice=dice, **ENDED)
    room.desk.tick()
    assert (room.kept.settings.hints, room.kept.later) == ("off", None)
    assert room.desk.change(Settings(dice="hand")) is Effect.OPENS_AGAIN
    room.desk.tick()
    assert room.opened == 1
    assert room.desk.add_sheet("ours.toml", OURS).name == "ours"


def test_the_start_on_the_board_after_a_game_of_a_match_is_between_games_of_the_match(room):
    room.shows(Phase.OPENING, match=Match(5, score=(1, 0)), **ENDED)
    with pytest.raises(Refusal, match=r"busy\.match"):
        room.desk.change(Settings(hints="off"))
    assert room.desk.change(Settings(hints="off"), both=True) is Effect.OPENS_AGAIN


@pytest.mark.parametrize("shown", [{"dice": (4, 4)}, PLAYED])
def test_a_game_in_progress_is_recognised_in_any_phase(room, shown):
    room.shows(Phase.OPENING, **shown)
    with pytest.raises(Refusal, match=r"busy\.game"):
        room.desk.change(Settings(hints="off"), both=True)


def test_a_tie_of_the_opening_roll_is_a_first_roll(room):
    room.shows(Phase.OPENING, dice=(4, 4))
    with pytest.raises(Refusal, match="busy"):
        room.desk.change(Settings(hints="off"))


@pytest.mark.parametrize("match", [Match(5, score=(3, 1)), Match(stake=1.0, score=(4, 0))])
def test_between_the_games_of_a_match_both_must_agree_to_a_change(room, match):
    room.shows(Phase.OVER, match=match)
    with pytest.raises(Refusal, match=r"busy\.match"):
        room.desk.change(Settings(hints="off"))
    assert room.desk.change(Settings(hints="off"), both=True) is Effect.OPENS_AGAIN


@pytest.mark.parametrize("match", [Match(5), Match(5, score=(5, 1)), Match(score=(2, 1))])
def test_only_a_match_in_progress_delays_changes(room, match):
    room.shows(Phase.OVER, match=match)
    assert room.desk.change(Settings(hints="off")) is Effect.OPENS_AGAIN


def test_language_voice_and_watchers_change_at_any_time_and_at_once(room):
    room.shows(Phase.TO_MOVE)
    asked = Settings(language="de", speech="off", watch="seats")
    assert room.desk.change(asked) is Effect.AT_ONCE
    room.desk.tick()
    assert (room.applied, room.opened, room.desk.now.language) == ([asked], 0, "de")
    assert room.kept.settings == asked


def test_the_table_reopens_once_after_the_answer_is_sent(room):
    assert room.desk.change(Settings(dice="hand")) is Effect.OPENS_AGAIN
    assert room.opened == 0
    room.desk.tick()
    room.desk.tick()
    assert room.opened == 1
    assert room.kept.before == Settings()


def test_a_roll_before_the_table_reopens_postpones_the_change_until_after_the_game(room):
    room.desk.change(Settings(clock="5.0+3.0", hints="off"))
    room.desk.change(Settings(language="de"))
    room.shows(Phase.TO_MOVE)
    room.desk.tick()
    assert room.opened == 0
    assert room.kept.settings == Settings(language="de")
    assert room.desk.later == Settings(clock="5.0+3.0", hints="off")
    room.shows(Phase.OVER)
    room.desk.tick()
    room.desk.tick()
    assert room.opened == 1
    assert room.kept.settings == Settings(language="de", clock="5.0+3.0", hints="off")


@pytest.mark.parametrize("sheet", ["our.rules", "ours (2)", "o" * 61])
def test_settings_that_could_not_be_read_again_are_not_stored_and_none_is_lost(room, sheet):
    room.desk.change(Settings(language="de"))
    if sheet == "our.rules":
        room.desk.change(Settings(sheet=sheet))
        assert room.kept.settings == Settings(language="de", sheet=sheet)
    else:
        with pytest.raises(Refusal, match="unsound"):
            room.desk.change(Settings(sheet=sheet))
        assert room.kept.settings == Settings(language="de")


def test_no_sheet_is_checked_during_a_game(room):
    room.shows(Phase.TO_ROLL)
    with pytest.raises(Refusal, match=r"busy\.game"):
        room.desk.add_sheet("ours.toml", OURS)


def test_unchanged_settings_have_no_effect_but_the_table_counts_as_set_up(room):
    desk = room.sit(is_first=True)
    assert desk.change(NOW) is Effect.NOTHING
    assert not desk.is_first
    assert not SettingsFile(room.folder / "settings.json").is_new
    assert (room.applied, room.kept.settings) == ([Settings()], Settings())


def test_a_change_postponed_until_after_the_game_survives_a_restart_and_is_made_then(room):
    room.shows(Phase.TO_MOVE)
    assert room.desk.postpone(Settings(hints="off")) is Effect.LATER
    room.desk = room.sit()
    room.desk.tick()
    assert (room.opened, room.kept.settings.hints) == (0, None)
    room.shows(Phase.OVER)
    room.desk.tick()
    assert (room.kept.settings.hints, room.kept.later) == ("off", None)
    room.desk.tick()
    assert room.opened == 1


def test_a_change_postponed_in_a_match_waits_for_its_end(room):
    room.shows(Phase.TO_MOVE, match=Match(3))
    room.desk.postpone(Settings(terms=Terms(9)))
    room.shows(Phase.OVER, match=Match(3, score=(1, 0)))
    room.desk.tick()
    assert room.kept.later == Settings(terms=Terms(9))
    room.shows(Phase.OVER, match=Match(3, score=(3, 0)))
    room.desk.tick()
    assert room.kept.settings.terms == Terms(9)


def test_a_change_postponed_in_a_match_survives_changes_between_its_games(room):
    room.shows(Phase.TO_MOVE, match=Match(3))
    room.desk.postpone(Settings(clock="5.0+3.0", hints="tutor"))
    room.shows(Phase.OVER, match=Match(3, score=(1, 0)))
    room.desk.change(Settings(hints="off"), both=True)
    room.desk.tick()
    assert (room.opened, room.kept.settings) == (1, Settings(hints="off"))
    assert room.kept.later == Settings(clock="5.0+3.0")


def test_a_roll_that_postpones_a_change_keeps_earlier_postponed_changes(room):
    room.shows(Phase.TO_MOVE, match=Match(3))
    room.desk.postpone(Settings(clock="5.0+3.0"))
    room.shows(Phase.OVER, match=Match(3, score=(1, 0)))
    room.desk.change(Settings(hints="off"), both=True)
    room.shows(Phase.TO_MOVE, match=Match(3, score=(1, 0)))
    room.desk.tick()
    assert room.kept.later == Settings(clock="5.0+3.0", hints="off")


def test_a_postponed_change_keeps_earlier_postponed_changes(room):
    room.shows(Phase.TO_MOVE)
    room.desk.postpone(Settings(clock="5.0+3.0", hints="tutor"))
    room.desk.postpone(Settings(hints="off"))
    assert room.kept.later == Settings(clock="5.0+3.0", hints="off")


def test_a_postponed_change_back_to_the_setting_in_force_withdraws_it(room):
    room.shows(Phase.TO_MOVE)
    room.desk.postpone(Settings(clock="5.0+3.0", hints="off"))
    assert room.desk.postpone(Settings(hints=room.desk.now.hints)) is Effect.LATER
    assert room.kept.later == Settings(clock="5.0+3.0")
    assert room.desk.postpone(Settings(clock=room.desk.now.clock)) is Effect.NOTHING
    assert room.kept.later is None


def test_a_postponed_change_can_be_cancelled(room):
    room.shows(Phase.TO_MOVE)
    room.desk.postpone(Settings(hints="off"))
    room.desk.forget_later()
    room.shows(Phase.OVER)
    room.desk.tick()
    assert (room.opened, room.kept.settings) == (0, Settings())


def test_settings_fixed_by_the_command_line_stay(room):
    desk = room.sit(fixed=frozenset({"camera"}))
    assert desk.change(Settings(camera="csi", language="fr")) is Effect.AT_ONCE
    assert room.kept.settings == Settings(language="fr")


# --- sheets of the players' own ---------------------------------------------------------------------------------------


def test_a_valid_sheet_is_stored_and_can_be_removed(room):
    assert room.desk.add_sheet("Our Rules.toml", OURS).name == "our-rules"
    assert [path.rpartition("/")[2] for path in own_sheets(room.desk.own)] == ["our-rules.toml"]
    room.desk.remove_sheet("our-rules")
    assert own_sheets(room.desk.own) == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('base = "standard"\ncubes = 3\n', "settings.sheet.unsound"),
        ("base = ", "settings.sheet.unsound"),
        ('base = "standard"\n[[example]]\nsays = "?"\ndice = [7, 1]\n', "settings.sheet.unsound"),
        ('base = "../../../etc/x.toml"\n', "settings.sheet.base"),
        ('base = ["standard"]\n', "settings.sheet.base"),
        ('base = "standard"\nname = "../x"\n', "settings.sheet.name"),
        ('base = "standard"\nname = "tournament"\n', "settings.sheet.taken"),
        ("#" * 13_000, "settings.sheet.large"),
        ('base = "standard"\n' + "[[example]]\n" * 41, "settings.sheet.examples"),
    ],
)
def test_an_invalid_sheet_or_one_with_a_foreign_base_is_refused_with_the_reason(room, text, key):
    with pytest.raises(Refusal) as refused:
        room.desk.add_sheet("ours.toml", text)
    assert refused.value.message.key == key
    assert own_sheets(room.desk.own) == ()


def test_a_sheet_does_not_replace_another(room):
    room.desk.add_sheet("ours.toml", OURS)
    with pytest.raises(Refusal, match="taken"):
        room.desk.add_sheet("ours.toml", 'base = "standard"\ncube = false\n')


def test_the_sheet_in_use_or_chosen_is_not_removed(room):
    room.desk.add_sheet("ours.toml", OURS)
    room.shows(Phase.TO_MOVE, sheet="ours")
    with pytest.raises(Refusal, match="in_use"):
        room.desk.remove_sheet("ours")
    room.shows(Phase.TO_MOVE)
    room.desk.postpone(Settings(sheet="ours"))
    with pytest.raises(Refusal, match="in_use"):
        room.desk.remove_sheet("ours")


@pytest.mark.parametrize("name", ["../settings", "", "none", "x" * 300])
def test_only_sheets_are_removed(room, name):
    with pytest.raises(Refusal, match=r"sheet\.none"):
        room.desk.remove_sheet(name)
