"""Starvation: a job waits long while later ones are served.

A job starves with one kind of task if, all at once,

- tasks of that kind are ready (its job has arrived; slowstart is reached) and none of them runs,
- this lasts for more than a multiple of the time that the job takes alone on the empty cluster, and
- meanwhile jobs that arrived after it start tasks of that kind on slots that were there for it as well.

So a job that waits for its turn among earlier ones does not starve, however long that takes, and no job
starves in a batch that arrives at once.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.explain.explanation_words import count, task_word
from core.explain.lints.finding import NO_SLOT, Finding, Limits, Rule, most_costly
from core.explain.slots import begun_at, running_at
from core.model.lost_attempts import eras_of
from core.model.partition import pools_in_use
from core.model.task_types import TASK_TYPES
from core.model.time_text import exact_clock, exact_duration
from core.simulation.fifo_trials import isolated_runtimes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def starvation(schedule: Schedule, ready: NDArray[np.float64], limits: Limits) -> tuple[Finding, ...]:
    """Return the jobs that starved and when, the longest waits first.

    Parameters
    ----------
    schedule : complete
    ready : as of `core.explain.start_cause.ready_times`
    limits : `starvation_multiple` and `most` are used
    """
    if schedule.arrival.max() == schedule.arrival.min():
        return ()
    allowed = limits.starvation_multiple * isolated_runtimes(schedule.workload, schedule.cluster)
    found: list[Finding] = []
    for kind in TASK_TYPES:
        overtaken = _Overtaken(schedule, kind)
        waits = sorted(_long_waits(schedule, kind, ready, allowed))
        findings = (overtaken.finding(job, begin, end) for _, begin, job, end in waits)
        found += islice((finding for finding in findings if finding is not None), limits.most)
    return most_costly(found, limits)


def _long_waits(
    schedule: Schedule, kind: int, ready: NDArray[np.float64], allowed: NDArray[np.float64]
) -> Iterator[tuple[float, float, int, float]]:
    """Yield minus the length, the begin, the job and the end of each span longer than the job is allowed.

    In such a span tasks of one stage, on slots of the kind, are ready and none of them runs.
    """
    stages = schedule.workload.columns.stages
    lost = schedule.given_up is not None and schedule.cluster.events is not None
    for stage in np.flatnonzero((stages.task_type == kind) & (stages.count > 0)).tolist():
        if lost:
            yield from _waits_again(schedule, stage, float(ready[stage]), allowed)
            continue
        job, first, tasks = int(stages.job[stage]), int(stages.first[stage]), int(stages.count[stage])
        as_started = schedule.by_stage[first : first + tasks]
        starts = schedule.start[as_started]
        ended = np.maximum.accumulate(schedule.end[as_started])
        idle_from = np.concatenate([ready[stage : stage + 1], ended[:-1]])
        for i in np.flatnonzero(starts - idle_from > allowed[job]).tolist():
            yield float(idle_from[i] - starts[i]), float(idle_from[i]), job, float(starts[i])


def _waits_again(
    schedule: Schedule, stage: int, ready: float, allowed: NDArray[np.float64]
) -> Iterator[tuple[float, float, int, float]]:
    """Yield likewise for one stage whose tasks may be lost, and wait again."""
    columns, history = schedule.workload.columns, schedule.given_up
    assert history is not None
    assert history.given_up is not None
    own, parts = columns.stage == stage, columns.stage[history.given_up.task] == stage
    begin, end = history.extra_times
    starts = np.sort(np.concatenate([schedule.start[own], begin[parts]]))
    ends = np.sort(np.concatenate([schedule.end[own], end[parts]]))
    times = np.unique(np.concatenate([[ready], starts, ends, eras_of(schedule).lost_at[parts]]))
    times = times[times >= ready]
    is_stage = np.arange(len(columns.stages.count)) == stage
    waiting = begun_at(schedule, is_stage, times) < columns.stages.count[stage]
    waits = waiting & (running_at(times, starts, ends) == 0)
    edges = np.flatnonzero(np.diff(waits, prepend=False, append=False))
    job = int(columns.stages.job[stage])
    for since, until in zip(times[edges[::2]].tolist(), times[edges[1::2]].tolist(), strict=True):
        if until - since > allowed[job]:
            yield since - until, since, job, until


class _Overtaken:
    """The starts of one kind of task, to see which jobs were served in a span of time."""

    def __init__(self, schedule: Schedule, kind: int) -> None:
        columns = schedule.workload.columns
        started = schedule.sequence[columns.kind[schedule.sequence] == kind]
        self._schedule, self._kind = schedule, kind
        self._times, self._jobs = schedule.start[started], columns.job[started]
        if (lost := schedule.given_up) is not None and schedule.cluster.events is not None:
            mine = lost.run.kind == kind  # what was lost later had been served
            times = np.concatenate([self._times, lost.extra_times[0][mine]])
            order = np.argsort(times, kind="stable")
            self._times, self._jobs = times[order], np.concatenate([self._jobs, lost.run.job[mine]])[order]
        self._arrival = schedule.arrival[self._jobs]
        self._blocks = _block_maxima(self._arrival)
        self._pool_of = pools_in_use(schedule.workload, schedule.partition)[1]

    def _ends_at_once(self, job: int, time: float) -> bool:
        """Whether a task of a job starts and ends at a time: others start then before it, or after it.

        What waited for that task was not ready as slots were first offered at that instant.
        """
        schedule = self._schedule
        own = schedule.workload.columns.stages
        begin, end = (int(own.begin[each]) for each in (job, job + 1))
        tasks = slice(int(own.first[begin]), int(own.first[end - 1] + own.count[end - 1]))
        return bool(((schedule.start[tasks] == time) & (schedule.end[tasks] == time)).any())

    def finding(self, job: int, begin: float, end: float) -> Finding | None:
        """Return a finding if tasks of later jobs started while a job waited."""
        side: Literal["left", "right"] = "right" if self._ends_at_once(job, begin) else "left"
        first, last = int(np.searchsorted(self._times, begin, side)), int(np.searchsorted(self._times, end))
        arrival = float(self._schedule.arrival[job])
        if not _any_above(self._arrival, self._blocks, first, last, arrival):
            return None
        later = self._arrival[first:last] > arrival
        if self._schedule.partition is not None:
            later &= self._pool_of[self._jobs[first:last]] == self._pool_of[job]
        if not later.any():
            return None
        return _finding(self._schedule, job, self._kind, begin, end, int(np.count_nonzero(later)))


BLOCK = 1024


def _block_maxima(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the maximum of each block of values, so that long windows need not be read."""
    return np.maximum.reduceat(values, np.arange(0, len(values), BLOCK)) if len(values) else values


def _any_above(
    values: NDArray[np.float64], blocks: NDArray[np.float64], first: int, last: int, limit: float
) -> bool:
    """Whether any value of a window is above a limit."""
    inner_first, inner_last = -(-first // BLOCK), last // BLOCK
    if inner_first >= inner_last:
        return bool((values[first:last] > limit).any())
    return bool(
        (blocks[inner_first:inner_last] > limit).any()
        or (values[first : inner_first * BLOCK] > limit).any()
        or (values[inner_last * BLOCK : last] > limit).any()
    )


def _finding(schedule: Schedule, job: int, kind: int, begin: float, end: float, later: int) -> Finding:
    word = task_word(schedule.workload, kind)
    sentence = (
        f"{schedule.workload.jobs[job].name} waits {exact_duration(end - begin)} for its next {word}, from "
        f"{exact_clock(begin)} to {exact_clock(end)}; meanwhile {count(later, word)} of later jobs started."
    )
    return Finding(Rule.STARVATION, begin, end, job, NO_SLOT, kind, end - begin, sentence)
