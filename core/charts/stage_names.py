"""What stages are called in charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.charts.row_columns import kept_with_rows
from core.model.visible_text import visible

if TYPE_CHECKING:
    from core.charts.schedule_rows import ScheduleRows


@kept_with_rows
def stage_names(rows: ScheduleRows) -> tuple[str, ...]:
    """Return what each stage of the workload is called: its name, else its number in its job, (stages,)."""
    jobs = rows.schedule.workload.jobs
    names = (job.graph.names or ("",) * len(job.stages) for job in jobs)
    return tuple(visible(name) or str(number) for own in names for number, name in enumerate(own))
