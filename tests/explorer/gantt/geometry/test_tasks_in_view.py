from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.charts.schedule_rows import bands_of, schedule_rows
from core.model.cluster import Cluster
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.tasks_in_view import (
    MAX_MARKS,
    NOTHING,
    Hit,
    hit,
    marked_tasks,
    ranges_between,
    tasks_between,
)
from explorer.gantt.geometry.time_scale import TimeScale
from tests.core.charts.chart_builders import frozen_rows, make_rows, make_schedule, make_workload

# two map slots, one reduce slot, 10 px a second, rows 20 px tall
ROWS = frozen_rows([0, 3, 4, 5], [0, 2, 5, 1, 3], [0, 2, 5, 1, 4], [2, 4, 6, 3, 6], [0, 2, 0, 2, 1], [5, 5])
LAYOUT = RowLayout(bands_of(Cluster(2, 1)), 74)
SCALE = TimeScale(0.0, 10.0, 100)


@pytest.mark.parametrize(
    ("x", "y", "place", "slot"),
    [
        (0, 0, 0, 0),
        (19.9, 19, 0, 0),
        (20, 10, 1, 0),
        (45, 10, -1, 0),
        (50, 10, 2, 0),
        (99, 10, -1, 0),
        (15, 25, 3, 1),
        (35, 60, 4, 2),
        (35, 45, -1, -1),
        (-1, 10, -1, -1),
        (100, 10, -1, -1),
    ],
)
def test_the_task_under_a_pixel(x, y, place, slot):
    found = hit(ROWS, LAYOUT, SCALE, x, y)
    assert (found.place, found.slot) == (place, slot)


def test_tasks_that_share_a_pixel_are_counted():
    rows = frozen_rows([0, 100], range(100), range(100), range(1, 101), [0] * 100, [0])
    layout, scale = RowLayout(bands_of(Cluster(1, 0)), 20), TimeScale(0.0, 100.0, 10)
    found = hit(rows, layout, scale, 3.25, 5)
    assert (found.place, found.tasks, found.slots) == (32, 10, 1)


def test_rows_that_share_a_pixel_are_counted_and_one_that_runs_is_found():
    rows = frozen_rows([0, 0, 0, 1, 1], [2], [2], [3], [0], [0])
    layout, scale = RowLayout(bands_of(Cluster(4, 0)), 1), TimeScale(0.0, 10.0, 10)
    assert hit(rows, layout, scale, 2, 0) == Hit(0, 2, 1, 4)
    assert hit(rows, layout, scale, 5, 0).place == -1


def test_a_task_thinner_than_its_pixel_is_found_beside_its_exact_time():
    rows = frozen_rows([0, 1], [2.40], [2.40], [2.42], [0], [0])
    layout, scale = RowLayout(bands_of(Cluster(1, 0)), 10), TimeScale(0.0, 10.0, 10)
    assert hit(rows, layout, scale, 2.9, 5).place == 0


def test_nothing_is_one_value():
    assert hit(ROWS, LAYOUT, SCALE, 500, 500) is NOTHING


def test_tasks_between_times():
    assert tasks_between(ROWS, 0, 2.0, 5.0) == (1, 2)
    assert tasks_between(ROWS, 0, 1.9, 5.1) == (0, 3)
    assert tasks_between(ROWS, 0, 7.0, 9.0) == (3, 3)


