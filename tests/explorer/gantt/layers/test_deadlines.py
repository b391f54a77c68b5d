"""Deadlines in whole charts: pennants, bars upon late parts, words in labels, flags, cards and legend."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF

from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.chart_export import encoded
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.deadlines import MIN_STRIPED_ROW, RIM, SIGNS, STRIPE
from explorer.gantt.layers.legend import Legend
from explorer.gantt.layers.legend_content import LegendContent, legend_line
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.layers.time_marks import marks_of
from explorer.gantt.stage import Style
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_by_job, job_tones, make_schedule

# one after the other: late from 5 to 10, in time from 10 to 20 (deadline 26), without from 20 to 30
WORKLOAD = Workload(
    "deadlines",
    (
        Job("late", Stage.of(2, 10.0), deadline=5.0),
        Job("in time", Stage.of(2, 10.0), deadline=26.0),
        Job("without", Stage.of(2, 10.0)),
    ),
    Cluster(2, 0),
)


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    schedule = make_schedule(WORKLOAD)
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(schedule)
    return view


def colours(view, left, right, top, bottom):
    """Colours of a rectangle, in pixels of the chart."""
    image = view.grab().toImage()
    return {
        image.pixelColor(x, y).rgb() & 0xFFFFFF
        for x in range(round(left), round(right))
        for y in range(top, bottom)
    }


def row_colours(view, start, end, slot=0):
    frame = view.frame()
    top = frame.row(slot)[0] + 2
    return colours(view, frame.x(start) + 2, frame.x(end) - 2, top, top + 1)


def lane_colours(view, seconds):
    """Colours below the rows, where a pennant of this time has its cloth."""
    frame = view.frame()
    x, top = frame.x(seconds), frame.places.plot.bottom() + 2
    return colours(view, x + 2, x + 7, top, top + 5)


def bad(view):
    return view.scene.theme.worse.rgb() & 0xFFFFFF


def test_a_stripe_lies_upon_what_runs_after_the_deadline_and_nothing_else(view):
    assert row_colours(view, 5.5, 9.5) == {bad(view)}
    assert bad(view) not in row_colours(view, 0.0, 4.5)
    assert bad(view) not in row_colours(view, 10.5, 30.0)


def test_a_stripe_leaves_the_name_of_a_task_alone(view):
    frame = view.frame()
    top, bottom = frame.row(0)
    assert bad(view) not in colours(view, frame.x(0.0), frame.x(30.0), top + STRIPE + RIM, bottom)
    assert bottom - top > 3 * (STRIPE + RIM)


def test_bars_of_low_rows_move_with_time_while_the_chart_is_panned(view):
    low = replace(
        WORKLOAD,
        jobs=tuple(replace(job, stages=(Stage.of(60, 10.0), job.stages[1])) for job in WORKLOAD.jobs),
    )
    view.set_schedule(make_schedule(replace(low, cluster=Cluster(60, 0))))
    assert view.frame().layout.row_height < MIN_STRIPED_ROW
    before = view.grab().toImage()
    frame = view.frame()
    x, y = round(frame.x(6.0)), frame.row(0)[0] + 2
    view.axis.zoom(0.5, 0.0)
    view.grab()
    first = view.grab().toImage()
    left = view.frame().x(6.0)
    view.axis.pan(2.0)
    moved = view.grab().toImage()
    shift = round(left - view.frame().x(6.0))
    line = range(round(left) + 20, round(left) + 60)
    assert shift > 20
    assert [first.pixel(at, y) for at in line] == [moved.pixel(at - shift, y) for at in line]
    assert before.pixel(x, y) != 0


def test_every_deadline_has_a_pennant_in_its_jobs_colour(view):
    tones = job_tones(3, dark=view.scene.theme.is_dark)
    assert int(tones[0, MAP_TONE]) in lane_colours(view, 5.0)
    assert int(tones[1, MAP_TONE]) in lane_colours(view, 26.0)
    assert int(tones[1, MAP_TONE]) not in lane_colours(view, 15.0)


def test_a_line_leads_from_a_missed_deadline_to_the_jobs_end(view):
    frame = view.frame()
    y = frame.places.plot.bottom() + 9
    assert bad(view) in colours(view, frame.x(6.0), frame.x(9.0), y, y + 1)
    assert bad(view) not in colours(view, frame.x(11.0), frame.x(25.0), y, y + 1)


def test_while_a_job_is_selected_others_keep_quiet(view):
    view.change(selected_job=1)
    assert bad(view) not in row_colours(view, 5.5, 9.5)
    tones = job_tones(3, dark=view.scene.theme.is_dark)
    assert int(tones[0, MAP_TONE]) not in lane_colours(view, 5.0)
    assert int(tones[1, MAP_TONE]) in lane_colours(view, 26.0)
    view.change(selected_job=0)
    assert bad(view) in row_colours(view, 5.5, 9.5)


def test_flags_of_the_selected_job_say_when_it_is_due_and_how_late_it_is(view):
    view.change(selected_job=0)
    texts = [mark.text for mark in marks_of(view.frame())]
    assert texts[:3] == ["makespan 30 s", "late late by 5 s", "due 0:05"]
    view.change(selected_job=1)
    texts = [mark.text for mark in marks_of(view.frame())]
    assert texts[:3] == ["makespan 30 s", "in time · 10 s", "due 0:26"]
    view.change(selected_job=2)
    assert not any("due" in mark.text for mark in marks_of(view.frame()))


def test_what_is_heard_and_read(view):
    assert view.content.late_texts == {0: "late late by 5 s"}
    assert "1 late" in view.accessibleDescription()
    rows = view.content.rows
    lines = [dict(task_facts(rows, place).lines()).get("deadline") for place in range(3)]
    assert lines == ["late by 5 s", "met", None]


def test_a_chart_without_deadlines_says_nothing(qtbot):
    content = ChartContent(schedule_rows(make_schedule()))
    assert content.late_texts == {}
    assert "late" not in content.description


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_pictures_have_deadlines_too(qtbot, suffix):
    content = ChartContent(schedule_rows(make_schedule(WORKLOAD)))
    assert len(encoded([content], suffix, Style(theme(False), (800, 400)))) > 1000


def test_the_legend_explains_deadlines_where_there_are_any(qtbot):
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.show_jobs(["a", "b"])
    assert "deadline" not in legend.accessibleDescription()
    legend.show_jobs(["a", "b"], job_by_job(2), [schedule_rows(make_schedule(WORKLOAD))])
    assert "deadline, late" in legend.accessibleDescription()
    legend.resize(1400, 30)
    with_signs = legend.grab().toImage()
    legend.show_jobs(["a", "b"], job_by_job(2))
    assert legend.grab().toImage() != with_signs


def test_signs_of_deadlines_stay_while_the_legend_gets_narrower(view):
    signs = legend_signs([view.content.rows])
    assert signs[-2:] == SIGNS
    fonts = view.frame().fonts
    content = LegendContent(job_by_job(3), ("a", "b", "c"), view.scene.theme, signs=signs)
    narrow = legend_line(QRectF(0, 0, 520, 24), fonts, content).placed
    assert "deadline" in [placed.entry.name for placed in narrow]
    assert "waits for maps" not in [placed.entry.name for placed in narrow]


def test_bars_recede_while_the_chain_of_the_makespan_is_shown(view):
    """The chain stands out; late parts are still told from others."""
    from core.explain.critical_path import critical_path

    schedule = view.content.rows.schedule
    plain = view.grab().toImage()
    view.set_critical_path(schedule, critical_path(schedule))
    receding = view.grab().toImage()
    bars = [image_count(image, bad(view)) for image in (plain, receding)]
    assert bars[0] > 2 * bars[1]


def image_count(image, colour):
    """How many pixels of a picture have a colour."""
    return sum(
        image.pixelColor(x, y) == colour for x in range(image.width()) for y in range(0, image.height(), 2)
    )
