"""Idle slots over time, and why: the policy declines, no task is ready, none has arrived, or none is left.

Counted are the slots of a type (of a pool's own, where there are such; all containers together) that run
nothing. At every time each idle slot stands beside one task that could have used it, in this order:

- a task that is ready (the job has arrived and, for reduces, slowstart is reached): the policy, or the
  cluster's own work, keeps the slot empty; a work-conserving policy does not;
- a task that is not ready, of a job that has arrived;
- a task of a job to come;
- none.

So the slot-seconds of the causes add up to all that is idle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.explanation_words import (
    amount,
    count,
    listed,
    place_noun,
    stage_name,
    task_name,
    task_word,
)
from core.explain.lints.finding import NO_JOB, NO_SLOT, Finding, Limits, Rule, most_costly
from core.explain.slots import occupancies_of, stages_of
from core.explain.start_cause import NO_TASK, stage_ready, tasks_needed
from core.explain.task_reason import came_after, served_between
from core.model.event_nodes import down_spans
from core.model.lost_attempts import eras_of
from core.model.stages import MAP_REDUCE
from core.model.task_types import TASK_TYPES
from core.model.time_text import duration_text, exact_clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.explain.slots import Occupancy, SlotGroup
    from core.model.schedule import Schedule


class IdleCause(Enum):
    """Why a slot runs nothing; the value is its name in the window."""

    DECLINED = "the policy declines"
    """A task is ready, and the policy gives it no slot: a quota, a lazy start, a batching window."""
    OVERHEAD = "cluster overhead"
    """A task is ready, and the cluster has work of its own (`core.model.cluster`) or the policy declines."""
    NOT_READY = "no task is ready"
    """Only reduces are left, of jobs too few of whose maps are complete."""
    NOT_ARRIVED = "no job has arrived"
    """All tasks left are of jobs that arrive later."""
    NONE_LEFT = "no task is left"
    """Every task has started."""


@dataclass(frozen=True)
class IdleInterval:
    """An unbroken span of time in which slots idle for one cause.

    Attributes
    ----------
    group : the slots among which some idle
    cause : why
    begin, end : seconds
    cost : how much idles for this cause, slot-seconds
    """

    group: SlotGroup
    cause: IdleCause
    begin: float
    end: float
    cost: float


@dataclass(frozen=True)
class IdleTime:
    """How long the slots of a kind idle on average over a schedule.

    Attributes
    ----------
    kind : type of the slots; containers have the first of `core.model.stages.TASK_TYPES`
    seconds : idle slot-seconds divided by slots, per cause, all causes that occur in their order
    """

    kind: int
    seconds: dict[IdleCause, float]

    @property
    def total(self) -> float:
        """Seconds that a slot idles on average."""
        return sum(self.seconds.values())


def idle_intervals(
    schedule: Schedule, occupancies: Iterable[Occupancy], limits: Limits
) -> list[IdleInterval]:
    """Return the spans in which slots idle, group by group, cause by cause, in the order of time.

    Spans of different causes overlap where several slots idle: their costs add up to all that is idle.

    Parameters
    ----------
    schedule : complete
    occupancies : of all groups of slots, as `occupancies_of` gives them
    limits : `least_share` is used
    """
    least = limits.least_share * schedule.makespan
    return [
        IdleInterval(occupied.group, cause, begin, end, cost)
        for occupied in occupancies
        for cause, idle in _idle(schedule, occupied)
        for cost, begin, end in _spans(occupied, idle, least)
    ]


def idle_times(schedule: Schedule) -> tuple[IdleTime, ...]:
    """Return how long slots idle on average, for maps and for reduces; nothing on nodes, which have no slots.

    Example: 30 reduce slots that all idle from 46 s to 74 s idle 28 s.

    Raises
    ------
    InputError
        a log recorded the schedule: its cluster and policy are not known
    """
    if schedule.cluster.has_nodes:
        return ()
    slots = [0, 0]
    spent: list[dict[IdleCause, float]] = [{}, {}]
    for occupied in occupancies_of(schedule):
        kind = occupied.group.kinds[0]
        slots[kind] += len(occupied.group.slots)
        for cause, idle in _idle(schedule, occupied):
            seconds = float(np.dot(idle, occupied.lengths))
            if seconds > 0:
                spent[kind][cause] = spent[kind].get(cause, 0.0) + seconds
    return tuple(
        IdleTime(kind, {cause: seconds / slots[kind] for cause, seconds in spent[kind].items()})
        for kind in TASK_TYPES
        if slots[kind]
    )


class IdleGap(NamedTuple):
    """A slot between two tasks, or from time 0 on, or up to the makespan.

    Attributes
    ----------
    begin, end : seconds
    before, after : the two tasks, NO_TASK where there is none
    """

    begin: float
    end: float
    before: int
    after: int


def idle_gap(schedule: Schedule, slot: int, time: float) -> IdleGap | None:
    """Return the gap around a time, in s, in which a slot idles.

    None where it runs a task, or one that comes to nothing, and where it is closed or its node has failed.
    """
    opens, closes = (float(times[slot]) for times in schedule.cluster.slot_intervals)
    if not max(opens, 0.0) <= time < min(closes, schedule.makespan):
        return None
    tasks, starts, ends = _held_by(schedule, slot)
    away = down_spans(schedule.cluster)
    begin, end = (
        np.concatenate([held, gone[away.slot == slot]])
        for held, gone in ((starts, away.begin), (ends, away.end))
    )
    if ((begin <= time) & (time < end)).any():
        return None
    earlier, later = np.flatnonzero(ends <= time), np.flatnonzero(starts > time)
    return IdleGap(
        float(end[end <= time].max(initial=opens)),
        float(begin[begin > time].min(initial=min(schedule.makespan, closes))),
        int(tasks[earlier[np.argmax(ends[earlier])]]) if len(earlier) else NO_TASK,
        int(tasks[later[np.argmin(starts[later])]]) if len(later) else NO_TASK,
    )


def _held_by(
    schedule: Schedule, slot: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the tasks that held a slot, from when on and until when; what came to nothing among them."""
    tasks, lost = np.flatnonzero(schedule.slot == slot), schedule.given_up
    starts, ends = schedule.start[tasks], schedule.end[tasks]
    if lost is None or lost.given_up is None:
        return tasks, starts, ends
    mine, (begin, end) = lost.extras_of(slot), lost.extra_times
    return (
        np.concatenate([tasks, lost.given_up.task[mine]]),
        np.concatenate([starts, begin[mine]]),
        np.concatenate([ends, end[mine]]),
    )


