"""Slots that are busy at once, against a count at every start."""

from __future__ import annotations

import numpy as np
import pytest

from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.logs.open_log import open_trace
from core.measures.busy_slots import most_busy_slots
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.paths import DATA


def counted(spans):
    """Return how many spans are open at some start, counted one by one."""
    return max((sum(begin <= start < end for begin, end in spans) for start, _ in spans), default=0)


@pytest.mark.parametrize("sample", ["five-jobs", "three-pools", "wordcount", "spark-application"])
def test_it_is_the_count_at_some_start(sample):
    workload = load_sample(sample)
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    wanted = []
    for kind, slots in enumerate(schedule.cluster.typed_slots):
        mine = schedule.cluster.slots_of(kind)
        held = (schedule.slot >= mine.start) & (schedule.slot < mine.stop)
        spans = list(zip(schedule.start[held].tolist(), schedule.end[held].tolist(), strict=True))
        wanted += [counted(spans)] if slots else []
    assert most_busy_slots(schedule) == tuple(wanted)


def test_attempts_of_a_record_that_came_to_nothing_hold_slots():
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    run = workload.recorded
    assert run is not None
    schedule = history_schedule(workload, run)
    record = schedule.record
    assert record is not None
    slot = np.concatenate([schedule.slot, record.extra_slot])
    attempts = np.concatenate([record.attempt, record.extra])
    wanted = []
    for kind in (0, 1):
        mine = schedule.cluster.slots_of(kind)
        held = attempts[(slot >= mine.start) & (slot < mine.stop)]
        begin = np.maximum(run.start[held], 0.0)
        wanted.append(counted(list(zip(begin.tolist(), run.held_until[held].tolist(), strict=True))))
    assert most_busy_slots(schedule) == tuple(wanted)
    assert len(record.extra)
