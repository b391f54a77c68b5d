"""Plans of jobs as columns, as policies that replay them and searches read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.levers import JOB_FIELDS, STAGE_FIELDS, JobPlan, StagePlan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Columns = Mapping[str, NDArray[Any]]


def blank_columns(count: int) -> dict[str, NDArray[Any]]:
    """Return columns of an empty plan: of stages (jobs, 2), of jobs (jobs,)."""
    stages = {name: np.full((count, 2), how.blank) for name, how in STAGE_FIELDS.items()}
    return stages | {name: np.full(count, how.blank) for name, how in JOB_FIELDS.items()}


def columns_of_jobs(jobs: Sequence[JobPlan], places: Sequence[int], count: int) -> dict[str, NDArray[Any]]:
    """Return the plans of jobs as columns, each at its place among so many; the others are blank."""
    columns = blank_columns(count)
    for name, how in STAGE_FIELDS.items():
        numbers = [[how.to_number(getattr(stage, name)) for stage in job.stages] for job in jobs]
        columns[name][places] = np.array(numbers).reshape(-1, 2)
    for name, how in JOB_FIELDS.items():
        columns[name][places] = [how.to_number(getattr(job, name)) for job in jobs]
    return columns


def jobs_of_columns(
    columns: Columns, names: Sequence[str], served: Iterable[int], pinned: Collection[int]
) -> tuple[JobPlan, ...]:
    """Return the plans of the jobs from columns, in the order in which they are served."""
    stages = {
        name: [[how.to_value(each) for each in pair] for pair in columns[name].tolist()]
        for name, how in STAGE_FIELDS.items()
    }
    of_job = {name: [*map(how.to_value, columns[name].tolist())] for name, how in JOB_FIELDS.items()}

    def plan(j: int) -> JobPlan:
        maps, reduces = (StagePlan(**{name: of[j][kind] for name, of in stages.items()}) for kind in (0, 1))
        return JobPlan(
            names[j], maps, reduces, **{name: of[j] for name, of in of_job.items()}, pinned=j in pinned
        )

    return tuple(map(plan, served))