def idle_reasons(schedule: Schedule, slot: int, begin: float, end: float) -> list[IdleInterval]:
    """Return why slots like this one idle in a span of time, the causes that cost most in it first.

    Parameters
    ----------
    schedule : complete
    slot : its number
    begin, end : seconds, as of `idle_gap`
    """
    own = (each for each in occupancies_of(schedule) if slot in each.group.slots)
    inside = [
        replace(each, begin=max(begin, each.begin), end=min(end, each.end))
        for each in idle_intervals(schedule, own, Limits(least_share=0.0))
        if each.begin < end and each.end > begin
    ]
    return sorted(inside, key=lambda each: (each.begin, each.begin - each.end))


def _idle(schedule: Schedule, occupied: Occupancy) -> Iterator[tuple[IdleCause, NDArray[np.int64]]]:
    """Yield how many slots idle for each cause, (steps,)."""
    declined = IdleCause.DECLINED if schedule.cluster.overheads is None else IdleCause.OVERHEAD
    rest = occupied.free
    tasks = (
        (declined, occupied.waiting),
        (IdleCause.NOT_READY, occupied.arrived - occupied.waiting),
        (IdleCause.NOT_ARRIVED, occupied.left - occupied.arrived),
    )
    for cause, wanting in tasks:
        idle = np.minimum(rest, wanting)
        rest = rest - idle
        yield cause, idle
    yield IdleCause.NONE_LEFT, rest


def _spans(occupied: Occupancy, idle: NDArray[np.int64], least: float) -> list[tuple[float, float, float]]:
    """Return cost, begin and end of each unbroken span that costs enough."""
    cost = np.concatenate([[0.0], np.cumsum(np.where(idle > 0, idle * occupied.lengths, 0.0))])
    edges = np.flatnonzero(np.diff(idle > 0, prepend=False, append=False))
    begins, ends = edges[::2], np.minimum(edges[1::2], len(idle) - 1)
    seconds = cost[ends] - cost[begins]
    return [
        (float(seconds[i]), float(occupied.times[begins[i]]), float(occupied.times[ends[i]]))
        for i in np.flatnonzero((seconds >= least) & (seconds > 0))
    ]


# ---- in words


def idle_sentence(schedule: Schedule, times: Sequence[IdleTime]) -> str:
    """Sum up how long slots idle: "Of 74 s a reduce slot idles 28 s on average (no task is ready)."."""
    parts = []
    for idle in times:
        causes = sorted(idle.seconds.items(), key=lambda item: -item[1])
        many = len(causes) > 1
        whys = [f"{cause.value} {duration_text(spent)}" if many else cause.value for cause, spent in causes]
        why = f" ({', '.join(whys)})" if whys else ""
        parts.append(f"a {place_noun(idle.kind, schedule.cluster)} idles {duration_text(idle.total)}{why}")
    return f"Of {duration_text(schedule.makespan)} {' and '.join(parts)}, on average." if parts else ""


