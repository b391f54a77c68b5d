"""What-ifs: more slots, shorter tasks, other partitions, no stragglers, no thinking of the driver.

Each is one change of the jobs or of the cluster by a number. They are simulated one by one and all together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.generate.scaling import scale_durations
from core.model.errors import InputError
from core.model.limits import MAX_SLOTS, MAX_TASKS, is_number
from core.model.many_jobs import tasks_of
from core.model.progress import never_stop, no_progress
from core.model.stages import Stage
from core.optimize.bounds import makespan_bound
from core.optimize.premise import premise_of
from core.study.draws import simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.job import Job
    from core.model.workload import Workload
    from core.optimize.premise import Premise

    Changed = tuple[Workload, Cluster]

MAX_FACTOR = 1000.0


@dataclass(frozen=True)
class WhatIfChange:
    """One thing that could be otherwise, by a number.

    Attributes
    ----------
    id, title, unit : its name on the command line, in tables, and the unit of the number, "×" for a factor
    meaning : a sentence
    first : the number tried unless another is given
    neutral : the number that changes nothing
    low, high : the smallest and the largest number
    concerns : whether a workload has what would change
    change : returns workload and cluster as they would be
    """

    id: str
    title: str
    unit: str
    meaning: str
    first: float
    neutral: float
    low: float
    high: float
    concerns: Callable[[Workload], bool]
    change: Callable[[Workload, Cluster, float], Changed]

    def text(self, value: float) -> str:
        """Return a number with its unit: "× 2", "95 %"."""
        return f"× {value:g}" if self.unit == "×" else f"{value:g} {self.unit}"


# ---- the cluster


def with_slots_times(cluster: Cluster, factor: float) -> Cluster:
    """Return a cluster with `factor` times the slots, rounded half up; of each kind that it has at least one.

    Nodes become more nodes. Slots that come and go become more slots, open at the same times.

    Examples
    --------
    >>> with_slots_times(Cluster(0, 0, containers=6), 1.5).containers
    9
    """
    entries = tuple(replace(each, slots=_times(each.slots, factor)) for each in cluster.slot_times)
    if cluster.has_nodes:
        nodes = tuple(replace(group, count=_times(group.count, factor)) for group in cluster.nodes)
        return replace(cluster, nodes=nodes)
    return replace(
        cluster,
        map_slots=_times(cluster.map_slots, factor),
        reduce_slots=_times(cluster.reduce_slots, factor),
        containers=_times(cluster.containers, factor),
        slot_times=entries,
    )


def _times(count: int, factor: float) -> int:
    return min(max(int(count * factor + 0.5), 1), MAX_SLOTS) if count else 0


# ---- the jobs


def with_partitions_times(workload: Workload, factor: float) -> Workload:
    """Return a workload whose stages have `factor` times the tasks, and as much work as before.

    A stage's tasks, one behind the other as they are numbered, are cut anew into equal parts of the row: with
    2 each task becomes two of half the length, with 0.5 two neighbours become one.

    Raises
    ------
    InputError
        a job scans a dataset, or there would be too many tasks
    """
    if scanning := next((job.name for job in workload.jobs if job.dataset is not None), None):
        raise InputError(
            f"job {scanning} has a map for each block of a dataset, so its tasks stay as they are"
        )
    if tasks_of(workload.jobs) * factor > MAX_TASKS:
        raise InputError(f"{factor:g} times the tasks are more than {MAX_TASKS}; give a smaller factor")
    return _with_stages(workload, lambda stage: _cut_anew(stage, _times_tasks(stage.count, factor)))


def _times_tasks(count: int, factor: float) -> int:
    return max(int(count * factor + 0.5), 1) if count else 0


def _cut_anew(stage: Stage, count: int) -> Stage:
    if count == stage.count:
        return stage
    times = (stage.task_durations, stage.task_first_shuffle, stage.task_typical_shuffle)
    return Stage.of(count, *(_shared_out(each, count) for each in times))


def _shared_out(seconds: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return so many tasks that share the work of others in the order of the row, s, (count,)."""
    done = np.concatenate([[0.0], np.cumsum(seconds)])
    borders = np.interp(np.linspace(0, len(seconds), count + 1), np.arange(len(done)), done)
    return np.diff(borders)


def without_stragglers(workload: Workload, percent: float) -> Workload:
    """Return a workload in which no task takes longer than a percentile of its stage; 100 changes nothing."""
    return _with_stages(workload, lambda stage: _capped(stage, percent))


def _capped(stage: Stage, percent: float) -> Stage:
    if stage.count < 2:
        return stage
    times = (stage.task_durations, stage.task_first_shuffle, stage.task_typical_shuffle)
    return Stage.of(stage.count, *(np.minimum(each, np.percentile(each, percent)) for each in times))


def with_thinking_times(workload: Workload, factor: float) -> Workload:
    """Return a workload in which `factor` times the think time passes before each job that follows others."""
    jobs = [
        replace(job, after=tuple(replace(link, think=link.think * factor) for link in job.after))
        for job in workload.jobs
    ]
    return workload.with_jobs(jobs)


def _with_stages(workload: Workload, change: Callable[[Stage], Stage]) -> Workload:
    jobs: list[Job] = [job.with_stages(tuple(change(stage) for stage in job.stages)) for job in workload.jobs]
    return workload.with_jobs(jobs)


