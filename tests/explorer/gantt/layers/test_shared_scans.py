"""Maps that scan for several jobs have a stripe of each one's colour, and the legend says so."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.schedule import PolicyChoice
from core.model.workload import Workload
from core.shared_scans.shared_schedule import sharing_jobs
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.labels import NamesLayer
from explorer.gantt.layers.legend import Legend
from explorer.gantt.layers.task_marks import SHARED_SIGNS
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_by_job, job_tones

LOGS = Dataset("logs", 24, 4.0)
JOBS = tuple(Job(f"J{i}", scan_stage(LOGS), arrival=5.0 * i, dataset="logs") for i in range(3))


@pytest.fixture(scope="module")
def schedule():
    workload = Workload("w", JOBS, datasets=(LOGS,))
    return simulate(workload, Cluster(4, 0), PolicyChoice("circumflex"), engine="interpreted")


@pytest.fixture
def view(qtbot, schedule):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(1200, 420)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.show()
    return view


def colours_of(view, schedule, task):
    """Return what is seen in the middle of each stripe that a task should have, as 0xRRGGBB."""
    image, frame, served = view.grab().toImage(), view.frame(), sharing_jobs(schedule, task)
    top, bottom = frame.row(int(schedule.slot[task]))
    x = round(frame.x(float(schedule.start[task]) + 1.3))  # beside the lines of the time axis
    height = (bottom - top - 1) / len(served)
    seen = [QColor(image.pixel(x, round(top + (k + 0.5) * height))) for k in range(len(served))]
    return [colour.rgb() & 0xFFFFFF for colour in seen]


@pytest.fixture
def unlabelled(view, monkeypatch):
    monkeypatch.setattr(NamesLayer, "paint", lambda *_: None)
    view.scene.invalidate()
    return view


def one_task_of_each(schedule):
    found = {len(sharing_jobs(schedule, task)): task for task in range(schedule.tasks)}
    assert sorted(found) == [1, 2, 3]
    return found.values()


def test_each_stripe_has_the_colour_of_its_rider(unlabelled, schedule):
    tones = job_tones(3)[:, MAP_TONE].tolist()
    for task in one_task_of_each(schedule):
        assert colours_of(unlabelled, schedule, task) == [tones[job] for job in sharing_jobs(schedule, task)]


def test_low_rows_have_no_stripes(unlabelled, schedule, monkeypatch):
    monkeypatch.setattr("explorer.gantt.layers.task_marks.MIN_ROW", 1000)
    unlabelled.scene.invalidate()
    for task in one_task_of_each(schedule):
        assert len(set(colours_of(unlabelled, schedule, task))) == 1


def test_the_legend_explains_stripes_where_scans_are_shared(qtbot, schedule):
    rows = schedule_rows(schedule)
    names = [job.name for job in JOBS]
    assert SHARED_SIGNS[0] in legend_signs([rows])
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.resize(1200, 30)
    legend.show_jobs(names, job_by_job(3), [rows])
    with_stripes = legend.grab().toImage()
    legend.show_jobs(names, job_by_job(3))
    assert legend.grab().toImage() != with_stripes
