"""Waves of the selected job: where their bands are, their numbers, and what a short last one costs."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from core.charts.schedule_rows import schedule_rows
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.labels import job_labels
from explorer.gantt.layers.waves import (
    _paint_numbers,
    _seen_end,
    even_waves,
    short_wave_text,
    wave_bands,
    wave_texts,
)
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule


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


@pytest.mark.parametrize(
    ("sample", "size"),
    [
        ("wordcount", (900, 400)),
        ("wordcount", (1200, 1600)),
        ("facebook", (700, 180)),
        ("facebook", (900, 1600)),
    ],
)
def test_tasks_of_every_second_wave_are_darker_pixel_by_pixel(chart, sample, size):
    schedule = make_schedule(load_sample(sample))
    job = int(np.bincount(schedule.workload.columns.job).argmax())
    view = chart(schedule, job, size)
    frame, rows = view.frame(), view.content.rows
    lane = frame.pool_rects[0]
    stage = int(schedule.workload.columns.stages.begin[job])
    first = int(schedule.workload.columns.stages.first[stage])
    wanted = np.zeros((lane.height(), lane.width()), bool)
    for number, wave in enumerate(rows.waves(stage).tolist()):
        if wave % 2 == 0:
            left, right = (frame.x(float(at[first + number])) for at in (schedule.start, schedule.end))
            top, bottom = frame.row(int(schedule.slot[first + number]))
            place = [round(each) for each in (top - lane.top(), bottom - lane.top())]
            columns = [math.floor(x - lane.left() + 0.5) for x in (left, right)]
            wanted[slice(*place), slice(*columns)] = True
    found = even_waves(frame, rows, 0, stage, (lane.width(), lane.height()))
    assert found.any()
    if frame.layout.row_height < 1:  # rows share lines there
        assert abs(found.mean() - wanted.mean()) < 0.02
    else:
        air = wanted & ~found  # below each row
        assert not (found & ~wanted).any()
        assert air.sum() <= 2 / frame.layout.row_height * wanted.sum()


def test_waves_say_how_many_tasks_they_have_and_how_long_these_shuffle():
    rows = schedule_rows(make_schedule(load_sample("wordcount")))
    assert wave_texts(rows, MAP) == ["64 tasks"] * 3 + ["8 tasks"]
    first, *later = wave_texts(rows, REDUCE)
    assert first == "64 tasks · first shuffle 4.2 s"
    assert len(later) == 3
    assert all(text.startswith("64 tasks · shuffle 9") or "shuffle 10" in text for text in later)


@pytest.mark.parametrize("width", [400, 700, 1000, 1600])
def test_what_a_wave_is_stands_where_it_fits(chart, width):
    view = chart(make_schedule(load_sample("wordcount")), 0, (width, 400))
    frame, rows = view.frame(), view.content.rows
    picture = QImage(width, 400, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        for index, kind in ((0, MAP), (1, REDUCE)):
            bands = wave_bands(frame, rows, 0, kind)
            spots = _paint_numbers(painter, frame, index, bands, "wave", [])
            assert all(left.right() < right.left() for left, right in pairwise(spots))


def test_under_a_veil_a_wave_says_no_more_than_its_number(chart):
    """How many tasks it has, and how much longer the job takes, are not known before it is over."""
    view = chart(schedule_of(13), size=(900, 100))
    view.change(veil=1.9)  # in the second of three waves
    frame = view.frame()
    rows = view.content.rows
    bands = wave_bands(frame, rows, 0, MAP)
    rect = frame.pool_rects[0]
    ends = [_seen_end(frame, rect, band) for band in bands]
    assert ends[0] == bands[0].right
    assert ends[1:] == [band.left for band in bands[1:]]
    view.change(veil=math.inf)
    frame = view.frame()
    shown = wave_bands(frame, rows, 0, MAP)
    assert [_seen_end(frame, frame.pool_rects[0], band) for band in shown] == [band.right for band in shown]
