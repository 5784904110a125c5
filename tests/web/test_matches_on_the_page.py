"""The pages of recorded matches: lists, searches, moments, access and files."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from sqlite3 import connect

import pytest
from given_seats import client_at
from impatient import delete_impatiently
from kept_matches import BEGAN_S, anna_and_ben, kept_evening, play_a_dispute, play_some
from scripted_table import WHITE_TO_MOVE, ScriptedTable

from companion.core import BoardLayout, Side, boardside_version
from companion.game import Phase
from companion.history import History
from companion.history.evidence_check import check_evidence
from companion.history.evidence_file import read_evidence
from companion.record import KeptPictures, Record, RecordReader, partial_reader, pictures_named
from companion.seats import Seat


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """A match to 3 points that is over, and one to 5 that is not, a day later."""
    folder = tmp_path_factory.mktemp("state")
    kept_evening(folder)
    later = anna_and_ben(folder, 5, began_s=BEGAN_S + 86_400)
    play_some(later, 2)
    later.close()
    return later.history


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return ScriptedTable(None, seats=tmp_path_factory.mktemp("seats") / "seats.json")


@pytest.fixture(scope="module")
def player(table, history):
    """A device with White's seat."""
    return client_at(table.table, table.seat(Seat.WHITE), history=history)


@pytest.fixture(scope="module")
def watcher(table, history):
    """A device without a seat."""
    return client_at(table.table, None, history=history)


def found(client, query=""):
    """The numbers of the matches that a search lists."""
    page = client.get(f"/matches{query}", headers={"Accept": "text/html"})
    assert page.status_code == 200
    return [int(number) for number in re.findall(r'href="/matches/(\d+)"', page.text)]


def game(client, number=1, game=1):
    return client.get(f"/matches/{number}/games/{game}.json").get_json()


def test_a_match_is_drawn_with_the_present_side_of_the_home_board(table, watcher):
    def lies():
        return re.search(r'data-kind="(\w+)" data-mirrored="(\w+)"', watcher.get("/matches/1").text).groups()

    table.show(layout=BoardLayout(mirrored=True))
    assert lies() == ("points", "yes")
    table.show(layout=BoardLayout(tiles=True))  # of the sheet that is played now, not of the match
    assert lies() == ("points", "no")
    table.show(layout=BoardLayout())


def test_matches_are_listed_the_newest_first(watcher):
    page = watcher.get("/matches").text
    newest, oldest = found(watcher)
    assert newest > oldest == 1
    assert "Anna (Red) – Ben (Black)" in page
    assert "3 : 0" in page
    assert "Anna has won" in page
    assert "one dispute" in page


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("?name=anna", 2),
        ("?name=ANNA++%28red", 2),
        ("?name=Carla", 0),
        ("?game=backgammon", 2),
        ("?game=checkers", 0),
        ("?since=2026-02-14", 1),
        ("?until=2026-02-13", 1),
        ("?since=2026-02-13&until=2026-02-14&name=ben", 2),
        ("?name=&game=&since=&until=", 2),
        ("?page=2", 0),
        ("?page=0", 2),
        ("?page=999999999999", 2),
        ("?page=x", 2),
    ],
)
def test_a_search_finds_names_games_and_days(watcher, query, listed):
    assert len(found(watcher, query)) == listed


def test_a_result_leads_to_the_match_that_began_last(watcher, table):
    newest = found(watcher)[0]
    assert watcher.get("/matches/last").location == f"/matches/{newest}"
    assert watcher.get("/matches/last/match.mat").location == f"/matches/{newest}/match.mat"
    assert client_at(table.table, None).get("/matches/last").location == "/matches"


def test_an_invalid_date_is_quoted_and_the_rest_of_the_search_applies(watcher):
    page = watcher.get("/matches?since=yesterday&name=Carla").text
    assert "&#39;yesterday&#39; is no date such as 2026-11-22." in page
    assert 'value="Carla"' in page


def test_a_game_is_stepped_through_with_words_dice_board_and_pictures(player):
    moments = game(player)["moments"]
    assert moments[1]["title"] == "Anna rolls 6, Ben rolls 1: Anna begins"
    assert [die["player"] for die in moments[1]["dice"]] == ["white", "black"]
    turn = moments[2]
    assert (turn["player"], turn["says"]) == ("white", ["Legal play."])
    assert turn["title"].startswith("Anna 6-1: ")
    assert turn["board"]["points"] != moments[0]["board"]["points"]
    assert moments[-1]["title"] == "Anna wins 2 points."
    assert moments[-1]["cube"] is None  # it would be the next game's
    assert moments[-2]["cube"]["number"] == 2
    assert moments[-1]["says"] == ["Ben resigned.", "Score: Anna 2, Ben 0"]


