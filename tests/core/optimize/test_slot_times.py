"""Slots that come and go: what bounds say, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.measures.metrics import METRICS
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Stage
from core.model.task_types import MAP
from core.model.workload import Workload
from core.optimize.bounds import lower_bound
from core.optimize.exact_order import best_order
from core.optimize.search import optimize
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.proofs import certify_schedule
from core.simulation.simulate import simulate

WORKLOAD = Workload("w", (Job("A", Stage.of(4, 10.0)),))
CLUSTER = Cluster(1, 0, slot_times=(SlotTime(1, 0.0, 1.0, MAP), SlotTime(1, 15.0, 16.0, MAP)))


def test_the_bound_counts_every_slot_since_tasks_run_on_beyond_a_close() -> None:
    """Two maps begin on slots that are open for a second; three slots are the bound of 40 s of work."""
    schedule = simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))
    assert schedule.slot.tolist() == [0, 1, 0, 2]
    assert schedule.end.tolist() == [10.0, 10.0, 20.0, 25.0]
    assert lower_bound(WORKLOAD, CLUSTER) <= schedule.makespan
    assert lower_bound(WORKLOAD, CLUSTER) == lower_bound(WORKLOAD, Cluster(3, 0))


def test_utilisation_is_that_of_open_seconds() -> None:
    """Until 25 s slots are open for 25 + 1 + 1 s; 20 + 1 + 1 of them run tasks."""
    metric = METRICS["map_utilisation"]
    assert metric.of(simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))) == pytest.approx(22 / 27)


def test_a_search_finds_the_order_that_the_slots_allow() -> None:
    """A slot is there for a second: the long job goes first on it, and the short one on the other."""
    jobs = Job("short", Stage.of(1, 4.0)), Job("long", Stage.of(1, 10.0)), Job("last", Stage.of(1, 4.0))
    cluster = Cluster(1, 0, slot_times=(SlotTime(1, 0.0, 1.0, MAP),))
    workload = Workload("w", jobs)
    assert simulate(workload, cluster, PolicyChoice("fifo")).makespan == 10
    found = optimize(workload, cluster, steps=10, compiled=False)
    assert simulate(workload, cluster, PolicyChoice("fifo"), plan=found.plan).makespan == found.best == 10
    late = replace(cluster, slot_times=(SlotTime(1, 5.0, 6.0, MAP),))
    found = optimize(workload, late, steps=10, compiled=False)
    assert found.best == simulate(workload, late, PolicyChoice("fifo"), plan=found.plan).makespan == 14


def test_all_orders_are_not_searched() -> None:
    with pytest.raises(InputError, match="come and go"):
        best_order(WORKLOAD, CLUSTER)


def test_a_certificate_has_the_intervals() -> None:
    """Of 40 s of work on three slots none ends before 20 s; the third opens at 15 s, too late."""
    proof = certify_schedule(simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo")), 20.0)
    assert not proof
    assert proof.why_not.startswith("the checker refuses it: the value is 25.0, but only less")
    whole = replace(CLUSTER, slot_times=(SlotTime(2, 0.0, 15.0, MAP),))
    assert certify_schedule(simulate(WORKLOAD, whole, PolicyChoice("fifo")), 20.0)


def test_a_job_alone_has_all_slots_all_the_time() -> None:
    assert isolated_runtimes(WORKLOAD, CLUSTER).tolist() == [20.0]
