"""Why what really ran ended before a lower bound: no simulation can, as it keeps rules that logs break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.measures.metrics import explained_bound_of
from core.model.cluster import slots_text
from core.model.time_text import duration_text
from core.optimize.premise import SMALLEST_GAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.measures.metrics import Metrics
    from core.model.schedule import Schedule

OTHER_RULES = "what really ran keeps no rule of a simulation"


def is_below(gap: float) -> bool:
    """Whether a makespan is below its bound, by a part of this, and not only rounded."""
    return gap < -SMALLEST_GAP


def bound_reason(schedule: Schedule, metrics: Metrics) -> str:
    """Return why no schedule is shorter than the bound; of what really ran below it why it is."""
    is_short = schedule.record is not None and is_below(metrics.gap)
    return why_below(schedule) if is_short else explained_bound_of(schedule).why


def why_below(record: Schedule, beside: Sequence[Schedule] = ()) -> str:
    """Return which rules of a simulation what really ran broke, as a clause.

    Parameters
    ----------
    record : what really ran
    beside : the simulations that share the bound that it is below; without any it is the bound of its own
        jobs and slots
    """
    return " and ".join([*_breaches(record), *_differences(record, beside)]) or OTHER_RULES


def _breaches(record: Schedule) -> Iterator[str]:
    """Yield how many tasks started or worked before they could, by the bound's rules."""
    columns = record.workload.columns
    early = record.arrival[columns.job] - record.start
    if count := int(np.count_nonzero(early > 0)):
        tasks = "task starts before its job was" if count == 1 else "tasks start before their job was"
        yield f"{count} {tasks} submitted, by up to {duration_text(float(early.max()))} (clocks differ)"
    waits = columns.stages.has_parents[columns.stage]
    ends = np.full(len(columns.stages.job), -np.inf)
    np.maximum.at(ends, columns.stage, record.end)
    released = columns.stages.released(ends, record.arrival)[columns.stage]
    ahead = np.where(waits, released - record.shuffled, 0.0)
    if count := int(np.count_nonzero(ahead > 0)):
        tasks = "task had its input" if count == 1 else "tasks had their input"
        by = f"by up to {duration_text(float(ahead.max()))}"
        yield f"{count} {tasks} before the stages that they read had ended, {by}"


def _differences(record: Schedule, beside: Sequence[Schedule]) -> Iterator[str]:
    """Yield what the simulations beside it run otherwise: on fewer slots, or other work."""
    for each in beside:
        if each.record is not None:
            continue
        kinds = zip(record.cluster.typed_slots, each.cluster.typed_slots, strict=True)
        if any(held > slots for held, slots in kinds):
            ran_on, simulated = slots_text(record.cluster), slots_text(each.cluster)
            yield f"it ran on {ran_on}, as many as each host ran at once, the simulations on {simulated}"
        mine, theirs = float(np.sum(record.workload.slot_time)), float(np.sum(each.given.slot_time))
        if abs(theirs - mine) > SMALLEST_GAP * max(mine, theirs):
            yield (
                f"its tasks held slots for {duration_text(mine)} in all, those of the simulated jobs for "
                f"{duration_text(theirs)}"
            )
        return
