from __future__ import annotations

import pytest

from core.model.workload import MAP, REDUCE
from explorer.gantt.geometry.schedule_rows import schedule_rows
from explorer.gantt.gestures.gestures import describe_move, drop_order, stage_starts
from tests.explorer.gantt.chart_builders import make_schedule, make_workload

ORDER = ("A", "B", "C", "D")
STARTS = {"A": 0.0, "B": 10.0, "C": 20.0, "D": 30.0}


@pytest.mark.parametrize(
    ("moved", "time", "expected"),
    [
        ("B", 0.0, "BACD"),
        ("B", 4.0, "BACD"),
        ("B", 6.0, "ABCD"),
        ("B", 15.0, "ABCD"),
        ("B", 20.0, "ABCD"),
        ("B", 22.0, "ABCD"),
        ("B", 27.0, "ACBD"),
        ("B", 34.0, "ACBD"),
        ("B", 38.0, "ACDB"),
        ("B", 999.0, "ACDB"),
        ("A", -5.0, "ABCD"),
        ("A", 19.0, "BACD"),
        ("D", 35.0, "ABCD"),
        ("D", 1.0, "DABC"),
    ],
)
def test_a_job_goes_to_the_nearest_place(moved, time, expected):
    assert "".join(drop_order(ORDER, moved, time, STARTS, 40.0)) == expected


def test_places_follow_the_schedule_where_it_does_not_follow_the_order():
    starts = {"A": 20.0, "B": 0.0, "C": 10.0}
    assert drop_order(("A", "B", "C"), "A", 10.5, starts, 30.0) == ("B", "A", "C")


@pytest.mark.parametrize(
    ("after", "text"),
    [
        ("ABCD", "B stays where it is"),
        ("BACD", "move B before A"),
        ("ACBD", "move B before D"),
        ("ACDB", "move B to the end"),
    ],
)
def test_a_move_in_words(after, text):
    assert describe_move(ORDER, tuple(after), "B") == text


def test_starts_of_maps_and_of_reduces():
    schedule = make_schedule(make_workload(jobs=3))
    rows = schedule_rows(schedule)
    columns = schedule.workload.columns
    for kind in (MAP, REDUCE):
        starts = stage_starts(rows, kind)
        for index, job in enumerate(schedule.workload.jobs):
            first, count = columns.first[index, kind], columns.count[index, kind]
            assert starts[job.name] == schedule.start[first : first + count].min()
