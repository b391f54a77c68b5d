"""Borrowed slots are told from others: in the rows, the legend, the card and the inspector."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from core.charts.schedule_rows import bands_of, schedule_rows
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.legend import Legend
from explorer.gantt.layers.task_facts import task_facts
from explorer.gantt.layers.task_marks import BORROWED_SIGNS
from explorer.gantt.stage import ChartsStage, Style, to_image
from explorer.panels.facts import task_sections
from explorer.widgets.theme import theme
from tests.builders import make_job, make_workload
from tests.core.charts.chart_builders import job_by_job, make_schedule


def lending_schedule():
    """Six maps, then six reduces, on four map slots and two reduce slots, all of them for everybody."""
    workload = make_workload(make_job("J1", (6, 10.0), (6, 10.0)))
    schedule = simulate(workload, Cluster(4, 2, 1.0), PolicyChoice("dhfs-pd"), engine="interpreted")
    assert schedule.makespan == 20
    return schedule


def test_pools_know_whom_their_slots_are_for():
    assert [pool.own for pool in bands_of(Cluster(2, 3))] == [MAP, REDUCE]
    assert [pool.own for pool in bands_of(Cluster(0, 0, containers=3))] == [2]


@pytest.mark.parametrize("dark", [False, True])
def test_only_borrowed_slots_are_marked(qtbot, dark):
    """Each row ends in a strip where it runs the other kind of task."""
    colours = theme(dark)
    view = GanttView(TimeAxis(), colours)
    qtbot.addWidget(view)
    view.resize(700, 420)
    schedule = lending_schedule()
    view.axis.set_extent(0.0, 20.0)
    view.set_schedule(schedule)
    view.show()
    image = view.grab().toImage()
    frame = view.frame()
    marked = []
    for task in range(schedule.tasks):
        _, bottom = frame.row(int(schedule.slot[task]))
        x = round(frame.x(float(schedule.start[task] + schedule.end[task]) / 2)) + 30
        marked.append(image.pixel(x, bottom - 4) == colours.text.rgb())
    assert marked == schedule.is_borrowed.tolist()
    assert sum(marked) == 6


def test_vector_pictures_have_the_strip_too():
    """A picture drawn as shapes has as much of it, whatever the painter."""
    schedule = lending_schedule()
    content = ChartContent(schedule_rows(schedule))
    colours = theme(False)
    plain = to_image([content], Style(colours, (700, 420)))
    from PySide6.QtGui import QPainter

    shapes = plain.copy()
    painter = QPainter(shapes)
    ChartsStage([content], Style(colours, (700, 420))).paint(painter, is_vector=True)
    painter.end()

    def ink(image):
        return sum(
            image.pixel(QPoint(x, y)) == colours.text.rgb() for x in range(100, 640) for y in range(60, 330)
        )

    assert ink(plain) > 1000
    assert abs(ink(shapes) - ink(plain)) < 0.2 * ink(plain)


def test_the_legend_explains_borrowed_slots_where_there_are_some(qtbot):
    rows, plain = schedule_rows(lending_schedule()), schedule_rows(make_schedule())
    assert BORROWED_SIGNS[0] not in legend_signs([plain])
    assert BORROWED_SIGNS[0] in legend_signs([plain, None, rows])
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.resize(900, 30)
    legend.show_jobs(["J1"], job_by_job(1))
    before = legend.grab().toImage()
    legend.show_jobs(["J1"], job_by_job(1), [rows])
    assert legend.grab().toImage() != before
    assert "borrowed slot" in legend.accessibleDescription()


def test_card_and_inspector_say_it():
    schedule = lending_schedule()
    rows = schedule_rows(schedule)
    facts = {int(rows.task[place]): task_facts(rows, place) for place in range(schedule.tasks)}
    for task, each in facts.items():
        kind = schedule.workload.columns.kind[task]
        expected = ("borrowed reduce slot" if kind == MAP else "borrowed map slot") * bool(
            schedule.is_borrowed[task]
        )
        assert each.note() == expected
    borrowed = int(np.flatnonzero(schedule.is_borrowed)[0])
    texts = [
        section.to_text() for section in task_sections(schedule.workload, borrowed, {"PD-DHFS": schedule})
    ]
    assert any(", borrowed" in text for text in texts)


@pytest.mark.parametrize("dark", [False, True])
def test_while_a_job_is_selected_the_strips_of_others_recede(qtbot, dark):
    """The selected job's stay as they were."""
    workload = make_workload(
        make_job("J1", (6, 10.0), (6, 10.0)), make_job("J2", (6, 10.0), (6, 10.0), arrival=1.0)
    )
    schedule = simulate(workload, Cluster(4, 2, 1.0), PolicyChoice("dhfs-pd"), engine="interpreted")
    view = GanttView(TimeAxis(), theme(dark))
    qtbot.addWidget(view)
    view.resize(700, 420)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.show()

    def with_strip():
        image, frame = view.grab().toImage(), view.frame()
        ink = theme(dark).text.rgb()
        spots = [
            (round(frame.x(float(start + end) / 2)) + 12, frame.row(int(slot))[1] - 4)
            for start, end, slot in zip(schedule.start, schedule.end, schedule.slot, strict=True)
        ]
        return [image.pixel(*spot) == ink for spot in spots]

    borrowed, job = schedule.is_borrowed, schedule.workload.columns.job
    assert with_strip() == borrowed.tolist()
    for selected in (0, 1):
        assert borrowed[job == selected].any()
        view.change(selected_job=selected)
        assert with_strip() == (borrowed & (job == selected)).tolist()
