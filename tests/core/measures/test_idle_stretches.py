"""When nothing runs: against a slow count of seconds, with attempts of a log and drivers that think."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.idle_stretches import MIN_SHARE, busy_stretches, idle_stretches
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate

FIFO = PolicyChoice("fifo")


def one_task(name: str, seconds: float, arrival: float, **more: object) -> Job:
    return Job(name, Stage.of(1, seconds), arrival=arrival, **more)  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), min_size=1, max_size=9))
def test_busy_stretches_are_the_seconds_in_which_something_runs(tasks: list[tuple[int, int]]) -> None:
    jobs = [one_task(f"J{i}", seconds, arrival) for i, (arrival, seconds) in enumerate(tasks)]
    schedule = simulate(Workload("w", tuple(jobs)), Cluster(20, 1), FIFO)
    busy = busy_stretches(schedule)
    seconds = {second for arrival, length in tasks for second in range(arrival, arrival + length)}
    found = {s for begin, end in busy.T.tolist() for s in range(int(begin), int(end))}
    assert found == seconds
    assert (busy[0, 1:] > busy[1, :-1]).all(), "apart from one another"


def test_a_driver_that_thinks_is_not_idle() -> None:
    jobs = (one_task("A", 2.0, 0.0), one_task("B", 2.0, 0.0, after=(Link("A", 30.0),)))
    linked = simulate(Workload("w", jobs), Cluster(1, 1), FIFO)
    assert busy_stretches(linked).tolist() == [[0.0], [34.0]]
    apart = simulate(Workload("w", (jobs[0], one_task("B", 2.0, 32.0))), Cluster(1, 1), FIFO)
    assert busy_stretches(apart).tolist() == [[0.0, 32.0], [2.0, 34.0]]


def test_what_is_idle_is_so_in_all_schedules_and_long() -> None:
    one, other = np.array([[30.0, 90.0], [40.0, 100.0]]), np.array([[35.0, 44.0], [42.0, 45.0]])
    assert idle_stretches([one]) == ((0.0, 30.0), (40.0, 90.0))
    assert idle_stretches([one, other]) == ((0.0, 30.0), (45.0, 90.0)), "42 to 44 s is too short"
    assert idle_stretches([]) == ()
    edge = np.array([[0.0, 50.0 + 100 * MIN_SHARE], [50.0, 100.0]])
    assert idle_stretches([edge]) == ()


def test_a_task_that_has_not_ended_runs_for_ever() -> None:
    assert idle_stretches([np.array([[0.0, 50.0], [1.0, np.inf]])]) == ()


@pytest.mark.parametrize("name", ["facebook", "five-jobs"])
def test_samples_without_a_pause_have_none(name: str) -> None:
    from core.files.samples import load_sample

    workload = load_sample(name)
    assert idle_stretches([busy_stretches(simulate(workload, workload.cluster, FIFO))]) == ()
