"""Fact and forecast in a chart: paler right of now, a line with its time, bands, and chances."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from core.charts.forecast_ends import EndRow, ForecastEnds, LikelyTasks, Promise, ends_of, likely_tasks
from core.files.samples import load_sample
from core.forecast.forecast import forecast
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers import fact_and_forecast
from explorer.gantt.layers.fact_and_forecast import LANE, TAG_HEIGHT, _beside, _room_for
from explorer.gantt.layers.labels import job_labels
from explorer.gantt.stage import Style, to_image
from explorer.widgets.theme import theme
from tests.builders import run
from tests.core.charts.chart_builders import make_schedule
from tests.explorer.gantt.layers.test_outdated import colour, distance

ENDS = ForecastEnds(10.0, (EndRow("J1", 30.0, (25.0, 32.0), (22.0, 36.0), None, float("nan")),))


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    """Two maps of 20 s on two slots, and 40 s in view."""
    schedule = make_schedule(Workload("w", (Job("J1", Stage.of(2, 20.0)),), Cluster(2, 0)))
    axis = TimeAxis()
    axis.set_extent(0.0, 40.0)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(schedule)
    return view


def test_what_is_to_come_is_paler_and_what_was_is_not(view):
    frame = view.frame()
    before, after = round(frame.x(5.0)), round(frame.x(15.0))
    y = frame.row(1)[1] - 20
    clear = colour(view, before, y)
    assert colour(view, after, y) == clear
    view.change(forecast=ENDS)
    window = view.scene.theme.window
    assert colour(view, before, y) == clear
    assert distance(colour(view, after, y), window) < 0.7 * distance(clear, window)


def test_right_of_now_stands_what_is_likely(view):
    """What came there is gone: the task to come is on the first slot, from 15 s on, pale and hatched."""
    frame = view.frame()
    y = frame.row(0)[1] - 6
    task, free = (round(frame.x(15.5)), y), (round(frame.x(12.0)), y)
    clear = colour(view, *task)
    slot, kind, job = np.zeros(1, np.int32), np.zeros(1, np.int8), np.zeros(1, np.int32)
    times = np.array([15.0]), np.array([35.0])
    likely = LikelyTasks(slot, kind, *times, job, ("J1",), {"J1": 0}, Cluster(2, 0))
    view.change(forecast=ENDS._replace(likely=likely))
    lane = view.scene.theme.lane
    assert colour(view, *free) == lane
    assert 0 < distance(colour(view, *task), lane) < distance(clear, lane)
    assert colour(view, round(frame.x(15.5)), frame.row(1)[0] + 6) == lane


@pytest.fixture
def five_jobs(qtbot):
    """The five jobs under FIFO, all of their 74 s in view."""
    workload, axis = load_sample("five-jobs"), TimeAxis()
    axis.set_extent(0.0, 74.0)
    axis.fit()
    view = GanttView(axis, theme(dark=False))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(run(workload, workload.cluster))
    return view


def test_names_of_bands_lie_upon_no_other_band_and_not_below_the_time(view, monkeypatch):
    names, tags, bands = list[QRectF](), list[QRectF](), list[QRectF]()
    name, band, tag = fact_and_forecast._paint_name, fact_and_forecast._paint_band, fact_and_forecast._now_tag

    def noted_name(painter, frame, text, place):
        names.append(place)
        name(painter, frame, text, place)

    def noted_band(painter, frame, row, box, fill):
        left, right = (frame.x(seconds) for seconds in row.most)
        bands.append(QRectF(left, box.top(), right - left, box.height()))
        band(painter, frame, row, box, fill)

    def noted_tag(frame, x, seconds):
        tags.append(tag(frame, x, seconds))
        return tags[-1]

    for each in (noted_name, noted_band):
        monkeypatch.setattr(fact_and_forecast, each.__name__.replace("noted", "_paint"), each)
    monkeypatch.setattr(fact_and_forecast, "_now_tag", noted_tag)
    jobs = tuple(Job(f"J{n}", Stage.of(1, 2.0)) for n in range(7))
    schedule = make_schedule(Workload("seven", jobs, Cluster(1, 0)))
    view.axis.set_extent(0.0, 80.0)
    view.axis.fit()
    view.set_schedule(schedule)
    view.change(forecast=ends_of(forecast(schedule, 1.0, error=0.1, runs=30)))
    view.grab()
    assert len(names) >= 4
    assert len(bands) == 7
    for place in names:
        assert not any(place.intersects(other) for other in (*bands, *tags))
    assert not any(a.intersects(b) for a, b in combinations(names, 2))
    names.clear()
    view.resize(900, 70)  # there is no room for seven bands
    view.grab()
    assert 1 <= len(names) < 6
    assert not any(a.intersects(b) for a, b in combinations((*names, *tags[-1:]), 2))


@pytest.mark.parametrize(("now", "has_room"), [(42.0, False), (60.0, True)])
def test_no_name_is_cut_at_now(five_jobs, now, has_room):
    """J4 begins to reduce at 41 s: its name is left out until there is room for it."""
    view, rows = five_jobs, five_jobs.content.rows
    schedule = rows.schedule
    view.change(forecast=ForecastEnds(now, (), likely_tasks(schedule, now)))
    frame = view.frame()
    named = {label.text: label.spot for label in job_labels(frame, rows, 1)}
    assert {"J1", "J2"} <= set(named)
    assert ("J4" in named) == has_room
    assert all(spot.right() < frame.x(now) for spot in named.values())


def test_a_node_that_is_away_is_right_of_now_too(view):
    """In the likely draw the second node is away from 5 to 25 s, hatched; then it has a bar and is plain."""
    was, likely = (
        Cluster(2, 0, events=NodeEvents(2, (NodeEvent(5.0, 1), NodeEvent(back, 1, "returns"))))
        for back in (12.0, 25.0)
    )
    view.set_schedule(make_schedule(Workload("w", (Job("J1", Stage.of(2, 20.0)),), was)))
    slot, kind, times = np.zeros(0, np.int32), np.zeros(0, np.int8), np.zeros(0)
    none = LikelyTasks(slot, kind, times, times, slot, (), {}, likely)
    view.change(forecast=ENDS._replace(likely=none, rows=()))
    image, frame = view.grab().toImage(), view.frame()

    def colours(slot, begin, end):
        top, bottom = frame.row(slot)
        across = range(round(frame.x(begin)), round(frame.x(end)))
        return {image.pixel(x, y) for x in across for y in range(top + 2, bottom - 6)}

    assert len(colours(1, 16.0, 18.0)) > len(colours(0, 16.0, 18.0)) == 1
    assert len(colours(1, 26.0, 28.0)) == 1
    assert len(colours(1, 24.8, 25.2)) > len(colours(0, 24.8, 25.2))


def test_now_has_a_line_with_its_time(view):
    view.change(forecast=ENDS)
    frame, text = view.frame(), view.scene.theme.text
    x = round(frame.x(10.0))
    assert colour(view, x + 1, frame.places.plot.bottom() - 40) == text
    assert colour(view, x + 6, frame.places.plot.top() + TAG_HEIGHT - 1) == text  # the plate of the words
    view.change(forecast=None)
    assert colour(view, x + 1, frame.places.plot.bottom() - 40) != text


def test_a_job_that_ends_has_a_band_in_its_colour(view):
    view.change(forecast=ENDS)
    frame = view.frame()
    y = sum(frame.row(1)) // 2
    background = colour(view, round(frame.x(38.0)), y)
    job = colour(view, round(frame.x(5.0)), y)
    assert distance(colour(view, round(frame.x(27.0)), y), job) < 60  # half of the draws
    assert colour(view, round(frame.x(23.0)), y) != background
    middle, text = round(frame.x(30.0)), view.scene.theme.text
    assert min(distance(colour(view, x, y), text) for x in (middle - 1, middle, middle + 1)) < 60


def test_an_exported_picture_has_it_too(view):
    bare, style = view.content, Style(view.scene.theme, (900, 300))
    view.change(forecast=ENDS)
    assert to_image([view.content], style) != to_image([bare], style)


def test_bands_do_not_lie_upon_one_another():
    room, wanted = QRectF(0, 0, 500, 100), QRectF(50, 90, 100, LANE)
    taken = []
    for _ in range(5):
        taken.append(_beside(wanted, taken, room))
    assert all(room.contains(box) for box in taken)
    assert not any(a.intersects(b) for i, a in enumerate(taken) for b in taken[:i])


def test_a_deadline_has_the_chance_that_it_is_met(view):
    late = ENDS.rows[0]._replace(deadline=24.0, in_time=0.12)
    view.change(forecast=ENDS)
    plot, x = view.frame().places.plot, round(view.frame().x(24.0))
    shot = view.grab().toImage()
    before = [shot.pixelColor(at, plot.bottom() - 6) for at in range(x + 2, x + 30)]
    view.change(forecast=ENDS._replace(rows=(late,)))
    shot = view.grab().toImage()
    assert [shot.pixelColor(at, plot.bottom() - 6) for at in range(x + 2, x + 30)] != before


def test_a_service_level_has_a_line_and_its_chance(view):
    level = Promise("J1", 24.0, 0.72, cost=5.0)
    view.change(forecast=ENDS)
    plot, x = view.frame().places.plot, round(view.frame().x(24.0))
    before = colour(view, x, plot.bottom() - 6)
    view.change(forecast=ENDS._replace(rows=(ENDS.rows[0]._replace(levels=(level,)),)))
    ink, text = colour(view, x, plot.bottom() - 6), view.scene.theme.text
    assert distance(ink, text) < 60 < distance(before, text)


def test_a_chance_says_whose_and_by_when_where_there_is_room():
    """Right of the line if that fits, else left of it, unless something stands there; both by hand."""
    assert _room_for(100.0, 50.0, 0.0, 200.0) == (50.0, 100.0)
    assert _room_for(100.0, 150.0, 40.0, 200.0) == (48.0, 100.0)
    assert _room_for(100.0, 150.0, 60.0, 200.0) is None


def test_what_is_due_first_comes_first_the_batch_among_the_jobs():
    late = ENDS.rows[0]._replace(deadline=3600.0, in_time=0.72, then=0.94)
    ends = ENDS._replace(rows=(late,), batch=Promise("all", 1800.0, 0.4))
    assert [each.text for each in ends.promises] == ["all by 30:00: 40 %", "J1 by 1:00:00: 72 → 94 %"]


def test_what_is_likely_is_what_runs_after_now():
    """Two maps of 20 s: at 10 s both run, the second one on the second slot."""
    schedule = make_schedule(Workload("w", (Job("J1", Stage.of(2, 20.0)),), Cluster(2, 0)))
    likely = likely_tasks(schedule, 10.0)
    assert (likely.start.tolist(), likely.end.tolist()) == ([10.0, 10.0], [20.0, 20.0])
    assert likely.last_slots == {"J1": 1}
    assert len(likely_tasks(schedule, 20.0).slot) == 0


def test_a_job_that_is_not_in_the_record_has_a_band_too(view):
    """As one of which no task had ended: its band is grey, on the row of its last task."""
    slot, kind, job = np.zeros(1, np.int32), np.zeros(1, np.int8), np.zeros(1, np.int32)
    times = np.array([15.0]), np.array([35.0])
    likely = LikelyTasks(slot, kind, *times, job, ("J9",), {"J9": 0}, Cluster(2, 0))
    view.change(forecast=ForecastEnds(10.0, (ENDS.rows[0]._replace(job="J9"),), likely))
    frame = view.frame()
    y = sum(frame.row(0)) // 2
    assert distance(colour(view, round(frame.x(27.0)), y), view.scene.theme.third_text) < 60
