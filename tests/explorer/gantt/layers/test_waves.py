"""Waves of the selected job: where their bands are, their numbers, and what a short last one costs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.schedule_rows import schedule_rows
from explorer.gantt.layers.labels import job_labels
from explorer.gantt.layers.waves import _paint_numbers, short_wave_text, wave_bands
from explorer.widgets.theme import theme
from tests.explorer.gantt.chart_builders import make_schedule


def schedule_of(maps: int, slots: int = 6):
    job = Job(f"{maps} maps", Stage.of(maps, 1.0), Stage.of(1, 1.0))
    return make_schedule(Workload("waves", (job,), Cluster(slots, 1)))


@pytest.fixture
def chart(qtbot):
    def show(schedule, job=0, size=(900, 400)):
        view = GanttView(TimeAxis(), theme(False))
        qtbot.addWidget(view)
        view.resize(*size)
        view.axis.set_extent(0.0, schedule.makespan)
        view.set_schedule(schedule)
        view.change(selected_job=job)
        view.show()
        return view

    return show


def test_a_wave_begins_when_half_of_its_tasks_have_started():
    workload = load_sample("facebook")
    rows = schedule_rows(make_schedule(workload))
    stages = workload.columns.stages
    for stage in range(0, len(stages.job), 7):
        first, count = int(stages.first[stage]), int(stages.count[stage])
        starts, waves = rows.schedule.start[first : first + count], rows.waves(stage)
        wanted, latest = [], -np.inf
        for wave in sorted(set(waves.tolist())):
            own = sorted(starts[waves == wave].tolist())
            latest = max(latest, own[(len(own) - 1) // 2])
            wanted.append(latest)
        assert rows.wave_starts(stage).tolist() == wanted


def test_bands_follow_one_another_and_a_single_wave_has_none(chart):
    view = chart(schedule_of(12))
    frame, rows = view.frame(), view.content.rows
    bands = wave_bands(frame, rows, 0, MAP)
    assert [band.number for band in bands] == [1, 2]
    assert [band.left for band in bands] == [frame.x(0.0), frame.x(1.0)]
    assert bands[-1].right == frame.x(2.0)
    assert wave_bands(frame, rows, 0, REDUCE) == []


def test_every_second_band_is_darker(chart):
    view = chart(schedule_of(24))
    image, frame = view.grab().toImage(), view.frame()
    y = frame.pool_rects[0].top() + 12
    shades = [image.pixelColor(round(frame.x(at)), y).lightness() for at in (0.9, 1.9, 2.9, 3.9)]
    assert shades[0] == shades[2] > shades[1] == shades[3]


@pytest.mark.parametrize("width", [500, 900, 1500])
def test_numbers_lie_upon_no_name_and_not_upon_one_another(chart, width):
    schedule = make_schedule(load_sample("facebook"))
    largest = int(np.bincount(schedule.workload.columns.job).argmax())
    view = chart(schedule, largest, (width, 500))
    begin = float(schedule.job_start[largest])
    view.axis.show_span(begin, begin + 2000.0)
    frame, rows = view.frame(), view.content.rows
    bands = wave_bands(frame, rows, largest, MAP)
    assert len(bands) > 10
    names = [label.spot for label in job_labels(frame, rows, 0)]
    picture = QImage(width, 500, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        spots = _paint_numbers(painter, frame, 0, bands, "wave", names)
    assert spots
    assert not any(spot.intersects(name) for spot in spots for name in names)
    assert all(left.right() < right.left() for left, right in pairwise(spots))
    rect = frame.pool_rects[0]
    assert all(rect.contains(spot.toAlignedRect()) for spot in spots)


@pytest.mark.parametrize(
    ("maps", "text"),
    [
        (12, ""),
        (13, "1 task more: 50 % longer"),
        (14, ""),
        (25, "1 task more: 25 % longer"),
        (6, ""),
    ],
)
def test_a_short_last_wave_says_what_it_costs(maps, text):
    assert short_wave_text(schedule_rows(schedule_of(maps)), MAP) == text
