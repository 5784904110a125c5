"""Checkers from the first move to the end, with a camera that is certain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played_table import fill_after_one
from said import keys_of, notice_of
from sweeps import examples

from companion.core import Dice, Side, message
from companion.game import Drawn, Ended, Phase, Played, Remedy, Started, replay
from companion.hints import Ranking
from companion.interface import Button, Done, Hinted, Light, Proposes, RolledByHand, Ruling, SetUp, Tapped
from companion.notation import cell_of
from companion.rules import CheckersPosition
from companion.texts import render

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture
def players(sit_down):
    """A game of English draughts has begun; Black is to move."""
    players = sit_down("acf")
    players.sets()
    players.taps()
    return players


def at(sit_down, fen, sheet="acf", **options):
    """A game that goes on from `fen`."""
    players = sit_down(sheet, **options)
    players.does(SetUp(CheckersPosition.from_fen(fen), None, 0.0))
    players.sets(players.game.position)
    return players


# --- the start and the turn ---


def test_with_the_starting_position_on_the_board_a_tap_begins_the_game_and_black_moves(sit_down):
    players = sit_down("acf")
    shown = players.sets()
    assert (shown.phase, shown.notice) == (Phase.OPENING, message("opening.starter", player=BLACK))
    shown = players.taps()
    assert players.events == [Started("checkers", "acf", players.rules.start(), BLACK, cube=False, rolls=False)]
    assert (shown.phase, shown.on_roll, shown.dice) == (Phase.TO_MOVE, "black", None)
    assert shown.verdict.finding == "not_moved"


def test_a_tap_accepts_the_legal_move_and_the_turn_passes(players):
    shown = players.plays("11-15")
    assert (shown.light, shown.verdict.play) == (Light.GREEN, "11-15")
    shown = players.taps()
    assert players.events[-1] == Played(BLACK, "11-15", players.game.position)
    assert (shown.on_roll, shown.history[-1].dice, shown.history[-1].play) == ("white", None, "11-15")
    assert shown.position["fen"].startswith("W:")


@pytest.mark.parametrize("player", [None, WHITE, BLACK])
def test_either_player_may_tap(players, player):
    players.plays("11-15")
    assert players.taps(player=player).on_roll == "white"


def test_an_illegal_move_shows_red_with_its_reason_and_the_turn_stays(players):
    players.plays("11-15")
    players.taps()
    players.plays("22-18")
    players.taps()
    shown = players.plays("8-11")
    assert (shown.light, shown.verdict.reason) == (Light.RED, "must_capture")
    assert "15x22" in render(shown.verdict.message)
    assert players.taps().on_roll == "black"
    players.plays("15x22")
    assert players.taps().on_roll == "white"


def test_a_move_to_a_light_square_is_named_and_does_not_count(players):
    board = list(players.rules.visible(players.rules.start()))
    board[cell_of(11)], board[cell_of(11) - 1] = (0, 0), (0, 1)
    assert players.shows(board).verdict.reason == "light_square"
    assert "no_turn" in keys_of(players.taps().notice)


def test_a_declared_move_passes_the_turn_and_its_verdict_is_available(players):
    players.plays("11-15")
    shown = players.does(Done(BLACK, 4.0))
    assert shown.on_roll == "white"
    assert players.session.verdict.play == "11-15"
    players.does(Done(WHITE, 5.0))
    assert players.session.verdict.finding == "not_moved"
    assert players.game.on_roll is WHITE


def test_there_are_no_dice_and_no_cube(players):
    assert players.does(RolledByHand(BLACK, Dice((1, 2)), 3.0)).notice.key == "dice.no_game"
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.none"}


def test_hints_are_for_the_player_to_move(players):
    players.taps(Button.HINT)
    asked = players.asked[-1]
    assert (asked.position, asked.side, asked.dice) == (players.game.position, players.game.on_roll, None)


def test_if_the_players_choose_who_begins_the_page_asks_and_a_tap_answers(sit_down):
    players = sit_down("travel-set-checkers")
    shown = players.sets()
    assert [(action.kind, action.player) for action in shown.actions] == [("begin", "white"), ("begin", "black")]
    assert keys_of(shown.notice) == {"opening.agree"}
    assert players.does(Tapped(Button.ROLL, 3.0, WHITE)).on_roll == "white"
    assert players.game.position.to_move is WHITE
    assert sit_down("travel-set-checkers").sets().actions
    players.plays("22-18")
    assert players.taps().on_roll == "black"


def test_a_jump_that_has_to_continue_is_unfinished(sit_down):
    players = at(sit_down, "B:B11,1:W15,22,32")
    assert players.plays("11x18").verdict.finding == "unfinished"
    assert players.taps().on_roll == "black"
    players.plays("11x18x25")
    assert players.taps().on_roll == "white"


def test_on_the_travel_set_a_jump_may_stop(sit_down):
    players = at(sit_down, "B:B11,1:W15,22,32", "travel-set-checkers")
    assert players.plays("11x18").verdict.finding == "legal"
    assert players.taps().on_roll == "white"


# --- kings ---


def test_kings_are_known_from_the_record_if_the_camera_cannot_see_them(sit_down):
    players = at(sit_down, "W:W6,32:B12")
    players.plays("6-1")
    players.taps()
    assert players.events[-1].after.kings == 1
    players.plays("12-16")
    players.taps()
    assert players.plays("1-6").verdict.play == "1-6"
    players.taps()
    again = at(sit_down, players.game.position.fen())
    assert again.game.position == players.game.position
    resumed = sit_down("acf", resume=players.events)
    assert resumed.game == players.game
    assert resumed.game.position.kings == 1 << 5


# --- the end ---


def test_the_player_who_captures_the_last_piece_wins(sit_down):
    players = at(sit_down, "B:B11:W15")
    shown = players.plays("11x18")
    assert players.events[-1] == Ended(BLACK, 1, "win")
    assert (shown.phase, shown.score) == (Phase.OVER, (0, 1))
    assert "wins.game" in keys_of(shown.notice)


def test_a_player_who_cannot_move_loses_at_once(sit_down):
    players = at(sit_down, "W:W29,30:B21")
    shown = players.plays("29-25")
    assert players.events[-1] == Ended(WHITE, 1, "win")
    assert shown.score == (1, 0)


def test_a_player_resigns(players):
    players.plays("11-15")
    assert "resigns.game" in keys_of(players.offers_to_resign(BLACK, "win").proposal.offer)
    shown = players.resigns(BLACK, "win")
    assert (shown.phase, shown.score) == (Phase.OVER, (1, 0))
    assert {"wins.game", "wins.resigned"} <= keys_of(shown.notice)


def test_the_players_agree_on_a_draw(players):
    players.plays("11-15")
    shown = players.draws()
    assert players.events[-1] == Drawn("agreement")
    assert (shown.phase, shown.score) == (Phase.OVER, (0, 0))
    assert "ended.agreement" in keys_of(shown.notice)


TO_AND_FRO = ("32-28", "1-6", "28-32", "6-1")


def test_a_draw_is_claimed_on_the_third_occurrence_of_a_position(sit_down):
    players = at(sit_down, "W:WK32:BK1")
    assert players.draws(claimed=True).notice.key == "ending.no_claim"
    for move in (*TO_AND_FRO, *TO_AND_FRO[:3]):
        players.plays(move)
        players.taps()
    assert "claim_draw" not in {action.kind for action in players.snapshot.actions}
    shown = players.plays("6-1")
    assert "claim_draw" in {action.kind for action in shown.actions}
    shown = players.draws(claimed=True)
    assert players.events[-1] == Drawn("threefold_repetition")
    assert isinstance(players.events[-2], Played)
    assert "ended.threefold_repetition" in keys_of(shown.notice)


def test_if_the_disk_fills_between_move_and_claim_the_draw_can_still_be_claimed(sit_down):
    players = at(sit_down, "W:WK32:BK1")
    for move in (*TO_AND_FRO, *TO_AND_FRO[:3]):
        players.plays(move)
        players.taps()
    players.taps(Button.HINT)
    players.does(Hinted(Ranking(engine="an engine"), players.asked[-1].turn, 4.0))
    assert players.plays("6-1").hints is not None
    appended = fill_after_one(players)
    shown = players.draws(claimed=True)
    assert (shown.verdict.finding, shown.hints) == ("not_moved", None)
    players.append_all = appended
    assert len(players.taps().history) == 8, "the move is not recorded a second time, as the opponent's"
    assert "ended.threefold_repetition" in keys_of(players.draws(claimed=True).notice)


def test_if_the_disk_fills_between_the_last_move_and_the_end_the_end_is_recorded_later(sit_down):
    players = at(sit_down, "W:W15:B11")
    appended = fill_after_one(players)
    assert players.plays("15x8").phase is Phase.TO_MOVE
    players.append_all = appended
    assert players.taps().phase is Phase.OVER
    assert [turn.play for turn in players.game.history] == ["15x8"]


def test_the_next_game_begins_from_the_starting_position(players):
    players.draws()
    players.sets()
    assert players.taps().on_roll == "black"
    assert players.game.number == 2


# --- disputes, restarts ---


def test_an_illegal_move_read_with_certainty_can_be_accepted(sit_down):
    players = at(sit_down, "W:W22,26,32:B18,1")
    assert players.plays("32-27").verdict.reason == "must_capture"
    players.taps(Button.REFEREE)
    assert players.snapshot.dispute.evidence.plays
    shown = players.does(Ruling(1, Remedy.STANDS, 4.0))
    assert (shown.on_roll, shown.history[-1].note) == ("black", "stands: must_capture")
    assert players.game.position.to_move is BLACK


def test_a_restart_resumes_the_game(sit_down, players):
    players.plays("11-15")
    players.taps()
    again = sit_down("acf", resume=players.events)
    assert again.game == players.game
    shown = again.sets(players.game.position)
    assert {"resumed", "then.moves"} <= keys_of(shown.notice)
    assert again.plays("22-18").light is Light.GREEN


def test_play_can_continue_from_a_board_with_one_piece_fewer(sit_down):
    players = at(sit_down, "B:W21-31:B1-11")
    players.plays("11-15")
    assert players.taps().on_roll == "white"


@pytest.mark.parametrize(
    ("squares", "without"),
    [({}, "White"), ({"5,1": "b"}, "White"), ({"2,0": "w"}, "Black"), ({"5,1": "b", "2,0": "w"}, None)],
)
@pytest.mark.parametrize("turn_over", [False, True])
def test_an_agreed_position_has_at_least_one_piece_of_each_player(players, squares, without, turn_over):
    position = {"squares": squares}
    shown = players.does(Proposes(Remedy.POSITION, 9.0, BLACK, position=position, turn_over=turn_over))
    assert (players.game.proposal is None) == bool(without)
    if without:
        assert f"{without} has no piece left in it" in notice_of(shown)


def test_a_board_without_one_players_pieces_cannot_be_agreed_on(players):
    board = tuple((0, black) for _, black in players.rules.visible(players.rules.start()))
    players.shows(board)
    shown = players.does(Proposes(Remedy.POSITION, 9.0, BLACK))
    assert players.game.proposal is None
    assert "cannot be agreed on" in notice_of(shown)


def test_between_games_differences_are_named_by_square(sit_down):
    players = sit_down("acf")
    board = list(players.rules.visible(players.rules.start()))
    board[cell_of(11)], board[cell_of(15)] = (0, 0), (0, 1)
    assert "squares 11 and 15" in notice_of(players.shows(board))


choices = st.lists(st.integers(0, 10**6), min_size=1, max_size=150)


@examples(8, 25)
def test_any_game_of_legal_moves_is_recorded_move_by_move_until_it_ends(sit_down, examples):
    @settings(max_examples=examples)
    @given(st.sampled_from(["acf", "travel-set-checkers"]), choices)
    def always(sheet, choices):
        players = sit_down(sheet)
        players.sets()
        players.taps()
        for choice in choices:
            mover, before = players.game.on_roll, players.game.position
            assert players.plays_anything(choice).light is Light.GREEN
            if not players.game.running:
                assert players.rules.outcome(players.game.position) is not None
                break
            players.taps()
            assert (players.game.on_roll, players.game.position.to_move) == (mover.opponent, mover.opponent)
            assert players.rules.find_play(before, mover, None, players.events[-1].play) is not None
        assert replay(players.events) == players.game

    always()
