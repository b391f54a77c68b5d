"""What a log says really ran: every attempt with its host, times and outcome, as read-only columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Result = Literal["succeeded", "failed", "killed", "unfinished"]
OUTCOMES: tuple[Result, ...] = get_args(Result)

SETUP, CLEANUP, OTHER = 2, 3, 4
"""Kinds of tasks beside `MAP` and `REDUCE` of `core.model.job`: what a log has and a workload has not."""
KINDS = ("map", "reduce", "setup", "cleanup", "other")


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRun:
    """The attempts of a log, and when its jobs came and went; times are seconds from the workload's start.

    Times may be below 0 and not fit together, as clocks differ between machines; nan where the log does
    not know them.

    Attributes
    ----------
    jobs : names of the jobs, also of those that have no usable task and so are not in the workload
    titles : what their users call them; often the same for all runs of one application
    hosts : names of the machines
    submit, launch, finish : of each job, (jobs,)
    job : index into `jobs`, int32 (attempts,)
    kind : `MAP`, `REDUCE`, `SETUP`, `CLEANUP` or `OTHER`, int8 (attempts,)
    task : number of the task among those of its job and kind in the workload, -1 for a task that is not
        there, int32 (attempts,)
    counts : whether the task's times in the workload are this attempt's, bool (attempts,)
    outcome : index into `OUTCOMES`, int8 (attempts,)
    host : index into `hosts`, -1 if not known, int32 (attempts,)
    start, shuffle_end, sort_end, end : (attempts,); maps have no shuffle and sort
    """

    jobs: tuple[str, ...]
    titles: tuple[str, ...]
    hosts: tuple[str, ...]
    submit: NDArray[np.float64]
    launch: NDArray[np.float64]
    finish: NDArray[np.float64]
    job: NDArray[np.int32]
    kind: NDArray[np.int8]
    task: NDArray[np.int32]
    counts: NDArray[np.bool_]
    outcome: NDArray[np.int8]
    host: NDArray[np.int32]
    start: NDArray[np.float64]
    shuffle_end: NDArray[np.float64]
    sort_end: NDArray[np.float64]
    end: NDArray[np.float64]

    def __post_init__(self) -> None:
        for field in fields(self):
            column = getattr(self, field.name)
            if isinstance(column, np.ndarray):
                column.flags.writeable = False

    @property
    def attempts(self) -> int:
        """Number of attempts."""
        return len(self.job)

    @property
    def has_ended(self) -> NDArray[np.bool_]:
        """Whether both ends of each attempt are known, (attempts,)."""
        ended: NDArray[np.bool_] = np.isfinite(self.start) & np.isfinite(self.end)
        return ended

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, RecordedRun):
            return self is other
        names = [field.name for field in fields(self)]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((self.jobs, self.hosts, self.start.tobytes()))


def _same(mine: object, other: object) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        return mine.dtype == other.dtype and mine.tobytes() == other.tobytes()
    return mine == other
