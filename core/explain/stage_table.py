"""When stages run and what they wait for, as a table for files and spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.explain.stage_path import is_complete, stage_path
from core.files.atomic import UNWATCHED
from core.files.schedule_file import joined, write_table
from core.measures.stage_spans import stage_spans
from core.model.cell_text import cell_of
from core.model.schedule import with_distinct_titles

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd

    from core.files.atomic import Watch
    from core.model.schedule import Schedule, Titled


def stage_values(schedule: Schedule) -> dict[str, list[Any]]:
    """Return columns of one value for each stage, job by job.

    They are job, stage (its number there), tasks, waits_for (numbers of other stages: "0 3"), ready, start
    and end as of `core.measures.stage_spans`, and on_path: 1 if it is on the path to the end, else
    0.
    """
    stages, spans = schedule.workload.columns.stages, stage_spans(schedule)
    on_path = set(stage_path(schedule).stages if is_complete(schedule) else ())
    names = [job.name for job in schedule.workload.jobs]
    places = range(len(stages.job))
    waits_for = ((stages.number[parent] for parent in stages.parents_of(stage)) for stage in places)
    return {
        "job": [names[job] for job in stages.job.tolist()],
        "stage": stages.number.tolist(),
        "tasks": stages.count.tolist(),
        "waits_for": [" ".join(map(str, parents)) for parents in waits_for],
        "ready": spans.ready.tolist(),
        "start": spans.start.tolist(),
        "end": spans.end.tolist(),
        "on_path": [int(stage in on_path) for stage in places],
    }


def stages_as_text(schedule: Schedule) -> str:
    """Return the stages of a complete schedule as lines with tabs between cells, for a spreadsheet."""
    values = stage_values(schedule)
    lines = zip(*values.values(), strict=True)
    cells = (cell_of(cell) if isinstance(cell, str) else str(cell) for line in lines for cell in line)
    rows = zip(*[cells] * len(values), strict=True)
    return "".join("\t".join(row) + "\n" for row in [tuple(values), *rows])


def stage_table(schedule: Schedule) -> pd.DataFrame:
    """Return one row per stage; the columns are those of `stage_values`."""
    import pandas as pd

    return pd.DataFrame(stage_values(schedule))


def write_stages(titled: Sequence[Titled], path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write the stages of complete schedules in one step: as Parquet if the name ends so, else as CSV.

    Parameters and errors are those of `core.files.schedule_file.write_schedules`.
    """
    write_table(joined(with_distinct_titles(titled), stage_table), path, watch)