@pytest.mark.parametrize("tasks", [1, 2, 7, 64])
def test_many_rows_at_once_have_the_same_tasks_as_each_alone(tasks):
    rows, slots = make_rows(rows=9, tasks=tasks), np.array([8, 0, 3, 3, 1])
    border = float(rows.end[tasks // 2])
    for early, late in ((-5.0, -1.0), (0.0, 100.0), (30.0, 31.0), (border, border), (250.0, 300.0)):
        first, last = ranges_between(rows, slots, early, late)
        alone = [tasks_between(rows, slot, early, late) for slot in slots.tolist()]
        assert list(zip(first.tolist(), last.tolist(), strict=True)) == alone


def test_rows_without_tasks_have_none_at_once():
    rows = frozen_rows([0, 0, 1, 1], [2], [2], [3], [0], [0])
    first, last = ranges_between(rows, np.arange(3), 0.0, 9.0)
    assert (last - first).tolist() == [0, 1, 0]
    none = frozen_rows([0, 0], [], [], [], [], [0])
    assert [each.tolist() for each in ranges_between(none, np.array([0]), 0.0, 9.0)] == [[0], [0]]


def test_of_two_tasks_under_a_pixel_the_one_that_runs_then_is_found_else_the_longer_one():
    """Between 2 and 3 s, on one pixel: the first runs for 0.3 s, the second for 0.4."""
    rows = frozen_rows([0, 2], [2.0, 2.6], [2.0, 2.6], [2.3, 3.0], [0, 2], [0, 0])
    layout, scale = RowLayout(bands_of(Cluster(1, 0)), 10), TimeScale(0.0, 10.0, 10)
    assert hit(rows, layout, scale, 2.1, 5) == Hit(0, 0, 2, 1)
    assert hit(rows, layout, scale, 2.4, 5) == Hit(1, 0, 2, 1)
    assert hit(rows, layout, scale, 2.6, 5).place == 1
    assert hit(rows, layout, scale, 2.3, 5).place == 1


def test_a_task_that_takes_no_time_is_found_where_nothing_else_is():
    rows = frozen_rows([0, 1, 2], [2.4, 2.9], [2.4, 2.9], [2.4, 3.0], [0, 2], [0, 0])
    layout, scale = RowLayout(bands_of(Cluster(2, 0)), 20), TimeScale(0.0, 10.0, 10)
    assert hit(rows, layout, scale, 2.6, 5) == Hit(0, 0, 1, 1)
    both = RowLayout(bands_of(Cluster(2, 0)), 1)
    assert hit(rows, both, scale, 2.6, 0) == Hit(1, 1, 2, 2)


def test_of_rows_under_a_pixel_the_first_that_runs_then_is_found():
    rows = frozen_rows([0, 1, 2, 3], [2.0, 0.0, 0.0], [2.0, 0, 0], [2.2, 9.0, 9.0], [0, 2, 4], [0] * 3)
    layout, scale = RowLayout(bands_of(Cluster(3, 0)), 1), TimeScale(0.0, 10.0, 10)
    assert hit(rows, layout, scale, 2.5, 0) == Hit(1, 1, 3, 3)


def test_a_folded_pool_is_hit_as_a_whole():
    layout = RowLayout(bands_of(Cluster(2, 1)), 74, folded=frozenset([0]))
    assert hit(ROWS, layout, SCALE, 20, 5) == Hit(-1, -1, 0, 0, band=0)
    assert hit(ROWS, layout, SCALE, 35, 60) == Hit(4, 2, 1, 1)
    assert hit(ROWS, layout, SCALE, -1, 5) is NOTHING


# ---- marks


@pytest.fixture(scope="module")
def marked():
    """Tasks of 10, 20 and 30 s one after the other on the first of two slots, one of 60 s on the other."""
    schedule = schedule_rows(make_schedule(make_workload(jobs=1, slots=2)))
    rows = frozen_rows([0, 3, 4], [0, 10, 30, 0], [0] * 4, [10, 30, 60, 60], [0, 2, 4, 6], [0] * 4)
    return replace(schedule, columns=rows)


def places_of(marked, scale, places=(0, 1, 2, 3), slots=2, height=40, **options):
    layout = RowLayout(bands_of(Cluster(slots, 0)), height)
    found = marked_tasks(marked, np.array(places, np.int64), layout, scale, **options)
    assert found.start.tolist() == marked.columns.start[found.place].tolist()
    assert found.end.tolist() == marked.columns.end[found.place].tolist()
    assert found.row.tolist() == [0 if place < 3 else 1 for place in found.place]
    return found.place.tolist()


def test_marks_of_tasks_in_view(marked):
    assert places_of(marked, TimeScale(0.0, 60.0, 600)) == [0, 1, 2, 3]
    assert places_of(marked, TimeScale(0.0, 60.0, 600), places=[1, 3]) == [1, 3]
    assert places_of(marked, TimeScale(0.0, 30.0, 600)) == [0, 1, 3]  # the third begins where the view ends
    assert places_of(marked, TimeScale(10.0, 60.0, 600)) == [1, 2]
    assert places_of(marked, TimeScale(10.0, 60.0, 600), begin=False) == [0, 1, 2, 3]
    assert places_of(marked, TimeScale(10.5, 60.0, 600), begin=False) == [1, 2, 3]
    assert places_of(marked, TimeScale(100.0, 60.0, 600)) == []


def test_marks_need_five_pixels(marked):
    assert places_of(marked, TimeScale(0.0, 1200.0, 600)) == [0, 1, 2, 3]  # 5 pixels for 10 s
    assert places_of(marked, TimeScale(0.0, 1201.0, 600)) == [1, 2, 3]


def test_marks_of_the_selected_job_alone(marked):
    assert places_of(marked, TimeScale(0.0, 60.0, 600), selected=0) == [0]
    assert places_of(marked, TimeScale(0.0, 60.0, 600), selected=3) == [3]
    assert places_of(marked, TimeScale(0.0, 60.0, 600), selected=9) == []


def test_marks_of_rows_in_view_alone(marked):
    layout = RowLayout(bands_of(Cluster(2, 0)), 20, least=20.0).scrolled_to(20)
    found = marked_tasks(marked, np.arange(4), layout, TimeScale(0.0, 60.0, 600))
    assert found.place.tolist() == [3]


@pytest.mark.parametrize(("count", "drawn"), [(MAX_MARKS, MAX_MARKS), (MAX_MARKS + 1, 0)])
def test_more_marks_than_can_be_told_apart_are_not_drawn(marked, count, drawn):
    begin = np.arange(count, dtype=float)
    rows = replace(marked, columns=frozen_rows([0, count], begin, begin, begin + 1, [0] * count, [0]))
    layout, scale = RowLayout(bands_of(Cluster(1, 0)), 20), TimeScale(0.0, float(count), 10 * count)
    assert len(marked_tasks(rows, np.arange(count), layout, scale).place) == drawn