def _longer(workload: Workload, factor: float) -> Workload:
    return replace(scale_durations(workload, factor, factor), recorded=workload.recorded)


WHAT_IFS: tuple[WhatIfChange, ...] = (
    WhatIfChange(
        "slots",
        "executors or slots",
        "×",
        "So many times the executors, nodes or slots.",
        2.0,
        1.0,
        1 / MAX_FACTOR,
        MAX_FACTOR,
        lambda workload: True,
        lambda workload, cluster, factor: (workload, with_slots_times(cluster, factor)),
    ),
    WhatIfChange(
        "task-times",
        "task times",
        "×",
        "Every task takes so many times as long: 0.8 on machines a quarter faster.",
        0.8,
        1.0,
        1 / MAX_FACTOR,
        MAX_FACTOR,
        lambda workload: True,
        lambda workload, cluster, factor: (_longer(workload, factor), cluster),
    ),
    WhatIfChange(
        "partitions",
        "partitions",
        "×",
        "Stages are cut into so many times the tasks, with the same work in all; 0.5 merges neighbours.",
        2.0,
        1.0,
        1 / MAX_FACTOR,
        MAX_FACTOR,
        lambda workload: all(job.dataset is None for job in workload.jobs),
        lambda workload, cluster, factor: (with_partitions_times(workload, factor), cluster),
    ),
    WhatIfChange(
        "skew",
        "longest tasks",
        "%",
        "No task takes longer than this percentile of its stage: 95 cuts the longest twentieth.",
        95.0,
        100.0,
        1.0,
        100.0,
        lambda workload: any(stage.count > 1 for job in workload.jobs for stage in job.stages),
        lambda workload, cluster, percent: (without_stragglers(workload, percent), cluster),
    ),
    WhatIfChange(
        "think",
        "think time",
        "×",
        "The driver thinks so many times as long between jobs; 0 takes the think times away.",
        0.0,
        1.0,
        0.0,
        MAX_FACTOR,
        lambda workload: any(link.think for job in workload.jobs for link in job.after),
        lambda workload, cluster, factor: (with_thinking_times(workload, factor), cluster),
    ),
)
"""All that can be asked, in the order of tables."""
BY_ID = {each.id: each for each in WHAT_IFS}


# ---- simulated


@dataclass(frozen=True)
class WhatIfRun:
    """What came of one change, or of all.

    Attributes
    ----------
    title, value : what was changed, and to what, in words; the title is empty for the scenario as it is
    makespan, bound : how long it takes, and what no schedule that keeps the premise is shorter than, s
    premise : of which schedules the bound speaks
    workload, cluster : what was run
    """

    title: str
    value: str
    makespan: float
    bound: float
    premise: Premise
    workload: Workload
    cluster: Cluster


def first_values(workload: Workload) -> dict[str, float]:
    """Return the numbers to be tried first, by the ids of what concerns a workload."""
    return {each.id: each.first for each in WHAT_IFS if each.concerns(workload)}


def changed(workload: Workload, cluster: Cluster, values: Mapping[str, float]) -> Changed:
    """Return jobs and cluster with all these changes, made in the order of `WHAT_IFS`.

    Raises
    ------
    InputError
        an id that there is not, or a number out of range
    """
    for name, value in values.items():
        if name not in BY_ID:
            raise InputError(f"there is no what-if '{name}'; choose among {', '.join(BY_ID)}")
        each = BY_ID[name]
        if not is_number(value, each.low, each.high):
            raise InputError(f"{name} is {value:g}; give a number from {each.low:g} to {each.high:g}")
    for each in WHAT_IFS:
        if (value := values.get(each.id, each.neutral)) != each.neutral:
            workload, cluster = each.change(workload, cluster, value)
    return workload, cluster


def what_ifs(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    values: Mapping[str, float],
    *,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Sequence[WhatIfRun]:
    """Simulate a scenario as it is, with each change alone, and with all of them if there are several.

    Parameters
    ----------
    scenario : whose policy decides
    values : numbers by the ids of `WHAT_IFS`; numbers that change nothing are left out
    progress : called with the fraction of the simulations done

    Raises
    ------
    InputError
        a number is out of range, or the scenario cannot be run so
    Cancelled
        `should_stop` said so
    """
    changed(workload, cluster, values)  # refuses what is wrong before anything is simulated
    alone = [each for each in WHAT_IFS if values.get(each.id, each.neutral) != each.neutral]
    wanted: list[tuple[str, str, Mapping[str, float]]] = [("", "", {})]
    wanted += [(each.title, each.text(values[each.id]), {each.id: values[each.id]}) for each in alone]
    if len(alone) > 1:
        wanted.append(("all together", "", values))
    found = []
    for number, (title, text, given) in enumerate(wanted):
        jobs, on = changed(workload, cluster, given)
        schedule = simulated(jobs, on, scenario, should_stop=should_stop)
        premise = premise_of(schedule)
        bound = makespan_bound(jobs, on, premise).seconds
        found.append(WhatIfRun(title, text, schedule.makespan, bound, premise, jobs, on))
        progress((number + 1) / len(wanted))
    return found
