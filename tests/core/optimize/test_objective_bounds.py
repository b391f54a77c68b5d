"""Bounds of other measures: below the best of all schedules of tiny workloads, and below every policy."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.errors import StalledError
from core.optimize.objective_bounds import (
    _late_on_one_machine,
    _mean_busy_times,
    _shortest_first_ends,
    bound_of_late_jobs,
    bound_of_mean_response,
    bound_of_stretch,
    bound_of_tardiness,
    bound_of_weighted_response,
)
from core.simulation.fifo_trials import isolated_runtimes
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, workloads
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.workload import Workload

    Value = Callable[[np.ndarray], float]

MAX = 1 + 1e-9


def values(workload: Workload, alone: np.ndarray) -> dict[str, Value]:
    """What each measure says of the jobs' finishes."""
    columns = workload.columns
    weight = columns.weight / columns.weight.sum()
    some = alone > 0
    return {
        "mean": lambda finish: float((finish - columns.arrival).mean()),
        "weighted": lambda finish: float((weight * (finish - columns.arrival)).sum()),
        "tardiness": lambda finish: float(np.maximum(finish - columns.deadline, 0).sum()),
        "late": lambda finish: float((finish > columns.deadline).sum()),
        "stretch": lambda finish: float(((finish - columns.arrival)[some] / alone[some]).max(initial=0)),
    }


def bounds(workload: Workload, cluster: Cluster, alone: np.ndarray) -> dict[str, float]:
    """The bound of each."""
    return {
        "mean": bound_of_mean_response(workload, cluster),
        "weighted": bound_of_weighted_response(workload, cluster),
        "tardiness": bound_of_tardiness(workload, cluster),
        "late": bound_of_late_jobs(workload, cluster),
        "stretch": bound_of_stretch(workload, cluster, alone),
    }


@st.composite
def with_deadlines(draw: st.DrawFn) -> Workload:
    """Tiny jobs with weights, of which some have deadlines."""
    workload = draw(tiny_workloads())
    return workload.with_jobs(
        replace(
            job,
            weight=draw(st.sampled_from((1.0, 2.0, 5.0))),
            deadline=job.arrival + draw(st.integers(1, 8)) if draw(st.booleans()) else None,
        )
        for job in workload.jobs
    )


@examples(8)
@given(
    with_deadlines(),
    st.sampled_from([(1, 1), (2, 1), (1, 2)]),
    st.sampled_from(SHUFFLE_MODELS),
    st.booleans(),
    st.sampled_from(("mean", "weighted", "tardiness", "late", "stretch")),
)
def test_no_schedule_at_all_is_better(
    workload: Workload, slots: tuple[int, int], model: ShuffleModel, in_containers: bool, name: str
) -> None:
    cluster = Cluster(*slots, shuffle_model=model)
    if in_containers:
        cluster = Cluster(0, 0, shuffle_model=model, containers=slots[0])
    alone = np.arange(1.0, len(workload.jobs) + 1)
    value = values(workload, alone)[name]
    best = cheapest(workload, cluster, lambda finish: value(np.array(finish)))
    assert bounds(workload, cluster, alone)[name] <= best * MAX


@examples(8)
@given(st.data(), st.sampled_from(("fifo", "sjf", "fair", "edf-max", "johnson")))
def test_no_policy_is_better(data: st.DataObject, policy: str) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    try:
        finish = run(workload, cluster, policy).finish
    except StalledError:  # reduces that started before their maps leave these no memory
        reject()
    alone = isolated_runtimes(workload, cluster)
    reached = {name: value(finish) for name, value in values(workload, alone).items()}
    found = bounds(workload, cluster, alone)
    assert {name: found[name] for name in found if found[name] > reached[name] * MAX + 1e-12} == {}


def test_short_jobs_first_by_hand() -> None:
    """Maps of 2, 4 and 6 s in all on two slots, 3 s of reduces behind each: ends at 4, 6 and 9 s at best."""
    workload = make_workload(
        *(make_job(f"J{i}", (2, i), (1, 3.0), weight=w) for i, w in ((1, 1), (2, 1), (3, 8)))
    )
    cluster = Cluster(2, 3)
    assert bound_of_mean_response(workload, cluster) == pytest.approx((4 + 6 + 9) / 3)
    # by weight for work: J3 at 3 s, J1 at 4 s, J2 at 6 s, and 3 s more each
    assert bound_of_weighted_response(workload, cluster) == pytest.approx((8 * 6 + 7 + 9) / 10)


