"""Gestures recognised in edge traces: milliseconds and whether the contact closed (1) or opened (0)."""

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from places import VECTORS

from hardware.gestures import BOUNCE_S, DOUBLE_S, LONG_S, ButtonState, EnabledGestures, Gesture, edge, elapse

TRACES = VECTORS / "edge_traces.jsonl"
CHATTER = [[10 * n, (n + 1) % 2] for n in range(200)]
ENABLED = {
    "tap": EnabledGestures(),
    "long": EnabledGestures(long=True),
    "double": EnabledGestures(double=True),
    "both": EnabledGestures(long=True, double=True),
}


def gestures(edges, enabled, until_s):
    """(gesture, when it was certain in s) of edges (s, closing), asked again whenever the button wants it."""
    state, found, edges = ButtonState(), [], list(edges)
    while True:
        due = state.due_s(enabled)
        next_s = edges[0][0] if edges else until_s
        if due is not None and due <= next_s:
            at_s = due
            state, meant = elapse(state, enabled, at_s)
        elif edges:
            at_s, closing = edges.pop(0)
            state, meant = edge(state, enabled, bool(closing), at_s)
        else:
            return found
        found += [(gesture, at_s) for gesture in meant]


def traces():
    for line in TRACES.read_text(encoding="utf-8").splitlines():
        trace = json.loads(line)
        if trace["edges_ms"] == "chatter":
            trace["edges_ms"] = CHATTER
        yield pytest.param(trace, id=trace["says"])


@pytest.mark.parametrize("enabled", ENABLED)
@pytest.mark.parametrize("trace", list(traces()))
def test_a_trace_of_edges_gives_the_gesture(trace, enabled):
    edges = [(ms / 1000, closing) for ms, closing in trace["edges_ms"]]
    found = gestures(edges, ENABLED[enabled], trace.get("until_ms", 10_000) / 1000)
    expected = [f"tap {told}" if isinstance(told, int) else told for told in trace[enabled]]
    assert [f"{gesture} {round(1000 * at_s)}" for gesture, at_s in found] == expected


@pytest.mark.parametrize("trace", list(traces()))
def test_a_button_that_taps_at_once_loses_no_tap_and_no_long_press(trace):
    edges = [(ms / 1000, closing) for ms, closing in trace["edges_ms"]]
    until_s = trace.get("until_ms", 10_000) / 1000
    at_once = gestures(edges, EnabledGestures(long=True, tap_at_once=True), until_s)
    assert [one for one in at_once if one[0] is Gesture.TAP] == gestures(edges, EnabledGestures(), until_s)
    held = [one for one in gestures(edges, EnabledGestures(long=True), until_s) if one[0] is Gesture.LONG]
    assert [one for one in at_once if one[0] is Gesture.LONG] == held


def test_a_button_that_knows_taps_only_reports_them_as_the_contact_closes():
    _, meant = edge(ButtonState(), EnabledGestures(), True, 5.0)
    assert meant == (Gesture.TAP,)


def test_a_button_without_a_press_needs_no_wake_up():
    for enabled in ENABLED.values():
        assert ButtonState().due_s(enabled) is None
        assert elapse(ButtonState(), enabled, 1e9) == (ButtonState(), ())


edge_lists = st.lists(st.tuples(st.integers(1, 1200), st.booleans()), max_size=40)


@given(edge_lists, st.sampled_from(list(ENABLED.values())))
@example([(1, False), (55, True), (30, True)], EnabledGestures())  # 0.086 - 0.056 is a little less than 0.03
def test_no_press_has_two_meanings(steps, enabled):
    """For any edges: never more gestures than closing edges, and none before the contact can settle."""
    at_ms, edges = 0, []
    for wait_ms, closing in steps:
        at_ms += wait_ms
        edges.append((at_ms / 1000, closing))
    found = gestures(edges, enabled, at_ms / 1000 + LONG_S + DOUBLE_S + 1)
    assert len(found) <= sum(closing for _, closing in edges)
    if not (enabled.long or enabled.double):
        assert all(round(later - earlier, 6) >= BOUNCE_S for (_, earlier), (_, later) in pairwise(found))
    wanted = {Gesture.TAP, *([Gesture.LONG] if enabled.long else []), *([Gesture.DOUBLE] if enabled.double else [])}
    assert {gesture for gesture, _ in found} <= wanted


@given(edge_lists, st.sampled_from(list(ENABLED.values())))
def test_late_polling_finds_the_same_gestures(steps, enabled):
    """A late timer loses nothing: the next edge reports gestures that were due before."""
    at_ms, edges = 0, []
    for wait_ms, closing in steps:
        at_ms += wait_ms
        edges.append((at_ms / 1000, closing))
    state, late = ButtonState(), []
    for at_s, closing in edges:
        state, meant = edge(state, enabled, closing, at_s)
        late += meant
    state, meant = elapse(state, enabled, at_ms / 1000 + 10)
    on_time = [gesture for gesture, _ in gestures(edges, enabled, at_ms / 1000 + 10)]
    assert [*late, *meant] == on_time
