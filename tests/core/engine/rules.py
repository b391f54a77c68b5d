"""The rules that every schedule keeps, each as a function that returns what breaks it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.measures.metrics import bound_of
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule


def every_task_runs_once(schedule: Schedule) -> list[str]:
    wrong = []
    if not np.array_equal(np.sort(schedule.sequence), np.arange(schedule.tasks)):
        wrong.append(f"started: {schedule.sequence.tolist()}")
    times = np.stack([schedule.start, schedule.shuffled, schedule.end], axis=1)
    ascend = np.isfinite(times).all(axis=1) & (times[:, 0] <= times[:, 1]) & (times[:, 1] <= times[:, 2])
    wrong += [f"task {task} has the times {times[task]}" for task in np.flatnonzero(~ascend)]
    there = (schedule.slot >= 0) & (schedule.slot < schedule.cluster.slots)
    return wrong + [f"task {task} is on slot {schedule.slot[task]}" for task in np.flatnonzero(~there)]


def slots_run_their_own_kind(schedule: Schedule) -> list[str]:
    """Unless the policy lends them."""
    if schedule.cluster.has_containers or schedule.lends:
        return []
    on_reduce_slot = schedule.slot >= schedule.cluster.typed_slots[MAP]
    wrong = np.flatnonzero(on_reduce_slot != (schedule.workload.columns.kind == REDUCE))
    return [f"task {task} is on a slot of the other kind" for task in wrong]


def one_task_per_slot(schedule: Schedule) -> list[str]:
    """In the order in which they started, the tasks of a slot do not overlap."""
    tasks = schedule.sequence[np.argsort(schedule.slot[schedule.sequence], kind="stable")]
    earlier, later = tasks[:-1], tasks[1:]
    overlaps = schedule.start[later] < schedule.end[earlier]
    overlaps &= schedule.slot[later] == schedule.slot[earlier]
    return [
        f"slot {schedule.slot[later[i]]} starts task {later[i]} before {earlier[i]} ends"
        for i in np.flatnonzero(overlaps)
    ]


def slots_take_tasks_while_they_are_open(schedule: Schedule) -> list[str]:
    """From their opening on, and no longer from their close on."""
    opens, closes = (times[schedule.slot] for times in schedule.cluster.slot_intervals)
    wrong = np.flatnonzero((schedule.start < opens) | (schedule.start >= closes))
    return [f"task {task} starts while slot {schedule.slot[task]} is closed" for task in wrong]


def nothing_starts_before_its_arrival(schedule: Schedule) -> list[str]:
    early = np.flatnonzero(schedule.start < schedule.arrival[schedule.workload.columns.job])
    return [f"task {task} starts before its job arrives" for task in early]


def jobs_arrive_when_those_that_they_follow_have_ended(schedule: Schedule) -> list[str]:
    wrong = []
    for j, job in enumerate(schedule.workload.jobs):
        ends = [float(schedule.finish[schedule.workload.job_index[link.job]]) for link in job.after]
        times = [end + link.think for end, link in zip(ends, job.after, strict=True)]
        if schedule.arrival[j] != max([job.arrival, *times]):
            wrong.append(f"{job.name} arrives at {schedule.arrival[j]}")
    return wrong


def stages_end_with_their_last_task(schedule: Schedule) -> list[str]:
    """The job ends with the last of them, and knows when the last one ended that another one waits for."""
    wrong, stages = [], schedule.workload.columns.stages
    ends, is_awaited = stage_times(schedule)[1], stages.has_children
    for j, job in enumerate(schedule.workload.jobs):
        mine = slice(*stages.begin[j : j + 2])
        stage_end = ends[mine][is_awaited[mine]].max(initial=-math.inf)
        if schedule.stage_end[j] != (stage_end if is_awaited[mine].any() else math.inf):
            wrong.append(f"{job.name}: map stage ends at {schedule.stage_end[j]}, not {stage_end}")
        if schedule.finish[j] != ends[mine].max():
            wrong.append(f"{job.name} departs at {schedule.finish[j]}")
    return wrong


def stage_times(schedule: Schedule) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when all had ended that each stage waits for, and when it ended itself, (stages,) each."""
    stages = schedule.workload.columns.stages
    released = schedule.arrival[stages.job].copy()
    ends = released.copy()
    edges = np.searchsorted(stages.child, np.arange(len(ends) + 1)).tolist()
    for stage in range(len(ends)):  # those that it waits for have lower numbers
        parents = stages.parent[edges[stage] : edges[stage + 1]]
        released[stage] = max([released[stage], *ends[parents]])
        ends[stage] = schedule.end[tasks_of_stage(schedule, stage)].max(initial=released[stage])
    return released, ends


