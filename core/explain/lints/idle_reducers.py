"""Unproductive holds: slots kept for reduces that only wait, and reduces kept waiting for nothing.

- A filler holds a slot until its job's map stage ends. That costs something while tasks that could work at
  once wait for such a slot and none is free: reduces whose map stage has ended, and on containers maps.
- A policy may hold reduces back beside a free slot (lazy start). That did not pay if their shuffle then ended
  later than it would have done without the hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.critical_path import waits_for_parents
from core.explain.explanation_words import amount, count, place_noun, stage_name
from core.explain.lints.finding import Finding, Limits, Rule, most_costly
from core.explain.slots import begun_at, running_at, stages_of
from core.model.lost_attempts import eras_of
from core.model.stages import MAP_REDUCE
from core.model.time_text import exact_clock, exact_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.explain.slots import Occupancy
    from core.model.schedule import Schedule


def unproductive_holds(
    schedule: Schedule, occupancies: list[Occupancy], ready: NDArray[np.float64], limits: Limits
) -> tuple[Finding, ...]:
    """Return the holds that cost most, slot-seconds of fillers and seconds of lazy starts alike.

    Parameters
    ----------
    schedule : complete
    occupancies : of all groups of slots
    ready : as of `core.explain.start_cause.ready_times`
    limits : `least_share` and `most` are used
    """
    least, stages = limits.least_share * schedule.makespan, schedule.workload.columns.stages
    late_types = np.unique(stages.task_type[stages.has_parents])
    found = [
        finding
        for occupied in occupancies
        if np.isin(occupied.group.kinds, late_types).any()
        for finding in (*_of_fillers(schedule, occupied), *_of_lazy_starts(schedule, occupied, ready))
    ]
    return most_costly((finding for finding in found if finding.cost >= max(least, 1e-9)), limits)


# ---- fillers


def _of_fillers(schedule: Schedule, occupied: Occupancy) -> Iterator[Finding]:
    """Charge each filler the share of the waiting tasks that could have worked in its place."""
    columns, fetched = schedule.workload.columns, _parents_ended(schedule)
    fillers = np.flatnonzero((schedule.start < fetched) & occupied.group.jobs[columns.job])
    if len(fillers) == 0:
        return
    stages, stage_end = columns.stages, fetched[fillers]
    # a step begins wherever a count changes: others' tasks can work from the end of what they wait for on
    waiting = (stages.has_parents & occupied.group.jobs[stages.job])[columns.stage]
    times = np.unique(np.concatenate([occupied.times, fetched[waiting]]))
    place = np.searchsorted(occupied.times, times, "right") - 1
    holding = running_at(times, np.sort(schedule.start[fillers]), np.sort(stage_end))
    could_work = _could_work(schedule, occupied, times, fetched)
    full = occupied.free[place] == 0
    share = np.where(full, np.minimum(1.0, could_work / np.maximum(holding, 1)), 0.0)
    lost = np.concatenate([[0.0], np.cumsum(share[:-1] * np.diff(times))])
    cost = np.interp(stage_end, times, lost) - np.interp(schedule.start[fillers], times, lost)
    of_stage = columns.stage[fillers]  # ascending, as tasks lie stage by stage
    per_stage = np.bincount(of_stage, cost, minlength=len(stages.job))
    held = np.flatnonzero(per_stage > 0)
    bounds = zip(np.searchsorted(of_stage, held), np.searchsorted(of_stage, held, "right"), strict=True)
    for stage, (first, last) in zip(held.tolist(), bounds, strict=True):
        yield _filler_finding(schedule, stage, fillers[first:last], float(per_stage[stage]))


def _parents_ended(schedule: Schedule) -> NDArray[np.float64]:
    """Return when what each task waited for had ended, as it was when the task had fetched it, (tasks,).

    Where outputs are lost, that may end again after some tasks have fetched all. Minus infinity for tasks
    that wait for no others.
    """
    columns = schedule.workload.columns
    waits = columns.stages.has_parents[columns.stage]
    ended = np.where(waits, schedule.parents_end[columns.stage], -np.inf)
    if schedule.given_up is not None and schedule.cluster.events is not None:
        fillers = np.flatnonzero(schedule.start < ended)
        for task in fillers[np.argsort(schedule.shuffled[fillers], kind="stable")].tolist():
            seen = eras_of(schedule).before(float(schedule.shuffled[task]))
            ended[task] = seen.parents_end[columns.stage[task]]
    return ended


def _could_work(
    schedule: Schedule, occupied: Occupancy, times: NDArray[np.float64], fetched: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count the tasks that wait for such a slot and would not wait on it."""
    columns = schedule.workload.columns
    own = stages_of(schedule, occupied.group)
    has_parents = columns.stages.has_parents
    late = np.flatnonzero((own & has_parents)[columns.stage] & (schedule.start >= fetched))
    waiting = running_at(times, np.sort(fetched[late]), np.sort(schedule.start[late]))
    early = own & ~has_parents
    arrived = np.sort(schedule.arrival[columns.job[early[columns.stage]]])
    return waiting + np.searchsorted(arrived, times, "right") - begun_at(schedule, early, times)


