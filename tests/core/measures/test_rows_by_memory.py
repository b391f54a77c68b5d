"""Rows by memory: a task has as many rows as its memory, side by side, and shares none with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.rows_by_memory import (
    MAX_ROWS_OF_TASK,
    free_slot,
    has_memory_rows,
    rows_by_memory,
    task_heights,
)
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.model.task_types import MAP, REDUCE
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    from core.measures.rows_by_memory import RowsByMemory
    from core.model.schedule import Schedule

GB = 1024


def on_nodes(maps: int, reduces: int, *nodes: NodeGroup, slowstart: float = 0.05) -> Cluster:
    """Nodes whose maps and reduces ask for so many megabytes and a core each."""
    return Cluster(0, 0, slowstart, nodes=nodes, map_request=Request(maps), reduce_request=Request(reduces))


def held(schedule: Schedule, arranged: RowsByMemory, row: int, seconds: float) -> list[int]:
    """Return the tasks that are in a row at a time, by looking at every task."""
    return [
        task
        for task in range(schedule.tasks)
        if arranged.first[task] <= row <= arranged.last[task]
        and schedule.start[task] <= seconds < schedule.end[task]
    ]


@given(
    st.sampled_from([(4, 1), (1, 4), (1, 2), (2, 3)]),
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 6), st.integers(0, 6), st.integers(1, 5)),
        min_size=1,
        max_size=5,
    ),
    st.lists(st.tuples(st.integers(1, 2), st.integers(4, 9), st.integers(2, 8)), min_size=1, max_size=2),
    st.sampled_from(["fifo", "fair"]),
)
def test_every_task_has_the_rows_of_its_memory_alone(
    asked: tuple[int, int],
    jobs: list[tuple[int, int, int, int]],
    nodes: list[tuple[int, int, int]],
    policy: str,
) -> None:
    groups = [NodeGroup(count, memory * GB, cores) for count, memory, cores in nodes]
    made = [
        make_job(f"J{i}", (maps, 1.0 + length), (reduces, 1.0 + other))
        for i, (maps, length, reduces, other) in enumerate(jobs)
    ]
    schedule = run(make_workload(*made), on_nodes(asked[0] * GB, asked[1] * GB, *groups), policy)
    arranged = rows_by_memory(schedule)
    kind, node_rows = schedule.workload.columns.kind, schedule.cluster.node_rows
    for task in range(schedule.tasks):
        assert arranged.last[task] - arranged.first[task] + 1 == asked[kind[task]]
        node = next(n for n, end in enumerate(node_rows[1:]) if schedule.slot[task] < end)
        assert arranged.first_row[node] <= arranged.first[task]
        assert arranged.last[task] < arranged.first_row[node + 1]
        assert arranged.node_of(int(arranged.first[task])) == node
        for row in range(arranged.first[task], arranged.last[task] + 1):
            assert held(schedule, arranged, row, float(schedule.start[task])) == [task]
    fitting = sum(
        max(
            m * asked[0] + r * asked[1]
            for m in range(10)
            for r in range(10)
            if m * asked[0] + r * asked[1] <= group.memory_mb // GB and m + r <= group.cores
        )
        * group.count
        for group in groups
    )
    assert arranged.first_row[-1] == fitting + arranged.added


@given(st.integers(0, 5))
def test_rows_list_the_tasks_that_are_in_them_by_start(seed: int) -> None:
    random = np.random.default_rng(seed)
    jobs = [
        make_job(f"J{i}", (5, float(random.uniform(1, 9))), (4, float(random.uniform(1, 9))))
        for i in range(4)
    ]
    schedule = run(make_workload(*jobs), on_nodes(4 * GB, GB, NodeGroup(2, 9 * GB, 9)), "fair")
    arranged = rows_by_memory(schedule)
    order = arranged.order
    for row in range(int(arranged.first_row[-1])):
        tasks = order.tasks[order.offsets[row] : order.offsets[row + 1]]
        inside = np.flatnonzero((arranged.first <= row) & (row <= arranged.last))
        assert sorted(tasks.tolist()) == inside.tolist()
        assert (np.diff(schedule.start[tasks]) >= 0).all()


def test_a_map_of_4_gb_is_as_high_as_four_reduces_of_1_gb() -> None:
    """One node of 8 GB: the map stands above, the reduces from the last row up."""
    workload = make_workload(make_job("J1", (1, 10.0)), make_job("J2", (1, 1.0), (4, 20.0)))
    schedule = run(workload, on_nodes(4 * GB, GB, NodeGroup(1, 8 * GB, 8)))
    arranged = rows_by_memory(schedule)
    assert arranged.heights == (4, 1)
    assert (arranged.unit_mb, arranged.added) == (GB, 0)
    assert list(zip(arranged.first.tolist(), arranged.last.tolist(), strict=True)) == [
        (0, 3),
        (4, 7),
        (7, 7),
        (6, 6),
        (5, 5),
        (4, 4),
    ]


def test_memory_that_is_free_in_pieces_gives_a_node_more_rows() -> None:
    """Maps of 4 GB come and go beside reduces of 1 GB that end at different times, on a full node of 8 GB."""
    random = np.random.default_rng(0)
    jobs = [
        make_job(
            f"J{i}",
            (int(random.integers(1, 4)), float(random.uniform(2, 9))),
            (int(random.integers(1, 6)), float(random.uniform(1, 9))),
        )
        for i in range(4)
    ]
    node = NodeGroup(1, 8 * GB, 8)
    arranged = rows_by_memory(run(make_workload(*jobs), on_nodes(4 * GB, GB, node)))
    assert arranged.added == 3
    assert arranged.first_row.tolist() == [0, 8 + 3]


@pytest.mark.parametrize(
    ("maps", "reduces", "heights"),
    [
        (GB, GB, (1, 1)),
        (4 * GB, GB, (4, 1)),
        (1536, GB, (3, 2)),
        (512, 2048, (1, 4)),
        (1000, 1536, (8, 12)),
        (64 * GB, GB, (MAX_ROWS_OF_TASK, 1)),
    ],
)
def test_heights_are_the_memory_in_its_largest_common_piece(
    maps: int, reduces: int, heights: tuple[int, int]
) -> None:
    found = task_heights(on_nodes(maps, reduces, NodeGroup(1, 128 * GB, 8)))
    if (maps, reduces) == (1000, 1536):  # rounded: no larger piece is in both
        assert max(found) <= MAX_ROWS_OF_TASK
        assert found[MAP] / found[REDUCE] == pytest.approx(maps / reduces, rel=0.05)
        return
    assert found == heights


def test_only_nodes_whose_tasks_differ_in_memory_have_such_rows() -> None:
    workload = make_workload(make_job("J1", (2, 1.0), (1, 1.0)))
    assert not has_memory_rows(run(workload, Cluster(2, 2)))
    assert not has_memory_rows(run(workload, Cluster(0, 0, containers=2)))
    assert not has_memory_rows(run(workload, on_nodes(GB, GB, NodeGroup(1, 4 * GB, 4))))
    assert not has_memory_rows(run(workload, on_nodes(0, GB, NodeGroup(1, 4 * GB, 4))))
    assert has_memory_rows(run(workload, on_nodes(2 * GB, GB, NodeGroup(1, 4 * GB, 4))))


def test_an_idle_slot_is_the_lowest_of_its_node() -> None:
    workload = make_workload(make_job("J1", (2, 4.0)))
    schedule = run(workload, on_nodes(2 * GB, GB, NodeGroup(2, 3 * GB, 3)))
    first, second = sorted(schedule.slot.tolist())
    assert (first, second) == (0, 3)
    assert free_slot(schedule, 0, 1.0) == 1
    assert free_slot(schedule, 1, 1.0) == 4
    assert free_slot(schedule, 1, 4.0) == 3


def test_they_are_found_once_and_nothing_can_be_written() -> None:
    workload = make_workload(make_job("J1", (2, 1.0), (1, 1.0)))
    schedule = run(workload, on_nodes(2 * GB, GB, NodeGroup(1, 4 * GB, 4)))
    arranged = rows_by_memory(schedule)
    assert rows_by_memory(schedule) is arranged
    columns = (
        arranged.first_row,
        arranged.first,
        arranged.last,
        arranged.order.tasks,
        arranged.order.offsets,
    )
    assert not any(column.flags.writeable for column in columns)