def test_a_dispute_shows_who_called_and_the_verdict_and_the_ruling(player):
    moments = game(player)["moments"]
    at = next(index for index, moment in enumerate(moments) if moment["kind"] == "dispute")
    dispute, ruling = moments[at : at + 2]
    assert dispute["title"] == "Dispute: Ben to play 6-1"
    assert dispute["says"][0].startswith("Anna called the referee at ")
    assert "that is 5" in dispute["says"][1]
    assert len(dispute["plays"]["plays"]) > 5
    assert [picture["caption"] for picture in dispute["pictures"]] == ["Before the turn", "As it stood"]
    assert (ruling["title"], ruling["says"]) == ("Ruling: Put it right", ["Agreed by Anna and Ben."])


def test_the_moments_of_a_game_are_in_the_language_of_the_request(player):
    moments = player.get("/matches/1/games/1.json?language=de").get_json()["moments"]
    assert moments[0]["title"] == "Das Spiel beginnt"
    assert moments[2]["says"] == ["Erlaubter Zug."]


def test_a_device_without_a_seat_sees_plays_and_no_pictures(watcher, player):
    shown = [picture for moment in game(player)["moments"] for picture in moment["pictures"]]
    assert len(shown) == 10
    assert not any(moment["pictures"] for moment in game(watcher)["moments"])
    assert player.get(shown[0]["src"]).data[:2] == b"\xff\xd8"
    assert watcher.get(shown[0]["src"]).status_code == 401
    assert "Pictures of the table are for devices with a seat." in watcher.get("/matches/1").text
    assert "Pictures of the table are for" not in player.get("/matches/1").text


def test_if_only_seats_may_watch_matches_are_for_them_too(table, history, player):
    stranger = client_at(table.table, None, history=history, watch="seats")
    for path in ("/matches", "/matches/1", "/matches/1/games/1.json", "/matches/1/match.mat"):
        assert stranger.get(path).status_code == 401
        assert player.get(path).status_code == 200


def test_a_match_is_given_as_a_file(watcher):
    for ending, begins in (("mat", b"\n 3 point match"), ("sgf", b"(;"), ("json", b'{"entry": 1')):
        answer = watcher.get(f"/matches/1/match.{ending}")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="boardside-1.{ending}"'
        assert answer.data.startswith(begins)


def test_the_evidence_of_a_dispute_is_given_to_devices_that_may_see_pictures(watcher, player, tmp_path):
    dispute = next(moment for moment in game(player)["moments"] if moment["kind"] == "dispute")
    answer = player.get(dispute["evidence"])
    (tmp_path / "evidence.zip").write_bytes(answer.data)
    lines = list(check_evidence(read_evidence(tmp_path / "evidence.zip"), boardside_version()))
    assert [line.words for line in lines if line.holds is False] == []
    assert answer.headers["Content-Disposition"].endswith('.zip"')
    assert {moment["evidence"] for moment in game(watcher)["moments"]} == {None}
    assert watcher.get(dispute["evidence"]).status_code == 401


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/matches/2", "There is no match 2"),
        ("/matches/99999999999999999999999", "There is no match 9"),
        ("/matches/1/games/3.json", "There is no game 3: this match has 2."),
        ("/matches/1/games/0.json", "There is no game 0"),
        ("/matches/1/match.pdn", "expected one of mat, sgf, json"),
        ("/matches/1/match.exe", "expected one of mat, sgf, json"),
        ("/matches/1/evidence-2.zip", "opens no dispute"),
        ("/matches/pictures/" + "a" * 20, "is kept"),
        ("/matches/pictures/..%2Frecord.db", "nothing here"),
    ],
)
def test_missing_things_are_refused_in_one_line(player, path, said):
    answer = player.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == 404
    assert said in answer.get_json()["error"]


@pytest.fixture
def deletable(tmp_path):
    """A match whose pictures may be deleted, between games."""
    between = ScriptedTable(None, replace(WHITE_TO_MOVE, phase=Phase.OVER), seats=tmp_path / "seats.json")
    return between, kept_evening(tmp_path)


def seated_at(table, history, seat):
    return client_at(table.table, table.seat(seat), history=history)


def shown_pictures(client):
    return [
        picture["src"] for n in (1, 2) for moment in game(client, 1, n)["moments"] for picture in moment["pictures"]
    ]


