"""Strips of utilisation: their parts hold what the schedule holds, and they stand where rows are thin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFont, QImage, QPainter

from core.charts.schedule_rows import RowBand, schedule_rows
from core.files.samples import load_sample
from core.measures.job_classes import ClassedBy, job_classes
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.row_layout import (
    HEADER_HEIGHT,
    RowLayout,
)
from explorer.gantt.geometry.slot_use import most_held
from explorer.gantt.geometry.strip_height import LOW_STRIP, MIN_STRIP, STRIP, TALL_STRIP, strip_air
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers import use_picture
from explorer.gantt.layers.use_picture import UsePicture, UseShown, use_parts
from explorer.gantt.raster.kept_picture import drawn
from explorer.widgets.theme import theme
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.charts.schedule_rows import ScheduleRows
    from explorer.gantt.raster.kept_picture import Drawing


@pytest.mark.parametrize("by", [ClassedBy.JOB, ClassedBy.SIZE])
def test_the_parts_of_a_lane_hold_what_its_tasks_take(by: ClassedBy) -> None:
    workload = load_sample("facebook")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    rows, classes = schedule_rows(schedule), job_classes(workload, by)
    for index, kind in enumerate((0, 1)):
        parts = use_parts(rows, classes, index)
        mine = workload.columns.kind == kind
        whole = sum(float(part.held.ends.sum() - part.held.begins.sum()) for part in parts)
        assert whole == pytest.approx(float((schedule.end - schedule.start)[mine].sum()))
        assert most_held([part.held for part in parts]) <= rows.pools[index].slots
        owners = {(part.owner, part.shuffles) for part in parts}
        assert len(owners) == len(parts), "one part for each colour"
        assert any(part.shuffles for part in parts) == (kind == 1)
    assert use_parts(rows, classes, 0) is use_parts(rows, classes, 0)


def test_strips_are_high_over_thin_rows_and_low_over_others() -> None:
    workload = load_sample("facebook")
    rows = schedule_rows(simulate(workload, workload.cluster, PolicyChoice("fifo")))
    assert RowLayout.of(rows.pools, 300).strip == STRIP
    assert RowLayout.of(rows.pools, 500).strip == TALL_STRIP
    assert RowLayout.of(rows.pools, 2000).strip == LOW_STRIP
    assert RowLayout.of(rows.pools, 300, 2.0).strip == LOW_STRIP, "rows that scroll are thick"
    low = RowLayout.of(rows.pools, 300)
    assert low.pool_tops[0] == STRIP
    assert low.resized(2000).strip == LOW_STRIP
    assert RowLayout.of(rows.pools, 72).strip == MIN_STRIP, "one of six charts"
    assert RowLayout.of(rows.pools, 72).gap < 6, "no empty gap between maps and reduces"
    assert RowLayout.of(rows.pools, 50).strip == 0, "where rows have no room themselves there is none"
    assert low.resized(2000).resized(300) == low


def test_a_strip_shows_idle_slots_as_ground_and_busy_ones_in_colour(qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qtbot, tmp_path, "facebook")
    window.resize(1366, 768)
    qtbot.wait(100)
    view = window.charts.active_view
    frame, image = view.frame(), view.grab().toImage()
    lane, ratio = frame.pool_rects[0], image.devicePixelRatio()
    ground = frame.theme.surface.rgb()
    top = lane.top() - frame.layout.strip
    column = [
        [image.pixel(round(x * ratio), round((top + y) * ratio)) for y in range(1, frame.layout.strip - 2)]
        for x in (lane.left() + 20, lane.right() - 200)
    ]
    assert ground not in column[0], "all map slots are busy at first"
    assert set(column[1][:-3]) == {ground}, "and none at the end"
    assert np.unique(column[0]).size > 0


@pytest.mark.parametrize(
    ("pools", "height", "strip"),
    # of 300 pixels low strips may take 45: six with a pixel each, or lower ones
    [(2, 300, LOW_STRIP), (6, 300, LOW_STRIP), (7, 300, MIN_STRIP), (10, 300, MIN_STRIP), (10, 60, 0)],
)
def test_each_pool_of_jobs_has_one_strip(pools: int, height: int, strip: int) -> None:
    bands = tuple(
        RowBand(("MAP", "REDUCE")[kind], "", 4 * group + 2 * kind, 2, group, is_packed=True)
        for group in range(pools)
        for kind in range(2)
    )
    layout = RowLayout.of(bands, height)
    assert layout.strip == strip
    tops = [layout.pool_tops[index] for index in range(2 * pools)]
    ends = [top + high for top, high in zip(tops, layout.pool_heights, strict=True)]
    for index in range(2, 2 * pools, 2):
        line = layout.name_line(index)
        if layout.has_header_lines:
            assert ends[index - 1] <= line + 1
            assert line + HEADER_HEIGHT + strip <= tops[index] + 1
        elif strip:
            assert ends[index - 1] + strip + strip_air(strip) <= tops[index] + 1e-9


def test_a_low_strip_is_the_darker_the_more_slots_are_in_use(qapp: object) -> None:
    """Of 4 slots all, then half, then none are in use."""
    jobs = (Job("a", Stage.of(4, 10.0)), Job("b", Stage.of(2, 10.0), arrival=10.0))
    rows = schedule_rows(simulate(Workload("two", jobs, Cluster(4, 1)), Cluster(4, 1), PolicyChoice("fifo")))
    scene = ChartScene(theme(True), QFont(), ChartContent(rows=rows), in_stack=True)
    scene.resize(600, 200)
    frame = scene.frame(TimeRange(0.0, 30.0), TimeRange(0.0, 30.0))
    image = scene.still(frame).toImage()
    y = frame.pool_rects[0].top() - strip_air(LOW_STRIP) - LOW_STRIP // 2
    inks = [image.pixelColor(round(frame.x(seconds)), y).lightness() for seconds in (5.0, 15.0, 25.0)]
    assert inks[0] > inks[1] + 10 > inks[2] + 20


def shown_of(rows: ScheduleRows, height: int = TALL_STRIP, span: float = 100.0) -> UseShown:
    scale, classes = TimeScale(0.0, span, 200), job_classes(rows.schedule.workload)
    return UseShown(rows, classes, None, theme(False), scale, height, range(1))


def drawn_in(picture: UsePicture, shown: UseShown, later: list[Drawing]) -> QImage:
    screen = QImage(200, shown.height, QImage.Format.Format_RGB32)
    screen.fill(0)
    with QPainter(screen) as painter:
        picture.draw(painter, QPoint(), shown, later)
    return screen


def test_a_strip_of_many_tasks_is_left_to_a_thread_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    workload = load_sample("facebook")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    later: list[Drawing] = []
    at_once = drawn_in(UsePicture(), shown_of(schedule_rows(schedule)), later)
    assert not later
    monkeypatch.setattr(use_picture, "MAX_TASKS_AT_ONCE", 10)
    picture, shown = UsePicture(), shown_of(schedule_rows(schedule))
    assert drawn_in(picture, shown, later) != at_once
    assert [drawing.picture for drawing in later] == [picture]
    for mine, fresh in drawn(later):
        mine.take(fresh)
    later.clear()
    assert drawn_in(picture, shown, later) == at_once
    other_times = drawn_in(picture, shown._replace(scale=TimeScale(0.0, 50.0, 200)), later)
    assert not later, "what holds slots is known now, so that other times are drawn at once"
    assert other_times != at_once


def test_the_strip_before_stays_until_a_thread_has_drawn_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    workload = load_sample("facebook")
    rows = schedule_rows(simulate(workload, workload.cluster, PolicyChoice("fifo")))
    picture, shown, later = UsePicture(), shown_of(rows), []
    before = drawn_in(picture, shown, later)
    monkeypatch.setattr(use_picture, "MAX_TASKS_AT_ONCE", 10)
    others = shown._replace(classes=job_classes(workload, ClassedBy.SIZE))
    assert drawn_in(picture, others, later) == before
    blank = QImage(before.size(), before.format())
    blank.fill(0)
    assert drawn_in(picture, others._replace(theme=theme(True)), later) == blank
    assert len(later) == 2
