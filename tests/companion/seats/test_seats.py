"""A seat is given for a valid code or invitation only."""

import json
import stat
from itertools import count

import pytest

from companion.core import Side
from companion.seats import PairingRefusal, PairingRefusedError, Seat, SeatDesk, SeatRegister, SeatsError
from companion.seats.pairing import ASKS, CODE_S, INVITATION_S, WRONG_BY_ALL, WRONG_BY_ONE, WRONG_WAIT_S, Pairing
from companion.seats.register import MOST_OF_A_SEAT

CODE = (3, 1, 6, 2)
WRONG = (1, 1, 1, 1)


class TableWithSeats:
    """A desk with a clock of its own; the code is always 3-1-6-2."""

    def __init__(self, path):
        self.at_s = 0.0
        numbers = count()
        self.shown = []
        self.free = True
        self.path = path
        pairing = Pairing(lambda: self.at_s, lambda _: CODE[next(numbers) % len(CODE)] - 1)
        self.desk = SeatDesk(
            SeatRegister(path),
            pairing,
            show=self.shown.append,
            may_ask=lambda: self.free,
            now_s=lambda: 1e9 + self.at_s,
        )

    def tries(self, code=CODE, address="10.0.0.2", seat=Seat.WHITE):
        return self.desk.take(code, seat, "phone", address)

    def refusal(self, does):
        with pytest.raises(PairingRefusedError) as refused:
            does()
        return refused.value.refusal


@pytest.fixture
def table(tmp_path):
    return TableWithSeats(tmp_path / "seats.json")


def test_the_shown_code_gives_the_requested_seat(table):
    table.desk.show_code()
    token = table.tries(seat=Seat.BLACK)
    assert table.desk.device_of(token).seat is Seat.BLACK
    assert table.shown == [CODE, None], "a code is used up"
    assert table.refusal(table.tries) is PairingRefusal.NO_CODE


def test_without_a_valid_code_there_is_no_seat(table):
    assert table.refusal(table.tries) is PairingRefusal.NO_CODE
    assert table.desk.devices() == ()
    assert table.desk.device_of("") is None
    assert table.desk.device_of("\udce4") is None


def test_a_code_expires_and_is_no_longer_shown(table):
    table.desk.show_code()
    table.at_s = CODE_S
    table.desk.tick()
    assert table.shown == [CODE, None]
    assert table.refusal(table.tries) is PairingRefusal.NO_CODE


def test_wrong_tries_are_delayed_and_limited(table):
    table.desk.show_code()
    for _ in range(WRONG_BY_ONE):
        assert table.refusal(lambda: table.tries(WRONG)) is PairingRefusal.WRONG
        assert table.refusal(table.tries) in (PairingRefusal.WAIT, PairingRefusal.NO_CODE)
        table.at_s += WRONG_WAIT_S
    assert table.refusal(table.tries) is PairingRefusal.NO_CODE, "not even with the right code"
    assert table.tries(address="10.0.0.3"), "the neighbour's tries do not keep a player out"


def test_tries_of_many_addresses_are_limited_together(table):
    table.desk.show_code()
    for n in range(WRONG_BY_ALL):
        assert table.refusal(lambda n=n: table.tries(WRONG, f"10.0.1.{n}")) is PairingRefusal.WRONG
    assert table.shown == [CODE, None]
    assert table.refusal(table.tries) is PairingRefusal.NO_CODE


def test_a_code_of_another_length_is_wrong(table):
    table.desk.show_code()
    assert table.refusal(lambda: table.tries((3, 1, 6))) is PairingRefusal.WRONG


def test_the_first_visitor_may_ask_for_a_code(table):
    table.desk.ask_for_code()
    table.desk.ask_for_code()
    assert table.shown == [CODE], "the valid code is not shown anew"
    table.tries()
    assert table.refusal(table.desk.ask_for_code) is PairingRefusal.HOLD_ROLL, "somebody has a seat and can invite"


def test_a_visitor_may_not_ask_while_the_table_is_busy(table):
    table.free = False
    assert table.refusal(table.desk.ask_for_code) is PairingRefusal.HOLD_ROLL
    assert table.shown == []


def test_visitors_may_request_a_few_codes_only(table):
    for _ in range(ASKS):
        table.desk.ask_for_code()
        table.at_s += CODE_S
        table.desk.tick()
    assert table.refusal(table.desk.ask_for_code) is PairingRefusal.HOLD_ROLL
    table.desk.show_code()
    table.at_s += CODE_S
    table.desk.ask_for_code()


def test_an_invitation_gives_one_seat(table):
    invitation = table.desk.invite()
    assert table.desk.device_of(table.desk.accept(invitation, Seat.BOTH, "tablet")).seat is Seat.BOTH
    refusal = table.refusal(lambda: table.desk.accept(invitation, Seat.BOTH, "tablet"))
    assert refusal is PairingRefusal.NO_INVITATION


