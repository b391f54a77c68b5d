"""Strips of utilisation: their parts hold what the schedule holds, and they stand where rows are thin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.files.samples import load_sample
from core.measures.job_classes import ClassedBy, job_classes
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.gantt.geometry.row_layout import STRIP, TALL_STRIP, RowLayout
from explorer.gantt.geometry.schedule_rows import schedule_rows
from explorer.gantt.geometry.slot_use import most_held
from explorer.gantt.layers.use_strips import use_parts
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


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


def test_strips_stand_over_thin_rows_alone() -> None:
    workload = load_sample("facebook")
    rows = schedule_rows(simulate(workload, workload.cluster, PolicyChoice("fifo")))
    assert RowLayout.of(rows.pools, 300).strip == STRIP
    assert RowLayout.of(rows.pools, 500).strip == TALL_STRIP
    assert RowLayout.of(rows.pools, 2000).strip == 0
    assert RowLayout.of(rows.pools, 300, 2.0).strip == 0, "rows that scroll are thick"
    low = RowLayout.of(rows.pools, 300)
    assert low.pool_tops[0] == STRIP
    assert low.resized(2000).strip == 0
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
