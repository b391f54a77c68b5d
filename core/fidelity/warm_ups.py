"""Jobs without what the first tasks of new executors took longer, as classes were loaded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.job import Job
    from core.model.recorded_run import RecordedRun
    from core.model.slot_times import SlotTime

SOON = 2.0
"""First tasks start at most so long after their slots open, s: executors are asked for while tasks wait."""
EARLY = 0.1
"""Or so much before, s: an executor may be reported a little late."""
MAX_PART = 0.5
"""No task is taken to have spent more than this part of its time on it."""


def first_on_slots(run: RecordedRun, slot_times: Sequence[SlotTime]) -> NDArray[np.int64]:
    """Return the attempts that were first on their slots: after an opening of n slots the n next to start.

    Parameters
    ----------
    run : the log's attempts
    slot_times : when its slots opened

    Examples
    --------
    Four slots that open at 5 s take the four attempts that start first from then on, within two seconds.
    """
    turn = np.argsort(run.start, kind="stable")
    starts = run.start[turn]  # those not known last
    is_first = np.zeros(len(turn), np.bool_)
    for each in slot_times:
        begin, end = np.searchsorted(starts, [each.opens - EARLY, each.opens + SOON])
        left = begin + np.flatnonzero(~is_first[begin:end])
        is_first[left[: each.slots]] = each.opens > 0
    return np.sort(turn[is_first])


def without_warm_ups(
    jobs: Sequence[Job], run: RecordedRun, at: NDArray[np.int64], slot_times: Sequence[SlotTime]
) -> list[Job]:
    """Return jobs whose first tasks on new slots take less by what new executors need.

    Parameters
    ----------
    jobs : as the log has them
    run : the log's attempts, of an application that asks for executors
    at : where the run has each job, (jobs,)
    slot_times : when slots opened in the log
    """
    less = 0.0 if run.on_demand is None else run.on_demand.warm_up
    firsts = first_on_slots(run, slot_times) if less else np.zeros(0, np.int64)
    firsts = firsts[run.counts[firsts]]
    of_job = {place: firsts[run.job[firsts] == place] for place in np.unique(run.job[firsts]).tolist()}
    return [
        replace(job, stages=_shorter(job, run, of_job[place], less)) if place in of_job else job
        for job, place in zip(jobs, at.tolist(), strict=True)
    ]


def _shorter(job: Job, run: RecordedRun, attempts: NDArray[np.int64], less: float) -> tuple[Stage, ...]:
    found = []
    for number, stage in enumerate(job.stages):
        tasks = run.task[attempts[run.stage[attempts] == number]]
        durations = stage.task_durations.copy()
        durations[tasks] -= np.minimum(less, MAX_PART * durations[tasks])
        found.append(
            Stage.of(stage.count, durations, stage.task_first_shuffle, stage.task_typical_shuffle)
            if len(tasks)
            else stage
        )
    return tuple(found)
