"""What a schedule is worth: one number per question, and the use of the slots over time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.measures.stage_spans import NO_JOB, followed_jobs
from core.model.event_nodes import down_seconds, there_seconds
from core.model.slot_intervals import open_seconds
from core.model.task_types import KIND_WORDS, STAGE_WORDS, TASK_TYPES
from core.model.time_text import duration_text, percent, plain_number
from core.optimize.bounds import makespan_bound
from core.optimize.longest_path import longest_path
from core.optimize.premise import premise_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.bounds import Bound
    from core.optimize.premise import Premise


Better = Literal["less", "more", ""]


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """One number of a schedule. Every table, report, study and lesson reads what it needs of it here.

    Attributes
    ----------
    name : in documents, in columns of results and in JSON: "mean_response"
    title : in headings and labels: "mean response"
    unit : "s", "jobs"; "%" for a fraction that is shown as percent; empty for a plain number
    better : whether less or more of it is better; empty where neither is
    of : computes it from a complete schedule
    help : one sentence without a full stop, for tooltips and reports
    heading : in tables of a few narrow columns, in which it only stands if this is not empty
    of_deadlines : whether it is of interest only where jobs have deadlines
    of_applications : whether it is so only where jobs follow others, or are graphs of stages
    of_losses : whether it is so only where it is not 0
    of_inputs : whether it is so only where jobs say on which nodes their input lies
    stages_title, stages_help : the same where jobs have other stages than maps and reduces; empty where they
        do not differ
    """

    name: str
    title: str
    unit: str
    better: Better
    of: Callable[..., float]
    help: str = ""
    heading: str = ""
    of_deadlines: bool = False
    of_applications: bool = False
    of_losses: bool = False
    of_inputs: bool = False
    stages_title: str = ""
    stages_help: str = ""

    def title_for(self, workload: Workload) -> str:
        """Return the title in a table of schedules of a workload."""
        return self.title if workload.is_map_reduce else self.stages_title or self.title

    def help_for(self, workload: Workload) -> str:
        """Return the sentence beside such a table."""
        return self.help if workload.is_map_reduce else self.stages_help or self.help

    def text(self, value: float) -> str:
        """Write a value with its unit: 42 s, 12.5 %, 3; a dash where there is none."""
        if math.isnan(value):
            return "–"
        if self.unit == "s":
            return duration_text(value)
        return percent(value) if self.unit == "%" else plain_number(value)


@dataclass(frozen=True, slots=True)
class Metrics:
    """All metrics of one schedule: ``metrics["mean_response"]`` is its mean response in seconds.

    Attributes
    ----------
    values : of each of `METRICS`, by name
    premise : of which schedules the bound speaks: of those that lend slots, or share scans, if this one does
    """

    values: Mapping[str, float]
    premise: Premise

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    @property
    def makespan(self) -> float:
        """When the last job departs, in seconds."""
        return self.values["makespan"]

    @property
    def lower_bound(self) -> float:
        """No schedule that keeps the premise is shorter; in seconds."""
        return self.values["lower_bound"]

    @property
    def gap(self) -> float:
        """By which part of the bound the makespan is longer."""
        return self.values["gap"]

    def with_bound(self, seconds: float) -> Metrics:
        """Return the same figures above a better lower bound."""
        better = {"lower_bound": seconds, "gap": gap_above(self.makespan, seconds)}
        return Metrics({**self.values, **better}, self.premise)


def measure(schedule: Schedule) -> Metrics:
    """Return the metrics of a complete schedule."""
    return Metrics({name: metric.of(schedule) for name, metric in METRICS.items()}, premise_of(schedule))


def response_times(schedule: Schedule) -> NDArray[np.float64]:
    """Return the seconds from each job's arrival to its departure, (jobs,)."""
    return schedule.finish - schedule.arrival


def stretches(schedule: Schedule) -> NDArray[np.float64]:
    """Return response / time alone on the empty cluster of each job, (jobs,); 1 for one of zero length."""
    response = response_times(schedule)
    from core.simulation.fifo_trials import isolated_runtimes  # only where it is measured

    alone = isolated_runtimes(schedule.given, schedule.cluster)
    return np.divide(response, alone, out=np.ones_like(response), where=alone > 0)


def gap_above(makespan: float, bound: float) -> float:
    """Return by which part of a bound a makespan is longer; 0 where the bound is 0."""
    return makespan / bound - 1 if bound > 0 else 0.0


def _lateness(schedule: Schedule) -> NDArray[np.float64]:
    """Return (T - D) / D of each job that is late, (late jobs,)."""
    columns = schedule.workload.columns
    since = columns.links.fixed  # a job that follows others may come after its deadline
    response, allowed = schedule.finish - since, columns.deadline - since
    late = response > allowed
    excess: NDArray[np.float64] = (response[late] - allowed[late]) / allowed[late]
    return excess


def bound_of(schedule: Schedule) -> float:
    """Return the lower bound for the schedule's policy, in seconds."""
    return explained_bound_of(schedule).seconds


