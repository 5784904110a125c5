"""Pictures of turns are kept beside the record: as configured, within limits, and never at the cost of the game."""

from __future__ import annotations

from contextlib import closing

import pytest
from kept_matches import anna_and_ben, jpeg, play_some

from companion.game import Played
from companion.record import Keep, KeptPictures
from companion.record.kept_pictures import LEFT_FREE, MOST_WAITING


def written(kept):
    """Let the thread's work be done."""
    kept.stop()
    kept.run()
    return kept


def files(folder):
    return sorted(path.stem for path in (folder / "pictures").glob("*"))


def names(table):
    return [event.picture for event in table.events if isinstance(event, Played)]


@pytest.fixture
def kept(tmp_path):
    return KeptPictures(tmp_path / "pictures")


def test_a_picture_is_stored_under_the_hash_of_its_content(kept, tmp_path):
    name = kept.keep(jpeg(1))
    written(kept)
    assert files(tmp_path) == [name]
    assert kept.picture(name) == jpeg(1)
    assert kept.names() == {name}


def test_only_the_user_can_read_the_pictures(kept, tmp_path):
    name = kept.keep(jpeg(1))
    written(kept)
    assert (tmp_path / "pictures").stat().st_mode & 0o77 == 0
    assert (tmp_path / "pictures" / f"{name}.jpg").stat().st_mode & 0o77 == 0


def test_with_the_setting_none_no_picture_is_stored_and_old_ones_are_deleted(kept, tmp_path):
    kept.keep(jpeg(1))
    written(kept)
    without = KeptPictures(tmp_path / "pictures", Keep.NONE)
    assert without.keep(jpeg(2)) is None
    written(without)
    assert files(tmp_path) == []


def test_pictures_are_deleted_when_the_next_match_begins(tmp_path):
    for keep, left in ((Keep.MATCH, 2), (Keep.ALL, 5)):
        folder = tmp_path / keep
        folder.mkdir()
        first = anna_and_ben(folder, keep=keep)
        with closing(first):
            play_some(first, 3)
        assert files(folder) == sorted(names(first))
        second = anna_and_ben(folder, 5, keep=keep)
        with closing(second):
            play_some(second, 2)
        assert len(files(folder)) == left
        assert set(names(second)) <= set(files(folder))


@pytest.mark.parametrize("restarted", [False, True])
def test_pictures_are_deleted_only_at_the_first_play_of_the_next_match(tmp_path, restarted):
    first = anna_and_ben(tmp_path, keep=Keep.MATCH)
    with closing(first):
        play_some(first, 3)
    second = anna_and_ben(tmp_path, 5, keep=Keep.MATCH)
    play_some(second, 0)
    written(second.kept)
    assert files(tmp_path) == sorted(names(first))
    if restarted:
        second.close()
        second = anna_and_ben(tmp_path, 5, keep=Keep.MATCH, resume=second.events)
    with closing(second):
        second.plays_anything()
        second.taps()
    assert files(tmp_path) == names(second)


def test_damaged_pictures_and_foreign_names_are_ignored(kept, tmp_path):
    name = kept.keep(jpeg(1))
    written(kept)
    (tmp_path / "pictures" / f"{name}.jpg").write_bytes(jpeg(1)[:-9])
    assert kept.picture(name) is None
    assert [kept.picture(other) for other in ("", "../record", "a" * 20, name.upper() + "x", "a\0b")] == [None] * 5


def test_on_a_nearly_full_disk_no_pictures_are_stored(tmp_path):
    kept = KeptPictures(tmp_path / "pictures", free_bytes=lambda _: LEFT_FREE)
    kept.keep(jpeg(1))
    written(kept)
    assert files(tmp_path) == []
    assert kept.trouble == "the disk is nearly full"


def test_a_disk_error_is_logged_and_does_not_stop_the_game(tmp_path, caplog):
    (tmp_path / "pictures").write_text("a file in the place of the folder")
    table = anna_and_ben(tmp_path)
    with closing(table):
        play_some(table, 3)
    assert len(names(table)) == 3
    assert table.kept.trouble is not None
    assert len([line for line in caplog.messages if "the game goes on" in line]) == 1


def test_the_game_does_not_wait_for_a_slow_disk(kept):
    kept_names = [kept.keep(jpeg(number)) for number in range(MOST_WAITING + 2)]
    assert kept_names[-2:] == [None, None]
    assert None not in kept_names[:-2]
    assert kept.trouble == "the disk is too slow"


def test_above_the_limit_the_oldest_pictures_are_deleted(tmp_path):
    most = sum(len(jpeg(number)) for number in (2, 3, 4))
    kept = KeptPictures(tmp_path / "pictures", Keep.ALL, most_bytes=most)
    kept_names = [kept.keep(jpeg(number)) for number in range(5)]
    written(kept)
    assert set(files(tmp_path)) == set(kept_names[-3:])


def test_deleted_pictures_are_removed_from_the_disk(kept, tmp_path):
    kept_names = [kept.keep(jpeg(number)) for number in range(3)]
    written(kept)
    assert kept.delete([*kept_names[:2], "a" * 20, "../../etc"]) == 2
    assert files(tmp_path) == [kept_names[2]]


def test_without_a_stored_picture_an_event_names_none(tmp_path):
    table = anna_and_ben(tmp_path, keep=Keep.NONE)
    with closing(table):
        play_some(table, 2)
    assert names(table) == [None, None]
