"""Time in which slots that come and go are closed: hatched in the rows, explained in the legend."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.closed_stretches import closed_stretches
from core.charts.schedule_rows import bands_of, schedule_rows
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.task_types import MAP, REDUCE
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.closed_slots import CLOSED
from explorer.gantt.layers.row_bands import _band_texts
from explorer.widgets.theme import theme
from tests.builders import make_job, make_workload


def schedule_of(cluster):
    """Return four maps of 10 s: on one slot for ever, on one until 5 s and on one from 12 to 30 s."""
    return simulate(make_workload(make_job("J1", (4, 10.0))), cluster, PolicyChoice("fifo"))


TIMES = SlotTime(1, 0.0, 5.0, MAP), SlotTime(1, 12.0, 30.0, MAP)
COMING = schedule_of(Cluster(1, 0, slot_times=TIMES))


def test_slots_that_come_and_go_have_rows():
    cluster = Cluster(1, 1, slot_times=(*TIMES, SlotTime(2, kind=REDUCE)))
    assert [(pool.first_slot, pool.slots) for pool in bands_of(cluster)] == [(0, 3), (3, 3)]
    (band,) = bands_of(Cluster(0, 0, slot_times=(SlotTime(2, 1.0),)))
    assert (band.name, band.slots) == ("CONTAINERS", 2)


def test_a_band_says_how_many_are_there_at_once():
    times = SlotTime(2, 0.0, 5.0), SlotTime(3, 5.0)
    (band,) = bands_of(Cluster(0, 0, slot_times=times))
    assert _band_texts(band)[0] == "CONTAINERS · ≤ 3 slots"
    (band,) = bands_of(Cluster(0, 0, slot_times=times[:1]))
    assert _band_texts(band)[0] == "CONTAINERS · 2 slots"


def test_a_task_that_goes_on_is_not_covered():
    assert COMING.end.tolist() == [10.0, 10.0, 20.0, 22.0]
    slot, begin, end = (column.tolist() for column in closed_stretches(schedule_rows(COMING)))
    assert list(zip(slot, begin, end, strict=True)) == [(2, 0, 12), (1, 10, np.inf), (2, 30, np.inf)]


def test_the_legend_explains_it():
    stays = schedule_of(Cluster(3, 0))
    assert CLOSED in legend_signs([schedule_rows(COMING)])
    assert CLOSED not in legend_signs([schedule_rows(stays)])


@pytest.mark.parametrize("dark", [False, True])
def test_closed_time_is_hatched(qtbot, dark):
    """Rows of open slots have one colour where nothing runs; those of closed ones have more."""
    view = GanttView(TimeAxis(), theme(dark))
    qtbot.addWidget(view)
    view.resize(700, 420)
    view.axis.set_extent(0.0, 40.0)
    view.set_schedule(COMING)
    view.show()
    image, frame = view.grab().toImage(), view.frame()

    def colours(slot, begin, end):
        top, bottom = frame.row(slot)
        left, right = (round(frame.x(time)) for time in (begin, end))
        return {image.pixel(x, y) for x in range(left + 2, right - 2) for y in range(top + 2, bottom - 4)}

    ticks = 2  # lines of the grid cross every row
    assert len(colours(0, 33.0, 38.0)) <= ticks
    assert len(colours(2, 24.0, 29.0)) <= ticks
    assert len(colours(1, 33.0, 38.0)) > len(colours(0, 33.0, 38.0))
    assert len(colours(2, 1.0, 6.0)) > len(colours(0, 33.0, 38.0))
