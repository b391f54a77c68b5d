"""Which task of a workload a second copy that is killed is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.killed_copies import KilledCopy
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.workload import Workload


def killed_tasks(killed: Sequence[KilledCopy], workload: Workload) -> list[tuple[float, int]]:
    """Return when the second copy of which task is killed, by number; by time, of tasks that are there."""
    stages, index = workload.columns.stages, workload.job_index
    found = []
    for each in killed:
        job = index.get(each.job, -1)
        if job < 0 or each.stage >= len(workload.jobs[job].stages):
            continue
        stage = int(stages.begin[job]) + each.stage
        if each.task < int(stages.count[stage]):
            found.append((each.time, int(stages.first[stage]) + each.task))
    return sorted(found)


def killed_copy(workload: Workload, task: int, time: float) -> KilledCopy:
    """Return that the second copy of a task, by its number in the workload, is killed at a time."""
    columns = workload.columns
    stage = int(columns.stage[task])
    job = workload.jobs[int(columns.job[task])].name
    return KilledCopy(time, job, int(columns.stages.number[stage]), task - int(columns.stages.first[stage]))


def copied_task(workload: Workload, killed: KilledCopy) -> str:
    """Name the task of a copy: "map 5 of J3", of a job with other stages "task 2 of stage 4 of J7"."""
    graph = workload.jobs[workload.job_index[killed.job]].graph
    if graph == MAP_REDUCE:
        return f"{KIND_WORDS[killed.stage]} {killed.task + 1} of {killed.job}"
    return f"task {killed.task + 1} of {graph.name(killed.stage)} of {killed.job}"