class IdleReason(NamedTuple):
    """Why slots idle: the job whose task comes next, or NO_JOB, the kind of that task, and the sentence."""

    job: int
    kind: int
    sentence: str


def idle_reason(schedule: Schedule, ready: NDArray[np.float64], interval: IdleInterval) -> IdleReason:
    """Return why slots idle.

    Parameters
    ----------
    schedule : complete
    ready : as of `core.explain.start_cause.ready_times`
    interval : of the same schedule
    """
    stages = schedule.workload.columns.stages
    span = f"{exact_clock(interval.begin)} to {exact_clock(interval.end)}"
    idle = f"From {span} {_places(schedule, interval.group)} idle"
    if interval.cause is IdleCause.NONE_LEFT:
        return IdleReason(NO_JOB, interval.group.kinds[0], f"{idle}: {_none_left(schedule, interval)}.")
    if interval.cause is IdleCause.NOT_ARRIVED:
        stage = _next_stage(schedule, interval.group, schedule.arrival[stages.job], interval.begin)
        job, kind = int(stages.job[stage]), int(stages.task_type[stage])
        tasks = "task" if len(interval.group.kinds) > 1 else task_word(schedule.workload, kind)
        name, arrival = schedule.workload.jobs[job].name, exact_clock(float(schedule.arrival[job]))
        comes = f"{name} arrives at {arrival}{came_after(schedule, job)}"
        because = f"no job that has arrived has a {tasks} left for them; {comes}"
        return IdleReason(job, kind, f"{idle}: {because}.")
    if interval.cause is IdleCause.NOT_READY:
        since = np.where(stages.has_parents, ready, -np.inf)  # the others are ready when their jobs arrive
        stage = _next_stage(schedule, interval.group, since, interval.begin)
        why = _not_ready(schedule, stage, float(ready[stage]))
        return IdleReason(int(stages.job[stage]), int(stages.task_type[stage]), f"{idle}: {why}")
    job, kind = _job_waiting(schedule, interval.group, ready, interval.begin)
    whose = f"although tasks could run, first of all {schedule.workload.jobs[job].name}'s"
    if interval.cause is IdleCause.OVERHEAD:
        whose += "; the cluster launches and cleans up, or the policy declines"
    return IdleReason(job, kind, f"{idle} {whose}.")


def _places(schedule: Schedule, group: SlotGroup) -> str:
    if schedule.cluster.has_nodes:
        return f"places for {task_word(schedule.workload, group.kinds[0])}s"
    places = f"{place_noun(group.kinds[0], schedule.cluster)}s"
    if schedule.partition is None:
        return places
    a_job = schedule.workload.jobs[int(np.argmax(group.jobs))]
    return f"{places} of the pool {schedule.partition.names[schedule.partition.place_of(a_job.name)]}"


def _none_left(schedule: Schedule, interval: IdleInterval) -> str:
    """Return that every task has started, or that fewer are left than slots idle, and which was the last."""
    columns, group = schedule.workload.columns, interval.group
    schedule = eras_of(schedule).at(interval.begin)  # what is lost later had started
    noun = task_word(schedule.workload, group.kinds[0]) if len(group.kinds) == 1 else "task"
    own = schedule.sequence[
        group.jobs[columns.job[schedule.sequence]] & np.isin(columns.kind[schedule.sequence], group.kinds)
    ]
    if len(own) == 0:
        return f"no job has a {noun} for them"
    last, whose = int(own[-1]), "" if schedule.partition is None else " of its jobs"
    start, name = float(schedule.start[last]), task_name(schedule.workload, last)
    if start > interval.begin:
        few = f"fewer {noun}s{whose} are left than slots idle"
        return f"{few}; the last one, {name}, starts at {exact_clock(start)}"
    return f"every {noun}{whose} has started, the last one, {name}, at {exact_clock(start)}"


def _next_stage(schedule: Schedule, group: SlotGroup, since: NDArray[np.float64], time: float) -> int:
    """Return the group's first stage whose time comes after a time: by rank, and of a job the last."""
    stages = schedule.workload.columns.stages
    found = np.flatnonzero(stages_of(schedule, group) & (since > time) & (stages.count > 0))
    by = (-stages.number[found], schedule.rank[stages.job[found]], since[found])
    return int(found[np.lexsort(by)[0]])


