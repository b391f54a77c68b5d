"""A check of fidelity as tables: the models, and every job, for people, the clipboard and CSV files."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import numpy as np

from core.files.atomic import replace_file

if TYPE_CHECKING:
    import os

    from core.fidelity.fidelity import Fidelity

Cell = str | float
MODEL_COLUMNS = (
    "model",
    "makespan (s)",
    "recorded makespan (s)",
    "makespan error",
    "mean job error",
    "median job error",
    "largest job error",
)


def model_rows(checked: Fidelity) -> list[tuple[Cell, ...]]:
    """Return a row of `MODEL_COLUMNS` for each model; errors are fractions."""
    return [
        (
            replay.title,
            replay.makespan,
            replay.recorded_makespan,
            replay.makespan_error,
            replay.mean_error,
            replay.median_error,
            replay.largest_error,
        )
        for replay in checked.replays
    ]


def job_columns(checked: Fidelity) -> tuple[str, ...]:
    """Return the columns of `job_rows`."""
    return (
        "job",
        "recorded (s)",
        *(f"{replay.title} (s)" for replay in checked.replays),
        *(f"{replay.title} error" for replay in checked.replays),
    )


def job_rows(checked: Fidelity) -> list[tuple[Cell, ...]]:
    """Return a row for each job, from launch to finish; those that the last model misses most come first."""
    last = checked.replays[-1]
    return [
        (
            last.jobs[i],
            float(last.recorded[i]),
            *(float(replay.simulated[i]) for replay in checked.replays),
            *(float(replay.errors[i]) for replay in checked.replays),
        )
        for i in np.argsort(-np.abs(last.errors), kind="stable").tolist()
    ]


def fidelity_text(checked: Fidelity, separator: str = "\t") -> str:
    """Return both tables, with an empty line between; numbers unrounded."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(MODEL_COLUMNS)
    writer.writerows(model_rows(checked))
    writer.writerow(())
    writer.writerow(job_columns(checked))
    writer.writerows(job_rows(checked))
    return text.getvalue()


def write_fidelity(checked: Fidelity, path: str | os.PathLike[str]) -> None:
    """Write both tables as one CSV file; InputError if that cannot be done."""
    replace_file(path, fidelity_text(checked, ",").encode("utf-8", "backslashreplace"))
