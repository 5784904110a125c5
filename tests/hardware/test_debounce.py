from hardware.gestures import BOUNCE_S, Contact, debounce

CLOSE, OPEN = True, False


def taps(*edges):
    """Times of the taps among edges (closing, seconds)."""
    contact, found = Contact(), []
    for closing, at_s in edges:
        contact, tap = debounce(contact, closing, at_s)
        if tap:
            found.append(at_s)
    return found


def test_a_clean_press_is_one_tap_at_the_moment_of_closing():
    assert taps((CLOSE, 1.0), (OPEN, 1.2)) == [1.0]


def test_bounces_on_closing_are_not_taps():
    assert taps((CLOSE, 1.0), (OPEN, 1.001), (CLOSE, 1.003), (OPEN, 1.004), (CLOSE, 1.006), (OPEN, 1.2)) == [1.0]


def test_bounces_on_opening_are_not_taps():
    assert taps((CLOSE, 1.0), (OPEN, 1.2), (CLOSE, 1.202), (OPEN, 1.203), (CLOSE, 1.207), (OPEN, 1.21)) == [1.0]


def test_two_presses_are_two_taps():
    assert taps((CLOSE, 1.0), (OPEN, 1.1), (CLOSE, 1.3), (OPEN, 1.4)) == [1.0, 1.3]


def test_a_stuck_key_is_one_tap():
    assert taps((CLOSE, 1.0)) == [1.0]


def test_a_key_that_chatters_without_end_is_one_tap():
    chatter = [(n % 2 == 0, 1.0 + n * BOUNCE_S / 3) for n in range(500)]
    assert taps(*chatter) == [1.0]


def test_a_lost_release_does_not_make_the_button_dead():
    assert taps((CLOSE, 1.0), (CLOSE, 3.0), (OPEN, 3.2)) == [1.0, 3.0]


def test_a_release_alone_is_not_a_tap():
    assert taps((OPEN, 1.0)) == []