def shuffles_end_after_the_stages_that_are_read(schedule: Schedule) -> list[str]:
    early = schedule.shuffled < stage_times(schedule)[0][schedule.workload.columns.stage]
    return [f"task {task} has shuffled before what it reads has ended" for task in np.flatnonzero(early)]


def stages_wait_for_slowstart(schedule: Schedule) -> list[str]:
    early = schedule.start < stages_allowed(schedule)[schedule.workload.columns.stage]
    return [f"task {task} starts at {schedule.start[task]}, too early" for task in np.flatnonzero(early)]


def time_is_spent_as_the_model_says(schedule: Schedule) -> list[str]:
    """A task takes its duration, a reduce before that its shuffle, and nothing else.

    A map that shares its node takes as long as it needs at the speeds that the contention leaves it.
    """
    expected = _shuffle_ends(schedule)
    wrong = [
        f"task {task} has shuffled at {schedule.shuffled[task]}, not at {expected[task]}"
        for task in np.flatnonzero(schedule.shuffled != expected)
    ]
    longer = schedule.end != schedule.shuffled + schedule.workload.columns.duration
    if schedule.cluster.contention:
        is_map = schedule.workload.columns.kind == MAP
        longer[is_map] = ~np.isclose(work_done(schedule)[is_map], schedule.workload.columns.duration[is_map])
    return wrong + [f"task {task} ends at {schedule.end[task]}" for task in np.flatnonzero(longer)]


def work_done(schedule: Schedule) -> NDArray[np.float64]:
    """Return the integral of the speed of every map over its time: between any two events it is constant."""
    speeds, columns = schedule.cluster.contention, schedule.workload.columns
    node = np.array([schedule.cluster.node_of(int(slot)) for slot in schedule.slot])
    work = np.zeros(schedule.tasks)
    for begin, end in pairwise(np.unique([schedule.start, schedule.end])):
        shown = (schedule.start <= begin) & (end <= schedule.end)
        runs = shown & (columns.kind == MAP)
        for task in np.flatnonzero(runs):
            beside = (runs & (node == node[task])).sum()
            reduces = shown & (columns.kind != MAP) & (node == node[task])
            load = beside + schedule.cluster.reduce_load * reduces.sum()
            work[task] += (end - begin) * np.interp(load, range(1, len(speeds) + 1), speeds)
    return work


def _shuffle_ends(schedule: Schedule) -> NDArray[np.float64]:
    """When each task has shuffled, (tasks,); one that starts just as what it reads has ended is no filler."""
    columns, model = schedule.workload.columns, schedule.cluster.shuffle_model
    start, released = schedule.start, stage_times(schedule)[0][columns.stage]
    if model == "mumak":
        late = filler = np.maximum(start, released)
    else:
        late = start + columns.typical_shuffle
        filler = released + columns.first_shuffle
    if model == "overlap":
        filler = np.maximum(filler, late)
    reads = columns.stages.has_parents[columns.stage]
    return np.where(~reads, start, np.where(start < released, filler, late))


