import itertools
import queue
import random
import threading
from importlib.machinery import ModuleSpec

import pytest

from companion.core import Side
from companion.hints import HintRequest, HintWorker, checkers_compiled, choose_engine
from companion.hints.checkers import CheckersEngine
from companion.hints.checkers_bits import Captures, bits_of, jumpers, stepped, steps
from companion.hints.checkers_compiled import CompiledSearch, library
from companion.hints.checkers_search import SURE, Search
from companion.hints.checkers_values import values
from companion.hints.engine import EngineError
from companion.rules import CheckersPosition, load_sheet, rules_named
from companion.rules.registry import ruleset_for

ACF = rules_named("acf")
TRAVEL = rules_named("travel-set-checkers")


def best(fen, rules=ACF):
    position = CheckersPosition.from_fen(fen)
    return CheckersEngine(rules, 1).rank(position, position.to_move, None, 1).plays[0].play


def test_the_strength_of_an_engine_is_stated_only_as_measured():
    start = ACF.start()
    stated = {level: CheckersEngine(ACF, level).rank(start, start.to_move, None, 1).loss for level in (1, 2)}
    assert stated[1] is None
    assert stated[2] > 0


def reached(captures, position):
    """As the search has it: captures, and quiet moves where they are allowed beside them."""
    at, white = bits_of(position), position.to_move is Side.WHITE
    able = jumpers(at, white)
    taken = set(captures.after(at, white, able))
    assert bool(taken) == bool(able)
    return taken if taken and captures.compulsory else taken | {stepped(at, step, white) for step in steps(at, white)}


OTHERWISE = ['capture = "optional"', 'jump_sequence = "may_stop"', "crowning_ends_turn = false"]


@pytest.mark.parametrize("more", ["", *OTHERWISE])
def test_the_search_knows_the_moves_that_the_rules_know(tmp_path, more):
    (tmp_path / "mine.toml").write_text(f'base = "acf"\n{more}\n')
    rules = ruleset_for(load_sheet(str(tmp_path / "mine.toml")))
    captures, chance = Captures(rules.sheet), random.Random(more)
    for _ in range(30):
        position = rules.start()
        for _ in range(70):
            successors = rules.successors(position, position.to_move)
            assert reached(captures, position) == {bits_of(s.after) for s in successors}
            if not successors:
                break
            position = chance.choice(successors).after


@pytest.mark.parametrize("more", ["", *OTHERWISE])
def test_the_compiled_search_knows_the_same_moves_and_scores(tmp_path, compiled, more):
    (tmp_path / "mine.toml").write_text(f'base = "acf"\n{more}\n')
    rules = ruleset_for(load_sheet(str(tmp_path / "mine.toml")))
    captures, chance = Captures(rules.sheet), random.Random(more)
    search = CompiledSearch(compiled, captures)
    for _ in range(20):
        position = rules.start()
        while (position.white and position.black) and (successors := rules.successors(position, position.to_move)):
            children = [bits_of(s.after) for s in successors]
            white = position.to_move is Side.WHITE
            assert set(search.moves(bits_of(position), white)) == set(children)
            for at, side in [(bits_of(position), white), *((child, not white) for child in children)]:
                assert search.score(at, side) == values().score(at, side)
            position = chance.choice(successors).after


@pytest.mark.parametrize(
    ("fen", "leads"),
    [
        ("W:W21,22,23,24,25,26,27,29,30:B1,2,3,5,6,7", True),
        ("W:WK18,K19,22,23,K32:BK1,K5,12", True),
        ("W:W21,22,23,24,25,26:B1,2,3,5,6,7", False),
    ],
)
def test_the_compiled_search_ends_by_itself_where_one_side_leads_clearly(compiled, fen, leads):
    children = [bits_of(s.after) for s in ACF.successors(CheckersPosition.from_fen(fen), Side.WHITE)]
    searched, most = [], 16_000_000
    search = CompiledSearch(compiled, Captures(ACF.sheet))
    _, score = search.best(children, False, lambda count: not searched.append(count) and count < most)
    assert (score >= 200, searched[-1] < most) == (leads, leads)