def explained_bound_of(schedule: Schedule) -> Bound:
    """Return the lower bound for schedules that do what this one does, and why it holds.

    Where it lends slots, their types do not count; where it shares scans, a block that several jobs need
    counts once.
    """
    return makespan_bound(schedule.given, schedule.cluster, premise_of(schedule))


def _lost_slot_time(schedule: Schedule) -> float:
    """Return for how long slots ran what came to nothing, in slot-seconds."""
    history = schedule.attempts
    if history is None or not len(history.extra):
        return 0.0
    begin, end = history.extra_times
    return float(np.sum((end - begin)[np.isin(history.looks, ("failed", "killed"))]))


def _down_slot_time(schedule: Schedule) -> float:
    """Return for how long slots were away up to the makespan since their nodes had failed, slot-seconds."""
    return down_seconds(schedule.cluster, slice(0, schedule.cluster.slots), schedule.makespan)


def _think_time(schedule: Schedule) -> float:
    """Return for how long the driver thinks on the way to the job that ends last, in s."""
    followed, arrival = followed_jobs(schedule), schedule.arrival
    job, seconds = int(schedule.finish.argmax()), 0.0
    while (before := int(followed[job])) != NO_JOB:
        seconds += float(arrival[job] - schedule.finish[before])
        job = before
    return seconds


def _utilisation(schedule: Schedule, kind: int) -> float:
    capacity = schedule.cluster.stage_slots[kind] * schedule.makespan
    if schedule.cluster.slot_times:
        opens, closes = schedule.cluster.slot_intervals
        own = schedule.cluster.slots_of(kind)
        capacity = open_seconds(opens[own], closes[own], schedule.makespan)
    if schedule.cluster.events is not None:
        capacity = there_seconds(schedule.cluster, kind, schedule.makespan)
    mine = _uses(schedule, kind)
    busy = float(np.sum(_until_closed(schedule, schedule.end)[mine] - schedule.start[mine]))
    begin, end = _given_up(schedule, kind)
    busy += float(np.sum(end - begin))
    return busy / capacity if capacity > 0 else float("nan")


def _uses(schedule: Schedule, kind: int) -> NDArray[np.bool_]:
    """Return whether each task uses a slot of a type, (tasks,); a borrowed slot is one of the other type.

    On slots for any task the type is that of the task.
    """
    mine: NDArray[np.bool_] = (schedule.workload.columns.kind == kind) ^ schedule.is_borrowed
    return mine


