"""The picture of the slots in use: as high as their share, in the colours of jobs, kept while it holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter

from core.charts.fold import NO_FOLD, Fold
from core.charts.raster_kernel import MAP_TONE, SHUFFLE_TONE
from core.charts.schedule_rows import schedule_rows
from core.files.samples import load_sample
from core.measures.job_classes import ClassedBy, job_classes
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers import use_picture
from explorer.gantt.layers.use_picture import UsePicture, UseShown, pixels_of
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_tones, make_schedule

pytestmark = pytest.mark.usefixtures("qapp")
HEIGHT = 12

# three maps of 10 s on three slots of four; one reduce shuffles from 10 to 14 s and ends at 20 s
WORKLOAD = Workload("one", (Job("A", Stage.of(3, 10.0), Stage.of(1, 6.0, 4.0, 4.0)),), Cluster(3, 1, 1.0))


def shown_of(dark=False, width=20, span=20.0, **changes):
    rows = schedule_rows(make_schedule(WORKLOAD))
    classes = job_classes(WORKLOAD, ClassedBy.JOB)
    shown = UseShown(rows, classes, None, theme(dark), TimeScale(0.0, span, width), HEIGHT, range(2))
    return shown._replace(**changes)


def column(pixels, x):
    """The colours of a column from its foot up, each with its number of lines."""
    found = [int(pixel) & 0xFFFFFF for pixel in pixels[::-1, x]]
    return [(ink, found.count(ink)) for ink in dict.fromkeys(found)]


@pytest.mark.parametrize("dark", [False, True])
def test_each_column_is_as_high_as_the_share_of_slots_in_use(dark):
    shown = shown_of(dark)
    tones, background = job_tones(1, dark=dark)[0], 0
    pixels = pixels_of(shown, (HEIGHT, 20))
    assert pixels.shape == (HEIGHT, 20)
    assert column(pixels, 5) == [(tones[MAP_TONE], 9), (background, 3)]  # three of four slots
    assert column(pixels, 12) == [(tones[SHUFFLE_TONE], 3), (background, 9)]
    assert column(pixels, 16) == [(tones[MAP_TONE], 3), (background, 9)]


def test_folded_time_takes_as_little_room_as_in_the_charts():
    """With the first 10 s folded into 2 s the maps take 2 of 12 columns."""
    fold = Fold(((0.0, 10.0),), 2.0)
    shown = shown_of(scale=TimeScale(0.0, 12.0, 12, 1.0, fold))
    high = [sum(lines for ink, lines in column(pixels_of(shown, (HEIGHT, 12)), x)[:1]) for x in range(12)]
    assert high == [9, 9] + [3] * 10


def test_a_picture_is_painted_again_only_when_it_would_differ(monkeypatch):
    painted = []
    monkeypatch.setattr(use_picture, "pixels_of", lambda *it: painted.append(it) or pixels_of(*it))
    picture, shown = UsePicture(), shown_of()
    picture.image(shown)
    picture.image(shown._replace(scale=replace(shown.scale)))
    assert len(painted) == 1
    picture.image(shown._replace(classes=job_classes(WORKLOAD, ClassedBy.SIZE)))
    picture.image(shown._replace(height=HEIGHT + 1))
    picture.image(shown._replace(scale=replace(shown.scale, span=10.0)))
    assert len(painted) == 4


def test_how_many_slots_are_held_at_most_is_left_to_a_thread_as_well(monkeypatch):
    """Another picture may have found what holds the slots, which this one counts."""
    monkeypatch.setattr(use_picture, "MAX_TASKS_AT_ONCE", 3)
    shown = shown_of()
    assert not shown.is_soon_found
    UsePicture().image(shown)
    assert shown.is_soon_found
    counted = shown._replace(is_counted=True)
    assert not counted.is_soon_found
    UsePicture().image(counted)
    assert counted.is_soon_found


def test_many_tasks_are_left_to_a_thread(monkeypatch):
    monkeypatch.setattr(use_picture, "MAX_TASKS_AT_ONCE", 3)
    picture, shown, later = UsePicture(), shown_of(), []
    screen = QImage(20, HEIGHT, QImage.Format.Format_RGB32)
    with QPainter(screen) as painter:
        picture.draw(painter, QPoint(), shown, later)
        ((left, wanted),) = later
        fresh = left.fresh()
        fresh.image(wanted)
        left.take(fresh)
        later.clear()
        picture.draw(painter, QPoint(), shown, later)
    assert not later
    assert screen.pixel(5, HEIGHT - 1) & 0xFFFFFF == job_tones(1)[0, MAP_TONE]


def test_a_picture_that_moves_paints_what_came_into_view_and_is_as_if_painted_anew():
    """By so many pixels forth and back; with times folded and without."""
    rows = schedule_rows(make_schedule(load_sample("facebook")))
    classes, end = job_classes(rows.schedule.workload, ClassedBy.SIZE), rows.schedule.makespan
    for fold in (NO_FOLD, Fold(((end / 4, end / 2),), end / 40)):
        scale = TimeScale(0.0, end / 3, 400, 1.0, fold)
        shown = UseShown(rows, classes, None, theme(False), scale, HEIGHT, range(2))
        picture = UsePicture()
        picture.image(shown)
        for pixels in (3, 20, 390, 401, 380):
            first = (pixels + 0.2) / scale.pixels_per_second
            moved = shown._replace(scale=replace(scale, first=first))
            awaited = picture.columns_to_paint(moved)
            assert picture.image(moved) == UsePicture().image(moved)
            assert picture.painted_columns == awaited < 400