def test_pictures_are_deleted_once_both_players_ask_for_it(deletable, tmp_path):
    table, history = deletable
    white, black = (seated_at(table, history, seat) for seat in (Seat.WHITE, Seat.BLACK))
    pictures = shown_pictures(white)
    bytes_of = [white.get(path).data for path in pictures]
    assert len(pictures) == 14
    for _ in range(2):  # asking twice is not asking for two
        assert white.post("/matches/1/delete").status_code == 303
    assert shown_pictures(white) == pictures
    assert "Anna asks for it; it is done once Ben asks for it too." in black.get("/matches/1").text
    assert black.post("/matches/1/delete").status_code == 303
    assert shown_pictures(white) == []
    assert {white.get(path).status_code for path in pictures} == {404}
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [jpeg for jpeg in bytes_of if jpeg[300:] in left]
    assert len(game(white)["moments"]) > 10


def test_a_shared_screen_deletes_at_once_and_shows_before_which_copies_stay(deletable):
    table, history = deletable
    both = seated_at(table, history, Seat.BOTH)
    assert "records that were put aside because they were damaged" in both.get("/matches/1").text
    both.post("/matches/1/delete", data={"do": "delete"})
    assert shown_pictures(both) == []


def test_a_request_to_delete_is_withdrawn(deletable):
    table, history = deletable
    white, black = (seated_at(table, history, seat) for seat in (Seat.WHITE, Seat.BLACK))
    white.post("/matches/1/delete")
    white.post("/matches/1/delete", json={"do": "withdraw"})
    black.post("/matches/1/delete")
    assert len(shown_pictures(white)) == 14


def test_nothing_is_deleted_while_a_game_is_on(tmp_path):
    history = kept_evening(tmp_path)
    table = ScriptedTable(None, seats=tmp_path / "seats.json")
    table.show()
    both = client_at(table.table, table.seat(Seat.BOTH), history=history)
    answer = both.post("/matches/1/delete", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.get_json()["error"]) == (
        409,
        "Nothing is deleted while a game is on: finish it first.",
    )
    assert len(shown_pictures(both)) == 14


def test_a_deletion_delayed_by_a_reader_of_the_record_is_reported(deletable, tmp_path, monkeypatch):
    table, history = deletable
    both = seated_at(table, history, Seat.BOTH)
    delete_impatiently(monkeypatch)
    path = tmp_path / "record.db"
    with closing(Record.open(path)) as record:
        events = RecordReader(path).each(1, 9)
        record.append({"event": "Declined"}, BEGAN_S + 9999)
        next(events)
        answer = both.post("/matches/1/delete", headers={"Accept": "application/json"})
        events.close()
    assert answer.status_code == 503
    assert "not for good yet" in answer.get_json()["error"]
    assert shown_pictures(both) == []


def test_pictures_deleted_before_a_backup_are_not_in_it(tmp_path):
    kept = anna_and_ben(tmp_path)
    play_some(kept, 2)
    play_a_dispute(kept)
    kept.worker.back_up()
    (match,) = kept.history.matches()
    names = set(pictures_named(kept.history.entries(match)))
    kept.kept.stop()
    kept.kept.run()
    assert len(names) == 3
    assert kept.history.delete_pictures(match) == 4  # one is kept with its turn and with the dispute
    kept.resigns(Side.BLACK)
    kept.close()
    for file in ("record.db", "record.db.backup"):
        with closing(connect(tmp_path / file)) as connection:
            assert connection.execute("SELECT count(*) FROM pictures").fetchone() == (0,)


def test_a_film_has_no_recorded_matches(table):
    client = client_at(table.table, None)
    assert found(client) == []
    assert client.get("/matches/1").status_code == 404


def test_an_unreadable_record_is_reported(table, tmp_path):
    kept = anna_and_ben(tmp_path)
    kept.close()
    (tmp_path / "record.db").write_bytes(b"none" * 2000)
    answer = client_at(table.table, None, history=kept.history).get("/matches", headers={"Accept": "application/json"})
    assert answer.status_code == 503
    assert answer.get_json()["error"].startswith("The record cannot be read now: ")


def test_the_record_is_not_reopened_for_each_picture_of_a_game(table, tmp_path, monkeypatch):
    kept_evening(tmp_path)
    opened, really = [], partial_reader.connect
    monkeypatch.setattr(partial_reader, "connect", lambda *which: opened.append(which) or really(*which))
    without_files = History(tmp_path / "record.db", tmp_path, KeptPictures(tmp_path / "none"))
    moments = game(client_at(table.table, table.seat(Seat.WHITE), history=without_files))["moments"]
    assert len(opened) < sum(moment["kind"] == "turn" for moment in moments)


def test_unreadable_pictures_are_reported(table, tmp_path):
    kept = anna_and_ben(tmp_path)
    play_some(kept, 1)
    kept.close()
    with closing(connect(tmp_path / "record.db")) as record:
        record.execute("DROP TABLE pictures")
    client = client_at(table.table, table.seat(Seat.WHITE), history=kept.history)
    answer = client.get("/matches/1/games/1.json", headers={"Accept": "application/json"})
    assert answer.status_code == 503