def test_the_compiled_search_wins_what_is_won(compiled):
    position = CheckersPosition.from_fen("W:WK18,K19:BK11")
    children = [bits_of(s.after) for s in ACF.successors(position, Side.WHITE)]
    search = CompiledSearch(compiled, Captures(ACF.sheet))
    best = search.best(children, False, lambda _: True)
    others = search.others(children, False, best, lambda _: True)
    assert best[1] > SURE
    assert {best[0], *(number for number, _ in others)} == set(range(len(children)))
    assert best[1] >= max(score for _, score in others)


def searches(compiled):
    captures = Captures(ACF.sheet)
    return (lambda: Search(captures), 1_000), (lambda: CompiledSearch(compiled, captures), 20_000)


def children_of(fen):
    position = CheckersPosition.from_fen(fen)
    return [bits_of(s.after) for s in ACF.successors(position, position.to_move)], position.to_move is Side.BLACK


MIDDLE, OTHER = "W:W21,22,23,24,25,26,30:B1,2,3,5,6,7,10", "B:W18,19,21,26,29,32:B1,2,3,8,10,12"


def test_a_search_keeps_what_it_found_in_this_game(compiled):
    for new, few in searches(compiled):
        search, now = new(), children_of(MIDDLE)
        much = search.best(*now, lambda count, few=few: count < 40 * few)
        assert search.best(*now, lambda count, few=few: count < few) == much
        assert new().best(*now, lambda count, few=few: count < few) != much


def test_a_game_searched_before_does_not_change_an_answer(compiled):
    for new, few in searches(compiled):
        search = new()
        search.best(*children_of(OTHER), lambda count, few=few: count < 40 * few)
        found = search.best(*children_of(MIDDLE), lambda count, few=few: count < 40 * few)
        assert found == new().best(*children_of(MIDDLE), lambda count, few=few: count < 40 * few)


def test_a_compiled_search_that_cannot_be_loaded_is_replaced_by_the_one_in_python(tmp_path, monkeypatch, caplog):
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"from another processor")
    found = ModuleSpec("broken", None, origin=str(broken))
    monkeypatch.setattr(checkers_compiled, "find_spec", lambda _: found)
    library.cache_clear()
    try:
        assert library() is None
        assert "make clean" in caplog.text
        assert len(CheckersEngine(ACF).rank(CheckersPosition.from_fen("B:W5:B1"), Side.BLACK, None, 1).plays) == 1
    finally:
        library.cache_clear()


def test_the_search_takes_what_it_can_and_loses_nothing():
    assert best("B:W18,31:B11,1") != "11-15"
    assert best("W:WK14:BK10,6,3,24").startswith("14x")


def test_an_engine_ranks_the_best_play_first():
    ranking = CheckersEngine(ACF, 1).rank(ACF.start(), Side.BLACK, None, 4)
    assert len(ranking.plays) == 4
    assert [play.equity for play in ranking.plays] == sorted((play.equity for play in ranking.plays), reverse=True)


def test_a_won_game_is_said_to_be_won():
    position = CheckersPosition.from_fen("W:WK18,K19:BK11")
    plays = CheckersEngine(ACF, 1).rank(position, Side.WHITE, None, 20).plays
    assert plays[0].win == 1.0
    lost = CheckersPosition.from_fen("B:WK18,K19:BK11")
    assert {play.win for play in CheckersEngine(ACF, 1).rank(lost, Side.BLACK, None, 20).plays} == {0.0}


def test_at_a_level_that_counts_positions_it_finds_the_same_each_time():
    first, second = (CheckersEngine(ACF, 1).rank(ACF.start(), Side.BLACK, None, 7) for _ in range(2))
    assert first == second


def test_a_search_answers_when_its_time_is_over():
    ticks = itertools.count(0.0, 0.3)
    ranking = CheckersEngine(ACF, clock=ticks.__next__).rank(ACF.start(), Side.BLACK, None, 7)
    assert len(ranking.plays) == 7
    assert next(ticks) < 3


