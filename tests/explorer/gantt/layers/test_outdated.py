"""The haze over a schedule of an older version: everything is paler, and words say what it is."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.outdated import TAG_HEIGHT, TOP
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

WORDS = "of the version before"


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    schedule = make_schedule(Workload("w", (Job("J1", Stage.of(2, 10.0)),), Cluster(2, 0)))
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(schedule)
    return view


def colour(view, x, y):
    return view.grab().toImage().pixelColor(x, y)


def distance(one, other):
    return abs(one.red() - other.red()) + abs(one.green() - other.green()) + abs(one.blue() - other.blue())


def test_what_would_have_followed_a_failure_is_hazy(view):
    plot = view.frame().places.plot
    clear = colour(view, plot.center().x(), plot.bottom() - 20)
    view.change(failed=0.0)
    hazy = colour(view, plot.center().x(), plot.bottom() - 20)
    assert distance(hazy, view.scene.theme.window) < distance(clear, view.scene.theme.window) / 2
    view.change(failed=9.5)
    assert colour(view, plot.center().x(), plot.bottom() - 20) == clear
    assert "failed at" in view.content.description


def test_what_is_outdated_is_hazy_and_says_so_until_something_newer_is_there(view):
    plot, window = view.frame().places.plot, view.scene.theme.window
    task = plot.left() + 60, plot.bottom() - 20
    tag = plot.center().x(), plot.top() + TOP + TAG_HEIGHT - 2
    clear = colour(view, *task)
    view.change(outdated=WORDS)
    assert distance(colour(view, *task), window) < distance(clear, window) / 2
    assert distance(colour(view, *tag), view.scene.theme.text) < 30
    assert WORDS in view.accessibleDescription()
    view.change(outdated="")
    assert colour(view, *task) == clear
    assert WORDS not in view.accessibleDescription()
