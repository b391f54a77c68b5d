"""The instant that the clocks of shared scans show: a slider, steps from event to event, and playing."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from explorer.scans.scan_time import SLIDER_STEPS, SWEEP, ScanTime


def story(arrival, boarded, finish):
    """Return what a story says of its schedule's times, seconds."""
    jobs = SimpleNamespace(arrival=np.array(arrival), dataset=np.zeros(len(arrival), int))
    return SimpleNamespace(
        job=np.arange(len(arrival)),
        job_names=[f"J{k}" for k in range(len(arrival))],
        schedule=SimpleNamespace(jobs=jobs, boarded=np.array(boarded), finish=np.array(finish)),
    )


@pytest.fixture
def shown(qtbot) -> ScanTime:
    """Two jobs: they arrive at 0 and 50 s, board at 10 and 60, and end at 110 and 200."""
    shown = ScanTime()
    qtbot.addWidget(shown)
    shown.show_stories([story([0.0, 50.0], [10.0, 60.0], [110.0, 200.0])])
    return shown


def trigger(shown, name: str) -> float:
    shown.actions_by_id[name].trigger()
    return shown.seconds


def test_it_ends_with_the_last_job_of_all_schedules(shown):
    assert (shown.end, shown.seconds, shown.label.text()) == (200.0, 0.0, "0:00")
    shown.show_stories([story([0.0], [1.0], [300.0]), story([0.0], [2.0], [20.0])])
    assert shown.end == 300.0
    shown.show_stories([])
    assert (shown.end, shown.seconds) == (0.0, 0.0)
    shown.look_at(5.0)
    assert shown.seconds == 0.0


def test_an_instant_is_shown_and_said(shown, qtbot):
    with qtbot.waitSignal(shown.moved):
        shown.look_at(100.0)
    assert (shown.seconds, shown.slider.value(), shown.label.text()) == (100.0, SLIDER_STEPS // 2, "1:40")
    assert trigger(shown, "to_end") == 200.0
    assert shown.label.text() == "3:20"
    assert trigger(shown, "to_start") == 0.0


def test_steps_go_from_event_to_event_and_stop_at_both_ends(shown):
    on = [trigger(shown, "next_event") for _ in range(7)]
    assert on == pytest.approx([10.0, 50.0, 60.0, 110.0, 200.0, 200.0, 200.0])
    back = [trigger(shown, "previous_event") for _ in range(6)]
    assert back == pytest.approx([110.0, 60.0, 50.0, 10.0, 0.0, 0.0])
    shown.look_at(55.0)
    assert trigger(shown, "next_event") == 60.0
    shown.look_at(55.0)
    assert trigger(shown, "previous_event") == 50.0


def test_events_that_the_slider_does_not_tell_apart_are_one_step(shown):
    shown.show_stories([story([0.0, 100.0], [100.04, 150.0], [200.0, 200.0])])
    assert [trigger(shown, "next_event") for _ in range(3)] == [100.0, 150.0, 200.0]


def test_it_plays_from_where_it_stands_to_the_end_at_an_even_pace(shown, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("explorer.scans.scan_time.time.monotonic", lambda: now[0])
    shown.look_at(50.0)
    trigger(shown, "play")
    assert shown.is_playing
    now[0] += SWEEP / 4  # a quarter of the way from 0 to 200 s
    shown._tick()
    assert shown.seconds == 100.0
    now[0] += SWEEP
    shown._tick()
    assert (shown.seconds, shown.is_playing) == (200.0, False)
    trigger(shown, "play")  # at the end it begins anew
    now[0] += SWEEP / 10
    shown._tick()
    assert (shown.seconds, shown.is_playing) == (20.0, True)
    trigger(shown, "play")
    assert not shown.is_playing


def test_a_step_stops_the_time(shown):
    shown.toggle()
    assert shown.is_playing
    trigger(shown, "next_event")
    assert not shown.is_playing


def test_an_instant_that_was_asked_for_is_exact_and_one_of_the_slider_is_not(shown):
    shown.look_at(50.01)
    assert shown.seconds == 50.01
    shown.look_at(50.02)
    assert shown.seconds == 50.02
    shown.slider.setValue(700)
    assert shown.seconds == 70.0
    shown.look_at(999.0)
    assert shown.seconds == 200.0
