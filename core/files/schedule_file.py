"""Schedules as a file for other programs: a table of tasks or jobs, or what a trace viewer reads.

A file holds one schedule, or several of one workload, which their titles keep apart. The format is named, or
the file's ending says it. pandas is imported inside the functions: it takes longer to import than most
schedules to simulate. Times are seconds.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.files.chrome_trace import write_chrome_trace
from core.files.paje import write_paje
from core.model.cell_text import cell_of
from core.model.errors import InputError, UnknownName
from core.model.schedule import with_distinct_titles
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas as pd

    from core.files.atomic import Watch
    from core.model.schedule import Schedule, Titled


PARQUET = ".parquet"
PIECE = 50_000
"""Rows that are written between two looks at whether to go on."""
ENDINGS = {".csv": "tasks", PARQUET: "tasks", ".json": "perfetto", ".paje": "paje", ".html": "html"}
"""What a file's name ends in, and the format that it means."""


def format_for(path: str | os.PathLike[str]) -> str:
    """Return the format that a file's name ends in, 'html' among them; InputError for any other."""
    name = os.fspath(path).lower().removesuffix(".gz")
    for ending, form in ENDINGS.items():
        if name.endswith(ending):
            return form
    raise InputError(f"'{path}' ends in none of {', '.join(ENDINGS)}; name the format")


def write_schedules(
    titled: Sequence[Titled], path: str | os.PathLike[str], form: str, watch: Watch = UNWATCHED
) -> None:
    """Write complete schedules in one of `WRITERS`, in one step.

    Parameters
    ----------
    titled : titles and schedules, at least one; of several, tables have a first column `scenario`, and traces
        the slots of each apart
    path, form : where to, and how
    watch : is called with how far it is, and to see whether to go on

    Raises
    ------
    UnknownName
        there is no such format
    InputError
        the file cannot be written
    Cancelled
        the watch says so; the file is as it was
    """
    if form not in WRITERS:
        raise UnknownName("format", form, WRITERS)
    WRITERS[form](with_distinct_titles(titled), path, watch)


# ---- tables