def no_slot_idles_while_a_task_could_start(schedule: Schedule) -> list[str]:
    """Whenever nothing happens for a while, either the slots or the startable tasks are used up."""
    opens, closes = schedule.cluster.slot_intervals
    edges = {*schedule.arrival, *schedule.start, *schedule.end, *opens, *closes[np.isfinite(closes)]}
    wrong, allowed = [], stages_allowed(schedule)[schedule.workload.columns.stage]
    for time, later in pairwise(sorted(edges)):
        middle = (time + later) / 2
        idle = set(np.flatnonzero((opens <= middle) & (middle < closes)).tolist())
        idle -= {
            int(schedule.slot[task])
            for task in range(schedule.tasks)
            if schedule.start[task] < middle < schedule.end[task]
        }
        for task in range(schedule.tasks):
            if not allowed[task] <= time < schedule.start[task]:
                continue
            kind = int(schedule.workload.columns.kind[task])
            if idle & _slots_for(schedule, task) & _slots_with_room(schedule, kind, middle):
                wrong.append(f"task {task} waits from {time} to {later} beside idle slots {idle}")
    return wrong


def _slots_for(schedule: Schedule, task: int) -> set[int]:
    cluster = schedule.cluster
    if cluster.has_containers or schedule.lends:
        return set(range(cluster.slots))
    if schedule.workload.columns.kind[task] == MAP:
        return set(range(cluster.typed_slots[MAP]))
    return set(range(cluster.typed_slots[MAP], cluster.slots))


def _slots_with_room(schedule: Schedule, kind: int, time: float) -> set[int]:
    """All slots but those of nodes that have too little left for a task of this kind."""
    cluster = schedule.cluster
    if not cluster.has_nodes:
        return set(range(cluster.slots))
    asked = _requests(cluster)[kind]
    slots: set[int] = set()
    for node, total in enumerate(_totals(cluster)):
        left = [have - used for have, used in zip(total, _used(schedule, node, time), strict=True)]
        if all(have >= need for have, need in zip(left, asked, strict=True)):
            slots |= {slot for slot in range(cluster.slots) if cluster.node_of(slot) == node}
    return slots


def no_node_gives_more_than_it_has(schedule: Schedule) -> list[str]:
    """At no instant do the tasks on a node use more memory or cores than it has."""
    wrong = []
    for node, total in enumerate(_totals(schedule.cluster)):
        for time in {float(start) for start in schedule.start}:
            used = _used(schedule, node, time)
            if any(u > have for u, have in zip(used, total, strict=True)):
                wrong.append(f"node {node} of {total} gives {used} at {time}")
    return wrong


def _totals(cluster: Cluster) -> list[tuple[int, int]]:
    return [(group.memory_mb, group.cores) for group in cluster.nodes for _ in range(group.count)]


def _requests(cluster: Cluster) -> list[tuple[int, int]]:
    return [(r.memory_mb, r.cores) for r in (cluster.map_request, cluster.reduce_request)]


def _used(schedule: Schedule, node: int, time: float) -> tuple[int, int]:
    """Return memory and cores of the tasks that run on a node at a time."""
    cluster, kinds = schedule.cluster, schedule.workload.columns.kind
    running = [
        _requests(cluster)[kinds[task]]
        for task in range(schedule.tasks)
        if schedule.start[task] <= time < schedule.end[task]
        and cluster.node_of(int(schedule.slot[task])) == node
    ]
    return sum(memory for memory, _ in running), sum(cores for _, cores in running)


def no_schedule_beats_the_lower_bound(schedule: Schedule) -> list[str]:
    bound = bound_of(schedule)
    short = schedule.makespan < bound * (1 - 1e-12)
    return [f"makespan {schedule.makespan} is below the bound {bound}"] if short else []


def tasks_of_stage(schedule: Schedule, stage: int) -> slice:
    """Return where the columns of tasks have those of one stage."""
    stages = schedule.workload.columns.stages
    return slice(int(stages.first[stage]), int(stages.first[stage] + stages.count[stage]))


