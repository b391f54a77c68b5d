"""Several schedules of a workload as one HTML report: charts, figures, when each job ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.files.html_report import ReportTable, html_report, themed_picture
from core.measures.metrics import measure
from core.model.schedule import planned_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.schedule import Schedule

MOST_JOBS = 200
"""Jobs in the table of completions."""
HEADER = (
    "scenario",
    "makespan (s)",
    "change",
    "above the bound",
    "mean response (s)",
    "mean stretch",
    "late jobs",
)


def comparison_report(named: Sequence[tuple[str, Schedule]], light: bytes, dark: bytes) -> str:
    """Return the report.

    Parameters
    ----------
    named : schedules of one workload with their titles, the baseline first
    light, dark : pictures of all of them, as PNG
    """
    workload = named[0][1].workload
    titles = [title for title, _ in named]
    return html_report(
        workload.name or "Schedules",
        workload.description,
        themed_picture(light, dark, f"Schedules of {', '.join(titles)}"),
        (_figures(named), _completions(named)),
        (
            f"Simulated by Slotscope: {', '.join(titles)}; times in seconds.",
            *(f"{title}: {sentence}." for title, schedule in named for sentence in planned_on(schedule)),
            *workload.source.splitlines(),
            "Change: of the makespan against the first row. Above the bound: against what no policy beats.",
        ),
    )


def _figures(named: Sequence[tuple[str, Schedule]]) -> ReportTable:
    figures = [measure(schedule) for _, schedule in named]
    rows = tuple(
        (
            title,
            _seconds(m.makespan),
            "baseline" if i == 0 else _percent(m.makespan, figures[0].makespan, "+"),
            _percent(1 + m.gap, 1.0),
            _seconds(m.mean_response),
            f"{m.mean_stretch:.2f}",
            str(m.late_jobs),
        )
        for i, ((title, _), m) in enumerate(zip(named, figures, strict=True))
    )
    return ReportTable("Comparison", HEADER, rows)


def _completions(named: Sequence[tuple[str, Schedule]]) -> ReportTable:
    jobs = named[0][1].workload.jobs
    first = f", the first {MOST_JOBS}" if len(jobs) > MOST_JOBS else ""
    rows = tuple(
        (job.name, _seconds(job.arrival), *(_finish(s, job.name) for _, s in named))
        for job in jobs[:MOST_JOBS]
    )
    header = ("job", "arrival", *(title for title, _ in named))
    return ReportTable(f"Completion of jobs (s){first}", header, rows)


def _finish(schedule: Schedule, job: str) -> str:
    """Write when a job is done; what a log recorded may have other jobs than those edited since."""
    index = schedule.workload.job_index.get(job)
    return "–" if index is None else _seconds(float(schedule.finish[index]))


def _seconds(value: float) -> str:
    return f"{value:,.2f}" if np.isfinite(value) else "–"


def _percent(value: float, base: float, sign: str = "") -> str:
    change = value / base - 1 if base else np.nan
    return f"{100 * change:{sign}.1f} %" if np.isfinite(change) else "–"
