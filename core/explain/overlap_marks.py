"""What OMO did to single tasks: reduces that it held back, and maps that it pulled forward.

Both are read from the finished schedule (see `core.explain.held_reduces`, `core.explain.batch_finish`), so
they are known of any schedule that OMO decided, or that it decided up to a fork or from one on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.batch_finish import pulled_forward
from core.explain.decided_parts import decided_parts
from core.explain.held_reduces import HeldReduces
from core.model.job import REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import PolicyChoice, Schedule


@dataclass(frozen=True)
class OverlapMarks:
    """The tasks that were held or pulled forward; all arrays are read-only.

    Attributes
    ----------
    is_held : whether each task is a reduce that a lazy start held back, (tasks,)
    held_since : from when on each job's reduces were held, in seconds, nan for none, (jobs,)
    is_pulled : whether each task is a map that a batch finish pulled forward, (tasks,)
    """

    is_held: NDArray[np.bool_]
    held_since: NDArray[np.float64]
    is_pulled: NDArray[np.bool_]


def overlap_marks(schedule: Schedule) -> OverlapMarks:
    """Return what OMO did to the tasks of a complete schedule; nothing where another policy decided.

    Kept with the schedule: a chart asks in every frame. Without a known policy (a log's run, an order made by
    hand) and on clusters with overheads, where tasks wait for the cluster too, nothing is marked.
    """
    known: OverlapMarks | None = schedule.__dict__.get("_overlap_marks")
    if known is None:
        known = _find(schedule)
        schedule.__dict__["_overlap_marks"] = known  # as a cached property does: the schedule is frozen
    return known


def _find(schedule: Schedule) -> OverlapMarks:
    parts = [
        part
        for part in decided_parts(schedule)
        if schedule.cluster.overheads is None and _is_omo(part.choice.id)
    ]
    is_held, is_pulled = np.zeros(schedule.tasks, bool), np.zeros(schedule.tasks, bool)
    since = np.full(len(schedule.finish), np.nan)
    lazy = [part for part in parts if _switched(part.choice, "lazy_start")]
    if lazy:
        found = HeldReduces(schedule)
        for part in lazy:
            found.look(part)
        since = found.since
        columns = schedule.workload.columns
        number = np.arange(schedule.tasks) - columns.first[columns.job, columns.kind]
        is_held[schedule.by_stage] = (columns.kind == REDUCE) & (number < found.held[columns.job])
    for part in parts:
        if _switched(part.choice, "batch_finish"):
            is_pulled[pulled_forward(schedule, part)] = True
    for column in (is_held, since, is_pulled):
        column.flags.writeable = False
    return OverlapMarks(is_held, since, is_pulled)


def _is_omo(policy_id: str) -> bool:
    from core.policies.overlap import OMO  # charts need no policies to be drawn
    from core.policies.registry import policy_class

    return issubclass(policy_class(policy_id), OMO)


def _switched(choice: PolicyChoice, name: str) -> bool:
    """Whether a technique is switched on, as its default is unless the choice says otherwise."""
    return bool(choice.parameters.get(name, True))
