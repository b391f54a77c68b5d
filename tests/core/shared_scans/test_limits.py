"""Minima and maxima, task by task: at every instant at which somebody gets a slot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.schedule import PolicyChoice, Schedule
from core.model.task_types import MAP
from core.model.workload import Workload
from core.shared_scans.shared_schedule import sharing_jobs
from core.shared_scans.windows import SCAN_POLICIES
from core.simulation.simulate import simulate
from tests.random_tests import examples

if TYPE_CHECKING:
    from numpy.typing import NDArray


@st.composite
def limited(draw: st.DrawFn) -> Workload:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    datasets = tuple(Dataset(f"d{d}", int(random.integers(5, 60)), 1.0) for d in range(3))
    jobs = []
    for i in range(draw(st.integers(2, 7))):
        dataset = datasets[random.integers(3)]
        most = int(random.integers(1, 12)) if random.random() < 0.6 else None
        least = int(random.integers(0, min(most or 4, 4) + 1))
        arrival = float(np.round(random.uniform(0, 12), 1))
        job = Job(f"J{i}", scan_stage(dataset), arrival=arrival, dataset=dataset.name)
        jobs.append(replace(job, min_slots=least, max_slots=most))
    return Workload("w", tuple(jobs), datasets=datasets)


def limits(schedule: Schedule, served: tuple[int, ...]) -> tuple[int, int]:
    """Return the least and the most slots of jobs that ride together (003 A.1)."""
    jobs = [schedule.given.jobs[j] for j in served]
    least = max(job.min_slots for job in jobs)
    return least, max(least, min(job.max_slots or 10**9 for job in jobs))


def running(schedule: Schedule, time: float) -> NDArray[np.int64]:
    """Return how many maps of each job run just after an instant, (jobs,)."""
    columns = schedule.workload.columns
    now = (schedule.start <= time) & (schedule.end > time) & (columns.kind == MAP)
    return np.bincount(columns.job[now], minlength=len(schedule.workload.jobs))


def next_map(schedule: Schedule, job: int, time: float) -> int:
    """Return the first map of a job that starts later, -1 if there is none."""
    columns = schedule.workload.columns
    first, count = columns.first[job, MAP], columns.count[job, MAP]
    later = np.flatnonzero(schedule.start[first : first + count] > time)
    return int(first + later[0]) if len(later) else -1


def may_run(schedule: Schedule, job: int, time: float) -> bool:
    """Whether a job has boarded and nobody before it on its dataset still scans."""
    sharing = schedule.sharing
    assert sharing is not None
    if sharing.boards[job] > time:
        return False
    older = (sharing.place < sharing.place[job]) & (sharing.group == sharing.group[job])
    return bool(np.all(schedule.stage_end[older] <= time))


def on_board(schedule: Schedule, job: int, time: float) -> tuple[int, ...]:
    """Return the jobs that a map of this job would serve now."""
    sharing = schedule.sharing
    assert sharing is not None
    later = (sharing.place > sharing.place[job]) & (sharing.boards <= time)
    return (job, *np.flatnonzero(later & (sharing.group == sharing.group[job])).tolist())


@examples(30)
@given(limited(), st.sampled_from(SCAN_POLICIES), st.sampled_from(["average-response", "makespan"]))
def test_whoever_gets_a_slot_stays_within_its_maximum_and_lets_minima_go_first(
    workload: Workload, policy: str, metric: str
) -> None:
    choice = PolicyChoice(policy, {"metric": metric} | ({"window": 5.0} if policy == "batch" else {}))
    schedule = simulate(workload, Cluster(10, 0), choice, engine="interpreted")
    columns = schedule.workload.columns
    for time in np.unique(schedule.start).tolist():
        held = running(schedule, time)
        started = np.flatnonzero((schedule.start == time) & (schedule.end > time))
        greedy = False
        for task in started.tolist():
            least, most = limits(schedule, sharing_jobs(schedule, task))
            assert held[columns.job[task]] <= most
            greedy |= bool(held[columns.job[task]] > least)
        if greedy:
            for job in range(len(workload.jobs)):
                if next_map(schedule, job, time) >= 0 and may_run(schedule, job, time):
                    least, _ = limits(schedule, on_board(schedule, job, time))
                    assert held[job] >= least, "somebody got more than its minimum before others had theirs"
