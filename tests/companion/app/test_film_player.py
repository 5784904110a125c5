"""The player of a filmed game: pause, speed, next turn, restart."""

from __future__ import annotations

import pytest

from companion.app.film_player import FilmPlayer, FilmRestarted
from companion.interface import FilmDeed


class PacedFilm:
    """A film whose clock advances only during waits; each wait makes the next call of `asked`."""

    def __init__(self, *asked):
        self.now_s, self.asked, self.told = 0.0, list(asked), 0
        self.player = FilmPlayer((2.0, 5.0, 9.0), self._changed, lambda: self.now_s)

    def _changed(self):
        self.told += 1

    def _wait(self, seconds):
        if self.asked:
            self.asked.pop(0)()
        else:
            assert seconds is not None, "nobody lets it go on"
            self.now_s += seconds

    def shows(self, at_s):
        """The second of the clock at which a second of the film is shown."""
        self.player.wait_until(at_s, self._wait)
        return self.now_s


def test_a_film_is_shown_at_its_own_speed():
    film = PacedFilm()
    assert [film.shows(at_s) for at_s in (0.0, 1.5, 4.0)] == [0.0, 1.5, 4.0]
    assert (film.player.state().turn, film.player.state().turns) == (1, 3)


def test_a_film_can_be_shown_faster_and_slower():
    film = PacedFilm()
    film.shows(1.0)
    film.player.at_speed(4.0)
    assert film.shows(5.0) == 2.0
    film.player.at_speed(0.5)
    assert film.shows(6.0) == 4.0


def test_a_paused_film_shows_nothing_and_then_continues_from_there():
    film = PacedFilm()
    film.shows(1.0)
    film.player.do(FilmDeed.PAUSE)

    def a_minute_later():
        film.now_s += 60.0
        film.player.do(FilmDeed.PLAY)

    film.asked.append(a_minute_later)
    assert film.shows(2.0) == 62.0


def test_a_step_shows_the_film_up_to_the_next_turn_at_once_and_pauses():
    film = PacedFilm()
    film.shows(1.0)
    film.player.do(FilmDeed.STEP)
    assert [film.shows(at_s) for at_s in (1.5, 2.0)] == [1.0, 1.0]
    assert (film.player.state().turn, film.player.state().playing) == (1, False)
    film.asked.append(lambda: film.player.do(FilmDeed.STEP))
    assert [film.shows(at_s) for at_s in (3.0, 5.0)] == [1.0, 1.0]
    with pytest.raises(AssertionError, match="nobody lets it go on"):
        film.shows(5.5)


def test_a_film_that_is_judged_slowly_does_not_catch_up():
    film = PacedFilm()
    film.shows(1.0)
    film.now_s = 31.0
    assert [film.shows(at_s) for at_s in (2.0, 2.5)] == [31.0, 31.5]


def test_a_restart_ends_the_present_showing():
    film = PacedFilm()
    film.shows(6.0)
    film.player.do(FilmDeed.RESTART)
    with pytest.raises(FilmRestarted):
        film.shows(6.5)
    assert film.player.state().turn == 0
    assert film.shows(1.0) == 7.0


def test_a_step_requested_before_a_restart_is_done_is_one_from_the_beginning():
    film = PacedFilm()
    film.shows(6.0)
    film.player.do(FilmDeed.RESTART)
    film.player.do(FilmDeed.STEP)
    with pytest.raises(FilmRestarted):
        film.shows(6.5)
    assert [film.shows(at_s) for at_s in (1.0, 2.0)] == [6.0, 6.0]
    assert (film.player.state().turn, film.player.state().playing) == (1, False)


def test_pages_are_updated_at_every_turn_and_control():
    film = PacedFilm()
    film.shows(1.0)
    assert film.told == 0
    film.shows(2.5)
    film.player.do(FilmDeed.PAUSE)
    film.player.at_speed(2.0)
    assert film.told == 3
