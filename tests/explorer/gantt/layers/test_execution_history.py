"""Failed, killed and service attempts of a record: which are in view, and which would cover one another."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from core.charts.painted_rows import PATTERN_ROW
from core.charts.palette import lane_colour, linear, unpacked
from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import ScheduleRows, schedule_rows
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from core.measures.job_classes import job_classes
from core.model.execution_history import LOOKS, SERVICE, UNDER_WAY
from explorer.document.time_axis import TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.tasks_in_view import Hit
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers.execution_history import INKS, HistoryLayer, extra_at, history_parts
from explorer.widgets.theme import theme
from tests.oklab import oklab
from tests.paths import DATA

LOG = DATA / "jobtracker-0.20.log"


def all_rows(rows):
    return RowLayout.of(rows.pools, 400)


@pytest.fixture
def rows() -> ScheduleRows:
    workload = open_trace([LOG]).workload
    return schedule_rows(history_schedule(workload, workload.recorded))  # type: ignore[arg-type]


def test_attempts_in_view_have_pixels_and_jobs(rows):
    parts = history_parts(rows, TimeScale(0.0, 25.0, 250), all_rows(rows))
    assert [LOOKS[look] for look in parts.look] == [SERVICE, "killed", "failed", UNDER_WAY, SERVICE]
    assert parts.slot.tolist() == [0, 1, 2, 2, 3]
    assert parts.job.tolist() == [0, 0, 0, 1, 0]
    record = rows.schedule.record
    begin = record.run.start[record.extra]
    assert parts.start.tolist() == begin.tolist()
    assert (parts.end > parts.start).all()


def test_what_is_out_of_view_is_left_out(rows):
    # the failed attempt ends before the cleanup begins at 19 s
    parts = history_parts(rows, TimeScale(18.5, 2.0, 100), all_rows(rows))
    assert [LOOKS[look] for look in parts.look] == [UNDER_WAY, SERVICE]
    assert parts.end.min() >= 18.5
    assert parts.start.max() < 20.5


def test_simulated_schedules_have_none(rows):
    from dataclasses import replace

    plain = schedule_rows(replace(rows.schedule, record=None))
    assert len(history_parts(plain, TimeScale(0.0, 25.0, 250), all_rows(plain)).slot) == 0
    assert extra_at(plain, Hit(-1, 0, 0, 1), 0.0, 25.0) == -1
    assert HistoryLayer().signs(plain) == ()
    assert [sign.text for sign in HistoryLayer().signs(rows)] == ["failed", "killed", SERVICE, UNDER_WAY]


def test_rows_out_of_view_are_left_out(rows):
    """The slots are 0 and 1 for maps, 2 for a reduce."""
    scale, low = TimeScale(0.0, 25.0, 250), RowLayout(rows.pools, 20, gap=0).with_least(18.0)
    assert set(history_parts(rows, scale, low).slot.tolist()) < {0, 1, 2}


def picture(rows, height, dark=False, **fields):
    """The chart of the log, and its frame; every row is in view."""
    scene = ChartScene(theme(dark), QApplication.font(), ChartContent(rows, **fields))
    scene.resize(900, height)
    span = TimeRange(0.0, 25.0)
    frame = scene.frame(span, span)
    return scene.still(frame).toImage(), frame


def colours_at(image, frame, slot, early, late):
    """The colours of the middle line of a slot between two times."""
    top, bottom = frame.row(slot)
    across = range(round(frame.x(early)), round(frame.x(late)))
    return {image.pixel(x, (top + bottom) // 2) & 0xFFFFFF for x in across}


def times_of(rows, look):
    record = rows.schedule.record
    extra = record.looks.index(look)
    attempt = record.extra[extra]
    return int(record.extra_slot[extra]), float(record.run.start[attempt]), float(record.run.end[attempt])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("look", ["failed", "killed"])
def test_what_came_to_nothing_has_a_pattern_that_no_job_has(qapp, rows, look, dark):
    image, frame = picture(rows, 400, dark)
    assert frame.layout.row_height >= PATTERN_ROW
    slot, start, end = times_of(rows, look)
    seen = colours_at(image, frame, slot, start, end)
    hue, ink = int(frame.tones[0, MAP_TONE]), INKS[look](frame.theme).rgb() & 0xFFFFFF
    assert hue in colours_at(image, frame, slot, start, start + 4 / frame.scale.pixels_per_second)
    away = oklab(linear(unpacked(sorted(seen)))) - oklab(linear(unpacked(ink)))
    assert np.linalg.norm(away, axis=1).min() < 0.06
    assert len(seen) > 3, "stripes on a body"


@pytest.mark.parametrize("look", ["failed", "killed"])
def test_in_low_rows_it_has_the_colour_alone(qapp, rows, look):
    image, frame = picture(rows, 110)
    assert 1 <= frame.layout.row_height < PATTERN_ROW
    slot, start, end = times_of(rows, look)
    middle = (start + end) / 2
    ink = INKS[look](frame.theme).rgb() & 0xFFFFFF
    assert colours_at(image, frame, slot, middle, middle + 0.2) == {ink}


@pytest.mark.parametrize("height", [110, 400])
def test_it_fades_with_its_job(qapp, rows, height):
    slot, start, end = times_of(rows, "failed")
    far, classes = {}, len(job_classes(rows.schedule.workload).classes)
    killed = {"pointed_class": classes + LOOKS.index("killed")}
    for name, fields in {"all": {}, "own": {"selected_job": 0}, "killed": killed}.items():
        image, frame = picture(rows, height, **fields)
        lane = oklab(linear(unpacked(lane_colour(frame.theme))))
        inner = start + 0.1 * (end - start), end - 0.1 * (end - start)
        seen = oklab(linear(unpacked(sorted(colours_at(image, frame, slot, *inner)))))
        far[name] = np.linalg.norm(seen - lane, axis=1).max()
    assert far["own"] == far["all"]
    assert far["killed"] < 0.6 * far["all"]


def test_the_legend_counts_them(rows):
    assert [(sign.text, sign.amount) for sign in HistoryLayer().signs(rows)] == [
        ("failed", "1"),
        ("killed", "1"),
        (SERVICE, "2"),
        (UNDER_WAY, "1"),
    ]


def test_the_attempt_under_the_pointer_is_found_beside_tasks(rows):
    failed = rows.schedule.record.looks.index("failed")
    assert extra_at(rows, Hit(-1, 2, 0, 1), 3.5, 3.6) == failed
    assert extra_at(rows, Hit(0, 2, 1, 1), 3.5, 3.6) == -1, "a task is there"
    assert extra_at(rows, Hit(-1, 2, 0, 1), 21.0, 21.1) == -1