def test_a_stopped_search_answers_with_its_best_play_so_far():
    engine = CheckersEngine(ACF, clock=lambda: engine.stop() or 0.0)
    assert len(engine.rank(ACF.start(), Side.BLACK, None, 7).plays) == 7


def test_a_newer_question_ends_the_search_for_an_older_one():
    answers, searching = queue.SimpleQueue(), threading.Event()
    engine = CheckersEngine(ACF, clock=lambda: searching.set() or 0.0)  # it would search two million positions
    worker = HintWorker(engine, ACF, lambda _, turn: answers.put(turn))
    worker.ask(HintRequest(ACF.start(), Side.BLACK, None, 1))
    searching.wait()
    worker.ask(HintRequest(CheckersPosition.from_fen("B:W5:B1"), Side.BLACK, None, 2))
    assert answers.get(timeout=60) == 1
    worker.close()


class HandedOver(CheckersEngine):
    """Between its question and its search something `happens`, once; `looks` counts what it looked at the clock."""

    def __init__(self, happens):
        self.looks, self.stopped = [], threading.Event()
        super().__init__(ACF, 0, clock=lambda: self.looks.append(0) or 0.0)
        self._happens = [happens]

    def rank(self, *question):
        if self._happens:
            self._happens.pop()()
        return super().rank(*question)

    def stop(self):
        super().stop()
        self.stopped.set()


ONLY_BEGAN = 2
"""Looks at the clock of a search that ends as its two parts begin."""


def test_a_newer_question_also_ends_a_search_that_is_still_to_begin():
    answers, two_kings = queue.SimpleQueue(), CheckersPosition.from_fen("B:WK5,K6:BK31,K32")
    newer = HintRequest(two_kings, Side.BLACK, None, 2)
    engine = HandedOver(lambda: worker.ask(newer))
    worker = HintWorker(engine, ACF, lambda _, turn: answers.put((turn, len(engine.looks))))
    worker.ask(HintRequest(ACF.start(), Side.BLACK, None, 1))
    assert answers.get(timeout=60) == (1, ONLY_BEGAN)
    turn, looks = answers.get(timeout=60)
    assert turn == 2
    assert looks > 2 * ONLY_BEGAN, "the newer one is searched in full"
    worker.close()


def test_closing_ends_a_search_that_is_still_to_begin():
    answers = queue.SimpleQueue()

    def closes():
        closing.start()
        engine.stopped.wait()

    engine = HandedOver(closes)
    worker = HintWorker(engine, ACF, lambda *_: answers.put(len(engine.looks)))
    closing = threading.Thread(target=worker.close)
    worker.ask(HintRequest(ACF.start(), Side.BLACK, None, 1))
    assert answers.get(timeout=60) == ONLY_BEGAN
    closing.join()


def test_a_sheet_with_choices_is_searched_by_its_own_rules():
    position = CheckersPosition.from_fen("B:W18,25,27:B15,1")
    plays = {play.play for play in CheckersEngine(TRAVEL, 1).rank(position, Side.BLACK, None, 20).plays}
    assert plays == {TRAVEL.write_play(s.play) for s in TRAVEL.successors(position, Side.BLACK, None)}


def test_checkers_has_one_engine():
    assert isinstance(choose_engine(ACF), CheckersEngine)
    assert isinstance(choose_engine(ACF, "embedded", 0), CheckersEngine)
    with pytest.raises(EngineError, match="backgammon only"):
        choose_engine(ACF, "gnubg")
    with pytest.raises(EngineError, match="'standard' is for backgammon"):
        CheckersEngine(rules_named("standard"))


def test_a_side_without_moves_has_none_ranked():
    assert CheckersEngine(ACF, 0).rank(CheckersPosition.from_fen("B:W5:B1"), Side.BLACK, None, 3).plays != ()
    assert CheckersEngine(ACF, 0).rank(CheckersPosition.from_fen("W:W5,9:B1,6"), Side.WHITE, None, 3).plays is not None
