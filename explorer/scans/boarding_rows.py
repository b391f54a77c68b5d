"""Rows of the boarding chart: which job stands where, and what there is to say about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.model.time_text import clock_text, duration_text

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF

    from core.shared_scans.scan_timeline import DatasetTimeline
    from explorer.scans.scan_story import ScanStory

MOST_OWN_ROWS = 24
"""Jobs up to which each has a row of its own."""


class Row(NamedTuple):
    """One job's row: the job of the workload, its dataset's number, its box from arrival to finish."""

    job: int
    dataset: int
    box: QRectF
    boarded: float
    arrival: float
    finish: float


def levels_of(line: DatasetTimeline, *, has_own_rows: bool) -> tuple[list[int], int]:
    """Return which row each job of a dataset takes, and how many rows there are."""
    if has_own_rows:
        return list(range(len(line.jobs))), len(line.jobs)
    free_at: list[float] = []
    levels = []
    for arrival, finish in zip(line.arrival.tolist(), line.finish.tolist(), strict=True):
        level = next((k for k, time in enumerate(free_at) if time <= arrival), len(free_at))
        free_at[level : level + 1] = [finish]
        levels.append(level)
    return levels, len(free_at)


def describe(story: ScanStory, row: Row) -> str:
    """Say everything about a job's ride."""
    waited = row.boarded - row.arrival
    parts = [
        f"{story.job_names[row.job]} scans {story.dataset_names[row.dataset]}",
        f"arrives at {clock_text(row.arrival, 0.1)}, leaves at {clock_text(row.finish, 0.1)}",
        f"response {duration_text(row.finish - row.arrival)}",
    ]
    if waited > 0:
        parts.append(f"of which {duration_text(waited)} waiting for the window to end")
    return "\n".join(parts)
