"""Slots that come and go: why tasks start then, the critical path, and free slots over time."""

from __future__ import annotations

import numpy as np

from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from core.explain.instant import instant_at
from core.explain.lints.idle_slots import idle_gap
from core.explain.slots import free_steps
from core.explain.start_cause import NO_TASK, StartCause, start_of
from core.explain.task_reason import task_reason
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.engine.slow_graphs import random_times
from tests.core.engine.test_linked_jobs import random_linked

WORKLOAD = Workload("w", (Job("A", Stage.of(3, 4.0)),))
CLUSTER = Cluster(1, 0, slot_times=(SlotTime(1, 3.0, 5.0, MAP),))
SCHEDULE = simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))


def test_the_schedule() -> None:
    assert list(zip(SCHEDULE.slot, SCHEDULE.start, strict=True)) == [(0, 0), (1, 3), (0, 4)]


def test_why_a_task_started() -> None:
    start = start_of(SCHEDULE, 1)
    assert (start.cause, start.trigger, start.freed) == (StartCause.OPENED, NO_TASK, 3.0)
    assert "its slot opened" in " ".join(task_reason(SCHEDULE, 1).why_then)


def test_free_slots_over_time() -> None:
    """The slot that opens is taken at once, and its task runs on beyond the close: it is never free."""
    times, free = free_steps(SCHEDULE, range(2), MAP)
    assert dict(zip(times.tolist(), free.tolist(), strict=True)) == {0: 0, 3: 0, 4: 0, 5: 0, 8: 1}
    assert instant_at(SCHEDULE, 7.5).free == ((), ())
    assert idle_gap(SCHEDULE, 1, 1.0) is None, "closed"
    assert idle_gap(SCHEDULE, 1, 7.5) is None, "closed"


def test_the_critical_path_waits_for_an_opening() -> None:
    workload = Workload("w", (Job("A", Stage.of(1, 4.0), arrival=1.0),))
    schedule = simulate(workload, Cluster(0, 0, slot_times=(SlotTime(1, 3.0, 5.0),)), PolicyChoice("fifo"))
    links = critical_path(schedule).links
    assert [(link.begin, link.end, link.cause) for link in links] == [
        (0.0, 1.0, Cause.ARRIVAL),
        (1.0, 3.0, Cause.CLOSED),
        (3.0, 7.0, Cause.MAP_WORK),
    ]


def test_every_critical_path_adds_up() -> None:
    draw = np.random.default_rng(3)
    seen = set()
    for policy in ("fifo", "sjf", "fair", "edf-min", "capacity", "dhfs-pi"):
        for _ in range(30):
            cluster = Cluster(2, 2, 0.5, slot_times=random_times(draw, (MAP, REDUCE)))
            schedule = simulate(random_linked(draw), cluster, PolicyChoice(policy))
            links = critical_path(schedule).links
            begins, ends = [link.begin for link in links], [link.end for link in links]
            assert begins == [0.0, *ends[:-1]]
            assert ends[-1] == schedule.makespan
            seen |= {link.cause for link in links}
    assert Cause.CLOSED in seen
