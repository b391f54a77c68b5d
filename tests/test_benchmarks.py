"""What the benchmarks compare with does the same work: SimPy's schedule equals ours to the last bit."""

from __future__ import annotations

import pytest

from benchmarks.million import packed_schedule
from benchmarks.simpy_model import run
from benchmarks.workloads import arriving, facebook
from core.schedule import PolicyChoice
from core.simulate import simulate


@pytest.mark.parametrize("workload", [facebook(1, 256), arriving(30, 8)], ids=["a", "small b"])
def test_the_simpy_model_agrees(workload):
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    columns = workload.columns
    first = columns.first[columns.job, columns.kind]
    index = [i - int(begin) for i, begin in enumerate(first)]
    ours = zip(columns.job, columns.kind, index, schedule.slot, schedule.start, schedule.end, strict=True)
    assert sorted(run(workload, workload.cluster)) == sorted(ours)


def test_the_packed_schedule_is_one():
    schedule = packed_schedule(20_000)
    order = schedule.by_slot
    for slot in range(schedule.cluster.slots):
        tasks = order.tasks[order.offsets[slot] : order.offsets[slot + 1]]
        assert (schedule.start[tasks][1:] >= schedule.end[tasks][:-1] - 1e-6).all()