def test_an_invitation_expires(table):
    invitation = table.desk.invite()
    table.at_s = INVITATION_S
    refusal = table.refusal(lambda: table.desk.accept(invitation, Seat.WHITE, "tablet"))
    assert refusal is PairingRefusal.NO_INVITATION


@pytest.mark.parametrize("seat", [Seat.BLACK, Seat.BOTH])
def test_a_player_invites_the_other_once_and_not_into_a_seat_that_is_taken(table, seat):
    table.desk.accept(table.desk.invite(), Seat.WHITE, "White's phone")
    invitation = table.desk.invite(Seat.WHITE)
    table.desk.accept(table.desk.invite(Seat.WHITE), Seat.BLACK, "Black's phone")
    assert table.refusal(lambda: table.desk.accept(invitation, seat, "White's tablet")) is PairingRefusal.SEAT_TAKEN
    assert table.desk.accept(invitation, Seat.WHITE, "White's tablet"), "it is not used up"
    assert table.desk.accept(table.desk.invite(Seat.BOTH), seat, "the screen beside the board")


def test_devices_of_one_player_do_not_replace_those_of_the_other(table):
    black = table.desk.accept(table.desk.invite(), Seat.BLACK, "Black's phone")
    first = table.desk.accept(table.desk.invite(), Seat.WHITE, "first")
    for n in range(MOST_OF_A_SEAT):
        table.desk.accept(table.desk.invite(Seat.WHITE), Seat.WHITE, f"number {n}")
    assert table.desk.device_of(black) is not None
    assert table.desk.device_of(first) is None
    assert len(table.desk.devices()) == MOST_OF_A_SEAT + 1


def test_seats_survive_a_restart_and_the_file_lets_nobody_act(table):
    table.desk.show_code()
    token = table.tries()
    again = SeatRegister(table.path)
    assert again.device_of(token).seat is Seat.WHITE
    assert again.device_of(token).since_s == 1e9
    assert token not in table.path.read_text()
    assert stat.S_IMODE(table.path.stat().st_mode) == 0o600


def test_a_removed_seat_stays_removed(table):
    table.desk.show_code()
    token = table.tries()
    (device,) = table.desk.devices()
    table.desk.remove(device.number)
    assert table.desk.device_of(token) is None
    assert SeatRegister(table.path).device_of(token) is None
    table.desk.show_code()
    table.tries()
    assert table.desk.devices()[0].number > device.number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"version": 2, "devices": [], "last": 0}',
        '{"version": 1, "devices": [{}], "last": 0}',
        "[" * 9999,
        '{"version": 1, "devices": [], "last": 1e999}',
    ],
)
def test_a_damaged_register_is_renamed(tmp_path, text, caplog):
    path = tmp_path / "seats.json"
    path.write_text(text)
    assert SeatRegister(path).devices == ()
    assert "is damaged" in caplog.text
    assert (tmp_path / "seats.json.damaged").read_text() == text


def test_a_seat_that_cannot_be_stored_is_not_given(tmp_path):
    folder = tmp_path / "state"
    folder.mkdir()
    register = SeatRegister(folder / "seats.json")
    token = register.admit(Seat.WHITE, "phone", 1.0)
    (folder / "seats.json.new").mkdir()
    with pytest.raises(SeatsError, match="cannot be written"):
        register.admit(Seat.BLACK, "tablet", 2.0)
    with pytest.raises(SeatsError):
        register.remove(1)
    assert register.device_of(token) is not None
    assert len(json.loads((folder / "seats.json").read_text())["devices"]) == 1


def test_a_seat_is_for_its_players():
    assert Seat.BOTH.sides == (Side.WHITE, Side.BLACK)
    assert Seat.BOTH.only is None
    assert Seat.BLACK.sides == (Side.BLACK,)
    assert Seat.BLACK.only is Side.BLACK


@pytest.mark.parametrize("way", ["code", "invitation"])
def test_a_code_or_invitation_stays_valid_if_the_seat_cannot_be_stored(table, way):
    table.desk.show_code()
    invitation = table.desk.invite()

    def take():
        return table.tries() if way == "code" else table.desk.accept(invitation, Seat.WHITE, "phone")

    in_the_way = table.path.with_name("seats.json.new")
    in_the_way.mkdir()
    with pytest.raises(SeatsError):
        take()
    assert table.shown == [CODE], "it is still shown"
    in_the_way.rmdir()
    assert table.desk.device_of(take()).seat is Seat.WHITE
    assert table.refusal(take) in (PairingRefusal.NO_CODE, PairingRefusal.NO_INVITATION)
