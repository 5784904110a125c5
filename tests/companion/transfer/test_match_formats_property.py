"""A match written in a text format and read again is the same match, whatever was played."""

import random

import pytest
from gnubg_runs import printed_by_gnubg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sweeps import sampled

from companion.hints.gnubg import find_gnubg
from companion.notation import FORMATS, GameScript, MatchScript
from companion.rules import rules_named
from companion.transfer.exporter import transcribe
from companion.transfer.importer import reenact

ROUND_TRIPS = [
    ("standard", "mat"),
    ("standard", "sgf"),
    ("no-doubling", "mat"),
    ("encyclopedia", "sgf"),
    ("acf", "pdn"),
    ("travel-set-checkers", "pdn"),
]
QUICK = (("standard", "mat"), ("standard", "sgf"), ("acf", "pdn"))
"""Every format once."""


@pytest.mark.parametrize(("sheet", "name"), sampled(ROUND_TRIPS, QUICK))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), length=st.sampled_from([0, 1, 3, 5]))
def test_an_exported_match_is_read_as_the_same_match(played_match, sheet, name, seed, length):
    beavers = not length and sheet == "standard"
    length = min(length, 3) if name == "pdn" else length  # without a cube, more games are only more of the same
    played = played_match(sheet, random.Random(seed), length=length, beavers=beavers)
    script = transcribe(played.events, played.rules)
    read = FORMATS[name].read(FORMATS[name].write(script))
    again = reenact(read, rules_named(sheet))
    assert transcribe(again, played.rules) == script


@pytest.mark.parametrize("names", [("", ""), ("Ann", ""), ("", "Bob")])
@pytest.mark.parametrize(("name", "game"), [("mat", "backgammon"), ("sgf", "backgammon"), ("pdn", "checkers")])
def test_players_without_names_have_none_after_an_import(name, game, names):
    script = MatchScript(game, (GameScript(),), 3, *names)
    again = FORMATS[name].read(FORMATS[name].write(script))
    assert (again.white, again.black) == names


ASK_GNUBG = """
import gnubg
gnubg.command('set confirm new off')
for seed in {seeds}:
    for name, command in (('mat', 'import mat'), ('sgf', 'load match')):
        gnubg.command(command + ' {folder}/%d.%s' % (seed, name))
        games = gnubg.match(analysis=0, boards=0)['games']
        ends = [(g['info'].get('winner'), g['info'].get('points-won')) for g in games]
        print('@', seed, name, gnubg.matchchecksum(), ends)
"""


@pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")
def test_gnubg_reads_the_same_match_from_mat_and_sgf(played_match, tmp_path):
    seeds = range(4)
    for seed in seeds:
        played = played_match("standard", random.Random(seed), length=(0, 3, 5, 7)[seed], beavers=not seed)
        script = transcribe(played.events, played.rules)
        for name in ("mat", "sgf"):
            (tmp_path / f"{seed}.{name}").write_text(FORMATS[name].write(script))
        winners = ["OX"[game.result.winner == "white"] for game in script.games]
        points = [game.result.points for game in script.games]
        (tmp_path / f"{seed}.ends").write_text(str(list(zip(winners, points, strict=True))))
    said = printed_by_gnubg(ASK_GNUBG.format(seeds=list(seeds), folder=tmp_path), tmp_path)
    assert not [line for line in said if "WARNING" in line]
    answers = {}
    for line in said:
        if line.startswith("@"):
            _, seed, name, rest = line.split(" ", 3)
            answers[seed, name] = rest
    for seed in map(str, seeds):
        assert answers[seed, "mat"] == answers[seed, "sgf"]
        assert answers[seed, "mat"].split(" ", 1)[1] == (tmp_path / f"{seed}.ends").read_text()
