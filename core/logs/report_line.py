"""What an import did, in one line: how much was read, and by number what was not used as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.time_text import duration_text

if TYPE_CHECKING:
    from core.logs.report import ImportReport


def line_of(report: ImportReport, seconds: float) -> str:
    """Return it with how long it took: "Read 3 jobs, 8404 tasks in 0.4 s, nothing left out."."""
    tasks = sum(each.kept for each in report.tasks)
    read = f"Read {_jobs(report)}, {_counted(tasks, 'task')} in {duration_text(seconds)}"
    problems = _problems(report)
    return f"{read}: {', '.join(problems)}." if problems else f"{read}, nothing left out."


def short_line_of(report: ImportReport) -> str:
    """Return only how many jobs were read: "18 of 19 jobs read"."""
    return f"{_jobs(report)} read"


def _jobs(report: ImportReport) -> str:
    left_out = len(report.jobs_left_out)
    every = _counted(report.jobs_kept + left_out, "job")
    return f"{report.jobs_kept} of {every}" if left_out else every


def _problems(report: ImportReport) -> list[str]:
    """Return by number what was left out or changed; the reason where there is one alone."""
    tasks = sum(sum(each.left_out.values()) for each in report.tasks)
    clamped = sum(each.count for each in report.clamped.values())
    missing = sum(report.missing.values())
    found = [
        f"{_counted(count, what)} {then}"
        for count, what, then in (
            (len(report.jobs_left_out), "job", "left out"),
            (tasks, "task", "left out"),
            (report.damage_count, "place", "could not be read"),
            (clamped, "time", "below 0"),
            (missing, "time", "missing"),
            (report.repeated_names, "name", "made unique"),
        )
        if count
    ]
    reasons = {why for _, why in report.jobs_left_out}
    return [f"{found[0]} ({next(iter(reasons))})"] if len(found) == len(reasons) == 1 else found


def _counted(count: int, what: str) -> str:
    """Return a number with its noun, one or several: "1 job", "3 jobs"."""
    return f"{count} {what}{'s' * (count != 1)}"