def test_deadlines_by_hand() -> None:
    """Three jobs of 4 s on one slot: by 5 s one can be done, the others are 3 and 7 s late at best."""
    workload = make_workload(*(make_job(f"J{i}", (1, 4.0), deadline=5.0) for i in range(3)))
    assert bound_of_late_jobs(workload, Cluster(1, 0)) == 2
    assert bound_of_tardiness(workload, Cluster(1, 0)) == 3 + 7
    none = workload.with_jobs(replace(job, deadline=None) for job in workload.jobs)
    assert bound_of_late_jobs(none, Cluster(1, 0)) == bound_of_tardiness(none, Cluster(1, 0)) == 0
    late = workload.with_jobs([*workload.jobs[:2], replace(workload.jobs[2], arrival=2.0, deadline=4.0)])
    assert bound_of_late_jobs(late, Cluster(9, 0)) == 1


def test_two_equal_jobs_stretch_one_another() -> None:
    workload = make_workload(*(make_job(f"J{i}", (4, 5.0)) for i in range(2)))
    alone = isolated_runtimes(workload, Cluster(4, 0))
    assert bound_of_stretch(workload, Cluster(4, 0), alone) == pytest.approx(2)
    assert bound_of_stretch(workload, Cluster(8, 0), alone) == 1
    assert bound_of_stretch(workload, Cluster(4, 0), 0 * alone) == 0


# ---- one machine, second by second


machine_job = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 3))


def all_machine_ends(jobs: list[tuple[int, int, int]]) -> list[dict[int, int]]:
    """The ends in all schedules of one machine that may change its job every second.

    A job is its work, its release and its weight.
    """
    found: list[dict[int, int]] = []

    def go_on(now: int, left: tuple[int, ...], ends: dict[int, int]) -> None:
        if not any(left):
            found.append(ends)
            return
        there = [j for j, work in enumerate(left) if work and jobs[j][1] <= now]
        if not there:
            go_on(now + 1, left, ends)
        for job in there:
            less = tuple(work - (j == job) for j, work in enumerate(left))
            go_on(now + 1, less, ends if less[job] else {**ends, job: now + 1})

    go_on(0, tuple(work for work, _, _ in jobs), {j: jobs[j][1] for j in range(len(jobs)) if jobs[j][0] == 0})
    return found


@examples(20)
@given(st.lists(machine_job, min_size=1, max_size=4))
def test_shortest_first_has_every_kth_end_first(jobs: list[tuple[int, int, int]]) -> None:
    work, release, weight = (np.array(each, float) for each in zip(*jobs, strict=True))
    if work.sum() > 9:
        work = np.minimum(work, 2)
        jobs = [(int(w), r, g) for w, (_, r, g) in zip(work, jobs, strict=True)]
    every = all_machine_ends(jobs)
    ends = np.sort(_shortest_first_ends(work, release))
    assert ends.tolist() == np.min([sorted(each.values()) for each in every], axis=0).tolist()
    least = min(sum(jobs[j][2] * end for j, end in each.items()) for each in every)
    busy = _mean_busy_times(work, release, weight)
    assert (weight * (busy + work / 2)).sum() <= least + 1e-9
    if not release.any():
        assert (weight * (busy + work / 2)).sum() == pytest.approx(least)


@examples(30)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 12)), max_size=6))
def test_as_few_late_jobs_as_any_choice(jobs: list[tuple[int, int]]) -> None:
    def is_in_time(chosen: tuple[int, ...]) -> bool:
        in_order = sorted(chosen, key=lambda j: jobs[j][1])
        done = np.cumsum([jobs[j][0] for j in in_order])
        return all(end <= jobs[j][1] for end, j in zip(done, in_order, strict=True))

    most = max(
        size
        for size in range(len(jobs) + 1)
        for chosen in combinations(range(len(jobs)), size)
        if is_in_time(chosen)
    )
    work, due = (np.array([job[i] for job in jobs], float) for i in (0, 1))
    assert _late_on_one_machine(work, due) == len(jobs) - most
