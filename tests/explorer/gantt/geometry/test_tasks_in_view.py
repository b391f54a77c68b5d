from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.schedule_rows import bands_of
from explorer.gantt.geometry.tasks_in_view import NOTHING, Hit, hit, tasks_between
from explorer.gantt.geometry.time_scale import TimeScale
from tests.explorer.gantt.chart_builders import frozen_rows

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