def _given_up(schedule: Schedule, kind: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when parts of tasks that were given up began and ended on slots of a type, (parts,) each."""
    lost = schedule.given_up
    if lost is None:
        return np.zeros(0), np.zeros(0)
    cluster = schedule.cluster
    kinds = lost.run.kind if cluster.has_containers else cluster.slot_types(lost.extra_slot)
    begin, end = lost.extra_times
    return begin[kinds == kind], end[kinds == kind]


def _local_reads(schedule: Schedule) -> float:
    """Return the share of maps with known input nodes that read on their own node."""
    inputs = schedule.workload.inputs
    return math.nan if inputs is None else float(1 - schedule.reads_remotely[inputs.of_task].mean())


def _until_closed(schedule: Schedule, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return times of tasks, (tasks,), in s; what runs on beyond the close of its slot uses none."""
    if not schedule.cluster.slot_times:
        return times
    _, closes = schedule.cluster.slot_intervals
    until: NDArray[np.float64] = np.minimum(times, closes[schedule.slot])
    return until


def _utilisation_metric(kind: int) -> Metric:
    name = KIND_WORDS[kind]
    return Metric(
        name=f"{name}_utilisation",
        title=f"{name} utilisation",
        stages_title=f"use by {STAGE_WORDS[kind]}s",
        unit="%",
        better="more",
        of=partial(_utilisation, kind=kind),
        help=f"Part of the {name} slots' time in use until the makespan",
        stages_help=f"Part of the slots' time until the makespan in which tasks of {STAGE_WORDS[kind]}s run",
    )


_METRICS = (
    Metric(
        name="makespan",
        title="makespan",
        unit="s",
        better="less",
        of=lambda schedule: schedule.makespan,
        help="When the last job is done, from time 0",
    ),
    Metric(
        name="lower_bound",
        title="lower bound",
        unit="s",
        better="",
        of=bound_of,
        help="No schedule with these durations on these slots is shorter that does what this one does",
    ),
    Metric(
        name="gap",
        title="gap to the lower bound",
        unit="%",
        better="less",
        of=lambda schedule: gap_above(schedule.makespan, bound_of(schedule)),
        help="How far the makespan lies above the lower bound",
    ),
    Metric(
        name="mean_response",
        title="mean response",
        unit="s",
        better="less",
        of=lambda schedule: float(response_times(schedule).mean()),
        help="Mean time from a job's arrival to its end",
        heading="response",
    ),
    Metric(
        name="mean_stretch",
        title="mean stretch",
        unit="",
        better="less",
        of=lambda schedule: float(stretches(schedule).mean()),
        help="Mean of a job's response divided by its time alone on the empty cluster",
        heading="stretch",
    ),
    *(_utilisation_metric(task_type) for task_type in TASK_TYPES),
    Metric(
        name="lost_slot_time",
        title="lost slot time",
        unit="s",
        better="less",
        of=_lost_slot_time,
        help=(
            "For how long slots ran what came to nothing, all together: tasks that the policy killed, copies "
            "of tasks of which another copy ended first, what was lost with nodes that failed, in a record "
            "attempts that failed or were killed"
        ),
        of_losses=True,
    ),
    Metric(
        name="down_slot_time",
        title="slot time away",
        unit="s",
        better="less",
        of=_down_slot_time,
        help="For how long slots were away until the makespan, all together, since their nodes had failed",
        of_losses=True,
    ),
    Metric(
        name="local_reads",
        title="maps that read locally",
        unit="%",
        better="more",
        of=_local_reads,
        help="Part of the maps that run on a node with their input, where jobs say on which nodes that lies",
        of_inputs=True,
    ),
    Metric(
        name="deadline_utility",
        title="relative deadlines exceeded",
        unit="",
        better="less",
        of=lambda schedule: float(np.sum(_lateness(schedule))),
        help=(
            "Sum over late jobs of (T − D) / D: T is the time from a job's arrival to its end, D the time "
            "from its arrival to its deadline; 0 when no job is late (001, section V)"
        ),
        heading="exceeded",
        of_deadlines=True,
    ),
    Metric(
        name="late_jobs",
        title="late jobs",
        unit="jobs",
        better="less",
        of=lambda schedule: len(_lateness(schedule)),
        help="Jobs that end after their deadline",
        heading="late",
        of_deadlines=True,
    ),
    Metric(
        name="application_time",
        title="application time",
        unit="s",
        better="less",
        of=lambda schedule: schedule.makespan - float(schedule.arrival.min()),
        help="From the arrival of the first job to the end of the last",
        of_applications=True,
    ),
    Metric(
        name="think_time",
        title="think time on the way to the end",
        unit="s",
        better="",
        of=_think_time,
        help="How long the driver thinks between the jobs that the one that ends last had to wait for",
        of_applications=True,
    ),
    Metric(
        name="longest_path",
        title="longest path",
        unit="s",
        better="",
        of=lambda schedule: longest_path(schedule.given, schedule.cluster).seconds,
        help="When the last job ends at the earliest on any number of slots",
        of_applications=True,
    ),
)
METRICS: dict[str, Metric] = {metric.name: metric for metric in _METRICS}
"""By name, in the order in which tables show them; one that is not asked for takes no time."""


SHOWN_FIRST = ("makespan", "lower_bound", "gap")
"""Metrics that tables put first, with the premise of the bound or with the bound of all rows."""


def narrow_metrics(workload: Workload) -> list[Metric]:
    """Return those for a table of few columns; what deadlines decide only where jobs have some."""
    return [
        metric
        for metric in METRICS.values()
        if metric.heading and (workload.has_deadlines or not metric.of_deadlines)
    ]


def suits(metric: Metric, workload: Workload) -> bool:
    """Whether a metric says something of a workload that others do not."""
    has_chains = len(workload.columns.links) > 0 or not workload.is_map_reduce
    return (has_chains or not metric.of_applications) and (
        workload.inputs is not None or not metric.of_inputs
    )


@dataclass(frozen=True, slots=True)
class Usage:
    """Slots in use over time as steps: ``maps[i]`` holds from ``times[i]`` to ``times[i + 1]``.

    Averages of `maps`, and of `shuffles` and `reduces` together, are what the metrics of use count.

    Attributes
    ----------
    times : when a count changes, ascending from 0, (steps,)
    maps, shuffles, reduces : map slots in use, reduce slots in shuffles, and those past them, (steps,); on
        slots for any task, those that tasks of first stages use, and those of later ones
    """

    times: NDArray[np.float64]
    maps: NDArray[np.int64]
    shuffles: NDArray[np.int64]
    reduces: NDArray[np.int64]


def usage(schedule: Schedule) -> Usage:
    """Count the slots in use at every instant."""
    is_map, is_reduce = (_uses(schedule, kind) for kind in TASK_TYPES)
    shuffled, end = (_until_closed(schedule, each) for each in (schedule.shuffled, schedule.end))
    maps, later = (_given_up(schedule, kind) for kind in TASK_TYPES)
    own = schedule.start[is_map], end[is_map]
    reduces = shuffled[is_reduce], end[is_reduce]
    spans = (
        [np.concatenate(pair) for pair in zip(own, maps, strict=True)],
        [schedule.start[is_reduce], shuffled[is_reduce]],
        [np.concatenate(pair) for pair in zip(reduces, later, strict=True)],
    )
    times = np.unique(np.concatenate([[0.0], *(edge for span in spans for edge in span)]))
    counts = [_running(times, begin, end) for begin, end in spans]
    return Usage(times, *counts)


def _running(
    times: NDArray[np.float64], begin: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.int64]:
    change = np.zeros(len(times), np.int64)
    change += np.bincount(np.searchsorted(times, begin), minlength=len(times))
    change -= np.bincount(np.searchsorted(times, end), minlength=len(times))
    return np.cumsum(change)
