"""Ten pools in a low chart: each name is written beside its rows, and no name of a job lies upon one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFont

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.row_layout import HEADER_HEIGHT
from explorer.gantt.layers.labels import job_labels
from explorer.gantt.layers.row_bands import name_place, name_spot
from explorer.widgets.theme import theme

NAMES = ("prod", "analysts", "reports", "nightly", "ad hoc", "learning", "ingest", "ads", "root", "group 7")


def ten_pools():
    sizes = [(3, 2), (6, 1), (4, 2), (5, 3), (6, 2), (12, 1), (3, 2), (6, 2), (3, 9), (7, 1)]
    jobs = tuple(
        Job(f"{name} job", Stage.of(2 * maps, 9.0), Stage.of(reduces, 20.0), pool=name)
        for name, (maps, reduces) in zip(NAMES, sizes, strict=True)
    )
    workload = Workload("ten", jobs, Cluster(40, 20, 1.0))
    return schedule_rows(simulate(workload, workload.cluster, PolicyChoice("fair")), by_pool=True)


def frame_of(rows, height):
    scene = ChartScene(theme(True), QFont(), ChartContent(rows=rows), in_stack=True)
    scene.resize(900, height)
    span = TimeRange(0.0, rows.schedule.makespan)
    return scene, scene.frame(span, span)


@pytest.mark.parametrize("height", [250, 290])
def test_each_of_ten_pools_is_named_at_its_rows_in_a_low_chart(qapp, height):
    rows = ten_pools()
    scene, frame = frame_of(rows, height)
    assert frame.layout.gap < HEADER_HEIGHT, "no room for lines above the rows"
    plain = replace(rows, by_pool=replace(rows.by_pool, names=("",) * len(NAMES)))
    with_names, without = (
        each.still(each_frame).toImage() for each, each_frame in ((scene, frame), frame_of(plain, height))
    )
    for index in frame.layout.named_in_view:
        place = name_place(frame, index)
        assert place.top() == frame.layout.pool_spans[index][0] + frame.places.plot.top()
        spot = name_spot(frame, index, rows.groups[rows.pools[index].group]).toRect()
        differs = [
            with_names.pixel(x, y) != without.pixel(x, y)
            for x in range(spot.left() + 16, spot.right())
            for y in range(spot.top(), spot.bottom())
        ]
        assert np.mean(differs) > 0.1, rows.groups[rows.pools[index].group].name


@pytest.mark.parametrize("height", [290, 420, 700])
def test_no_name_of_a_job_lies_upon_the_name_of_a_pool(qapp, height):
    rows = ten_pools()
    _, frame = frame_of(rows, height)
    labels = [label.spot for index in frame.layout.in_view for label in job_labels(frame, rows, index)]
    spots = [
        name_spot(frame, index, rows.groups[rows.pools[index].group]) for index in frame.layout.named_in_view
    ]
    assert len(labels) >= 1
    assert not any(label.intersects(spot) for label in labels for spot in spots)