def joined(titled: Sequence[Titled], table_of: Callable[[Schedule], pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of schedules one below the other; where there are several, with their titles."""
    import pandas as pd

    tables = [table_of(schedule) for _, schedule in titled]
    if len(tables) == 1:
        return tables[0]
    for table, (title, _) in zip(tables, titled, strict=True):
        table.insert(0, "scenario", title)
    return pd.concat(tables, ignore_index=True)


def task_table(schedule: Schedule) -> pd.DataFrame:
    """Return one row per task, job by job, stage by stage: maps before reduces.

    The columns are job, kind, index, slot, wave, start, shuffle_end (of a map: its start) and end. Slots
    count map slots first, then reduce slots. Where jobs have other stages, the number of each in its job
    stands in a column stage in place of the kind.
    """
    import pandas as pd

    columns = schedule.workload.columns
    names = np.array([job.name for job in schedule.workload.jobs], object)
    stages = zip(columns.stages.job.tolist(), columns.stages.number.tolist(), strict=True)
    if schedule.workload.is_map_reduce:
        stage = {"kind": np.array(KIND_WORDS, object)[columns.kind]}
    else:
        stage = {"stage": columns.stages.number[columns.stage]}
    return pd.DataFrame(
        {
            "job": names[columns.job],
            **stage,
            "index": columns.number,
            "slot": schedule.slot,
            "wave": np.concatenate([schedule.job_wave(*stage) for stage in stages]),
            "start": schedule.start,
            "shuffle_end": schedule.shuffled,
            "end": schedule.end,
        }
    )


def job_table(schedule: Schedule) -> pd.DataFrame:
    """Return one row per job, in input order; an empty deadline means that there is none.

    Maps, reduces and the end of the maps are stages and tasks where jobs have other stages.
    """
    import pandas as pd

    workload = schedule.workload
    columns = workload.columns
    maps, reduces = columns.count.T
    if workload.is_map_reduce:
        counts = {"maps": maps, "reduces": reduces}
    else:
        counts = {"stages": np.diff(columns.stages.begin), "tasks": maps + reduces}
    table: dict[str, Any] = {
        "job": [job.name for job in workload.jobs],
        "pool": [job.pool for job in workload.jobs],
        "user": [job.user for job in workload.jobs],
        "weight": columns.weight,
        **counts,
        "arrival": schedule.arrival,
        "start": schedule.job_start,
        **({"map_end": schedule.stage_end} if workload.is_map_reduce else {}),
        "end": schedule.finish,
        "response": schedule.finish - schedule.arrival,
        "deadline": [np.nan if job.deadline is None else job.deadline for job in workload.jobs],
    }
    return pd.DataFrame(table)


def slot_table(schedule: Schedule) -> pd.DataFrame:
    """Return one row per slot: what it is for, how many tasks ran on it, how long, from when until when.

    `use` is the part of the makespan in which it was busy; a slot without tasks starts and ends at nan.
    """
    import pandas as pd

    cluster, order = schedule.cluster, schedule.by_slot
    slots = np.arange(cluster.slots)
    count = np.diff(order.offsets)
    busy = np.bincount(schedule.slot, schedule.end - schedule.start, cluster.slots)
    is_used = count > 0
    first, last = np.full(cluster.slots, np.nan), np.full(cluster.slots, np.nan)
    first[is_used] = schedule.start[order.tasks[order.offsets[:-1][is_used]]]
    last[is_used] = schedule.end[order.tasks[order.offsets[1:][is_used] - 1]]
    kinds = np.array(KIND_WORDS, object)[cluster.slot_types(slots)]
    return pd.DataFrame(
        {
            "slot": slots,
            "kind": "container" if cluster.has_containers else kinds,
            "name": [cluster.slot_name(slot) for slot in range(cluster.slots)],
            "tasks": count,
            "busy": busy,
            "use": busy / schedule.makespan if schedule.makespan else 0.0,
            "start": first,
            "end": last,
        }
    )


def write_csv(table: pd.DataFrame, path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write a table as CSV in one step, gzipped when the name ends in .gz; times are not rounded.

    Names that a spreadsheet would take for formulas are written as `core.model.cell_text` says.
    """
    pieces = [
        piece.assign(**_cells(piece)).to_csv(index=False, header=place == 0, lineterminator="\n")
        for place, piece in enumerate(_pieces(table, watch))
    ]
    replace_file(path, packed_for(path, "".join(pieces).encode("utf-8", "backslashreplace")))


def _cells(table: pd.DataFrame) -> dict[str, pd.Series[Any]]:
    """Return the columns of texts as cells."""
    texts = table.select_dtypes(exclude="number")
    return {
        str(name): column.map({text: cell_of(text) for text in column.unique()})
        for name, column in texts.items()
    }


def write_parquet(table: pd.DataFrame, path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write a table as Parquet in one step; columns and values are those of the CSV, names as they are."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    schema = pyarrow.Table.from_pandas(table, preserve_index=False).schema.remove_metadata()
    with pyarrow.parquet.ParquetWriter(sink, schema) as writer:
        for piece in _pieces(table, watch):
            writer.write_table(pyarrow.Table.from_pandas(piece, schema, preserve_index=False))
    replace_file(path, sink.getvalue().to_pybytes())


def write_table(table: pd.DataFrame, path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write a table as Parquet if the name ends in .parquet, else as CSV; may raise Cancelled.

    Raises
    ------
    InputError
        the name asks for gzipped Parquet, or the file cannot be written
    """
    name = os.fspath(path).lower()
    if name.endswith(f"{PARQUET}.gz"):
        raise InputError(f"cannot write '{path}': Parquet is compressed by itself; leave .gz off")
    write = write_parquet if name.endswith(PARQUET) else write_csv
    write(table, path, watch)


def _pieces(table: pd.DataFrame, watch: Watch) -> Iterator[pd.DataFrame]:
    """Yield the rows of a table piece by piece, at least one even if it has none."""
    for begin in range(0, max(len(table), 1), PIECE):
        watch.check(begin / max(len(table), 1))
        yield table.iloc[begin : begin + PIECE]


WRITERS: dict[str, Callable[[Sequence[Titled], str | os.PathLike[str], Watch], None]] = {
    "tasks": lambda titled, path, watch: write_table(joined(titled, task_table), path, watch),
    "jobs": lambda titled, path, watch: write_table(joined(titled, job_table), path, watch),
    "parquet": lambda titled, path, watch: write_parquet(joined(titled, task_table), path, watch),
    "perfetto": write_chrome_trace,
    "paje": write_paje,
}
"""Tables are Parquet if the file's name ends so, else CSV; 'parquet' is a table of tasks under any name."""
