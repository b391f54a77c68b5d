"""How much of shuffles hides behind the maps that still run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.measures.stage_spans import stage_spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


EVERY = slice(None)


class ShuffleParts(NamedTuple):
    """The shuffles of a schedule's tasks, in seconds.

    Attributes
    ----------
    seen : from the end of all that a task waits for, or its start if later, to the end of its shuffle,
        (tasks,)
    hidden : what its shuffle would take longer if it started then, (tasks,)
    """

    seen: NDArray[np.float64]
    hidden: NDArray[np.float64]

    @property
    def whole(self) -> NDArray[np.float64]:
        """Seconds of the shuffle as it would be alone, (tasks,)."""
        return self.seen + self.hidden


def shuffle_parts(schedule: Schedule, tasks: slice = EVERY) -> ShuffleParts:
    """Return what of each task's shuffle is seen and what hides behind the maps; of some tasks only if given.

    A reduce that starts before its job's maps have ended copies meanwhile, and after them needs its first
    shuffle alone; one that starts later needs its typical shuffle (001, section III). So a reduce with 3 s of
    first and 8 s of typical shuffle hides 5 s of 8. Tasks that have not run have nothing of either.
    """
    columns = schedule.workload.columns
    stage, start, end = columns.stage[tasks], schedule.start[tasks], schedule.end[tasks]
    ready = stage_spans(schedule).ready[stage]
    waits = np.isfinite(end) & columns.stages.has_parents[stage]
    seen = np.where(waits, np.maximum(schedule.shuffled[tasks] - np.maximum(start, ready), 0.0), 0.0)
    is_early = waits & (start < ready)
    hidden = np.where(is_early, np.maximum(columns.typical_shuffle[tasks] - seen, 0.0), 0.0)
    return ShuffleParts(seen, hidden)


def shuffle_of_waves(schedule: Schedule, stage: int, waves: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return how long a task's shuffle is seen on average in each wave of a stage, in seconds, (waves,).

    Two reduces of a first wave with 3 s each after the maps, and one of the second with 8 s: 3 and 8.

    Parameters
    ----------
    stage : of the workload
    waves : of each task of the stage, from 1, (tasks of the stage,)
    """
    stages = schedule.workload.columns.stages
    first, count = int(stages.first[stage]), int(stages.count[stage])
    seen = shuffle_parts(schedule, slice(first, first + count)).seen
    in_all, tasks = np.bincount(waves, seen)[1:], np.bincount(waves)[1:]
    return np.divide(in_all, tasks, out=np.zeros(len(tasks)), where=tasks > 0)


def hidden_of_job(schedule: Schedule, job: int) -> tuple[float, float]:
    """Return how many seconds of a job's shuffles hide behind maps, and how many they are in all."""
    first, last = np.searchsorted(schedule.workload.columns.job, [job, job + 1]).tolist()
    parts = shuffle_parts(schedule, slice(first, last))  # tasks come job by job
    return float(parts.hidden.sum()), float(parts.whole.sum())
