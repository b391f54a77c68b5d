"""Rows of a table that stand for several tasks, held against the rows written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.logs import table_copies
from core.logs.open_log import Imported, open_trace
from core.model.errors import InputError, TraceError
from core.model.task_types import MAP, REDUCE
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = "start=a,end=b,kind=type,count=n,processors=p"
HEADER = "job,type,task,a,b,outcome,n,p"
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["J1", "J2"]),
        st.sampled_from(["map", "reduce"]),
        st.sampled_from(["", "t1", "t2"]),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from(["succeeded", "failed"]),
        st.integers(1, 4),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=6,
)


def opened(path: Path, text: str, columns: str = COLUMNS, **parameters: object) -> Imported:
    path.write_text(text)
    return open_trace([path], parameters={"columns": columns, **parameters})


def test_one_row_of_many_instances(tmp_path):
    imported = opened(tmp_path / "log", f"{HEADER}\nJ1,map,M1,0,10,,15740,\nJ1,reduce,R2,10,15,,3,\n")
    (job,) = imported.workload.jobs
    assert job.maps.count == 15740
    assert set(job.maps.durations.tolist()) == {10.0}
    assert job.reduces.count == 3
    assert imported.workload.cluster.map_slots == 15740
    assert imported.report.assumptions[0].startswith("A row stands for as many tasks as its column for count")
    assert "2 rows have nothing in their column for processors; 1 is taken." in imported.report.assumptions


def test_a_task_of_several_processors_takes_as_many_slots(tmp_path):
    imported = opened(tmp_path / "log", "job,a,b,p\nJ1,0,10,8\nJ2,0,5,4.0\n", "start=a,end=b,processors=p")
    assert [job.maps.count for job in imported.workload.jobs] == [8, 4]
    assert imported.workload.cluster.map_slots == 12
    assert any("one for each" in text for text in imported.report.assumptions)


@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
@example(
    [
        *[("J1", "map", "", 0, 0, "succeeded", 1, 1)] * 2,
        ("J1", "map", "t1", 0, 0, "succeeded", 1, 1),
        ("J1", "map", "t1", 0, 0, "failed", 1, 1),
    ]
)
def test_rows_are_read_as_if_they_were_written_out(tmp_path, rows):
    """The twin writes a row for each task; the k-th copies of rows with the same task are its attempts."""
    text = "\n".join([HEADER, *(",".join(map(str, row)) for row in rows)])
    single = [
        (job, kind, task and f"{task}-{k}", a, b, outcome)
        for job, kind, task, a, b, outcome, n, p in rows
        for k in range(n * p)
    ]
    written = "\n".join(["job,kind,task,start,end,outcome", *(",".join(map(str, row)) for row in single)])
    found: list[object] = []
    for name, content, columns in (("a", text, COLUMNS), ("b", written, "unit=s")):
        try:
            imported = opened(tmp_path / name, content, columns)
        except TraceError as error:
            found.append(str(error).partition("but no job")[2].partition(":")[0])
            continue
        jobs = [
            (job.name, job.maps.count, job.reduces.count, np.sort(job.maps.durations).tolist())
            for job in imported.workload.jobs
        ]
        report = imported.report
        found.append((jobs, report.tasks[MAP], report.tasks[REDUCE], imported.workload.cluster))
    assert found[0] == found[1]


@pytest.mark.parametrize("cell", ["0", "-3", "1.5", "many", "20000001"])
def test_a_cell_that_is_no_number_of_tasks_costs_its_row(tmp_path, cell):
    imported = opened(tmp_path / "log", f"{HEADER}\nJ1,map,,0,10,,2,\nJ1,map,,0,10,,{cell},\n")
    assert imported.workload.jobs[0].maps.count == 2
    assert "which is no whole number from 1 to 20000000" in imported.report.damage[0].rule


def test_a_large_table_takes_a_slot_for_several_tasks(tmp_path):
    imported = opened(tmp_path / "log", "job,a,b,n\nJ1,0,10,400000\nJ2,0,5,1\n", "start=a,end=b,count=n")
    assert [job.maps.count for job in imported.workload.jobs] == [100000 // 2, 1]
    sentence = "A task and a slot stand for 8 (tasks_per_slot): 400001 tasks become 50001, at least one"
    assert any(text.startswith(sentence) for text in imported.report.assumptions)


def test_tasks_per_slot_may_be_given(tmp_path):
    text = "job,a,b,n\nJ1,0,10,4000\n"
    given_ = opened(tmp_path / "log", text, "start=a,end=b,count=n", tasks_per_slot=100)
    assert given_.workload.jobs[0].maps.count == 40
    with pytest.raises(InputError, match="tasks_per_slot 1 gives 4000000 tasks on 4000000 slots"):
        opened(tmp_path / "log", text.replace("4000", "4000000"), "start=a,end=b,count=n", tasks_per_slot=1)


def test_columns_that_count_have_to_be_named(tmp_path):
    imported = opened(tmp_path / "log", "job,kind,start,end,count,processors\nJ1,map,0,1,7,9\n", "unit=s")
    assert imported.workload.jobs[0].maps.count == 1


def test_what_is_chosen_fits_a_workload(monkeypatch, tmp_path):
    monkeypatch.setattr(table_copies, "MAX_SLOTS", 10)
    imported = opened(tmp_path / "log", "job,a,b,n\nJ1,0,10,41\n", "start=a,end=b,count=n")
    assert imported.workload.jobs[0].maps.count == 10