def _filler_finding(schedule: Schedule, stage: int, fillers: NDArray[np.integer], cost: float) -> Finding:
    workload, job = schedule.workload, int(schedule.workload.columns.stages.job[stage])
    begin, end = float(schedule.start[fillers].min()), float(schedule.parents_end[stage])
    kind = int(workload.columns.kind[fillers[0]])
    noun = place_noun(kind, schedule.cluster)
    which, its = f"{count(len(fillers), 'reduce')} of {workload.jobs[job].name}", "its maps"
    if workload.jobs[job].graph != MAP_REDUCE:
        which = f"{count(len(fillers), 'task')} of {stage_name(workload, stage)}"
        its = "the stages before it"
    sentence = (
        f"{which} held {noun}s between {exact_clock(begin)} and {exact_clock(end)}, waiting for {its}, "
        f"while tasks that could have run waited for such slots: {amount(cost)} slot-seconds."
    )
    slot = int(schedule.slot[fillers[0]])
    return Finding(Rule.HOLD, begin, end, job, slot, kind, cost, sentence)


# ---- lazy starts


def _of_lazy_starts(schedule: Schedule, occupied: Occupancy, ready: NDArray[np.float64]) -> Iterator[Finding]:
    """Look at the first reduce of every job that was ready beside a free slot and did not start."""
    stages = schedule.workload.columns.stages
    idle = np.concatenate([[0.0], np.cumsum(np.where(occupied.free > 0, occupied.lengths, 0.0))[:-1]])
    own = np.flatnonzero(stages_of(schedule, occupied.group) & stages.has_parents & (stages.count > 0))
    starts = _first_starts(schedule)[own]
    held = np.interp(starts, occupied.times, idle) - np.interp(ready[own], occupied.times, idle)
    for stage, start, seconds in zip(own.tolist(), starts.tolist(), held.tolist(), strict=True):
        if seconds > 0:
            seen = eras_of(schedule).at(start)  # what is lost later had started
            task = int(seen.by_stage[stages.first[stage]])
            late = float(seen.shuffled[task]) - _shuffled_without(seen, task, seconds)
            if late > 0:
                yield _lazy_finding(seen, int(stages.job[stage]), task, seconds, late)


def _first_starts(schedule: Schedule) -> NDArray[np.float64]:
    """Return when the first task of each stage started, one that was lost later, too, (stages,)."""
    of, stages, lost = schedule.workload.columns.stage, schedule.workload.columns.stages, schedule.given_up
    starts = np.full(len(stages.job), np.inf)
    np.minimum.at(starts, of, schedule.start)
    if lost is not None and lost.given_up is not None and schedule.cluster.events is not None:
        np.minimum.at(starts, of[lost.given_up.task], lost.extra_times[0])
    return starts


def _shuffled_without(schedule: Schedule, task: int, held: float) -> float:
    """Return when a reduce's shuffle would have ended had it started earlier by the time it was held."""
    columns, cluster = schedule.workload.columns, schedule.cluster
    if waits_for_parents(schedule, task):
        return float(schedule.shuffled[task])
    shuffles = cluster.shuffle_model != "mumak"
    stage_end = float(schedule.parents_end[columns.stage[task]])
    start = float(schedule.start[task]) - held
    own = start + (float(columns.typical_shuffle[task]) if shuffles else 0.0)
    filler = stage_end + (float(columns.first_shuffle[task]) if shuffles else 0.0)
    if start >= stage_end:
        return own
    return max(own, filler) if cluster.shuffle_model == "overlap" else filler


def _lazy_finding(schedule: Schedule, job: int, task: int, held: float, late: float) -> Finding:
    start = float(schedule.start[task])
    workload = schedule.workload
    which = f"The reduces of {workload.jobs[job].name}"
    if workload.jobs[job].graph != MAP_REDUCE:
        which = f"The tasks of {stage_name(workload, int(workload.columns.stage[task]))}"
    sentence = (
        f"{which} were held back for {exact_duration(held)} "
        f"beside a free slot, until {exact_clock(start)}; its shuffle ended "
        f"{exact_duration(late)} later for it."
    )
    kind = int(schedule.workload.columns.kind[task])
    return Finding(Rule.HOLD, start - held, start, job, int(schedule.slot[task]), kind, late, sentence)