def _not_ready(schedule: Schedule, stage: int, ready: float) -> str:
    """Return when the next stage is ready, and why the one before it does not end before."""
    workload, stages = schedule.workload, schedule.workload.columns.stages
    job = int(stages.job[stage])
    name = workload.jobs[job].name
    schedule = eras_of(schedule).before(ready)
    if workload.jobs[job].graph != MAP_REDUCE:
        next_is = f"those of {stage_name(workload, stage)} are the next, at {exact_clock(ready)}"
        ends = task_name(workload, stage_ready(schedule, stage)[1])
        return f"no task is ready; {next_is}, when {ends} ends."
    parent = int(stages.parents_of(stage)[-1])
    needed, maps = tasks_needed(schedule, stage), int(stages.count[parent])
    verb = "is" if needed == 1 else "are"
    when = "its map stage ends" if needed == maps else f"{needed} of its {count(maps, 'map')} {verb} complete"
    first = int(schedule.by_stage[stages.first[parent]])
    start = float(schedule.start[first])
    next_is = "those" if workload.is_map_reduce else "the reduces"
    no_task = f"no {'reduce' if workload.is_map_reduce else 'task'} is ready"
    text = f"{no_task}; {next_is} of {name} are the next, at {exact_clock(ready)}, when {when}."
    ahead = served_between(schedule, int(stages.task_type[parent]), float(schedule.arrival[job]), first)
    if not ahead:
        return f"{text} Its {count(maps, 'map')} run from {exact_clock(start)} on."
    names = [f"{count(one.tasks, 'map')} of {schedule.workload.jobs[one.job].name}" for one in ahead]
    return f"{text} Its maps run from {exact_clock(start)} on, after {listed(names)}."


def _job_waiting(
    schedule: Schedule, group: SlotGroup, ready: NDArray[np.float64], time: float
) -> tuple[int, int]:
    """Return the first job of the queue, by rank, that waits at a time, and the kind of its waiting task."""
    columns, stages = schedule.workload.columns, schedule.workload.columns.stages
    started = eras_of(schedule).at(time).start <= time
    begun = np.bincount(columns.stage[started], minlength=len(stages.count))
    waits = np.flatnonzero((ready <= time) & (begun < stages.count) & stages_of(schedule, group))
    by = (stages.job[waits], stages.task_type[waits], schedule.rank[stages.job[waits]])
    first = waits[np.lexsort(by)[0]]
    return int(stages.job[first]), int(stages.task_type[first])


# ---- the rules


def idle_slots(
    schedule: Schedule, occupancies: Iterable[Occupancy], ready: NDArray[np.float64], limits: Limits
) -> dict[Rule, tuple[Finding, ...]]:
    """Return where slots idle although a task could run, and where there is nothing to run, the worst first.

    Parameters
    ----------
    schedule : complete
    occupancies : of all groups of slots
    ready : as of `core.explain.start_cause.ready_times`
    limits : `least_share` and `most` are used
    """
    intervals = idle_intervals(schedule, occupancies, limits)
    worst_first = sorted(intervals, key=lambda each: (-each.cost, each.begin))
    found: dict[Rule, tuple[Finding, ...]] = {}
    for rule, is_declined in ((Rule.IDLE_SLOT, True), (Rule.NOTHING_TO_RUN, False)):
        own = [each for each in worst_first if (each.cause is IdleCause.DECLINED) == is_declined]
        findings = (_finding(schedule, ready, rule, each) for each in own[: limits.most])
        found[rule] = most_costly(findings, limits)
    return found


def _finding(schedule: Schedule, ready: NDArray[np.float64], rule: Rule, interval: IdleInterval) -> Finding:
    job, kind, why = idle_reason(schedule, ready, interval)
    sentence = f"{why} That is {amount(interval.cost)} slot-seconds."
    slot = _free_slot(schedule, interval.group, interval.begin)
    return Finding(rule, interval.begin, interval.end, job, slot, kind, interval.cost, sentence)


def _free_slot(schedule: Schedule, group: SlotGroup, time: float) -> int:
    """Return the lowest slot of a group that runs nothing at a time, NO_SLOT where only room is free."""
    seen, away = eras_of(schedule).at(time), down_spans(schedule.cluster)
    runs = (seen.start <= time) & (seen.end > time)
    opens, closes = schedule.cluster.slot_intervals
    there = np.flatnonzero((opens <= time) & (time < closes))
    there = np.setdiff1d(there, away.slot[(away.begin <= time) & (time < away.end)])
    free = np.setdiff1d(np.intersect1d(group.slots, there), seen.slot[runs])
    return int(free[0]) if len(free) else NO_SLOT