def tasks_of(schedule: Schedule, job: int, kind: int) -> range:
    """Return the maps, or the reduces, of a MapReduce job."""
    tasks = tasks_of_stage(schedule, int(schedule.workload.columns.stages.begin[job]) + kind)
    return range(tasks.start, tasks.stop)


def reduces_allowed(schedule: Schedule, job: int) -> float:
    """Return when a MapReduce job's maps let its reduces start."""
    reduces = int(schedule.workload.columns.stages.begin[job]) + REDUCE
    return float(stages_allowed(schedule)[reduces])


def stages_allowed(schedule: Schedule) -> NDArray[np.float64]:
    """Return when its parents let each stage start, (stages,); a fork lets those go on that have begun."""
    stages = schedule.workload.columns.stages
    allowed = schedule.arrival[stages.job].copy()
    for edge, (parent, child) in enumerate(zip(stages.parent, stages.child, strict=True)):
        ends = schedule.end[tasks_of_stage(schedule, parent)]
        part = stages.slowstart[edge]
        part = schedule.cluster.slowstart if np.isnan(part) else part
        needed = math.ceil(Fraction(str(float(part))) * len(ends))
        needed = _planned(schedule, child, needed, len(ends))
        allowed[child] = max(allowed[child], np.sort(ends)[needed - 1] if needed else 0.0)
    return allowed


def _planned(schedule: Schedule, child: int, needed: int, maps: int) -> int:
    """Return how many maps a job's reduces wait for by the plan, else as many as are needed."""
    fork, plan = schedule.fork, schedule.plan
    if fork is not None and (schedule.start[tasks_of_stage(schedule, child)] <= fork.time).any():
        plan = fork.plan
    name = schedule.workload.jobs[schedule.workload.columns.stages.job[child]].name
    after = plan.of(name).reduces_after if plan is not None and name in plan.known else None
    return needed if after is None else min(after, maps)


def stages_wait_as_their_edges_say(schedule: Schedule) -> list[str]:
    """Of a graph: no task starts before so many tasks of each stage that its own one waits for have ended."""
    stages, late = schedule.workload.columns.stages, []
    for parent, child, slowstart in zip(stages.parent, stages.child, stages.slowstart, strict=True):
        ends, starts = (
            column[stages.first[stage] : stages.first[stage] + stages.count[stage]]
            for column, stage in ((schedule.end, parent), (schedule.start, child))
        )
        share = schedule.cluster.slowstart if np.isnan(slowstart) else slowstart
        needed = math.ceil(Fraction(str(share)) * len(ends))
        if needed and len(starts) and starts.min() < np.sort(ends)[needed - 1]:
            late.append(f"a task of stage {child} starts before {needed} of stage {parent} have ended")
    return late


RULES: tuple[Callable[[Schedule], list[str]], ...] = (
    every_task_runs_once,
    slots_run_their_own_kind,
    one_task_per_slot,
    slots_take_tasks_while_they_are_open,
    nothing_starts_before_its_arrival,
    jobs_arrive_when_those_that_they_follow_have_ended,
    stages_end_with_their_last_task,
    shuffles_end_after_the_stages_that_are_read,
    stages_wait_for_slowstart,
    time_is_spent_as_the_model_says,
    no_slot_idles_while_a_task_could_start,
    no_node_gives_more_than_it_has,
    no_schedule_beats_the_lower_bound,
)
OF_GRAPHS = (
    every_task_runs_once,
    slots_run_their_own_kind,
    one_task_per_slot,
    slots_take_tasks_while_they_are_open,
    nothing_starts_before_its_arrival,
    jobs_arrive_when_those_that_they_follow_have_ended,
    stages_wait_as_their_edges_say,
    no_node_gives_more_than_it_has,
    no_schedule_beats_the_lower_bound,
)
"""The rules of jobs that are more than maps and reduces."""
