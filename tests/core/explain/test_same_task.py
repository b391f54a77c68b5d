from __future__ import annotations

import pytest

from core.explain.same_task import same_task
from core.model.cluster import Cluster
from tests.builders import make_job, make_workload, run

FOUR, TWO = make_job("A", (4, 3.0), (1, 2.0)), make_job("B", (2, 5.0), (3, 1.0))
CLUSTER = Cluster(2, 2)


def named(schedule, task):
    """Return the job of a task and how many tasks of that job come before it, counted one by one."""
    jobs = [schedule.workload.jobs[job].name for job in schedule.workload.columns.job.tolist()]
    return jobs[task], jobs[:task].count(jobs[task])


def test_a_task_keeps_its_job_and_its_number_there():
    one, other = (run(make_workload(*jobs), CLUSTER, "fifo") for jobs in ((FOUR, TWO), (TWO, FOUR)))
    found = [same_task(one, task, other) for task in range(one.tasks)]
    assert [named(other, task) for task in found] == [named(one, task) for task in range(one.tasks)]
    assert sorted(task for task in found if task is not None) == list(range(other.tasks))


@pytest.mark.parametrize("jobs", [(FOUR,), (FOUR, make_job("B", (3, 5.0), (3, 1.0)))])
def test_there_is_none_where_the_job_is_missing_or_has_other_stages(jobs):
    one, other = run(make_workload(FOUR, TWO), CLUSTER, "fifo"), run(make_workload(*jobs), CLUSTER, "fifo")
    last = one.tasks - 1
    assert named(one, last)[0] == "B"
    assert same_task(one, last, other) is None
    assert same_task(one, 0, other) == 0
