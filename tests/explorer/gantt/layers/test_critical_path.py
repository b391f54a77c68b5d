"""The critical path in a chart: its waits are dashes, of which those in view are painted."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from core.charts.schedule_rows import schedule_rows
from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from explorer.gantt.layers.critical_path import DASH, SPACE, PathStep, _paint_run, _rows_of, lasts

INK = QColor("black")


class Pen:
    """Stands for a painter of a chart 800 pixels wide; notes where it paints."""

    def __init__(self) -> None:
        self.places: list[int] = []

    def clipBoundingRect(self) -> QRectF:
        return QRectF(100, 0, 800, 400)

    def fillRect(self, x: int, *_more: object) -> None:
        self.places.append(x)


@pytest.mark.parametrize("left", [-40_000_000, 300])
def test_of_a_wait_that_is_longer_than_the_chart_only_dashes_in_view_are_painted(left):
    pen = Pen()
    _paint_run(cast("Any", pen), PathStep(left, 90_000_000, 20, INK, True), INK, 0, dashed=True)
    assert len(pen.places) <= 800 // (DASH + SPACE) + 2
    assert {(x - left) % (DASH + SPACE) for x in pen.places} == {0}, "they stay where they were"
    assert min(pen.places) <= max(left, 100)
    assert max(pen.places) > 900 - DASH - SPACE - 1


def test_what_is_lost_lies_on_the_row_where_it_ran():
    """Map 0 runs on M1, is lost with its output, and runs again on M3: only then does it keep its colour."""
    happen = (NodeEvent(13.0, 0),)
    events = NodeEvents(2, happen, "lost")
    job = Job("A", Stage.of(2, [12.0, 10.0]), Stage.of(1, 9.0, 1.0, 2.0))
    cluster = Cluster(4, 2, 1.0, events=events)
    schedule = simulate(Workload("one", (job,)), cluster, PolicyChoice("fifo"))
    rows, links = schedule_rows(schedule), critical_path(schedule).links
    assert [link.cause for link in links[:3]] == [Cause.LOST, Cause.OUTPUT, Cause.AGAIN]
    assert _rows_of(rows, links[:3]) == ([0, 0, 2], [0, 0, 2])
    assert [lasts(rows, link) for link in links[:3]] == [False, False, True]
