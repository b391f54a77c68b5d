"""One list of layers: each is painted everywhere, answers for its pixels and is in the legend."""

from __future__ import annotations

from typing import ClassVar

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.chart_export import encoded
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers import (
    chart_layers,
    deadlines,
    execution_history,
    task_marks,
    task_rows,
    time_marks,
)
from explorer.gantt.layers.chart_layers import LAYERS, ChartLayers, legend_signs
from explorer.gantt.layers.layer import Layer, Sign
from explorer.gantt.layers.legend import Legend
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.stage import Style
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

SIGN = Sign("noted", 9, draw=lambda painter, place, job, _theme: painter.fillRect(place, job))


class NotingLayer(Layer):
    """Notes what it is asked for."""

    painted: ClassVar[list[bool]] = []

    def paint(self, painter, frame, rows):
        self.painted.append(frame.is_vector)

    def facts_at(self, rows, found, early, late):
        return task_facts(rows, 0) if found.place < 0 else None

    def signs(self, rows):
        return (SIGN,)


@pytest.fixture
def noting(monkeypatch):
    monkeypatch.setattr(chart_layers, "LAYERS", (*LAYERS, NotingLayer))
    monkeypatch.setattr(NotingLayer, "painted", [])
    return NotingLayer


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("suffix", "is_vector"), [(".png", False), (".svg", True), (".pdf", True)])
def test_exported_pictures_paint_every_layer(noting, suffix, is_vector):
    encoded([ChartContent(schedule_rows(make_schedule()))], suffix, Style(theme(False), (600, 400)))
    assert noting.painted == [is_vector]


def test_the_window_paints_it_and_its_card_says_what_it_knows(qtbot, noting):
    view, schedule = GanttView(TimeAxis(), theme(False)), make_schedule()
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.show()
    view.grab()
    assert noting.painted[0] is False
    plot = view.frame().places.plot
    QTest.mouseMove(view, QPoint(plot.right() - 1, plot.bottom() - 1))  # nothing runs there
    assert view.facts == task_facts(schedule_rows(schedule), 0)


def test_the_legend_names_it_once_while_a_chart_shows_something(qtbot, noting):
    rows = schedule_rows(make_schedule())
    assert legend_signs([]) == legend_signs([None]) == ()
    assert legend_signs([rows, None, rows]).count(SIGN) == 1
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.show_jobs(["a"], None, [rows])
    assert "noted" in legend.accessibleDescription()
    legend.show_jobs(["a"])
    assert "noted" not in legend.accessibleDescription()


@pytest.mark.parametrize(
    ("reduces", "slowstart", "tasks"),
    [
        (Stage(0), 1.0, []),
        (Stage.of(2, 3.0), 1.0, []),
        (Stage.of(2, 3.0, 1.0, 2.0), 1.0, ["shuffle"]),
        (Stage.of(2, 3.0, 1.0, 2.0), 0.5, ["waits for maps", "first shuffle", "shuffle"]),
    ],
)
def test_the_legend_has_the_parts_of_tasks_that_are_drawn(reduces, slowstart, tasks):
    workload = Workload(
        "one", (Job("J1", Stage.of(2, [5.0, 10.0]), reduces),), Cluster(2, 1, slowstart=slowstart)
    )
    signs = legend_signs([schedule_rows(make_schedule(workload))])
    assert [sign.text for sign in signs] == [*tasks, "makespan", "lower bound", "slots in use"]


def test_the_legend_tells_maps_from_reduces_where_they_share_a_lane():
    job = Job("J1", Stage.of(2, 5.0), Stage.of(2, 3.0, 1.0, 2.0))
    for cluster, told in ((Cluster(2, 1), []), (Cluster(0, 0, containers=3), ["map", "reduce"])):
        rows = schedule_rows(make_schedule(Workload("one", (job,), cluster)))
        texts = [sign.text for sign in legend_signs([rows])]
        assert [text for text in texts if text in ("map", "reduce")] == told


def test_each_sign_is_explained():
    for module in (task_rows, time_marks, deadlines, execution_history, task_marks):
        groups = [value for name, value in vars(module).items() if name.endswith("SIGNS")]
        signs = [sign for group in groups for sign in (group.values() if isinstance(group, dict) else group)]
        assert signs
        assert all(len(sign.tip.split()) > 4 and not sign.tip.endswith(".") for sign in signs)


def test_each_chart_has_layers_of_its_own():
    assert not set(map(id, ChartLayers())) & set(map(id, ChartLayers()))
