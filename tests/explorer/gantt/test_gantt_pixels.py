"""A few pixels of whole charts: colours where tasks are, hatches, and lines where times are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint

from core.charts.class_colours import tones_of
from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE, SHUFFLE_TONE, WAIT_TONE
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_tones, make_schedule

# maps to 10 s; a filler waits from 5, shuffles to 12, reduces to 20; a typical one shuffles to 26, ends at 34
WORKLOAD = Workload(
    "one job",
    (Job("J1", Stage.of(2, [5.0, 10.0]), Stage.of(2, 8.0, 2.0, 6.0)),),
    Cluster(2, 1, slowstart=0.5),
)


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    schedule = make_schedule(WORKLOAD)
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.set_schedule(schedule)
    view.resize(900, 300)
    return view


def pixel(view, seconds, slot, line=3):
    frame = view.frame()
    at = QPoint(round(frame.x(seconds)), frame.row(slot)[0] + line)
    return view.grab().toImage().pixelColor(at).rgb() & 0xFFFFFF


def colours_between(view, start, end, slot):
    image, frame = view.grab().toImage(), view.frame()
    columns = range(round(frame.x(start)) + 3, round(frame.x(end)) - 3)
    line = frame.row(slot)[0] + 2
    return {image.pixelColor(x, line).rgb() & 0xFFFFFF for x in columns}


def test_the_three_kinds_of_pixel(view):
    tones = job_tones(1, dark=view.scene.theme.is_dark)[0]
    assert view.content.rows.schedule.makespan == pytest.approx(34.0)
    assert pixel(view, 1.0, 0) == tones[MAP_TONE]
    assert pixel(view, 13.0, 2) == tones[REDUCE_TONE]
    shuffle = colours_between(view, 20.0, 26.0, 2)
    assert tones[SHUFFLE_TONE] in shuffle
    assert len(shuffle) > 2  # hatched


def test_a_filler_waits_in_a_tone_of_its_own(view):
    tones = job_tones(1, dark=view.scene.theme.is_dark)[0]
    assert tones[WAIT_TONE] in colours_between(view, 5.0, 10.0, 2)
    assert tones[WAIT_TONE] not in colours_between(view, 20.0, 26.0, 2)


def test_idle_time_has_the_background_of_its_pool(view):
    idle = {colour.rgb() & 0xFFFFFF for colour in view.scene.theme.map_rows}
    assert pixel(view, 8.0, 0) in idle


def test_the_run_ends_at_a_line_of_ink_through_everything_with_a_dot_on_top(view):
    ink = view.scene.theme.ink.rgb() & 0xFFFFFF
    assert all(pixel(view, 34.0, slot, 20) == ink for slot in range(3))
    image, x = view.grab().toImage(), round(view.frame().x(34.0))
    across = [
        [image.pixelColor(x + step, y).rgb() & 0xFFFFFF == ink for step in range(-5, 6)] for y in (3, 40)
    ]
    assert [sum(line) for line in across] == [4, 2]  # beside them the dot is smoothed


def test_the_bound_is_dotted_ink(view):
    view.change(lower_bound=30.5)
    ink, image = view.scene.theme.ink.rgb() & 0xFFFFFF, view.grab().toImage()
    frame = view.frame()
    x = next(
        x
        for x in range(round(frame.x(30.5)) - 2, round(frame.x(30.5)) + 2)
        if image.pixelColor(x, 0).rgb() & 0xFFFFFF == ink
    )
    drawn = [image.pixelColor(x, y).rgb() & 0xFFFFFF == ink for y in range(20)]
    assert drawn == [True, True, False, False, False] * 4


def test_a_selected_job_keeps_its_colour_and_others_fade(qtbot):
    jobs = tuple(Job(f"J{i + 1}", Stage.of(1, 10.0)) for i in range(2))
    schedule = make_schedule(Workload("two", jobs, Cluster(1, 0)))
    axis = TimeAxis()
    axis.set_extent(0.0, 20.0)
    axis.fit()
    view = GanttView(axis, theme(False))
    qtbot.addWidget(view)
    view.set_schedule(schedule)
    view.resize(900, 300)
    tones = job_tones(2)
    before = pixel(view, 16.0, 0), pixel(view, 3.0, 0)
    assert before == (tones[1, MAP_TONE], tones[0, MAP_TONE])
    view.change(selected_job=0)
    assert pixel(view, 3.0, 0) == tones[0, MAP_TONE]
    assert pixel(view, 16.0, 0) != tones[1, MAP_TONE]


def test_containers_show_maps_and_reduces_in_one_pool(qtbot):
    workload = Workload(
        "mixed", (Job("J1", Stage.of(1, 10.0), Stage.of(1, 10.0)),), Cluster(0, 0, 1.0, containers=1)
    )
    schedule = make_schedule(workload)
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(False))
    qtbot.addWidget(view)
    view.set_schedule(schedule)
    view.resize(900, 300)
    tones = tones_of(view.content, theme(False))[0]
    assert tones[MAP_TONE] != tones[REDUCE_TONE]
    assert [pool.name for pool in view.scene.layout.pools] == ["CONTAINERS"]
    assert pixel(view, 3.0, 0) == tones[MAP_TONE]
    assert pixel(view, 18.0, 0) == tones[REDUCE_TONE]
